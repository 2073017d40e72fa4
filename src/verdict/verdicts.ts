import { omitUndefined } from '../lib/json.ts';
import type { ExpectedFailure } from '../model/expected-failure.ts';
import { summarizePeople } from '../model/person-act.ts';
import type {
  CaseResult,
  InvariantResult,
  ResultFooter,
  ResultHeader,
  RootCause,
  RuleResult,
} from '../model/result.ts';
import type { RuleStanding } from '../model/rule.ts';
import type { Attestation } from '../model/target.ts';
import { caseRuleIds, type Case, type Suites } from '../suite/suites.ts';
import { createCauseMarker } from './causes.ts';
import { countStandings, requireConsistent, scoresByArea } from './counts.ts';
import { concludeEnding, endingCodes } from './ending.ts';
import { judgeExpected, knownNames } from './expected.ts';
import { makeHeadline, runScope } from './headline.ts';
import { concludeProfile, type Counting, countRequired, markApart, namedRules } from './profiles.ts';
import { isSpared, settleInvariant, settleSummary } from './root-cause.ts';
import { createRuleTallies } from './rules.ts';
import { type FoldedRule, rateRules } from './standing.ts';

type CaseSummary = Omit<CaseResult, 'messages'>;

/** Cases and rules that a run was asked for. */
interface AnsweredSelection {
  readonly cases: readonly Case[];
  readonly rules: ReadonlySet<string>;
  /** Ids of invariants that were not selected: their rules count only if they are broken, or a message could not be judged. */
  readonly beside?: ReadonlySet<string>;
}

/** Selection of a run, and the suites by which its cases are judged. */
export interface Question {
  readonly header: ResultHeader;
  /** Suites as `judgedSuites` gives them. */
  readonly suites: Pick<Suites, 'rules'>;
  /** Suites whose rules and cases an entry of expected.yaml may name, given in the same way. */
  readonly nameable: Suites;
  readonly selected: AnsweredSelection;
  readonly attestations: readonly Attestation[] | undefined;
  /** An entry that was not selected is not judged, and is no mistake. */
  readonly expected: readonly ExpectedFailure[] | undefined;
  /** Day in UTC: `2026-11-21`. */
  readonly today: string;
}

/** The cases as recorded, in the order of the suites, and the messages that invariants judged. */
export interface RecordedFacts {
  readonly cases: readonly CaseSummary[];
  readonly invariants: readonly InvariantResult[];
  /** Why the run cannot be conformant: it was stopped, or it is a part. */
  readonly incomplete: string | undefined;
  readonly interrupted: boolean;
  /** Refused plain request that leaves nothing else to judge (P14). */
  readonly root?: RootCause | undefined;
}

/** All that a run comes to. Every report, the exit code and the certificate read it, and decide nothing. */
export interface Verdicts {
  readonly cases: readonly CaseSummary[];
  readonly invariants: readonly InvariantResult[];
  readonly rules: readonly RuleResult[];
  readonly footer: Pick<
    ResultFooter,
    | 'outcome'
    | 'reasons'
    | 'ending'
    | 'exitCode'
    | 'headline'
    | 'standings'
    | 'passing'
    | 'leftOut'
    | 'named'
    | 'whole'
    | 'score'
    | 'areas'
    | 'expected'
    | 'people'
  >;
}

/** Whether an unselected invariant says something: a message broke it, or could not be judged. */
const saysSomething = ({ findings, unjudged = 0 }: InvariantResult): boolean => findings.length > 0 || unjudged > 0;

/** Rules that an unselected invariant says something about. */
const rulesSaid = ({ rules, findings, unjudged = 0 }: InvariantResult): readonly string[] =>
  (unjudged > 0 ? rules : findings).map(({ rule }) => rule);

/** Keeps unselected invariants, and their rules, only if they say something. */
function addFoundBeside(
  invariants: RecordedFacts['invariants'],
  { beside = new Set<string>(), rules }: AnsweredSelection,
): { readonly invariants: RecordedFacts['invariants']; readonly judged: ReadonlySet<string> } {
  const kept = invariants.filter((one) => !beside.has(one.id) || saysSomething(one));
  const found = kept.flatMap((one) => (beside.has(one.id) ? rulesSaid(one) : []));
  return { invariants: kept, judged: new Set([...rules, ...found]) };
}

/** Verdicts of the selected rules, and of other rules that a selected case found broken. Unselected cases are ignored. */
export function foldRules(
  { cases, invariants, incomplete: stopped }: Pick<RecordedFacts, 'cases' | 'invariants' | 'incomplete'>,
  { suites, selected, attestations }: Pick<Question, 'suites' | 'selected' | 'attestations'>,
  judged: ReadonlySet<string>,
): readonly FoldedRule[] {
  const tallies = createRuleTallies(suites.rules, { attestations, stopped });
  const byId = new Map(selected.cases.map((given) => [given.id, given]));
  const rules = new Set(judged);
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

/** Marks findings of invariants that follow from others; findings of cases were marked when the case ended. */
function markInvariantCauses(
  { invariants, cases }: Pick<RecordedFacts, 'cases' | 'invariants'>,
  { suites }: Question,
): RecordedFacts['invariants'] {
  const mark = createCauseMarker(
    [...cases, ...invariants].flatMap(({ findings }) => findings),
    suites.rules.map(({ id }) => id),
  );
  return invariants.map((one) => (one.findings.length === 0 ? one : { ...one, findings: one.findings.map(mark) }));
}

/** Leaves nothing that a refused plain request explains: it is the one finding of the run (P14). */
function settleRun(facts: RecordedFacts): RecordedFacts {
  const { cases, invariants, root, incomplete: reason = 'stopped' } = facts;
  if (root === undefined) return facts;
  const { accepted } = root;
  const spared = new Set(cases.filter(({ client }) => isSpared(client, { accepted })).map(({ id }) => id));
  return {
    ...facts,
    cases: cases.map((one) => settleSummary(one, { accepted, reason })),
    invariants: invariants.map((one) => settleInvariant(one, reason, spared)),
  };
}

/** Failures that went away; undefined if there were none. */
const countPassing = (cases: readonly CaseSummary[]): number | undefined =>
  cases.reduce((sum, { passing = 0 }) => sum + passing, 0) || undefined;

/** Cases that were left out on purpose; undefined if there were none. */
const countLeftOut = (cases: readonly CaseSummary[]): number | undefined =>
  cases.filter(({ leftOut }) => leftOut === true).length || undefined;

function withStanding(folded: FoldedRule, standing: RuleStanding = 'open'): RuleResult {
  const { causes: _, isStable: __, ...rule } = folded;
  return { ...rule, standing };
}

/** Decides what a run comes to: the only place that does (P19). Throws TypeError if it contradicts itself, which is our own fault. */
export function decide(recorded: RecordedFacts, question: Question): Verdicts {
  const { header, suites, nameable, selected, expected: entries, today } = question;
  const counting: Counting = header;
  const settled = settleRun(recorded);
  const { invariants: kept, judged } = addFoundBeside(settled.invariants, selected);
  const { cases } = settled;
  const invariants = markInvariantCauses({ cases, invariants: kept }, question);
  const folded = markApart(foldRules({ ...settled, invariants }, question, judged), counting);
  const known = { ...knownNames(nameable, today), judges: [...cases, ...invariants], rules: folded };
  const expected = entries && judgeExpected(entries, known);
  const standings = rateRules(folded, new Set((expected ?? []).flatMap(({ explains }) => explains)));
  const rules = folded.map((rule) => withStanding(rule, standings.get(rule.id)));
  const concluded = concludeProfile(rules, recorded.incomplete);
  requireConsistent(concluded, rules);
  const whole = countRequired(nameable.rules, counting);
  const named = namedRules(
    suites.rules.filter(({ id }) => standings.has(id)),
    counting,
  );
  const counts = countStandings(rules);
  const ended = {
    ...concluded,
    standings: counts,
    whole,
    named,
    interrupted: recorded.interrupted,
    ...omitUndefined({ expected }),
  };
  const ending = concludeEnding({ footer: ended, rules });
  return {
    cases,
    invariants,
    rules,
    footer: {
      ...concluded,
      ending,
      exitCode: endingCodes[ending],
      headline: makeHeadline(ended, { ...runScope(header), named }, ending),
      standings: counts,
      whole,
      named,
      areas: scoresByArea(rules),
      ...omitUndefined({
        expected,
        people: summarizePeople(cases),
        passing: countPassing(cases),
        leftOut: countLeftOut(cases),
      }),
    },
  };
}
