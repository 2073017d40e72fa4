import type { Kept, Probe, Setting } from '../../../explore/probe.ts';
import { type Random, randomOf } from '../../../lib/covering/random.ts';
import type { Json, JsonObject } from '../../../lib/json.ts';
import type { SessionAbilities } from './session.ts';

/** Steps of a race; `p` is what their names begin with. */
type Race = (p: string, random: Random) => readonly JsonObject[];

interface Row {
  readonly title: string;
  readonly setting?: Setting;
  readonly needs?: (abilities: SessionAbilities) => boolean;
  readonly steps: Race;
}

const life = (seconds: number): JsonObject => ({ claims: { expires_in: seconds } });
const authorize = (name: string, difference: JsonObject = {}): JsonObject => ({
  as: name,
  authorize: difference,
  expect: { outcome: 'accepted', rule: 'TRN-014' },
});
const trigger = (name: string, action: string, of: string): JsonObject => ({
  as: name,
  trigger: { action, of, ifPossible: true },
});
const parallel = (step: JsonObject): JsonObject => ({ ...step, parallel: true });
const expectOf = (outcome: string, rule: string): JsonObject => ({ outcome, rule });

/** All that comes of a request in a while: invariants say that it is one result, and of this request. */
const results = (name: string, of: string, expect: Json): JsonObject => ({
  as: name,
  await: 'callback',
  of,
  until: `${of} + ${of}.claims.expires_in + target.latency.callback + 60s`,
  expect,
});

/** What is approved brings tokens, its own: invariants hold them against the request. */
const completed = (name: string, of: string): JsonObject => ({
  as: name,
  await: 'callback',
  of,
  expect: expectOf('completed', 'FLOW-002'),
});

/** Requests of `differences` at once; then each is decided at once. */
function sideBySide(p: string, differences: readonly JsonObject[], actions: readonly string[]): readonly JsonObject[] {
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

const several = (count: number, random: Random): readonly JsonObject[] =>
  Array.from({ length: count }, (_, at) => ({
    claims: {
      state: `state-${at}-{{ fresh() }}`,
      acr_values: random.below(2) === 0 ? 'a1' : 'a3',
      scope: ['openid', 'openid name', 'name openid'][random.below(3)] ?? 'openid',
    },
  }));

const copies =
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

const oneJti =
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
const decidedTwice =
  (one: string, other: string, expect: Json): Race =>
  (p) => [
    authorize(`${p}r`, life(120)),
    trigger(`${p}one`, one, `${p}r`),
    parallel(trigger(`${p}other`, other, `${p}r`)),
    results(`${p}end`, `${p}r`, expect),
  ];

const atTheEnd =
  (action: string, seconds: number): Race =>
  (p) => [
    authorize(`${p}r`, life(60)),
    {
      ...trigger(`${p}d`, action, `${p}r`),
      at: `${p}r + ${p}r.granted ${seconds < 0 ? '-' : '+'} ${Math.abs(seconds)}s`,
    },
    results(`${p}end`, `${p}r`, expectOf('delivered', 'FLOW-013')),
  ];

const slow = (delay: string): Setting => ({ exclusive: true, receiver: { callbacks: [{ delay }] } });

const withSecond = ({ secondClient }: SessionAbilities): boolean => secondClient;
const severalWait = ({ severalPending }: SessionAbilities): boolean => severalPending;

const rows: readonly Row[] = [
  { title: 'Of 3 copies of an object at once one is accepted', steps: copies(3) },
  { title: 'Of 50 copies of an object at once one is accepted', steps: copies(50) },
  { title: 'Of 5 copies of an object without jti at once one is accepted', steps: copies(5, { drop: ['jti'] }) },
  { title: 'Of 2 objects with one jti at once one is accepted', steps: oneJti(2) },
  { title: 'Of 40 objects with one jti at once one is accepted', steps: oneJti(40) },
  {
    title: 'Of 6 objects with one jti and acr_values a1 at once one is accepted',
    steps: oneJti(6, { header: { typ: 'jwt' } }),
  },
  {
    title: 'An approval beside a denial ends in one result',
    steps: decidedTwice('approve', 'deny', expectOf('delivered', 'FLOW-014')),
  },
  {
    title: 'A denial beside an approval ends in one result',
    steps: decidedTwice('deny', 'approve', expectOf('delivered', 'FLOW-014')),
  },
  {
    title: 'Two approvals at once end in one result',
    steps: decidedTwice('approve', 'approve', expectOf('no-error', 'FLOW-014')),
  },
  {
    title: 'Two denials at once end in one result',
    steps: decidedTwice('deny', 'deny', expectOf('no-tokens', 'FLOW-003')),
  },
  { title: 'An approval at the moment of the time-out ends in one result', steps: atTheEnd('approve', 0) },
  { title: 'An approval a second before the time-out ends in one result', steps: atTheEnd('approve', -1) },
  { title: 'An approval a second after the time-out ends in one result', steps: atTheEnd('approve', 1) },
  { title: 'A denial at the moment of the time-out ends in one result', steps: atTheEnd('deny', 0) },
  { title: 'A denial a second after the time-out ends in one result', steps: atTheEnd('deny', 1) },
  {
    title: 'Of 4 requests at once each gets its own result',
    needs: severalWait,
    steps: (p, random) => sideBySide(p, several(4, random), ['approve']),
  },
  {
    title: 'Of 8 requests at once, approved and denied, each gets its own result',
    needs: severalWait,
    steps: (p, random) => sideBySide(p, several(8, random), ['approve', 'deny', 'approve']),
  },
  {
    title: 'Requests of two subscribers at once get their own results',
    steps: (p) => sideBySide(p, [{}, { claims: { login_hint: '{{ subscribers.second.sub }}' } }], ['approve']),
  },
  {
    title: 'Requests of two subscribers at once, one of them denied, get their own results',
    steps: (p) => sideBySide(p, [{ claims: { login_hint: '{{ subscribers.second.sub }}' } }, {}], ['approve', 'deny']),
  },
  {
    title: 'Requests of two SPs at once get their own results',
    needs: withSecond,
    steps: (p) => sideBySide(p, [{}, { client: 'second' }], ['approve']),
  },
  {
    title: 'Requests of two SPs with one jti at once are both accepted',
    needs: withSecond,
    steps: (p) => [
      { as: `${p}object`, sign: { base: 'request-object' } },
      ...sideBySide(
        p,
        [
          { claims: { jti: `{{ ${p}object.claims.jti }}` } },
          { client: 'second', claims: { jti: `{{ ${p}object.claims.jti }}` } },
        ],
        ['approve'],
      ),
    ],
  },
  {
    title: 'Requests of two SPs and two subscribers at once get their own results',
    needs: withSecond,
    steps: (p) =>
      sideBySide(
        p,
        [
          {},
          { client: 'second', claims: { login_hint: '{{ subscribers.second.sub }}' } },
          { claims: { scope: 'openid' } },
        ],
        ['approve', 'approve', 'deny'],
      ),
  },
  ...['1s', '2s', '5s', '9s'].flatMap((delay): readonly Row[] => [
    {
      title: `A receiver that takes ${delay} to answer gets each result once`,
      setting: slow(delay),
      steps: (p) => [
        authorize(`${p}r1`, life(60)),
        trigger(`${p}d1`, 'approve', `${p}r1`),
        authorize(`${p}r2`, life(60)),
        trigger(`${p}d2`, 'deny', `${p}r2`),
        results(`${p}e1`, `${p}r1`, [expectOf('no-error', 'FLOW-014'), expectOf('completed', 'FLOW-002')]),
        results(`${p}e2`, `${p}r2`, [expectOf('no-tokens', 'FLOW-003'), expectOf('failed', 'FLOW-003')]),
      ],
    },
  ]),
  {
    title: 'A request beside an approval, and one beside a denial, get their own results',
    needs: severalWait,
    steps: (p) => [
      authorize(`${p}r1`),
      trigger(`${p}d1`, 'approve', `${p}r1`),
      parallel(authorize(`${p}r2`)),
      completed(`${p}e1`, `${p}r1`),
      trigger(`${p}d2`, 'deny', `${p}r2`),
      parallel(authorize(`${p}r3`)),
      { ...completed(`${p}e2`, `${p}r2`), expect: expectOf('failed', 'FLOW-003') },
      trigger(`${p}d3`, 'approve', `${p}r3`),
      completed(`${p}e3`, `${p}r3`),
    ],
  },
  {
    title: 'A request that is refused beside one that is accepted leaves that one as it is',
    steps: (p) => [
      authorize(`${p}r1`),
      parallel({
        as: `${p}bad`,
        authorize: { claims: { iss: '{{ clients.second.client_id }}', state: 'other', nonce: 'other' } },
        expect: expectOf('denied', 'REQ-002'),
      }),
      trigger(`${p}d1`, 'approve', `${p}r1`),
      completed(`${p}e1`, `${p}r1`),
    ],
  },
];

/** Things that happen at the same moment (§2.3 jti, §3): at most one wins, and no result is of another session. */
export function raceProbes(seed: string, count: number, abilities: SessionAbilities): readonly Probe[] {
  const able = rows.filter(({ needs }) => needs?.(abilities) !== false);
  const order = randomOf(`${seed} races`);
  return Array.from({ length: Math.ceil(count / Math.max(1, able.length)) }, () => order.shuffled(able))
    .flat()
    .slice(0, count)
    .map(
      ({ title, setting = { exclusive: true }, steps }, at): Probe => ({
        kind: 'races',
        base: title,
        rules: [],
        title: () => title,
        setting: () => setting,
        parts: [],
        steps: (_kept: Kept, prefix) => steps(prefix, randomOf(`${seed} race ${at}`)),
        control: {},
        alone: true,
        requests: 4,
      }),
    );
}
