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
import { type Page, renderFact, renderParagraph, renderTonedHeading, type Tone } from '../shared/layout.ts';
import { clauseOf, renderFinding, violationCount } from '../shared/prose.ts';
import { forTerminal } from '../shared/sanitize.ts';

const idLimit = 5;

function renderRuleHead(page: Page, { ref, rule, level }: Group, options: { rules: RulesById; tone: Tone }): string[] {
  const known = options.rules.get(rule);
  const clause = known === undefined ? '' : `  ${forTerminal(clauseOf(known.clause), 60)}`;
  return [
    '',
    `${options.tone(forTerminal(ref, 80))}  ${level}${clause}`,
    ...(known === undefined ? [] : renderParagraph(page, known.description, { indent: 2 })),
  ];
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
    ...[...head, ...findingFacts(one, page.flags)].flatMap((fact) =>
      renderFact(page, fact, { indent: 2, tone: tones[fact.label] }),
    ),
  ];
}

function renderFailure(page: Page, group: Group, rules: RulesById): readonly string[] {
  const interpretation = rules.get(group.rule)?.interpretation;
  const more = group.found.slice(shownInFull).map(({ id }) => id);
  return [
    ...renderRuleHead(page, group, { rules, tone: page.paint.red.bold }),
    ...(interpretation === undefined
      ? []
      : renderFact(page, { label: 'interpretation', text: interpretation }, { indent: 2 })),
    ...group.found.slice(0, shownInFull).flatMap((one) => renderFound(page, one)),
    ...(more.length === 0
      ? []
      : [
          '',
          ...renderParagraph(page, `and in ${countOf(more.length, 'more case')}: ${listIds(more, 40)}`, { indent: 2 }),
        ]),
  ];
}

/** Every required rule that was broken, with all that is needed to see it again. */
export function renderFailures(page: Page, failures: ReadonlyMap<string, Group>, rules: RulesById): readonly string[] {
  if (failures.size === 0) return [];
  const groups = inRuleOrder(failures, rules);
  return [
    ...renderTonedHeading(page, page.paint.red.bold('Failures'), countFailures(groups)),
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
      ...renderParagraph(page, summary, { indent: 4 }),
      ...renderParagraph(page, listIds(found.map(withCount), idLimit), { indent: 6, tone: page.paint.dim }),
    ]),
  ];
}

/** Every recommended rule that was not followed, in short. */
export function renderWarnings(page: Page, warnings: ReadonlyMap<string, Group>, rules: RulesById): readonly string[] {
  if (warnings.size === 0) return [];
  return [
    ...renderTonedHeading(
      page,
      page.paint.yellow.bold('Warnings'),
      `${countOf(warnings.size, 'recommended rule')} not followed`,
    ),
    ...inRuleOrder(warnings, rules).flatMap((group) => renderWarning(page, group, rules)),
  ];
}
