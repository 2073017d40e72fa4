import type { Wanted } from '../../../explore/exploration.ts';
import { type Probe, wholeProbe } from '../../../explore/probe.ts';
import { randomOf } from '../../../lib/covering/random.ts';
import type { JsonObject } from '../../../lib/json.ts';
import type { Deviation } from './commands.ts';
import { floodOf } from './floods.ts';
import { type Memory, memoryProbe } from './memories.ts';
import { codes, flowsOf, jtisOf, proofs } from './memory-rows.ts';
import { often } from './often.ts';
import { expectOf, results, trigger } from './race-steps.ts';
import { timedOut } from './timed-out.ts';
import type { ServiceAbilities, SessionAbilities } from './session.ts';
import type { Row } from './volume-row.ts';

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
function thatTimeOut(count: number): Row {
  return {
    title: `Of ${count} requests that nobody decides the first and the last time out`,
    setting: { exclusive: true },
    requests: count + 2,
    steps: (p) => [
      { as: `${p}first`, authorize: { claims: { expires_in: 60 } } },
      ...often(`${p}others`, count, { authorize: { claims: { expires_in: 60 } } }),
      { as: `${p}last`, authorize: { claims: { expires_in: 60 } } },
      results(`${p}e1`, `${p}first`, [...timedOut]),
      results(`${p}e2`, `${p}last`, [...timedOut]),
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

export interface VolumeGround {
  readonly deviations: readonly Deviation[];
  readonly abilities: SessionAbilities & ServiceAbilities;
}

/** Of so many rounds one fills the memories: they are the same each time. */
const roundsOfMemories = 5;

const memoriesOf = (abilities: VolumeGround['abilities']): readonly Memory[] => [
  ...(abilities.severalPending && abilities.userinfo ? [flowsOf(abilities.look)] : []),
  ...(abilities.silent ? [jtisOf([10, 16, 32, 50, 64, 100, 128, 256, 505])] : []),
  ...(abilities.codes ? [codes] : []),
  ...(abilities.proofs ? [proofs] : []),
];

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
    ...(abilities.severalPending ? [waiting(10), thatTimeOut(60)] : []),
    ...(abilities.severalPending && abilities.floods && abilities.wait ? floodOf(round) : []),
  ];
  const fills = (round - 1) % roundsOfMemories === 0;
  const probes = [
    ...rows.map((row) => wholeProbe({ kind: 'volume', rules: [], alone: true, ...row })),
    ...(fills ? memoriesOf(abilities).map(memoryProbe) : []),
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
