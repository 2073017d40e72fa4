import { omitUndefined } from '../lib/json.ts';
import { judgeExpected, knownNames } from '../judge/expected-failures.ts';
import { createCauseMarker } from '../judge/causes.ts';
import { markApart, countRequired, concludeProfile } from '../judge/profiles.ts';
import { countVerdicts, requireConsistent, scoresByArea } from '../judge/score.ts';
import { isSpared, type Root, settleCase, settleInvariant, settleSummary } from '../judge/root-cause.ts';
import { createRuleTallies } from '../judge/rule-tally.ts';
import type { Attestation } from '../model/target.ts';
import type { ExpectedFailure } from '../model/expected-failure.ts';
import { summarizePeople } from '../model/person-act.ts';
import type { Profile } from '../model/profile.ts';
import type { CaseResult, InvariantResult, Result, ResultFooter } from '../model/result.ts';
import { caseRuleIds, type Case, type Suites } from '../suite/suites.ts';
import type { JournalEntry } from './entries.ts';

type ConcludedCase = Omit<CaseResult, 'messages'>;

interface AnsweredSelection {
  readonly cases: readonly Case[];
  readonly rules: ReadonlySet<string>;
  /** Ids of invariants that were not selected: their rules count only if they are broken, or a message could not be judged. */
  readonly beside?: ReadonlySet<string>;
}

/** Whether an unselected invariant says something: a message broke it, or could not be judged. */
const saysSomething = ({ findings, unjudged = 0 }: InvariantResult): boolean => findings.length > 0 || unjudged > 0;

/** Rules that an unselected invariant says something about. */
const rulesSaid = ({ rules, findings, unjudged = 0 }: InvariantResult): readonly string[] =>
  (unjudged > 0 ? rules : findings).map(({ rule }) => rule);

/** Keeps unselected invariants, and their rules, only if they say something. */
function addFoundBeside(
  invariants: Result['invariants'],
  selected: AnsweredSelection,
): { readonly invariants: Result['invariants']; readonly selected: AnsweredSelection } {
  const { beside = new Set<string>(), rules } = selected;
  const kept = invariants.filter((one) => !beside.has(one.id) || saysSomething(one));
  const found = kept.flatMap((one) => (beside.has(one.id) ? rulesSaid(one) : []));
  return { invariants: kept, selected: { ...selected, rules: new Set([...rules, ...found]) } };
}

interface RuleJudging {
  readonly suites: Pick<Suites, 'rules'>;
  readonly selected: AnsweredSelection;
  readonly attestations: readonly Attestation[] | undefined;
  /** Why the run stopped: the one reason of each rule with a case that did not run for it. */
  readonly stopped?: string | undefined;
}

/** Verdicts of the selected rules, and of other rules that a selected case found broken. Unselected cases are ignored. */
export function judgeRules(
  cases: Iterable<ConcludedCase>,
  invariants: Result['invariants'],
  { suites, selected, attestations, stopped }: RuleJudging,
): Result['rules'] {
  const tallies = createRuleTallies(suites.rules, { attestations, stopped });
  const byId = new Map(selected.cases.map((given) => [given.id, given]));
  const rules = new Set(selected.rules);
  for (const one of cases) {
    const given = byId.get(one.id);
    if (given === undefined) continue;
    const found = one.findings.map(({ rule }) => rule);
    tallies.addCase(one, new Set([...caseRuleIds(given), ...found]));
    for (const rule of found) rules.add(rule);
  }
  for (const invariant of invariants) tallies.addInvariant(invariant);
  return tallies.conclude(rules);
}

/** Expected failures of a run. An entry that was not selected is not judged, and is not a mistake. */
interface ExpectedFailureInputs {
  readonly expected: readonly ExpectedFailure[] | undefined;
  /** Suites whose rules and cases an entry may name. */
  readonly nameable: Suites;
  /** Day in UTC: `2026-11-21`. */
  readonly today: string;
}

/** All cases of a run have ended; `cases` are in the order of the suites. */
interface EndedCases extends Pick<Result, 'invariants' | 'unsolicited'> {
  readonly cases: readonly ConcludedCase[];
  /** Why the run cannot be conformant: it was stopped, or it is a part. */
  readonly incomplete: string | undefined;
}

/** Footer members about the run itself, independent of its verdicts. */
export type Measures = Omit<
  ResultFooter,
  'outcome' | 'reasons' | 'whole' | 'score' | 'areas' | 'counts' | 'expected' | 'people'
>;

/** Marks findings of invariants that follow from others; findings of cases were marked when the case ended. */
function markInvariantCauses(
  invariants: EndedCases['invariants'],
  cases: EndedCases['cases'],
  { suites }: Pick<RuleJudging, 'suites'>,
): EndedCases['invariants'] {
  const mark = createCauseMarker(
    [...cases, ...invariants].flatMap(({ findings }) => findings),
    suites.rules.map(({ id }) => id),
  );
  return invariants.map((one) => (one.findings.length === 0 ? one : { ...one, findings: one.findings.map(mark) }));
}

type EntryOfKind<Kind extends JournalEntry['kind']> = Extract<JournalEntry, { readonly kind: Kind }>;

/** Cases whose findings a refused plain request explains, as entries that replace the earlier ones (P14). */
export function* settledEntries(
  { cases, contributions = {} }: Pick<Result, 'cases' | 'contributions'>,
  root: Root,
): Iterable<JournalEntry> {
  for (const one of cases) {
    const settled = settleCase(one, root);
    if (settled === one) continue;
    yield { kind: 'case', case: settled, ...omitUndefined({ contributed: contributions[one.id] }) };
  }
}

/** Leaves nothing that a refused plain request explains: it is the one finding of the run (P14). */
function settleRun(ended: EndedCases, { accepted }: Pick<Root, 'accepted'>): EndedCases {
  const { cases, invariants, incomplete: reason = 'stopped' } = ended;
  const spared = new Set(cases.filter(({ client }) => isSpared(client, { accepted })).map(({ id }) => id));
  return {
    ...ended,
    cases: cases.map((one) => settleSummary(one, { accepted, reason })),
    invariants: invariants.map((one) => settleInvariant(one, reason, spared)),
  };
}

/** Last two entries of a journal: the conclusions from all cases, and the outcome of the run. */
export function concludeJournal(
  ended: EndedCases,
  given: RuleJudging & ExpectedFailureInputs & { readonly profile: Profile },
  { endedAt, interrupted, ...measures }: Measures,
): readonly [EntryOfKind<'end'>, EntryOfKind<'footer'>] {
  const { expected, nameable, today, profile } = given;
  const { root } = measures;
  const { cases, invariants: judged, unsolicited, incomplete } = root === undefined ? ended : settleRun(ended, root);
  const { invariants: found, selected } = addFoundBeside(judged, given.selected);
  const judging = { ...given, selected, stopped: incomplete };
  const invariants = markInvariantCauses(found, cases, judging);
  const rules = markApart(judgeRules(cases, invariants, judging), profile, given.selected.rules);
  const known = { ...knownNames(nameable, today), judges: [...cases, ...invariants], rules };
  const concluded = concludeProfile(rules, incomplete);
  const ofSelected = rules.filter(({ id }) => given.selected.rules.has(id));
  requireConsistent(concluded, rules);
  const footer: ResultFooter = {
    endedAt,
    ...concluded,
    whole: countRequired(profile, nameable.rules, ofSelected),
    interrupted,
    areas: scoresByArea(rules),
    counts: countVerdicts(rules),
    ...omitUndefined({ expected: expected && judgeExpected(expected, known), people: summarizePeople(cases) }),
    ...measures,
  };
  const end = { cases: cases.map(({ id }) => id), rules, invariants, unsolicited };
  return [
    { kind: 'end', end },
    { kind: 'footer', footer },
  ];
}
