import { type Probe, type Setting, wholeProbe } from '../../../explore/probe.ts';
import { randomOf } from '../../../lib/covering/random.ts';
import type { JsonObject } from '../../../lib/json.ts';
import type { Deviation } from './commands.ts';
import type { SessionAbilities } from './session.ts';

interface Row {
  readonly title: string;
  readonly setting?: Setting;
  readonly requests: number;
  readonly steps: (prefix: string) => readonly JsonObject[];
}

/** A step is repeated so often at most (docs/suite-language.md). */
const mostTimes = 100;

/** A step that is repeated more often than one may be. */
const often = (name: string, count: number, step: JsonObject): readonly JsonObject[] =>
  Array.from({ length: Math.ceil(count / mostTimes) }, (_, at) => ({
    as: `${name}${at + 1}`,
    ...step,
    times: Math.min(mostTimes, count - at * mostTimes),
  }));

const accepted = { outcome: 'accepted', rule: 'TRN-014' };
const refusedAgain = { outcome: 'denied-or-dropped', rule: 'REQ-015' };

/** A request that ends at once and leaves nothing to wait for: what is remembered of it is all that is left (§2.3 prompt). */
const silent: JsonObject = { claims: { prompt: 'none', scope: 'openid' } };

function memoryOf(count: number): Row {
  return {
    title: `A jti is remembered while ${count} others are used`,
    setting: { client: 'privileged', exclusive: true },
    requests: count + 3,
    steps: (p) => [
      { as: `${p}first`, authorize: silent },
      ...often(`${p}others`, count, { authorize: silent, together: true }),
      {
        as: `${p}again`,
        by: `${p}first + 4m50s`,
        authorize: { claims: { prompt: 'none', scope: 'openid', jti: `{{ ${p}first.claims.jti }}` } },
        expect: refusedAgain,
      },
      { as: `${p}same`, by: `${p}first + 4m50s`, authorize: { again: `${p}first` }, expect: refusedAgain },
    ],
  };
}

/** Refusals one after the other, and then each rule still holds. */
function refusals(count: number, deviation: Deviation, others: readonly Deviation[]): Row {
  return {
    title: `After ${count} refusals every request is judged as before`,
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
      { as: `${p}d1`, trigger: { action: 'approve', of: `${p}first`, ifPossible: true } },
      { as: `${p}e1`, await: 'callback', of: `${p}first`, expect: { outcome: 'completed', rule: 'FLOW-002' } },
      { as: `${p}d2`, trigger: { action: 'deny', of: `${p}last`, ifPossible: true } },
      { as: `${p}e2`, await: 'callback', of: `${p}last`, expect: { outcome: 'failed', rule: 'FLOW-003' } },
    ],
  };
}

/** Whole flows one after the other: the last is as the first. */
function flows(count: number, action: 'approve' | 'deny'): Row {
  const end =
    action === 'approve' ? { outcome: 'completed', rule: 'FLOW-002' } : { outcome: 'failed', rule: 'FLOW-003' };
  return {
    title: `${count} requests one after the other, each ${action === 'approve' ? 'approved' : 'denied'}, end alike`,
    setting: { exclusive: true },
    requests: count,
    steps: (p) =>
      Array.from({ length: count }, (_, at) => at + 1).flatMap((at) => [
        { as: `${p}r${at}`, authorize: {}, expect: accepted },
        { as: `${p}d${at}`, trigger: { action, of: `${p}r${at}`, ifPossible: true } },
        { as: `${p}e${at}`, await: 'callback', of: `${p}r${at}`, expect: end },
      ]),
  };
}

export interface VolumeGround {
  readonly deviations: readonly Deviation[];
  readonly abilities: SessionAbilities & { readonly silent: boolean };
}

/** Much of one thing (§2.3 jti, §3): memories that are full, counters that run over. */
export function volumeProbes(
  seed: string,
  requests: number,
  { deviations, abilities }: VolumeGround,
): readonly Probe[] {
  const random = randomOf(`${seed} volume`);
  const [first, ...others] = random.shuffled(deviations.filter(({ outcome }) => outcome === 'denied'));
  const some = others.slice(0, 12);
  const rows = [
    flows(30, 'approve'),
    flows(20, 'deny'),
    ...(first === undefined ? [] : [refusals(30, first, some), refusals(120, first, some), refusals(250, first, some)]),
    ...(abilities.severalPending ? [waiting(10), waiting(50)] : []),
    ...(abilities.silent ? [memoryOf(10), memoryOf(50), memoryOf(100), memoryOf(260), memoryOf(1000)] : []),
  ];
  let left = requests;
  const fitting = random.shuffled(rows).filter((row) => {
    left -= row.requests;
    return left >= 0;
  });
  return fitting.map((row) => wholeProbe({ kind: 'volume', rules: [], alone: true, ...row }));
}
