import { countOf, listIds } from '../../lib/lists.ts';
import { countFailures, type FoundBy, type Group, inRuleOrder, type RulesById } from '../shared/collect.ts';
import { type Fact, findingFacts } from '../shared/facts.ts';
import { clauseOf, violationCount } from '../shared/prose.ts';
import { codeBlock, codeSpan, plainMarkdown } from './escape.ts';

/** Findings of one rule that are shown with their evidence; the others are named. */
const shownOfRule = 3;
const idLimit = 20;
/** UTF-16 units of one line of evidence. */
const factLimit = 600;

const renderFact = ({ label, text }: Fact): string => `${label.padEnd(10)} ${text}`;

function renderFound(found: FoundBy, flags: readonly string[]): string {
  const { id, title, invariant } = found;
  const violated = invariant === undefined ? '' : `: ${violationCount(invariant)}`;
  return [
    `${invariant === undefined ? 'Case' : 'Invariant'} ${codeSpan(id)}${violated}  \n${plainMarkdown(title)}`,
    codeBlock(findingFacts(found, flags).map(renderFact), factLimit),
  ].join('\n\n');
}

function renderGroup(group: Group, { rules, flags }: { rules: RulesById; flags: readonly string[] }): string {
  const rule = rules.get(group.rule);
  const clause = rule === undefined ? '' : ` · ${plainMarkdown(clauseOf(rule.clause))}`;
  const more = group.found.slice(shownOfRule).map(({ id }) => id);
  return [
    `### ${codeSpan(group.ref)}${clause}`,
    ...(rule === undefined ? [] : [plainMarkdown(rule.description)]),
    ...(rule?.interpretation === undefined ? [] : [`Interpretation: ${plainMarkdown(rule.interpretation)}`]),
    ...group.found.slice(0, shownOfRule).map((one) => renderFound(one, flags)),
    ...(more.length === 0 ? [] : [`And in ${countOf(more.length, 'more case')}: ${codeSpan(listIds(more, idLimit))}`]),
  ].join('\n\n');
}

/** Every required rule that was broken, a section each, with what is needed to see it again. */
export function failureSections(
  failures: ReadonlyMap<string, Group>,
  options: { rules: RulesById; flags: readonly string[] },
): readonly string[] {
  if (failures.size === 0) return [];
  const groups = inRuleOrder(failures, options.rules);
  return [`## Failures: ${countFailures(groups)}`, ...groups.map((group) => renderGroup(group, options))];
}
