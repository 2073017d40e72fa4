import type { JsonObject } from '../../../lib/json.ts';
import type { Memory } from './memories.ts';
import { often } from './often.ts';
import { completed, expectOf, trigger } from './race-steps.ts';

/** A request that ends at once and leaves nothing to wait for: what is remembered of it is all that is left (§2.3 prompt). */
const silent: JsonObject = { claims: { prompt: 'none', scope: 'openid' } };

/** §2.3 jti: it is not used again within 5 minutes, however many others are. */
export const jtisOf = (distances: readonly number[]): Memory => ({
  title: `A jti is remembered while ${Math.max(...distances)} others are used`,
  setting: { client: 'privileged', exclusive: true },
  each: 1,
  distances,
  make: (name) => [{ as: name, authorize: silent }],
  fill: (name, count) => often(name, count, { authorize: silent, together: true }),
  ask: (name) => {
    const step = { by: `${name} + 4m50s`, expect: expectOf('denied-or-dropped', 'REQ-015') };
    const jti = { claims: { prompt: 'none', scope: 'openid', jti: `{{ ${name}.claims.jti }}` } };
    return [
      { as: `${name}-jti`, ...step, authorize: jti },
      { as: `${name}-same`, ...step, authorize: { again: name } },
    ];
  },
});

const userinfoWith = (result: string, rule: string): JsonObject => ({
  http: { to: 'userinfo', headers: { authorization: `Bearer {{ ${result}.body.access_token }}` } },
  expect: expectOf('accepted', rule),
});

const flow = (name: string): readonly JsonObject[] => [
  { as: name, authorize: {} },
  trigger(`${name}-d`, 'approve', name),
  completed(`${name}-e`, name),
];

/** Whole flows, while one request waits all the time: its card and what each of the others brought are as they were. */
export const flowsOf = (look: boolean): Memory => ({
  title: 'After a hundred other flows a request that waits, an access token and a jti are as they were',
  each: 1,
  distances: [10, 16, 25, 32, 64, 105],
  opening: (p) => [{ as: `${p}held`, authorize: { claims: { expires_in: 300 } } }],
  make: flow,
  ask: (name) => [
    {
      as: `${name}-again`,
      by: `${name} + 4m50s`,
      authorize: { again: name },
      expect: expectOf('denied-or-dropped', 'REQ-015'),
    },
    { as: `${name}-ui`, ...userinfoWith(`${name}-e`, 'CB-025') },
  ],
  closing: (p) => [
    ...(look
      ? [
          {
            as: `${p}card`,
            by: `${p}held + 100s`,
            look: 'card',
            of: `${p}held`,
            expect: { rule: 'REQ-072', equals: { 'card.context': `{{ ${p}held.claims.context }}` } },
          },
        ]
      : []),
    { ...trigger(`${p}approval`, 'approve', `${p}held`), by: `${p}held + 100s` },
    completed(`${p}result`, `${p}held`),
  ],
});

const redemption = (name: string, code: string, expect: JsonObject): readonly JsonObject[] => [
  { as: `${name}-a`, sign: { base: 'client-assertion' } },
  {
    as: `${name}-c`,
    http: {
      to: 'token',
      form: {
        grant_type: 'authorization_code',
        code: `{{ ${code}.body.code }}`,
        redirect_uri: '{{ client.redirect_uri }}',
        client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
        client_assertion: `{{ ${name}-a.jws }}`,
      },
    },
    expect,
  },
];

const issued = { action: 'issue-code', with: { scope: 'openid', redirect_uri: '{{ client.redirect_uri }}' } };

/** A code that was redeemed stays so. */
export const codes: Memory = {
  title: 'A code that was redeemed gets no tokens after forty others were',
  each: 1,
  distances: [8, 10, 16, 20, 32, 40],
  make: (name) => [{ as: name, trigger: issued }, ...redemption(`${name}-1`, name, expectOf('accepted', 'TOK-001'))],
  ask: (name) =>
    redemption(`${name}-2`, name, { ...expectOf('denied', 'SEC-50'), absent: ['body.access_token', 'body.id_token'] }),
};

/** A proof of possession stays used; and a query behind a hundred others gets the same response as the first. */
export const proofs: Memory = {
  title:
    'A proof of possession is refused the second time after a hundred other queries, and each gets the same response',
  each: 1,
  distances: [10, 16, 32, 50, 64, 105],
  opening: (p) => [{ as: `${p}plain`, usertrait: {} }],
  make: (name) => [{ as: name, usertrait: { members: { correlation_id: 'proof-kept' } } }],
  fill: (name, count) => often(name, count, { usertrait: {} }),
  ask: (name) => [
    {
      as: `${name}-again`,
      usertrait: { members: { correlation_id: 'proof-kept' }, proof: { again: name } },
      expect: { ...expectOf('denied', 'SEC-42'), absent: ['body.sim_tenure'] },
    },
  ],
  closing: (p) => [
    {
      as: `${p}last`,
      usertrait: {},
      expect: {
        ...expectOf('accepted', 'UT-015'),
        equals: { 'body.sim_tenure': `{{ ${p}plain.body.sim_tenure }}` },
      },
    },
  ],
};
