import type { RuleResult } from '../../model/result.ts';
import { type Fact, findingFacts } from '../shared/facts.ts';
import { listIds } from '../shared/lists.ts';
import { countOf } from '../shared/layout.ts';
import { clauseOf, messageKindWords } from '../shared/prose.ts';
import type { Group, Seen } from '../shared/collect.ts';
import { codeBlock, codeSpan, plainMarkdown } from './escape.ts';

export type RulesById = ReadonlyMap<string, RuleResult>;

/** Findings of one rule that are shown with their evidence; the others are named. */
const shownOfRule = 3;
const idLimit = 20;
/** UTF-16 units of one line of evidence. */
const factLimit = 600;

/** In the order of the rules, then those the result does not name. */
export function inRuleOrder(groups: ReadonlyMap<string, Group>, rules: RulesById): readonly Group[] {
  const order = [...rules.keys()];
  const placeOf = ({ rule }: Group): number => (rules.has(rule) ? order.indexOf(rule) : order.length);
  return [...groups.values()].toSorted((one, other) => placeOf(one) - placeOf(other));
}

const renderFact = ({ label, text }: Fact): string => `${label.padEnd(10)} ${text}`;

function renderSeen(seen: Seen, flags: readonly string[]): string {
  const { id, title, invariant } = seen;
  const violated =
    invariant === undefined
      ? ''
      : `: ${invariant.violations} of ${countOf(invariant.judged, ...messageKindWords[invariant.on])}`;
  return [
    `${invariant === undefined ? 'Case' : 'Invariant'} ${codeSpan(id)}${violated}  \n${plainMarkdown(title)}`,
    codeBlock(findingFacts(seen, flags).map(renderFact), factLimit),
  ].join('\n\n');
}

function renderGroup(group: Group, { rules, flags }: { rules: RulesById; flags: readonly string[] }): string {
  const rule = rules.get(group.rule);
  const clause = rule === undefined ? '' : ` · ${plainMarkdown(clauseOf(rule.clause))}`;
  const more = group.seen.slice(shownOfRule).map(({ id }) => id);
  return [
    `### ${codeSpan(group.ref)}${clause}`,
    ...(rule === undefined ? [] : [plainMarkdown(rule.description)]),
    ...(rule?.interpretation === undefined ? [] : [`How it was read: ${plainMarkdown(rule.interpretation)}`]),
    ...group.seen.slice(0, shownOfRule).map((seen) => renderSeen(seen, flags)),
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
  const findings = groups.reduce((sum, { seen }) => sum + seen.length, 0);
  const broken = countOf(new Set(groups.map(({ rule }) => rule)).size, 'rule');
  return [
    `## Failures: ${broken} broken, ${countOf(findings, 'finding')}`,
    ...groups.map((group) => renderGroup(group, options)),
  ];
}
