import type { ProfileEntry, ProfileValue } from '../../model/limit.ts';
import type { CaseResult, ResultFooter } from '../../model/result.ts';
import type { RunOptions } from '../run-options.ts';

type Summary = Pick<CaseResult, 'id' | 'rules' | 'recorded' | 'verdict' | 'reason'>;

function recordedFor(
  entry: ProfileEntry,
  found: Summary | undefined,
): Pick<ProfileValue, 'rules' | 'value' | 'reason'> {
  if (found === undefined) return { rules: [], reason: 'its case was not selected' };
  const { rules, recorded, reason = `its case came to no value (${found.verdict})` } = found;
  const value = Object.hasOwn(recorded, entry.record) ? recorded[entry.record] : undefined;
  return value === undefined ? { rules, reason } : { rules, value };
}

/** What the interface leaves open, as the cases of this run recorded it. */
export function profileOf(entries: readonly ProfileEntry[], cases: readonly Summary[]): readonly ProfileValue[] {
  const byId = new Map(cases.map((one) => [one.id, one]));
  return entries.map((entry) => ({
    name: entry.name,
    description: entry.description,
    case: entry.case,
    ...recordedFor(entry, byId.get(entry.case)),
  }));
}

/** What a run that measured adds to its footer. */
export function measuredIn(
  { measured }: Pick<RunOptions, 'measured'>,
  cases: readonly Summary[],
): Pick<ResultFooter, 'limits' | 'profile'> {
  if (measured === undefined) return {};
  return { limits: measured.limits, profile: profileOf(measured.profile, cases) };
}
