import { cutAt } from '../lib/cut.ts';
import { defined, type Json } from '../lib/json.ts';
import { judgeRules } from '../journal/conclude.ts';
import type { InvariantResult, RuleResult } from '../model/result.ts';
import { type Case, rulesOf, type Suites } from '../suite/suites.ts';
import type { Verdict } from '../model/rule.ts';
import type { CaseOutcome, JobOutcome } from './job.ts';
import { isRed, matrixName, type Proof, type Subject } from './catalogue.ts';

/** Results of cases and invariants against a carrier, by id. */
export interface Judgement {
  readonly cases: ReadonlyMap<string, CaseOutcome>;
  readonly invariants: ReadonlyMap<string, InvariantResult>;
}

const byId = <T extends { readonly id: string }>(list: readonly T[]): Map<string, T> =>
  new Map(list.map((one) => [one.id, one]));

export function judgementOf(cases: readonly CaseOutcome[], invariants: readonly InvariantResult[]): Judgement {
  return { cases: byId(cases), invariants: byId(invariants) };
}

/** Clean judgement with the repeated cases replaced; an invariant that saw nothing keeps its result. */
export function overlay(clean: Judgement, again: Judgement): Judgement {
  const judged = [...again.invariants].filter(([, { judged: seen }]) => seen > 0);
  return { cases: new Map([...clean.cases, ...again.cases]), invariants: new Map([...clean.invariants, ...judged]) };
}

/** Rules that a case judges, and those it found broken. */
const rulesIn = (given: Case, ended: CaseOutcome | undefined): readonly string[] => [
  ...rulesOf(given),
  ...(ended?.findings ?? []).map(({ rule }) => rule),
];

/** Results of these rules, as a whole run concludes them. */
function judgedRules(
  suites: Suites,
  { cases, invariants }: Judgement,
  ids: ReadonlySet<string>,
): readonly RuleResult[] {
  const judging = suites.cases.filter((one) => rulesIn(one, cases.get(one.id)).some((rule) => ids.has(rule)));
  const ended = judging.flatMap(({ id }) => cases.get(id) ?? []);
  const selected = { cases: judging, rules: ids };
  const rules = suites.rules.filter(({ id }) => ids.has(id));
  return judgeRules(ended, [...invariants.values()], { suites: { rules }, selected, attestations: undefined });
}

/** Rules affected by the second judgement, whether or not the first agrees. */
function rulesAgain({ cases }: Suites, before: Judgement, again: Judgement): ReadonlySet<string> {
  const ran = cases.filter(({ id }) => again.cases.has(id));
  return new Set([
    ...ran.flatMap((one) => [...rulesIn(one, before.cases.get(one.id)), ...rulesIn(one, again.cases.get(one.id))]),
    ...[...again.invariants.values()].flatMap(({ rules }) => rules.map(({ rule }) => rule)),
  ]);
}

const verdictsOf = (rules: readonly RuleResult[]): ReadonlyMap<string, Verdict> =>
  new Map(rules.map(({ id, verdict }) => [id, verdict]));

export const ruleVerdicts = (suites: Suites, judgement: Judgement): ReadonlyMap<string, Verdict> =>
  verdictsOf(judgedRules(suites, judgement, new Set(suites.rules.map(({ id }) => id))));

/** Judgement of the clean carrier, with which every other is compared. */
export interface Clean {
  readonly judgement: Judgement;
  /** Rules that the catalogue can declare: those that ship. */
  readonly declared: ReadonlySet<string>;
  readonly verdicts: ReadonlyMap<string, Verdict>;
}

export function judgeClean(
  suites: Suites,
  { cases, invariants }: JobOutcome,
  declared: ReadonlySet<string> = new Set(suites.rules.map(({ id }) => id)),
): Clean {
  const judgement = judgementOf(cases, invariants);
  return { judgement, declared, verdicts: ruleVerdicts(suites, judgement) };
}

/** Cases that turned red; if only a root finding shows, only declared ones, because any first case shows a refused plain request. */
function redCases({ cases }: Judgement, clean: Judgement, saying: ReadonlySet<string>): string[] {
  const red = [...cases.values()].filter(
    ({ id, verdict, findings }) =>
      isRed(verdict) &&
      clean.cases.get(id)?.verdict !== verdict &&
      (saying.has(matrixName(id)) || !findings.every(({ root }) => root === true)),
  );
  const names = red.map(({ id }) => matrixName(id));
  return [...new Set(names)].toSorted();
}

const wireChanged = ({ cases }: JobOutcome, clean: Judgement): boolean =>
  cases.some(({ id, wire }) => clean.cases.get(id)?.wire !== wire);

const differences = (before: ReadonlyMap<string, Verdict>, after: ReadonlyMap<string, Verdict>) =>
  Object.fromEntries([...after].filter(([id, verdict]) => before.get(id) !== verdict));

const list = (words: readonly string[]): string => words.join(', ');

function compare(what: string, declared: readonly string[], found: readonly string[]): string[] {
  const missing = declared.filter((id) => !found.includes(id));
  const extra = found.filter((id) => !declared.includes(id));
  return [
    ...(missing.length > 0 ? [`declared ${what}, but not so: ${list(missing)}`] : []),
    ...(extra.length > 0 ? [`${what}, but not declared: ${list(extra)}`] : []),
  ];
}

/** Longest value shown, in UTF-16 units. */
const longestValue = 80;

/** First finding of each red rule that is not declared: `A-2 in case-A-2: expected "denied", got "accepted"`. */
function evidenceOf({ breaks }: Subject, redRules: readonly string[], { cases, invariants }: JobOutcome): string[] {
  const show = (value: Json): string => cutAt(JSON.stringify(value), longestValue);
  const all = [...cases, ...invariants].flatMap(({ id, findings }) => findings.map((finding) => ({ id, ...finding })));
  return redRules.flatMap((rule) => {
    const found = breaks.includes(rule) ? undefined : all.find((one) => one.rule === rule);
    return found === undefined
      ? []
      : [`${rule} in ${found.id}: expected ${show(found.expected)}, got ${show(found.actual)}`];
  });
}

function detectedBy(suites: Suites, name: string): Set<string> {
  const judges = [...suites.cases, ...suites.invariants].filter(({ detects }) => detects.includes(name));
  return new Set(judges.map(({ id }) => matrixName(id)));
}

/** Most red cases of a fault that all of them must declare to detect. */
const few = 4;

/** Declared detectors without a verdict, because the plain case that they build on is red (P2). */
function followersOf({ cases }: JobOutcome, saying: ReadonlySet<string>): readonly string[] {
  const names = cases.flatMap(({ id, verdict, followsFrom }) =>
    verdict === 'inconclusive' && followsFrom !== undefined ? [matrixName(id)] : [],
  );
  return [...new Set(names)].filter((name) => saying.has(name)).toSorted();
}

/** Effects of a fault: red cases and invariants, and cases that follow from them. */
interface Shown {
  readonly saying: ReadonlySet<string>;
  readonly red: ReadonlySet<string>;
  readonly follows: readonly string[];
}

/** Declared detectors of a fault must show it; if only a few judges turn red, all of those must be declared. */
function checkDetects(name: string, { saying, red, follows }: Shown): string[] {
  const unturned = [...saying].filter((id) => !red.has(id) && !follows.includes(id));
  const undeclared = red.size > few ? [] : [...red].filter((id) => !saying.has(id));
  return [
    ...(unturned.length > 0 ? [`says it detects ${name}, but stays as it was: ${list(unturned)}`] : []),
    ...(undeclared.length > 0
      ? [`turns red with ${name}, but does not say that it detects it: ${list(undeclared)}`]
      : []),
  ];
}

interface Compared {
  readonly redRules: readonly string[];
  readonly isAsDeclared: boolean;
  readonly changesWire: boolean;
}

function statusOf({ kind }: Subject, { redRules, isAsDeclared, changesWire }: Compared): Proof['status'] {
  if (kind === 'variant') return redRules.length === 0 ? 'allowed' : 'refused';
  if (redRules.length > 0) return isAsDeclared ? 'killed' : 'misattributed';
  return changesWire ? 'survived' : 'equivalent';
}

/** A variant leaves no rule without a verdict. The golden matrix has the rules that a fault leaves without one. */
function checkLost({ kind }: Subject, turned: Proof['turned'], lost: readonly string[]): string[] {
  if (kind === 'variant') return compare('unjudged', [], lost);
  const odd = lost.filter((id) => turned[id] !== 'inconclusive' && turned[id] !== 'not-run');
  return odd.length === 0 ? [] : [`turned otherwise: ${list(odd)}`];
}

/** Informational does not count as lost, nor does not-applicable for a variant, which may lack a feature. */
function isLost(verdict: Verdict | undefined, { kind }: Subject): boolean {
  if (verdict === 'informational' || verdict === 'pass' || isRed(verdict)) return false;
  return !(kind === 'variant' && verdict === 'not-applicable');
}

export interface ComparedWith {
  readonly clean: Clean;
  readonly suites: Suites;
}

/** Judges a run with one fault or variant against the clean carrier and the declaration. */
export function judgeSubject(subject: Subject, outcome: JobOutcome, { clean, suites }: ComparedWith): Proof {
  const again = judgementOf(outcome.cases, outcome.invariants);
  const affected = rulesAgain(suites, clean.judgement, again);
  const after = judgedRules(suites, overlay(clean.judgement, again), affected);
  const turned = differences(clean.verdicts, verdictsOf(after));
  const critical = after.flatMap(({ id, criticalVerdict }) => (criticalVerdict === 'fail' ? [id] : []));
  const redRules = Object.keys(turned).filter((id) => isRed(turned[id]));
  const otherwise = Object.keys(turned).filter((id) => isLost(turned[id], subject));
  const known = (id: string): boolean => clean.declared.has(id);
  const stopped = outcome.stopped === undefined ? [] : [`the run had to stop: ${outcome.stopped}`];
  const rules = [
    ...stopped,
    ...compare('red', subject.breaks, redRules.filter(known)),
    ...evidenceOf(subject, redRules.filter(known), outcome),
    ...checkLost(subject, turned, otherwise.filter(known)),
  ];
  const { name, kind } = subject;
  const saying = detectedBy(suites, name);
  const red = redCases(again, clean.judgement, saying);
  const redInvariants = outcome.invariants.filter(({ verdict }) => isRed(verdict)).map(({ id }) => id);
  const follows = followersOf(outcome, saying);
  const shown = { saying, red: new Set([...red, ...redInvariants]), follows };
  const wrong = kind === 'variant' ? rules : [...rules, ...checkDetects(name, shown)];
  const changesWire = wireChanged(outcome, clean.judgement);
  const status = statusOf(subject, { redRules, isAsDeclared: rules.length === 0, changesWire });
  return {
    name,
    kind,
    status,
    turned,
    red: [...red, ...redInvariants],
    ...(follows.length === 0 ? {} : { follows }),
    ...(critical.length === 0 ? {} : { critical }),
    ...defined({ whole: subject.whole }),
    wrong,
    ran: outcome.cases.length,
    of: suites.cases.length,
  };
}
