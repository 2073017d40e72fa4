import { invariantRules } from '../../engine/plan/select.ts';
import { groupBy } from '../../lib/lists.ts';
import { caseRuleIds, type Suites } from '../../suite/suites.ts';
import type { Subject } from './catalogue.ts';
import type { CaseOutcome, JobOutcome } from './job.ts';
import type { CleanBaseline } from './judge-subject.ts';

/** Case id without its row: `jti-kept` for `jti-kept/2m`. */
const rowlessId = (id: string): string => id.split('/')[0] ?? id;

/** Whether an invariant names the case in `seenIn`, or all of its rows. */
const isNamed = (seenIn: readonly string[], id: string): boolean =>
  seenIn.includes(id) || seenIn.includes(rowlessId(id));

/** Ids of the first case of each area. */
const firstCases = ({ cases }: Suites): readonly string[] =>
  [...groupBy(cases, ({ area }) => area).values()].flatMap(([first]) => (first === undefined ? [] : [first.id]));

/** Rules that no red case judges: whatever judges them runs. */
function rulesWithoutCase({ breaks }: Subject, red: ReadonlySet<string>, { cases }: Suites): ReadonlySet<string> {
  const shown = new Set(cases.filter(({ id }) => red.has(id)).flatMap((one) => [...caseRuleIds(one)]));
  return new Set(breaks.filter((rule) => !shown.has(rule)));
}

/**
 * Cases that a proof of a fault runs: those that the matrix has as red; those that judge a broken rule that no case of the matrix judges;
 * and the first of each area, which no fault may turn by the way. `--whole`, which runs every night, adds the others.
 */
export function chooseCases(subject: Subject, red: readonly string[], suites: Suites): readonly string[] {
  const rules = rulesWithoutCase(subject, new Set(red), suites);
  const seenIn = suites.invariants
    .filter((one) => red.includes(one.id) || [...invariantRules(one)].some((id) => rules.has(id)))
    .flatMap((one) => one.seenIn);
  const known = new Set([...red, ...firstCases(suites)]);
  return suites.cases
    .filter((one) => known.has(one.id) || isNamed(seenIn, one.id) || [...caseRuleIds(one)].some((id) => rules.has(id)))
    .map(({ id }) => id);
}

/** Most cases to run again for a rule that a fault turned. */
const maxCasesPerRule = 3;

const findsBrokenRule =
  (rule: string) =>
  ({ findings }: CaseOutcome): boolean =>
    findings.some((finding) => finding.rule === rule && finding.level !== 'informational');

/** Cases in whose messages an invariant found the rule broken; first, those in which it must be seen. */
function casesSeenBreaking(rule: string, { cases, invariants }: JobOutcome, suites: Suites): readonly string[] {
  return invariants.flatMap(({ id, findings }) => {
    const found = findings.filter((finding) => finding.rule === rule);
    if (found.length === 0) return [];
    const { on = '', seenIn = [] } = suites.invariants.find((one) => one.id === id) ?? {};
    const seen = found.flatMap((finding) => finding.seenIn ?? []);
    const others = on === 'run' || seen.length === 0 ? cases.map((one) => one.id) : [];
    return [...[...seen, ...others].filter((one) => isNamed(seenIn, one)), ...seen];
  });
}

/** First the first row of each matrix, then the others. */
function spreadRows(ids: readonly string[]): readonly string[] {
  const first = new Map(ids.toReversed().map((id) => [rowlessId(id), id]));
  return [...new Set([...ids.filter((id) => first.get(rowlessId(id)) === id), ...ids])];
}

/** Cases that showed a fault on the plain carrier, a few for each declared rule. */
export function detectingCases(
  { breaks }: Subject,
  outcome: JobOutcome,
  { clean, suites }: CleanBaseline,
): readonly string[] {
  const turned = outcome.cases.filter(({ id, verdict }) => clean.judgement.cases.get(id)?.verdict !== verdict);
  const chosen = breaks.flatMap((rule) => {
    const all = turned.filter(findsBrokenRule(rule)).map(({ id }) => id);
    return spreadRows([...all, ...casesSeenBreaking(rule, outcome, suites)]).slice(0, maxCasesPerRule);
  });
  return [...new Set(chosen)];
}
