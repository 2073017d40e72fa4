import { type Probe, type Setting, wholeProbe } from '../../../explore/probe.ts';
import { pick, type Random, randomOf } from '../../../lib/covering/random.ts';
import type { JsonObject } from '../../../lib/json.ts';
import { completedEntries } from './completed.ts';
import { completed, expectOf, results, trigger } from './race-steps.ts';
import { timedOut } from './timed-out.ts';
import type { ServiceAbilities, SessionAbilities } from './session.ts';

type Steps = readonly JsonObject[];

/** What a row is made of: `before` gives the moment some seconds before the one of the calendar; below zero, after it. */
interface Drawn {
  readonly p: string;
  readonly before: (seconds: number) => string;
  readonly random: Random;
  readonly abilities: MomentAbilities;
}

/** A window of the interface (§2.3, §2.4, §6, §8), with a moment of the calendar inside it. */
interface Row {
  readonly title: string;
  readonly setting?: Setting;
  readonly needs?: (abilities: MomentAbilities) => boolean;
  readonly requests: number;
  readonly steps: (drawn: Drawn) => Steps;
}

type MomentAbilities = SessionAbilities & ServiceAbilities;

const minute = 60;
const hour = 60 * minute;

const between = (random: Random, least: number, most: number): number => least + random.below(most - least);

const again = (p: string, seconds: number): Steps => {
  const step = { at: `${p}r + ${seconds}s`, expect: expectOf('denied-or-dropped', 'REQ-015') };
  return [
    { as: `${p}same`, ...step, authorize: { again: `${p}r` } },
    { as: `${p}jti`, ...step, authorize: { claims: { jti: `{{ ${p}r.claims.jti }}` } } },
  ];
};

/** Seconds by which iat is too old and exp too far ahead: just so, and by an hour. */
const ages = [331, 345, 357, 900, 3500, 86_000];
const aheads = [335, 900, 2400, 3500, 7000];

const stale = (p: string, random: Random): Steps => [
  ...random
    .shuffled(ages)
    .slice(0, 3)
    .map((age, at) => ({
      as: `${p}old${at + 1}`,
      authorize: { claims: { iat: `{{ now - ${age}s }}`, exp: '{{ now + 60s }}' } },
      expect: expectOf('denied-or-dropped', 'REQ-009'),
    })),
  ...random
    .shuffled(aheads)
    .slice(0, 3)
    .map((ahead, at) => ({
      as: `${p}far${at + 1}`,
      authorize: { claims: { exp: `{{ now + ${ahead}s }}` } },
      expect: expectOf('denied-or-dropped', 'REQ-012'),
    })),
];

/** User info with the token of a flow, at moments counted from its end. */
const profiles = (of: string, all: readonly (readonly [at: string, outcome: string])[]): Steps =>
  all.map(([at, outcome], nth) => ({
    as: `${of}-${nth + 1}`,
    at,
    http: { to: 'userinfo', headers: { authorization: `Bearer {{ ${of}-e.body.access_token }}` } },
    expect: expectOf(outcome, 'CB-028'),
  }));

const flow = (name: string, at: string, difference: JsonObject = {}): Steps => [
  { as: name, at, authorize: difference },
  trigger(`${name}-d`, 'approve', name),
  { ...completed(`${name}-e`, name), expect: [...completedEntries({ difference })] },
];

const authenticatesFully = (rule: string): JsonObject => ({
  rule,
  card: { required: ['authentication'], properties: { authentication: { const: 'full' } } },
});

const rows: readonly Row[] = [
  {
    title: 'A jti is not used again within 5 minutes',
    requests: 3,
    steps: ({ p, before, random }) => {
      const lead = between(random, 1, 290);
      return [{ as: `${p}r`, at: before(lead), authorize: {} }, ...again(p, between(random, lead, 295))];
    },
  },
  {
    title: 'An object that is too old, or good for too long, is refused',
    requests: 12,
    steps: ({ p, before, random }) => {
      const lead = pick([1, 2, 3, 10, 60, 600, 1800], random) ?? 2;
      return [
        { as: `${p}r`, at: before(lead), authorize: {} },
        ...stale(`${p}a-`, random),
        { as: `${p}later`, at: `${p}r + ${lead + between(random, 1, 20 * minute)}s`, authorize: {} },
        ...stale(`${p}b-`, random),
      ];
    },
  },
  {
    title: 'A request can be decided until its end, and times out then',
    needs: ({ severalPending }) => severalPending,
    requests: 2,
    steps: ({ p, before, random }) => {
      const life = pick([60, 300, 600, 600], random) ?? 300;
      const asked = { claims: { expires_in: life } };
      return [
        { as: `${p}r`, at: before(between(random, 1, life)), authorize: asked },
        { as: `${p}s`, authorize: asked },
        { ...trigger(`${p}d`, 'approve', `${p}r`), at: `${p}r + ${p}r.granted - 5s` },
        completed(`${p}e`, `${p}r`),
        results(`${p}f`, `${p}s`, [...timedOut]),
      ];
    },
  },
  {
    title: 'An access token opens user info until it expires, and on no later day',
    needs: ({ userinfo }) => userinfo,
    requests: 6,
    steps: ({ p, before, random }) => [
      ...flow(`${p}r`, before(pick([-hour, -5 * minute, 2, 10, minute, 4 * minute, 4 * minute], random) ?? minute)),
      ...profiles(`${p}r`, [
        [`${p}r-d + 5s`, 'accepted'],
        [`${p}r-d + ${p}r-e.body.expires_in - 10s`, 'accepted'],
        ...['5m5s', '55m', '23h55m'].map(
          (after) => [`${p}r-e.receivedAt + ${p}r-e.body.expires_in + ${after}`, 'denied'] as const,
        ),
      ]),
    ],
  },
  {
    title: 'An authentication is used again for half an hour, and not with prompt login',
    needs: ({ look }) => look,
    requests: 3,
    steps: ({ p, before, random }) => {
      const gap = pick([hour, 24 * hour, 31 * minute, 40 * minute, 50 * minute], random) ?? hour;
      const later = (name: string, claims: JsonObject, rule: string): Steps => [
        { as: name, authorize: { claims } },
        { as: `${name}-c`, look: 'card', of: name, expect: authenticatesFully(rule) },
        trigger(`${name}-d`, 'approve', name),
        { ...completed(`${name}-e`, name), expect: [...completedEntries({ difference: { claims } })] },
      ];
      const [late, ...others] = later(`${p}s`, { acr_values: 'a3' }, 'REQ-057');
      const [forced, ...more] = later(`${p}t`, { prompt: 'login' }, 'REQ-045');
      return [
        ...flow(`${p}r`, before(pick([-1200, -300, -10, 2, 300, 1500], random) ?? 2), {
          claims: { acr_values: 'a3', prompt: 'login' },
        }),
        { ...late, at: `${p}r + ${gap}s` },
        ...others,
        { ...forced, at: `${p}s + 5m` },
        ...more,
      ];
    },
  },
  {
    title: 'A device change is reported once within the hour',
    needs: ({ moveSim, latency }) => moveSim && latency.event <= 40 * minute,
    requests: 1,
    steps: ({ p, before, random, abilities: { latency } }) => {
      // Within the hour of the first, whether it counts from the change or from the event.
      const gap = between(random, latency.event + 2 * minute, 55 * minute);
      const events = (name: string, of: string, expect: JsonObject): JsonObject => ({
        as: name,
        await: 'events',
        event: 'device_change',
        until: `${of} + target.latency.event`,
        expect,
      });
      return [
        { as: `${p}one`, at: before(between(random, 1, gap)), trigger: 'move-sim' },
        events(`${p}seen`, `${p}one`, expectOf('delivered', 'EVT-015')),
        { as: `${p}two`, at: `${p}one + ${gap}s`, trigger: 'move-sim' },
        events(`${p}none`, `${p}two`, expectOf('silence', 'EVT-018')),
      ];
    },
  },
  {
    title: 'An event that is not confirmed is sent three times more',
    needs: ({ moveSim }) => moveSim,
    setting: { exclusive: true, receiver: { events: [{ status: 503 }] } },
    requests: 1,
    steps: ({ p, before, random }) => [
      { as: `${p}one`, at: before(between(random, 1, 4 * minute)), trigger: 'move-sim' },
      {
        as: `${p}tries`,
        await: 'events',
        event: 'device_change',
        until: `${p}one + target.latency.event + 45m`,
        expect: [
          { rule: 'EVT-013', check: 'three-retries' },
          { rule: 'EVT-014', spacing: { every: '60s', early: '15s', late: '15s' } },
        ],
      },
    ],
  },
  {
    title: 'A proof of possession is used once',
    needs: ({ proofs }) => proofs,
    requests: 2,
    steps: ({ p, before }) => [
      { as: `${p}r`, at: before(1), usertrait: { members: { correlation_id: 'proof-kept' } } },
      {
        as: `${p}s`,
        at: `${p}r + 2s`,
        usertrait: { members: { correlation_id: 'proof-kept' }, proof: { again: `${p}r` } },
        expect: { ...expectOf('denied', 'SEC-42'), absent: ['body.sim_tenure'] },
      },
    ],
  },
  {
    title: 'A SIM is new for 24 hours',
    needs: ({ proofs, swapSim, latency }) => proofs && swapSim && latency.simSwap <= 3 * hour,
    requests: 4,
    steps: ({ p, before, random }) => [
      { as: `${p}swap`, at: before(between(random, minute, 23 * hour)), trigger: 'swap-sim' },
      ...[between(random, 4, 12), between(random, 12, 20), 22, 23].map((hours) => ({
        as: `${p}q${hours}`,
        at: `${p}swap + ${hours}h + 50m`,
        usertrait: {},
        expect: { rule: 'UT-017', check: 'tenure-true' },
      })),
    ],
  },
];

/** Moments that come again, as templates name them. */
const moments = [
  'minute',
  'hour',
  'day',
  '03:00',
  'leap-day',
  'year',
  'summer-time',
  'winter-time',
  'daylight-time',
  'standard-time',
] as const;

function probeOf(
  row: Row,
  { moment, random, abilities }: { moment: (typeof moments)[number]; random: Random; abilities: MomentAbilities },
): Probe {
  const seed = String(random.below(2 ** 31));
  const before = (seconds: number): string =>
    seconds < 0 ? `next('${moment}') + ${-seconds}s` : `next('${moment}', ${seconds + 5}) - ${seconds}s`;
  return wholeProbe({
    kind: 'sequences',
    title: `${row.title}, with the next ${moment} in between`,
    setting: row.setting ?? { exclusive: true },
    rules: [],
    alone: true,
    requests: row.requests,
    steps: (p) => row.steps({ p, before, random: randomOf(seed), abilities }),
  });
}

/** Windows of the interface across moments of the calendar: each with each, before any pair comes again. */
export function windowProbes(seed: string, requests: number, abilities: MomentAbilities): readonly Probe[] {
  const random = randomOf(`${seed} windows`);
  const able = rows.filter(({ needs }) => needs?.(abilities) !== false);
  if (!abilities.wait || able.length === 0) return [];
  const probes: Probe[] = [];
  for (let left = requests; left > 0; ) {
    const pairs = able.flatMap((row) => moments.map((moment) => ({ row, moment })));
    for (const { row, moment } of random.shuffled(pairs)) {
      if (left <= 0) break;
      probes.push(probeOf(row, { moment, random, abilities }));
      left -= row.requests;
    }
  }
  return probes;
}
