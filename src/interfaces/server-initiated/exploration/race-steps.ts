import type { Setting } from '../../../explore/probe.ts';
import type { Random } from '../../../lib/covering/random.ts';
import type { Json, JsonObject } from '../../../lib/json.ts';
import type { ServiceAbilities, SessionAbilities } from './session.ts';

/** Steps of a race; `p` is what their names begin with. */
export type Race = (p: string, random: Random) => readonly JsonObject[];

export interface RaceAbilities extends SessionAbilities, ServiceAbilities {}

export interface Row {
  readonly title: string;
  readonly setting?: Setting;
  readonly needs?: (abilities: RaceAbilities) => boolean;
  readonly steps: Race;
}

export const life = (seconds: number): JsonObject => ({ claims: { expires_in: seconds } });
export const authorize = (name: string, difference: JsonObject = {}): JsonObject => ({
  as: name,
  authorize: difference,
  expect: { outcome: 'accepted', rule: 'TRN-014' },
});
/** At any time, also when the request is over. */
const triggerAnyTime = (name: string, action: string, of: string): JsonObject => ({
  as: name,
  trigger: { action, of, ifPossible: true },
});
/** The user decides while the request waits: where callbacks, or others, took longer, nothing is said. */
export const trigger = (name: string, action: string, of: string): JsonObject => ({
  ...triggerAnyTime(name, action, of),
  by: `${of} + ${of}.granted - 2s`,
});
export const parallel = (step: JsonObject): JsonObject => ({ ...step, parallel: true });
export const expectOf = (outcome: string, rule: string): JsonObject => ({ outcome, rule });

/** All that comes of a request in a while: invariants say that it is one result, and of this request. */
export const results = (name: string, of: string, expect: Json): JsonObject => ({
  as: name,
  await: 'callback',
  of,
  until: `${of} + ${of}.claims.expires_in + target.latency.callback + 60s`,
  expect,
});

/** What is approved brings tokens, its own: invariants hold them against the request. */
export const completed = (name: string, of: string): JsonObject => ({
  as: name,
  await: 'callback',
  of,
  expect: expectOf('completed', 'FLOW-002'),
});

/** Requests of `differences` at once; then each is decided at once. */
export function sideBySide(
  p: string,
  differences: readonly JsonObject[],
  actions: readonly string[],
): readonly JsonObject[] {
  const names = differences.map((_, at) => `${p}r${at + 1}`);
  const action = (at: number): string => actions[at % actions.length] ?? 'approve';
  return [
    ...names.map((name, at) => {
      const step = authorize(name, differences[at]);
      return at === 0 ? step : parallel(step);
    }),
    ...names.map((name, at) => {
      const step = trigger(`${p}d${at + 1}`, action(at), name);
      return at === 0 ? step : parallel(step);
    }),
    ...names.map((name, at) =>
      action(at) === 'approve'
        ? completed(`${p}e${at + 1}`, name)
        : { ...completed(`${p}e${at + 1}`, name), expect: expectOf('failed', 'FLOW-003') },
    ),
  ];
}

export const several = (count: number, random: Random): readonly JsonObject[] =>
  Array.from({ length: count }, (_, at) => ({
    claims: {
      state: `state-${at}-{{ fresh() }}`,
      acr_values: random.below(2) === 0 ? 'a1' : 'a3',
      scope: ['openid', 'openid name', 'name openid'][random.below(3)] ?? 'openid',
    },
  }));

export const copies =
  (count: number, more: JsonObject = {}): Race =>
  (p) => [
    { as: `${p}object`, sign: { base: 'request-object', ...more } },
    {
      as: `${p}copies`,
      authorize: { again: `${p}object` },
      times: count,
      together: true,
      expect: expectOf('at-most-one', 'SEC-21'),
    },
  ];

export const oneJti =
  (count: number, difference: JsonObject = {}): Race =>
  (p) => [
    { as: `${p}object`, sign: { base: 'request-object' } },
    {
      as: `${p}objects`,
      authorize: { ...difference, claims: { jti: `{{ ${p}object.claims.jti }}` } },
      times: count,
      together: true,
      expect: expectOf('at-most-one', 'REQ-015'),
    },
  ];

/** Two things happen to one request at the same moment: it has one result. */
export const decidedTwice =
  (one: string, other: string, expect: Json): Race =>
  (p) => [
    authorize(`${p}r`, life(120)),
    trigger(`${p}one`, one, `${p}r`),
    parallel(trigger(`${p}other`, other, `${p}r`)),
    results(`${p}end`, `${p}r`, expect),
  ];

export const atTheEnd =
  (action: string, seconds: number): Race =>
  (p) => [
    authorize(`${p}r`, life(60)),
    {
      ...triggerAnyTime(`${p}d`, action, `${p}r`),
      at: `${p}r + ${p}r.granted ${seconds < 0 ? '-' : '+'} ${Math.abs(seconds) * 1000}ms`,
    },
    results(`${p}end`, `${p}r`, expectOf('delivered', 'FLOW-013')),
  ];

/** §4.4: the SP cancels a request; the carrier accepts that. */
export const cancellation = (of: string): readonly JsonObject[] => [
  { as: `${of}-a`, sign: { base: 'client-assertion' } },
  {
    as: `${of}-x`,
    http: {
      to: 'cancel',
      parameters: {
        auth_req_id: `{{ ${of}.body.auth_req_id }}`,
        client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
        client_assertion: `{{ ${of}-a.jws }}`,
      },
    },
    expect: expectOf('accepted', 'CXL-002'),
  },
];

export const slow = (delay: string): Setting => ({ exclusive: true, receiver: { callbacks: [{ delay }] } });
