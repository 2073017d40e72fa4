import { countOf, groupBy, listIds } from '../../lib/lists.ts';
import {
  type Collected,
  countFailures,
  type FoundBy,
  type Group,
  inRuleOrder,
  type RulesById,
  shownInFull,
} from '../shared/collect.ts';
import { type Following, followingWords } from '../shared/following.ts';
import { type Fact, findingFacts } from '../shared/facts.ts';
import type { Page, Tone } from '../shared/layout.ts';
import { clauseOf, renderFinding, violationCount } from '../shared/prose.ts';
import { forTerminal } from '../shared/sanitize.ts';

const idLimit = 5;

function renderRuleHead(page: Page, { ref, rule, level }: Group, options: { rules: RulesById; tone: Tone }): string[] {
  const known = options.rules.get(rule);
  const clause = known === undefined ? '' : `  ${forTerminal(clauseOf(known.clause), 60)}`;
  const apart = known?.apart === true ? ', not counted for the outcome' : '';
  const words = known?.aspects?.[ref] ?? known?.description;
  return ['', `${options.tone(forTerminal(ref, 80))}  ${level}${apart}${clause}`, ...page.paragraph(words)];
}

function renderFound(page: Page, one: FoundBy, tone: Tone): readonly string[] {
  const { finding, invariant, seenIn, id, title } = one;
  const first = finding.seenIn ?? seenIn?.id;
  const head: readonly Fact[] = [
    { label: invariant === undefined ? 'case' : 'invariant', text: `${id}: ${title}` },
    ...(invariant === undefined ? [] : [{ label: 'violated', text: violationCount(invariant) }]),
    ...(invariant === undefined || first === undefined ? [] : [{ label: 'first in', text: first }]),
  ];
  const { green, bold } = page.paint;
  const tones: Readonly<Record<string, Tone>> = {
    case: bold,
    invariant: bold,
    violated: tone,
    actual: tone,
    expected: green,
  };
  return [
    '',
    ...[...head, ...findingFacts(one, page.flags)].flatMap(({ label, text, ...rest }) =>
      page.fact(label, text, { ...rest, tone: tones[label] }),
    ),
  ];
}

/** What the groups of one kind are shown with. */
interface Shown {
  readonly rules: RulesById;
  readonly following: Collected['following'];
}

function renderFailure(page: Page, group: Group, { rules, following }: Shown): readonly string[] {
  const more = group.found.slice(shownInFull).map(({ id }) => id);
  return [
    ...renderRuleHead(page, group, { rules, tone: page.paint.red.bold }),
    ...page.fact('interpretation', rules.get(group.rule)?.interpretation),
    ...group.found.slice(0, shownInFull).flatMap((one) => renderFound(page, one, page.paint.red)),
    ...(more.length === 0
      ? []
      : ['', ...page.paragraph(`and in ${countOf(more.length, 'more case')}: ${listIds(more, 40)}`)]),
    ...renderFollowing(page, following.get(group.rule)),
  ];
}

/** Every required rule that was broken, with all that is needed to see it again. */
export function renderFailures(page: Page, { failures, following }: Collected, rules: RulesById): readonly string[] {
  if (failures.size === 0) return [];
  const groups = inRuleOrder(failures, rules);
  return [
    ...page.heading('Failures', countFailures(groups), page.paint.red.bold),
    ...groups.flatMap((group) => renderFailure(page, group, { rules, following })),
  ];
}

function renderFollowing(page: Page, following: Following | undefined): readonly string[] {
  const words = followingWords(following);
  return words === undefined ? [] : ['', ...page.fact('follows', words)];
}

const alikeWords = (more: readonly FoundBy[]): string =>
  `and alike in ${countOf(more.length, 'more case')}: ${listIds(
    more.map(({ id }) => id),
    idLimit,
  )}`;

/** As a failure: the first finding of each kind with all its evidence. */
function renderWarning(page: Page, group: Group, rules: RulesById): readonly string[] {
  const alike = groupBy(group.found, ({ finding }) => renderFinding(finding).summary);
  return [
    ...renderRuleHead(page, group, { rules, tone: page.paint.yellow }),
    ...page.fact('interpretation', rules.get(group.rule)?.interpretation),
    ...[...alike.values()].flatMap(([first, ...more]) => [
      ...(first === undefined ? [] : renderFound(page, first, page.paint.yellow)),
      ...(more.length === 0 ? [] : page.paragraph(alikeWords(more), { indent: 4, tone: page.paint.dim })),
    ]),
  ];
}

/** Every rule that was not followed and changes no outcome. */
export function renderWarnings(page: Page, warnings: ReadonlyMap<string, Group>, rules: RulesById): readonly string[] {
  if (warnings.size === 0) return [];
  return [
    ...page.heading(
      'Warnings',
      `${countOf(warnings.size, 'rule')} not followed, no outcome changed`,
      page.paint.yellow.bold,
    ),
    ...inRuleOrder(warnings, rules).flatMap((group) => renderWarning(page, group, rules)),
  ];
}
