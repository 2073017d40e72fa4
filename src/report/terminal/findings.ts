import { countOf, groupBy, listIds } from '../../lib/lists.ts';
import {
  countFailures,
  type FoundBy,
  type Group,
  inRuleOrder,
  type RulesById,
  shownInFull,
} from '../shared/collect.ts';
import { type Fact, findingFacts } from '../shared/facts.ts';
import type { Page, Tone } from '../shared/layout.ts';
import { clauseOf, renderFinding, violationCount } from '../shared/prose.ts';
import { forTerminal } from '../shared/sanitize.ts';

const idLimit = 5;

function renderRuleHead(page: Page, { ref, rule, level }: Group, options: { rules: RulesById; tone: Tone }): string[] {
  const known = options.rules.get(rule);
  const clause = known === undefined ? '' : `  ${forTerminal(clauseOf(known.clause), 60)}`;
  return ['', `${options.tone(forTerminal(ref, 80))}  ${level}${clause}`, ...page.paragraph(known?.description)];
}

function renderFound(page: Page, one: FoundBy): readonly string[] {
  const { finding, invariant, seenIn, id, title } = one;
  const first = finding.seenIn ?? seenIn?.id;
  const head: readonly Fact[] = [
    { label: invariant === undefined ? 'case' : 'invariant', text: `${id}: ${title}` },
    ...(invariant === undefined ? [] : [{ label: 'violated', text: violationCount(invariant) }]),
    ...(invariant === undefined || first === undefined ? [] : [{ label: 'first in', text: first }]),
  ];
  const { red, green, bold } = page.paint;
  const tones: Readonly<Record<string, Tone>> = {
    case: bold,
    invariant: bold,
    violated: red,
    actual: red,
    expected: green,
  };
  return [
    '',
    ...[...head, ...findingFacts(one, page.flags)].flatMap(({ label, text, ...rest }) =>
      page.fact(label, text, { ...rest, tone: tones[label] }),
    ),
  ];
}

function renderFailure(page: Page, group: Group, rules: RulesById): readonly string[] {
  const more = group.found.slice(shownInFull).map(({ id }) => id);
  return [
    ...renderRuleHead(page, group, { rules, tone: page.paint.red.bold }),
    ...page.fact('interpretation', rules.get(group.rule)?.interpretation),
    ...group.found.slice(0, shownInFull).flatMap((one) => renderFound(page, one)),
    ...(more.length === 0
      ? []
      : ['', ...page.paragraph(`and in ${countOf(more.length, 'more case')}: ${listIds(more, 40)}`)]),
  ];
}

/** Every required rule that was broken, with all that is needed to see it again. */
export function renderFailures(page: Page, failures: ReadonlyMap<string, Group>, rules: RulesById): readonly string[] {
  if (failures.size === 0) return [];
  const groups = inRuleOrder(failures, rules);
  return [
    ...page.heading('Failures', countFailures(groups), page.paint.red.bold),
    ...groups.flatMap((group) => renderFailure(page, group, rules)),
  ];
}

const withCount = ({ id, invariant }: FoundBy): string =>
  invariant === undefined ? id : `${id} (${violationCount(invariant)})`;

function renderWarning(page: Page, group: Group, rules: RulesById): readonly string[] {
  const alike = groupBy(group.found, ({ finding }) => renderFinding(finding).summary);
  return [
    ...renderRuleHead(page, group, { rules, tone: page.paint.yellow }),
    ...[...alike].flatMap(([summary, found]) => [
      ...page.paragraph(summary, { indent: 4 }),
      ...page.paragraph(listIds(found.map(withCount), idLimit), { indent: 6, tone: page.paint.dim }),
    ]),
  ];
}

/** Every recommended rule that was not followed, in short. */
export function renderWarnings(page: Page, warnings: ReadonlyMap<string, Group>, rules: RulesById): readonly string[] {
  if (warnings.size === 0) return [];
  return [
    ...page.heading(
      'Warnings',
      `${countOf(warnings.size, 'rule')} not followed that change no outcome`,
      page.paint.yellow.bold,
    ),
    ...inRuleOrder(warnings, rules).flatMap((group) => renderWarning(page, group, rules)),
  ];
}
