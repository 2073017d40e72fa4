import { type Probe, wholeProbe } from '../../../explore/probe.ts';
import type { JsonObject } from '../../../lib/json.ts';

/** Requests to other endpoints that are no such request: refused, and no internal error (§4.3, §4.7, §4.9). */
const elsewhere: readonly (readonly [title: string, step: JsonObject, rule: string, needs: string])[] = [
  ...[
    'Bearer',
    'Bearer ',
    'Bearer x',
    'Bearer .',
    'Bearer ..',
    'Bearer e30.e30.e30',
    'Bearer bnVsbA.bnVsbA.',
    'Bearer a b',
    'Basic eDp5',
  ].map(
    (authorization) =>
      [
        `User info with Authorization ${JSON.stringify(authorization)}`,
        { http: { to: 'userinfo', method: 'GET', headers: { authorization } } },
        'SEC-33',
        'userinfo',
      ] as const,
  ),
  ...['', '.', '..', '...', 'e30.e30.e30', 'bnVsbA.bnVsbA.bnVsbA', 'W10.W10.W10', '{}', 'a.b', '%'].map(
    (value) =>
      [
        `A usertrait request with the proof ${JSON.stringify(value)}`,
        { usertrait: { proof: { value } } },
        'UT-006',
        'usertrait',
      ] as const,
  ),
  ...['null', '[]', '"x"', '0', 'true', '{', '{}', '{"a":1}', '[null]', '  ', '{"client_id":null}'].map(
    (text) => [`A usertrait request whose body is ${text}`, { usertrait: { text } }, 'UT-005', 'usertrait'] as const,
  ),
  ...['', '.', '..', 'e30.e30.e30', 'bnVsbA.bnVsbA.bnVsbA', 'x'].map(
    (assertion) =>
      [
        `A token call with the client assertion ${JSON.stringify(assertion)}`,
        {
          http: {
            to: 'token',
            form: {
              grant_type: 'authorization_code',
              code: 'x',
              client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
              client_assertion: assertion,
            },
          },
        },
        'TOK-001',
        'token',
      ] as const,
  ),
];

/** Parameters that discovery does not know are ignored, whatever they are (§4.5, §9.5). */
const unknownParameters: Readonly<Record<string, JsonObject>> = {
  'an empty parameter': { x_a: '' },
  'a parameter __proto__': { ['__proto__']: 'x' },
  'a parameter with brackets': { 'x_a[]': '1', 'x_a[b]': '2' },
  'a parameter of percent signs': { x_a: '%25%00' },
  'a parameter of 2,000 characters': { x_a: 'a'.repeat(2000) },
};

const discoveries: typeof elsewhere = Object.entries(unknownParameters).map(([title, query]) => [
  `A query of discovery with ${title}`,
  { http: { to: 'discovery', query: { mccmnc: '{{ target.mccmnc }}', ...query } } },
  'DSC-013',
  'discovery',
]);

/** OAuth lets a carrier refuse what comes twice (RFC 6749 §3.1). */
const repeated: typeof elsewhere = [
  [
    'A query of discovery with a parameter that comes twice',
    { http: { to: 'discovery', query: { mccmnc: '{{ target.mccmnc }}', x_a: ['1', '2'] } } },
    'DSC-013',
    'discovery',
  ],
];

const words = { accepted: 'accepted', denied: 'refused', answered: 'answered' } as const;

const probeOf = ([title, step, rule]: (typeof elsewhere)[number], outcome: keyof typeof words): Probe =>
  wholeProbe({
    kind: 'bytes',
    title: `${title} is ${words[outcome]}`,
    rules: [rule],
    steps: (prefix) => [{ as: `${prefix}call`, ...step, expect: { outcome, rule } }],
    alone: false,
    requests: 1,
  });

/** Calls of other endpoints, where the target has the endpoint: those that are no such call, and those with more than it knows. */
export const elsewhereProbes = (serves: (endpoint: string) => boolean): readonly Probe[] => [
  ...elsewhere.filter(([, , , endpoint]) => serves(endpoint)).map((one) => probeOf(one, 'denied')),
  ...discoveries.filter(([, , , endpoint]) => serves(endpoint)).map((one) => probeOf(one, 'accepted')),
  ...repeated.filter(([, , , endpoint]) => serves(endpoint)).map((one) => probeOf(one, 'answered')),
];
