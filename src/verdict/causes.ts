import type { Finding } from '../model/finding.ts';
import { levels } from '../model/rule.ts';

/** Key of the fact that a finding is about: one part of one message, or of the step if there is no message. */
function factKey({ message, step, code }: Finding, path: string = code): string | undefined {
  const where = message ?? step;
  return where === undefined ? undefined : JSON.stringify([where, path]);
}

/** A body that is wrong as a whole lacks its members as well (C7.15). */
const wholeBodyKey = (finding: Finding): string | undefined =>
  finding.path?.startsWith('body.') === true ? factKey(finding, 'body') : undefined;

/** Required first, then in the order of the rules. */
const findingWeight = ({ rule, level }: Finding, orders: ReadonlyMap<string, number>): number =>
  levels.indexOf(level) * orders.size + (orders.get(rule) ?? orders.size);

/** First finding of each fact. */
function collectCauses(
  findings: readonly Finding[],
  orders: ReadonlyMap<string, number>,
): ReadonlyMap<string, Finding> {
  const causes = new Map<string, Finding>();
  for (const finding of findings) {
    const fact = factKey(finding, finding.path);
    if (fact === undefined) continue;
    const before = causes.get(fact);
    if (before === undefined || findingWeight(finding, orders) < findingWeight(before, orders))
      causes.set(fact, finding);
  }
  return causes;
}

/** Marks findings that follow from another: if one fact breaks several rules, the first is the cause. */
export function createCauseMarker(all: readonly Finding[], order: readonly string[]): (finding: Finding) => Finding {
  const orders = new Map(order.map((id, at) => [id, at]));
  const causes = collectCauses(all, orders);
  return (finding) => {
    const whole = causes.get(wholeBodyKey(finding) ?? '');
    const isWhole = whole !== undefined && levels.indexOf(whole.level) <= levels.indexOf(finding.level);
    const cause = isWhole ? whole : causes.get(factKey(finding, finding.path) ?? '');
    return cause === undefined || cause.rule === finding.rule ? finding : { ...finding, followsFrom: cause.rule };
  };
}
