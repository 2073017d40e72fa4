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

const probeOf = ([title, step, rule]: (typeof elsewhere)[number]): Probe =>
  wholeProbe({
    kind: 'bytes',
    title: `${title} is refused`,
    rules: [rule],
    steps: (prefix) => [{ as: `${prefix}call`, ...step, expect: { outcome: 'denied', rule } }],
    alone: false,
    requests: 1,
  });

/** Calls of other endpoints that are no such call, where the target has the endpoint. */
export const elsewhereProbes = (serves: (endpoint: string) => boolean): readonly Probe[] =>
  elsewhere.filter(([, , , endpoint]) => serves(endpoint)).map(probeOf);
