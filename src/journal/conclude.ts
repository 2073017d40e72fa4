import { defined } from '../lib/json.ts';
import { judgeExpected, knownOf } from '../judge/expected.ts';
import { createCauseMarker } from '../judge/causes.ts';
import { concludeProfiles, markApart, wholeOf } from '../judge/profiles.ts';
import { countVerdicts, requireConsistent, scoresByArea } from '../judge/score.ts';
import { createRuleTallies } from '../judge/tally.ts';
import type { Attestation } from '../model/target.ts';
import type { ExpectedFailure } from '../model/expected.ts';
import type { Profile } from '../model/profile.ts';
import type { CaseResult, Result, ResultFooter } from '../model/result.ts';
import { rulesOf, type Case, type Suites } from '../suite/suites.ts';
import type { JournalEntry } from './entries.ts';

type Summary = Omit<CaseResult, 'messages'>;

interface Answered {
  readonly cases: readonly Case[];
  readonly rules: ReadonlySet<string>;
  /** Ids of invariants that were not selected: their rules count only if they are broken. */
  readonly beside?: ReadonlySet<string>;
}

/** Keeps unselected invariants, and their rules, only if they have findings. */
function withFoundBeside(
  invariants: Result['invariants'],
  selected: Answered,
): { readonly invariants: Result['invariants']; readonly selected: Answered } {
  const { beside = new Set<string>(), rules } = selected;
  const kept = invariants.filter(({ id, findings }) => !beside.has(id) || findings.length > 0);
  const found = kept.flatMap(({ id, findings }) => (beside.has(id) ? findings.map(({ rule }) => rule) : []));
  return { invariants: kept, selected: { ...selected, rules: new Set([...rules, ...found]) } };
}

interface Judging {
  readonly suites: Pick<Suites, 'rules'>;
  readonly selected: Answered;
  readonly attestations: readonly Attestation[] | undefined;
}

/** Verdicts of the selected rules, and of other rules that a selected case found broken. Unselected cases are ignored. */
export function judgeRules(
  cases: Iterable<Summary>,
  invariants: Result['invariants'],
  { suites, selected, attestations }: Judging,
): Result['rules'] {
  const tallies = createRuleTallies(suites.rules, attestations);
  const byId = new Map(selected.cases.map((given) => [given.id, given]));
  const rules = new Set(selected.rules);
  for (const one of cases) {
    const given = byId.get(one.id);
    if (given === undefined) continue;
    const found = one.findings.map(({ rule }) => rule);
    tallies.addCase(one, new Set([...rulesOf(given), ...found]));
    for (const rule of found) rules.add(rule);
  }
  for (const invariant of invariants) tallies.addInvariant(invariant);
  return tallies.conclude(rules);
}

/** Expected failures of a run. An entry that was not selected is not judged, and is not a mistake. */
interface Expecting {
  readonly expected: readonly ExpectedFailure[] | undefined;
  /** Suites whose rules and cases an entry may name. */
  readonly nameable: Suites;
  /** Day in UTC: `2026-11-21`. */
  readonly today: string;
}

/** All cases of a run have ended; `cases` are in the order of the suites. */
interface Ended extends Pick<Result, 'invariants' | 'unsolicited'> {
  readonly cases: readonly Summary[];
  /** Why the run cannot be conformant: it was stopped, or it is a part. */
  readonly incomplete: string | undefined;
}

/** Footer members about the run itself, independent of its verdicts. */
export type Measures = Omit<
  ResultFooter,
  'outcome' | 'reasons' | 'conclusions' | 'whole' | 'score' | 'areas' | 'counts' | 'expected'
>;

/** Marks findings of invariants that follow from others; findings of cases were marked when the case ended. */
function withCauses(
  invariants: Ended['invariants'],
  cases: Ended['cases'],
  { suites }: Pick<Judging, 'suites'>,
): Ended['invariants'] {
  const mark = createCauseMarker(
    [...cases, ...invariants].flatMap(({ findings }) => findings),
    suites.rules.map(({ id }) => id),
  );
  return invariants.map((one) => (one.findings.length === 0 ? one : { ...one, findings: one.findings.map(mark) }));
}

type EntryOf<Kind extends JournalEntry['kind']> = Extract<JournalEntry, { readonly kind: Kind }>;

/** Last two entries of a journal: the conclusions from all cases, and the outcome of the run. */
export function conclude(
  { cases, invariants: judged, unsolicited, incomplete }: Ended,
  given: Judging & Expecting & { readonly profile: Profile },
  { endedAt, interrupted, ...measures }: Measures,
): readonly [EntryOf<'end'>, EntryOf<'footer'>] {
  const { expected, nameable, today, profile } = given;
  const { invariants: found, selected } = withFoundBeside(judged, given.selected);
  const judging = { ...given, selected };
  const invariants = withCauses(found, cases, judging);
  const rules = markApart(judgeRules(cases, invariants, judging), profile, given.selected.rules);
  const known = { ...knownOf(nameable, today), judges: [...cases, ...invariants], rules };
  const concluded = concludeProfiles(rules, incomplete);
  const ofSelected = rules.filter(({ id }) => given.selected.rules.has(id));
  requireConsistent(concluded, rules);
  const footer: ResultFooter = {
    endedAt,
    ...concluded,
    whole: wholeOf(profile, nameable.rules, ofSelected),
    interrupted,
    areas: scoresByArea(rules),
    counts: countVerdicts(rules),
    ...defined({ expected: expected && judgeExpected(expected, known) }),
    ...measures,
  };
  const end = { cases: cases.map(({ id }) => id), rules, invariants, unsolicited };
  return [
    { kind: 'end', end },
    { kind: 'footer', footer },
  ];
}
