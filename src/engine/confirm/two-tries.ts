import { verdictOf } from '../../judge/rule-book.ts';
import type { Finding } from '../../model/finding.ts';
import type { Confirmation } from '../../model/result.ts';
import { renderRuleRef } from '../../model/rule.ts';

const isRequired = ({ level }: Finding): boolean => verdictOf[level] === 'fail';

const refsOf = (findings: readonly Finding[]): ReadonlySet<string> =>
  new Set(findings.filter(isRequired).map(renderRuleRef));

/** What two tries of a case come to. */
export interface Compared {
  readonly findings: readonly Finding[];
  readonly confirmation: Confirmation;
}

/** A rule that both tries broke is broken; what one of them broke is unstable, and the findings of both are kept. */
export function compareTries(first: readonly Finding[], again: readonly Finding[]): Compared {
  const [before, after] = [refsOf(first), refsOf(again)];
  const marked = (findings: readonly Finding[], other: ReadonlySet<string>): readonly Finding[] =>
    findings.map((one) => (isRequired(one) && !other.has(renderRuleRef(one)) ? { ...one, unstable: true } : one));
  const onlyAgain = again.filter((one) => isRequired(one) && !before.has(renderRuleRef(one)));
  const status = [...before].some((ref) => after.has(ref)) ? 'confirmed' : 'unstable';
  return { findings: [...marked(first, after), ...marked(onlyAgain, before)], confirmation: { status } };
}
