import { truncateText } from '../../lib/truncation.ts';
import type { Json } from '../../lib/json.ts';
import { foldRules } from '../../verdict/verdicts.ts';
import type { FoldedRule } from '../../verdict/standing.ts';
import type { InvariantResult } from '../../model/result.ts';
import { type Case, caseRuleIds, type Suites } from '../../suite/suites.ts';
import { renderRuleRef, type Verdict } from '../../model/rule.ts';
import { groupBy } from '../../lib/lists.ts';
import type { CaseOutcome, JobOutcome } from './job.ts';
import { isRedVerdict, type Proof, type Subject } from './catalogue.ts';

/** Results of cases and invariants against a carrier, by id. */
export interface Judgement {
  readonly cases: ReadonlyMap<string, CaseOutcome>;
  readonly invariants: ReadonlyMap<string, InvariantResult>;
}

const indexById = <T extends { readonly id: string }>(list: readonly T[]): Map<string, T> =>
  new Map(list.map((one) => [one.id, one]));

export function buildJudgement(cases: readonly CaseOutcome[], invariants: readonly InvariantResult[]): Judgement {
  return { cases: indexById(cases), invariants: indexById(invariants) };
}

/** Clean judgement with the repeated cases replaced; an invariant that saw nothing keeps its result. */
export function overlayJudgement(clean: Judgement, again: Judgement): Judgement {
  const judged = [...again.invariants].filter(([, { judged: seen }]) => seen > 0);
  return { cases: new Map([...clean.cases, ...again.cases]), invariants: new Map([...clean.invariants, ...judged]) };
}

/** Rules that a case judges, and those it found broken. */
const caseRules = (given: Case, ended: CaseOutcome | undefined): readonly string[] => [
  ...caseRuleIds(given),
  ...(ended?.findings ?? []).map(({ rule }) => rule),
];

/** Results of these rules, as a whole run concludes them. */
function judgedRules(
  suites: Suites,
  { cases, invariants }: Judgement,
  ids: ReadonlySet<string>,
): readonly FoldedRule[] {
  const judging = suites.cases.filter((one) => caseRules(one, cases.get(one.id)).some((rule) => ids.has(rule)));
  const ended = judging.flatMap(({ id }) => cases.get(id) ?? []);
  const selected = { cases: judging, rules: ids };
  const rules = suites.rules.filter(({ id }) => ids.has(id));
  const recorded = { cases: ended, invariants: [...invariants.values()], incomplete: undefined };
  return foldRules(recorded, { suites: { rules }, selected, attestations: undefined }, ids);
}

/** Rules affected by the second judgement, whether or not the first agrees. */
function affectedRules({ cases }: Suites, before: Judgement, again: Judgement): ReadonlySet<string> {
  const ran = cases.filter(({ id }) => again.cases.has(id));
  return new Set([
    ...ran.flatMap((one) => [...caseRules(one, before.cases.get(one.id)), ...caseRules(one, again.cases.get(one.id))]),
    ...[...again.invariants.values()].flatMap(({ rules }) => rules.map(({ rule }) => rule)),
  ]);
}

const verdictsByRule = (rules: readonly FoldedRule[]): ReadonlyMap<string, Verdict> =>
  new Map(rules.map(({ id, verdict }) => [id, verdict]));

export const ruleVerdicts = (suites: Suites, judgement: Judgement): ReadonlyMap<string, Verdict> =>
  verdictsByRule(judgedRules(suites, judgement, new Set(suites.rules.map(({ id }) => id))));

/** Judgement of the clean carrier, with which every other is compared. */
export interface CleanJudgement {
  readonly judgement: Judgement;
  /** Rules that the catalogue can declare: those that ship. */
  readonly declared: ReadonlySet<string>;
  readonly verdicts: ReadonlyMap<string, Verdict>;
}

export function judgeClean(
  suites: Suites,
  { cases, invariants }: JobOutcome,
  declared: ReadonlySet<string> = new Set(suites.rules.map(({ id }) => id)),
): CleanJudgement {
  const judgement = buildJudgement(cases, invariants);
  return { judgement, declared, verdicts: ruleVerdicts(suites, judgement) };
}

/** Case or invariant that turned red. */
type RedJudge = Pick<CaseOutcome, 'id' | 'findings'>;

/**
 * Cases and invariants that turned red. A refused plain request is left to the case that establishes it: beside it, any first case shows the
 * refusal.
 */
function redJudges({ cases, invariants }: JobOutcome, { clean, suites }: CleanBaseline): readonly RedJudge[] {
  const plain = new Set(suites.cases.filter(({ establishes }) => establishes !== undefined).map(({ id }) => id));
  return [
    ...cases
      .filter(({ id, verdict }) => isRedVerdict(verdict) && clean.judgement.cases.get(id)?.verdict !== verdict)
      .filter(({ id, findings }) => plain.has(id) || !findings.every(({ root }) => root === true)),
    ...invariants.filter(({ verdict }) => isRedVerdict(verdict)),
  ];
}

/** Ids by the rule or aspect that each shows broken. */
export function groupByBrokenRule(judges: readonly RedJudge[]): Proof['shown'] {
  const pairs = judges.flatMap(({ id, findings }) => {
    const broken = findings.filter(({ level }) => level !== 'informational').map(renderRuleRef);
    return [...new Set(broken)].map((rule) => ({ rule, id }));
  });
  const byRule = groupBy(pairs, ({ rule }) => rule);
  return Object.fromEntries([...byRule].map(([rule, shown]) => [rule, shown.map(({ id }) => id)]));
}

const wireChanged = ({ cases }: JobOutcome, clean: Judgement): boolean =>
  cases.some(({ id, wire }) => clean.cases.get(id)?.wire !== wire);

const differingVerdicts = (before: ReadonlyMap<string, Verdict>, after: ReadonlyMap<string, Verdict>) =>
  Object.fromEntries([...after].filter(([id, verdict]) => before.get(id) !== verdict));

const joinJudgeNames = (words: readonly string[]): string => words.join(', ');

function compareDeclared(what: string, declared: readonly string[], found: readonly string[]): string[] {
  const missing = declared.filter((id) => !found.includes(id));
  const extra = found.filter((id) => !declared.includes(id));
  return [
    ...(missing.length > 0 ? [`declared ${what}, but not so: ${joinJudgeNames(missing)}`] : []),
    ...(extra.length > 0 ? [`${what}, but not declared: ${joinJudgeNames(extra)}`] : []),
  ];
}

/** Longest value shown, in UTF-16 units. */
const maxEvidenceValue = 80;

/** First finding of each red rule that is not declared: `A-2 in case-A-2: expected "denied", got "accepted"`. */
function undeclaredEvidence(
  { breaks }: Subject,
  redRules: readonly string[],
  { cases, invariants }: JobOutcome,
): string[] {
  const show = (value: Json): string => truncateText(JSON.stringify(value), maxEvidenceValue);
  const all = [...cases, ...invariants].flatMap(({ id, findings }) => findings.map((finding) => ({ id, ...finding })));
  return redRules.flatMap((rule) => {
    const found = breaks.includes(rule) ? undefined : all.find((one) => one.rule === rule);
    return found === undefined
      ? []
      : [`${rule} in ${found.id}: expected ${show(found.expected)}, got ${show(found.actual)}`];
  });
}

interface SubjectComparison {
  readonly redRules: readonly string[];
  readonly isAsDeclared: boolean;
  readonly changesWire: boolean;
}

function proofStatus({ kind }: Subject, { redRules, isAsDeclared, changesWire }: SubjectComparison): Proof['status'] {
  if (kind === 'variant') return redRules.length === 0 ? 'allowed' : 'refused';
  if (redRules.length > 0) return isAsDeclared ? 'killed' : 'misattributed';
  return changesWire ? 'survived' : 'equivalent';
}

const openVerdicts: ReadonlySet<Verdict | undefined> = new Set(['inconclusive', 'not-run']);

/**
 * A variant leaves no rule without a verdict, and a fault that only warns no required one: of such a carrier a rule may ask nothing (P10).
 * The golden matrix has the rules that another fault leaves without one.
 */
function checkLost(
  { kind, undecided }: Subject,
  {
    turned,
    lost,
    suites,
  }: { readonly turned: Proof['turned']; readonly lost: readonly string[]; readonly suites: Suites },
): string[] {
  if (kind === 'variant') return compareDeclared('unjudged', [], lost);
  const onlyWarns = !Object.values(turned).includes('fail');
  const odd = lost.filter((id) => !openVerdicts.has(turned[id]) && !(onlyWarns && turned[id] === 'not-applicable'));
  const required = new Set(suites.rules.flatMap(({ id, level }) => (level === 'required' ? [id] : [])));
  const open = onlyWarns ? lost.filter((id) => openVerdicts.has(turned[id]) && required.has(id)) : [];
  return [
    ...(odd.length === 0 ? [] : [`turned otherwise: ${joinJudgeNames(odd)}`]),
    ...(undecided !== undefined || open.length === 0 ? [] : [`only warns, and leaves open: ${joinJudgeNames(open)}`]),
  ];
}

/** Informational does not count as lost, nor does not-applicable for a variant, which may lack a feature. */
function isLost(verdict: Verdict | undefined, { kind }: Subject): boolean {
  if (verdict === 'informational' || verdict === 'pass' || isRedVerdict(verdict)) return false;
  return !(kind === 'variant' && verdict === 'not-applicable');
}

export interface CleanBaseline {
  readonly clean: CleanJudgement;
  readonly suites: Suites;
}

/** Judges a run with one fault or variant against the clean carrier and the declaration. */
export function judgeSubject(subject: Subject, outcome: JobOutcome, { clean, suites }: CleanBaseline): Proof {
  const again = buildJudgement(outcome.cases, outcome.invariants);
  const affected = affectedRules(suites, clean.judgement, again);
  const after = judgedRules(suites, overlayJudgement(clean.judgement, again), affected);
  const turned = differingVerdicts(clean.verdicts, verdictsByRule(after));
  const critical = after.flatMap(({ id, criticalVerdict }) => (criticalVerdict === 'fail' ? [id] : []));
  const redRules = Object.keys(turned).filter((id) => isRedVerdict(turned[id]));
  const otherwise = Object.keys(turned).filter((id) => isLost(turned[id], subject));
  const known = (id: string): boolean => clean.declared.has(id);
  const stopped = outcome.stopped === undefined ? [] : [`the run had to stop: ${outcome.stopped}`];
  const wrong = [
    ...stopped,
    ...compareDeclared('red', subject.breaks, redRules.filter(known)),
    ...undeclaredEvidence(subject, redRules.filter(known), outcome),
    ...checkLost(subject, { turned, lost: otherwise.filter(known), suites }),
  ];
  const { name, kind } = subject;
  const changesWire = wireChanged(outcome, clean.judgement);
  const status = proofStatus(subject, { redRules, isAsDeclared: wrong.length === 0, changesWire });
  return {
    name,
    kind,
    status,
    turned,
    shown: groupByBrokenRule(redJudges(outcome, { clean, suites })),
    ...(critical.length === 0 ? {} : { critical }),
    wrong,
    ran: outcome.cases.length,
  };
}
