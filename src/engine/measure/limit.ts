import type {
  LimitProbe,
  Limit,
  LimitResult,
  LimitState,
  LimitUnit,
  ProfileEntry,
  ProfileValue,
} from '../../model/limit.ts';
import type { CaseResult, ResultFooter } from '../../model/result.ts';
import type { RunOptions } from '../run-options.ts';

/** Result of a search for the last value that holds. */
interface LimitEdge {
  readonly state: 'limit' | 'beyond' | 'nothing';
  /** Last value that holds, starting at `from`; `from` itself for `nothing`. */
  readonly value: number;
  readonly probes: readonly LimitProbe[];
}

/** Finds the last integer from `from` towards `to` that holds. Tries both ends first. */
export async function searchEdge(
  { from, to }: { readonly from: number; readonly to: number },
  tryAt: (value: number) => Promise<Omit<LimitProbe, 'at'>>,
): Promise<LimitEdge> {
  const probes: LimitProbe[] = [];
  const holdsAt = async (at: number): Promise<boolean> => {
    const probe = { at, ...(await tryAt(at)) };
    probes.push(probe);
    return probe.held;
  };
  if (!(await holdsAt(from))) return { state: 'nothing', value: from, probes };
  if (await holdsAt(to)) return { state: 'beyond', value: to, probes };
  let [good, bad] = [from, to];
  while (Math.abs(bad - good) > 1) {
    const middle = Math.trunc((good + bad) / 2);
    if (await holdsAt(middle)) good = middle;
    else bad = middle;
  }
  return { state: 'limit', value: good, probes };
}

/** Window shown by the rungs of a ladder: refused up to one, accepted from the next. */
interface TimeWindow {
  readonly state: 'limit' | 'beyond' | 'nothing' | 'contradictory';
  readonly value: number;
  readonly uncertainty: number;
}

/** Computes the window: between the longest time with refusal and the shortest without. */
export function computeWindow(probes: readonly LimitProbe[]): TimeWindow {
  const held = probes.filter((probe) => probe.held).map(({ at }) => at);
  const free = probes.filter((probe) => !probe.held).map(({ at }) => at);
  const longest = Math.max(0, ...held);
  if (free.length === 0) return { state: 'beyond', value: longest, uncertainty: 0 };
  const shortest = Math.min(...free);
  if (held.length === 0) return { state: 'nothing', value: shortest, uncertainty: 0 };
  if (longest > shortest) return { state: 'contradictory', value: longest, uncertainty: 0 };
  return { state: 'limit', value: (longest + shortest) / 2, uncertainty: (shortest - longest) / 2 };
}

/** Measurement before it is put into words. */
export interface LimitMeasurement extends Pick<LimitResult, 'probes' | 'reason'> {
  readonly state: LimitState;
  readonly value?: number;
  readonly uncertainty?: number;
}

function formatQuantity(value: number, uncertainty: number, unit: LimitUnit): string {
  const number = Number.isInteger(value) ? String(value) : value.toFixed(1);
  if (unit !== 's') return `${number} ${value === 1 ? unit.slice(0, -1) : unit}`;
  return uncertainty === 0 ? `${number} s` : `${number} s ± ${uncertainty} s`;
}

function describeLimit(limit: Limit, { state, value = 0, uncertainty = 0, reason, probes }: LimitMeasurement): string {
  const amount = formatQuantity(value, uncertainty, limit.unit);
  const sentences: Readonly<Record<LimitState, string>> = {
    limit: limit.found.replace('{limit}', amount),
    beyond: limit.beyond.replace('{limit}', amount),
    nothing: `no limit to be found: ${probes[0]?.response ?? 'nothing was answered'} already at ${amount}`,
    unmeasured: `not measured: ${reason ?? 'the reason is unknown'}`,
  };
  return sentences[state];
}

export function concludeLimit({ name, title, rules, unit, ...limit }: Limit, measured: LimitMeasurement): LimitResult {
  const { state, value, uncertainty, reason, probes } = measured;
  const known = state === 'limit' || state === 'beyond';
  return {
    name,
    title,
    rules,
    state,
    ...(known && value !== undefined ? { value, uncertainty: uncertainty ?? 0 } : {}),
    unit,
    words: describeLimit({ name, title, rules, unit, ...limit }, measured),
    ...(reason === undefined ? {} : { reason }),
    probes,
  };
}

/** Unit that a carrier counts if it takes `many` multibyte characters and `one` single-byte ones; undefined if neither fits. */
function countedUnit(many: number, one: number, bytesEach: number): 'characters' | 'bytes' | undefined {
  if (many === one) return 'characters';
  return many === Math.floor(one / bytesEach) ? 'bytes' : undefined;
}

/** Adds the unit that the carrier counts, by comparison with the same text in single-byte characters. */
export function addCountedUnits(
  results: readonly LimitResult[],
  limits: readonly Pick<Limit, 'name' | 'beside'>[],
): readonly LimitResult[] {
  const found = new Map(results.map((result) => [result.name, result]));
  return results.map((result) => {
    const beside = limits.find(({ name }) => name === result.name)?.beside;
    const other = found.get(beside?.limit ?? '');
    if (beside === undefined || result.state !== 'limit' || other?.state !== 'limit') return result;
    const counts = countedUnit(result.value ?? 0, other.value ?? 0, beside.bytesEach);
    return counts === undefined ? result : { ...result, words: `${result.words}: ${counts} are counted` };
  });
}

type MeasuredCase = Pick<CaseResult, 'id' | 'rules' | 'recorded' | 'verdict' | 'reason'>;

function recordedProfileValue(
  entry: ProfileEntry,
  found: MeasuredCase | undefined,
): Pick<ProfileValue, 'rules' | 'value' | 'reason'> {
  if (found === undefined) return { rules: [], reason: 'its case was not selected' };
  const { rules, recorded, reason = `its case came to no value (${found.verdict})` } = found;
  const value = Object.hasOwn(recorded, entry.record) ? recorded[entry.record] : undefined;
  return value === undefined ? { rules, reason } : { rules, value };
}

/** Profile of what the interface leaves open, as recorded by the cases of this run. */
function recordedProfile(entries: readonly ProfileEntry[], cases: readonly MeasuredCase[]): readonly ProfileValue[] {
  const byId = new Map(cases.map((one) => [one.id, one]));
  return entries.map((entry) => ({
    name: entry.name,
    description: entry.description,
    case: entry.case,
    ...recordedProfileValue(entry, byId.get(entry.case)),
  }));
}

export function measuredParts(
  { measured }: Pick<RunOptions, 'measured'>,
  cases: readonly MeasuredCase[],
): Pick<ResultFooter, 'limits' | 'profile'> {
  if (measured === undefined) return {};
  return { limits: measured.limits, profile: recordedProfile(measured.profile, cases) };
}
