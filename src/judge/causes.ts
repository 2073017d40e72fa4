import type { Finding } from '../model/finding.ts';
import { levels } from '../model/rule.ts';

/** What a finding is about: one part of one message. Without a message, it is about the step. */
function factOf({ message, step, code, path = code }: Finding): string | undefined {
  const where = message ?? step;
  return where === undefined ? undefined : JSON.stringify([where, path]);
}

/** Required first, then in the order of the rules. */
const weightOf = ({ rule, level }: Finding, orders: ReadonlyMap<string, number>): number =>
  levels.indexOf(level) * orders.size + (orders.get(rule) ?? orders.size);

/** The first finding of each fact. */
function causesOf(findings: readonly Finding[], orders: ReadonlyMap<string, number>): ReadonlyMap<string, Finding> {
  const causes = new Map<string, Finding>();
  for (const finding of findings) {
    const fact = factOf(finding);
    if (fact === undefined) continue;
    const before = causes.get(fact);
    if (before === undefined || weightOf(finding, orders) < weightOf(before, orders)) causes.set(fact, finding);
  }
  return causes;
}

/**
 * Marks what follows from another of these findings: of several rules that one fact breaks, the first is the cause. `order` are
 * the ids of the rules.
 */
export function createCauseMarker(all: readonly Finding[], order: readonly string[]): (finding: Finding) => Finding {
  const causes = causesOf(all, new Map(order.map((id, at) => [id, at])));
  return (finding) => {
    const cause = causes.get(factOf(finding) ?? '');
    return cause === undefined || cause.rule === finding.rule ? finding : { ...finding, followsFrom: cause.rule };
  };
}
