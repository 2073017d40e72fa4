import { countOf, listIds } from '../../lib/lists.ts';
import {
  countMore,
  type Collected,
  countFailures,
  type FoundBy,
  type Group,
  inRuleOrder,
  type RulesById,
} from '../shared/collect.ts';
import { type Fact, findingFacts } from '../shared/facts.ts';
import { followingWords } from '../shared/following.ts';
import { clauseOf, violationCount } from '../shared/prose.ts';
import { capitalise } from '../shared/run-prose.ts';
import { expectedWords } from '../shared/standing.ts';
import { codeBlock, codeSpan, plainMarkdown } from './escape.ts';

/** Findings of one rule that are shown with their evidence; the others are named. */
const shownOfRule = 3;
const furtherLimit = 20;
/** UTF-16 units of one line of evidence. */
const factLimit = 600;

/** The heading has the link. */
const isNoLink = ({ label }: Fact): boolean => label !== 'page';

const renderFact = ({ label, text }: Fact): string => `${label.padEnd(10)} ${text}`;

function renderFound(found: FoundBy, flags: readonly string[]): string {
  const { id, title, invariant, entry } = found;
  const violated = invariant === undefined ? '' : `: ${violationCount(invariant)}`;
  return [
    `${invariant === undefined ? 'Case' : 'Invariant'} ${codeSpan(id)}${violated}  \n${plainMarkdown(title)}`,
    ...(entry === undefined ? [] : [plainMarkdown(capitalise(expectedWords(entry)))]),
    codeBlock(findingFacts(found, flags).filter(isNoLink).map(renderFact), factLimit),
  ].join('\n\n');
}

interface GroupOptions {
  readonly rules: RulesById;
  readonly flags: readonly string[];
}

function renderGroup(group: Group, { rules, flags, following }: GroupOptions & Pick<Collected, 'following'>): string {
  const follows = followingWords(following.get(group.rule));
  const rule = rules.get(group.rule);
  const clause = rule === undefined ? '' : ` · ${plainMarkdown(clauseOf(rule.clause))}`;
  const further = group.found.slice(shownOfRule);
  const more = further.map(({ id }) => id);
  return [
    `### ${codeSpan(group.ref)}${clause}`,
    ...(rule === undefined ? [] : [plainMarkdown(rule.aspects?.[group.ref] ?? rule.description)]),
    ...(rule?.interpretation === undefined ? [] : [`Interpretation: ${plainMarkdown(rule.interpretation)}`]),
    ...group.found.slice(0, shownOfRule).map((one) => renderFound(one, flags)),
    ...(more.length === 0 ? [] : [`And in ${countMore(further)}: ${codeSpan(listIds(more, furtherLimit))}`]),
    ...(follows === undefined ? [] : [`Follows from it: ${plainMarkdown(follows)}`]),
  ].join('\n\n');
}

/** Every required rule that was broken, a section each, with what is needed to see it again. */
export function failureSections({ failures, following }: Collected, options: GroupOptions): readonly string[] {
  if (failures.size === 0) return [];
  const groups = inRuleOrder(failures, options.rules);
  return [
    `## Failures: ${countFailures(groups)}`,
    ...groups.map((group) => renderGroup(group, { ...options, following })),
  ];
}

/** Every required rule that was broken and is expected to be, a section each, as a failure has it. */
export function expectedFailureSections({ expected, following }: Collected, options: GroupOptions): readonly string[] {
  if (expected.size === 0) return [];
  const groups = inRuleOrder(expected, options.rules);
  return [
    `## Broken, as expected: ${countFailures(groups)}`,
    ...groups.map((group) => renderGroup(group, { ...options, following })),
  ];
}

/** Every rule that was not followed and changes no outcome, a section each, as a failure has it. */
export function warningSections({ warnings, following }: Collected, options: GroupOptions): readonly string[] {
  if (warnings.size === 0) return [];
  const groups = inRuleOrder(warnings, options.rules);
  return [
    `## Warnings: ${countOf(warnings.size, 'rule')} not followed, no outcome changed`,
    ...groups.map((group) => renderGroup(group, { ...options, following })),
  ];
}
