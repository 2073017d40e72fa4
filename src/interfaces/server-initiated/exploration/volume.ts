import type { Wanted } from '../../../explore/exploration.ts';
import { type Probe, type Setting, wholeProbe } from '../../../explore/probe.ts';
import { randomOf } from '../../../lib/covering/random.ts';
import type { JsonObject } from '../../../lib/json.ts';
import type { Deviation } from './commands.ts';
import { memoryProbe } from './memories.ts';
import { codes, flowsOf, jtisOf, proofs } from './memory-rows.ts';
import { often } from './often.ts';
import { expectOf, results, trigger } from './race-steps.ts';
import type { ServiceAbilities, SessionAbilities } from './session.ts';

interface Row {
  readonly title: string;
  readonly setting?: Setting;
  readonly requests: number;
  readonly steps: (prefix: string) => readonly JsonObject[];
}

const accepted = { outcome: 'accepted', rule: 'TRN-014' };
/** Refusals one after the other, and then each rule still holds. */
function refusals(count: number, deviation: Deviation, others: readonly Deviation[]): Row {
  return {
    title: `Of ${count} requests that break ${deviation.rule} each is refused, and what comes after them is judged as before`,
    setting: { exclusive: true },
    requests: count + others.length,
    steps: (p) => [
      ...often(`${p}bad`, count, {
        authorize: deviation.difference,
        expect: { outcome: deviation.outcome, rule: deviation.rule },
      }),
      ...others.map((one, at) => ({
        as: `${p}other${at + 1}`,
        authorize: one.difference,
        expect: { outcome: one.outcome, rule: one.rule },
      })),
    ],
  };
}

/** Requests that wait at once: the first still gets its own result, the last as well. */
function waiting(count: number): Row {
  return {
    title: `Of ${count} requests that wait each gets its own result`,
    setting: { exclusive: true },
    requests: count + 2,
    steps: (p) => [
      { as: `${p}first`, authorize: {} },
      ...often(`${p}others`, count, { authorize: {} }),
      { as: `${p}last`, authorize: { claims: { acr_values: 'a1' } } },
      trigger(`${p}d1`, 'approve', `${p}first`),
      { as: `${p}e1`, await: 'callback', of: `${p}first`, expect: { outcome: 'completed', rule: 'FLOW-002' } },
      trigger(`${p}d2`, 'deny', `${p}last`),
      { as: `${p}e2`, await: 'callback', of: `${p}last`, expect: { outcome: 'failed', rule: 'FLOW-003' } },
    ],
  };
}

/** Requests that wait until they time out: none is forgotten. */
function timedOut(count: number): Row {
  return {
    title: `Of ${count} requests that nobody decides the first and the last time out`,
    setting: { exclusive: true },
    requests: count + 2,
    steps: (p) => [
      { as: `${p}first`, authorize: { claims: { expires_in: 60 } } },
      ...often(`${p}others`, count, { authorize: { claims: { expires_in: 60 } } }),
      { as: `${p}last`, authorize: { claims: { expires_in: 60 } } },
      results(`${p}e1`, `${p}first`, expectOf('failed', 'FLOW-013')),
      results(`${p}e2`, `${p}last`, expectOf('failed', 'FLOW-013')),
    ],
  };
}

/** Denials one after the other: the last is as the first; where waiting costs nothing, none of the results comes twice. */
function denials(count: number, waits: boolean): Row {
  const result = (name: string): JsonObject =>
    waits
      ? {
          until: `${name}-d + target.latency.callback + 5s`,
          expect: [expectOf('delivered', 'FLOW-003'), { rule: 'SEC-27', count: 1 }],
        }
      : { expect: expectOf('failed', 'FLOW-003') };
  return {
    title: `${count} requests one after the other, each denied, end alike`,
    setting: { exclusive: true },
    requests: count,
    steps: (p) =>
      Array.from({ length: count }, (_, at) => `${p}r${at + 1}`).flatMap((name) => [
        { as: name, authorize: {}, expect: accepted },
        trigger(`${name}-d`, 'deny', name),
        { as: `${name}-e`, await: 'callback', of: name, ...result(name) },
      ]),
  };
}

const asked: readonly JsonObject[] = [
  { scope: 'openid' },
  { scope: 'openid name' },
  { scope: 'name openid' },
  { acr_values: 'a1' },
  { state: 'same' },
];

/** How a hundred requests come to wait, however the carrier counts them (SEC-46). */
const floods: readonly (readonly [words: string, make: (p: string) => readonly JsonObject[]])[] = [
  [
    'of several kinds',
    (p) => asked.flatMap((claims, at) => often(`${p}f${at + 1}`, 25, { authorize: { claims: { expires_in: 60, ...claims } } })),
  ],
  [
    'at once',
    (p) => [1, 2].flatMap((at) => often(`${p}f${at}`, 60, { authorize: { claims: { expires_in: 60 } }, together: true })),
  ],
  [
    'with an approval among them',
    (p) => [
      ...often(`${p}f1`, 30, { authorize: { claims: { expires_in: 60 } } }),
      trigger(`${p}d`, 'approve', `${p}first`),
      ...often(`${p}f2`, 90, { authorize: { claims: { expires_in: 60 } } }),
    ],
  ],
  [
    'across the full hour',
    (p) => [
      { as: `${p}f0`, at: "next('hour', 30) - 25s", authorize: { claims: { expires_in: 600 } } },
      ...often(`${p}f1`, 60, { authorize: { claims: { expires_in: 600 } } }),
      { as: `${p}f2`, at: `${p}f0 + 30s`, authorize: { claims: { expires_in: 600 } } },
      ...often(`${p}f3`, 60, { authorize: { claims: { expires_in: 600 } } }),
    ],
  ],
];

/** The last of them is throttled; what comes once they are over is not. */
const flooding = ([words, make]: (typeof floods)[number]): Row => ({
  title: `Of a hundred requests that wait, ${words}, the last is throttled`,
  setting: { subscriber: 'second', exclusive: true, requires: ['push-limit'] },
  requests: 125,
  steps: (p) => {
    const steps = make(p);
    return [
      { as: `${p}first`, authorize: { claims: { expires_in: 60 } }, expect: accepted },
      // Of those before the last nothing is said.
      ...steps.map((step) => (step['trigger'] === undefined ? { ...step, expect: unsaid } : step)),
      { as: `${p}last`, authorize: { claims: { expires_in: 60 } }, expect: { rule: 'SEC-46', status: [429, 503, '4xx'] } },
    ];
  },
});

const unsaid: JsonObject = { rule: 'TRN-015', status: ['2xx', 429, 503, '4xx'] };
export interface VolumeGround {
  readonly deviations: readonly Deviation[];
  readonly abilities: SessionAbilities & ServiceAbilities;
}

/** Of so many rounds one fills the memories: they are the same each time. */
const roundsOfMemories = 5;

/** A deviation of each rule: what is counted may be counted by rule. */
function ofEachRule(deviations: readonly Deviation[]): readonly Deviation[] {
  return [...new Map(deviations.map((one) => [one.rule, one])).values()];
}

/** Much of one thing (§2.3 jti, §3): memories that are full, counters that run over. */
export function volumeProbes(
  { seed, round }: Pick<Wanted, 'seed' | 'round'>,
  requests: number,
  { deviations, abilities }: VolumeGround,
): readonly Probe[] {
  const random = randomOf(`${seed} volume`);
  const [first, ...others] = random.shuffled(deviations.filter(({ outcome }) => outcome === 'denied'));
  const some = others.slice(0, 12);
  const stale = ofEachRule(random.shuffled(deviations.filter(({ outcome }) => outcome === 'denied-or-dropped')));
  const rows = [
    denials(27, abilities.wait),
    ...(first === undefined ? [] : [refusals(120, first, some)]),
    ...stale.map((one) => refusals(25, one, [])),
    ...(abilities.severalPending ? [waiting(10), timedOut(60)] : []),
    ...(abilities.severalPending && abilities.floods && abilities.wait
      ? floods.slice((round - 1) % floods.length, ((round - 1) % floods.length) + 1).map(flooding)
      : []),
  ];
  const fills = (round - 1) % roundsOfMemories === 0;
  const memories = [
    ...(abilities.severalPending && abilities.userinfo ? [flowsOf(abilities.look)] : []),
    ...(abilities.silent ? [jtisOf([10, 16, 32, 50, 64, 100, 128, 256, 505])] : []),
    ...(abilities.codes ? [codes] : []),
    ...(abilities.proofs ? [proofs] : []),
  ];
  const probes = [
    ...rows.map((row) => wholeProbe({ kind: 'volume', rules: [], alone: true, ...row })),
    ...(fills ? memories.map(memoryProbe) : []),
  ];
  let left = requests;
  // The largest only where there is room for all the others.
  const largest = fills && abilities.silent ? [memoryProbe(jtisOf([1005]))] : [];
  return [...random.shuffled(probes), ...largest].filter((probe) => {
    if (probe.requests > left) return false;
    left -= probe.requests;
    return true;
  });
}
