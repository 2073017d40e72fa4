import type { Suites } from '../suite/suites.ts';
import { isRed, matrixName, type Subject } from './catalogue.ts';
import type { CaseOutcome, JobOutcome } from './job.ts';
import type { ComparedWith } from './judge-subject.ts';

/** Cases that run again for each rule that a fault turned. */
const casesForRule = 3;

const findsRule =
  (rule: string) =>
  ({ findings }: CaseOutcome): boolean =>
    findings.some((finding) => finding.rule === rule);

/**
 * The cases in whose messages invariants found that a rule is broken. Those that are about the invariant come first: others bring
 * such a message by the way, and may not on another carrier. What holds of a whole run is seen in these only.
 */
function seenFor(rule: string, { cases, invariants }: JobOutcome, suites: Suites): readonly string[] {
  return invariants.flatMap(({ id, findings }) => {
    const found = findings.filter((finding) => finding.rule === rule);
    if (found.length === 0) return [];
    const { on = '', seenIn = [] } = suites.invariants.find((one) => one.id === id) ?? {};
    const isAbout = (name: string): boolean => seenIn.includes(name) || seenIn.includes(matrixName(name));
    const seen = found.flatMap((finding) => finding.seenIn ?? []);
    const others = on === 'run' || seen.length === 0 ? cases.map((one) => one.id) : [];
    return [...[...seen, ...others].filter((one) => isAbout(one)), ...seen];
  });
}

/** Rows of other matrices before further rows of the same. */
function varied(ids: readonly string[]): readonly string[] {
  const names = new Set<string>();
  const first = ids.filter((id) => {
    const isNew = !names.has(matrixName(id));
    names.add(matrixName(id));
    return isNew;
  });
  return [...new Set([...first, ...ids])];
}

/**
 * The cases that showed a fault on the plain carrier: a few for each rule that it is declared to break. Of a fault that keeps
 * state, first those that say they detect it: others may show it only after a case that is not chosen.
 */
export function killersOf(
  { name, breaks, stateful }: Subject,
  outcome: JobOutcome,
  { clean, suites }: ComparedWith,
): readonly string[] {
  const turned = outcome.cases.filter(
    ({ id, verdict }) => isRed(verdict) && clean.judgement.cases.get(id)?.verdict !== verdict,
  );
  const saying = new Set(suites.cases.flatMap(({ id, detects }) => (detects.includes(name) ? [id] : [])));
  const chosen = breaks.flatMap((rule) => {
    const all = turned.filter(findsRule(rule)).map(({ id }) => id);
    const said = stateful === true ? all.filter((id) => saying.has(id)) : [];
    const own = said.length > 0 ? said : all;
    return varied([...own, ...seenFor(rule, outcome, suites)]).slice(0, casesForRule);
  });
  return [...new Set(chosen)];
}
