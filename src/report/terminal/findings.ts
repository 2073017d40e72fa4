import type { RuleResult } from '../../model/result.ts';
import { findingFacts } from '../shared/facts.ts';
import { groupBy, listIds } from '../shared/lists.ts';
import { countOf, type Page, renderFact, renderHeading, renderParagraph, type Tone } from '../shared/layout.ts';
import { clauseOf, messageKindWords, renderFinding } from '../shared/prose.ts';
import { forTerminal } from '../shared/sanitize.ts';
import { type Group, type Seen, shownInFull } from '../shared/collect.ts';

const idLimit = 5;

type RulesById = ReadonlyMap<string, RuleResult>;

/** In the order of the rules, then those the result does not name. */
function inOrder(groups: ReadonlyMap<string, Group>, rules: RulesById): readonly Group[] {
  const order = [...rules.keys()];
  const placeOf = ({ rule }: Group): number => (rules.has(rule) ? order.indexOf(rule) : order.length);
  return [...groups.values()].toSorted((one, other) => placeOf(one) - placeOf(other));
}

function renderRuleHead(page: Page, { ref, rule, level }: Group, options: { rules: RulesById; tone: Tone }): string[] {
  const known = options.rules.get(rule);
  const clause = known === undefined ? '' : `  ${forTerminal(clauseOf(known.clause), 60)}`;
  return [
    '',
    `${options.tone(forTerminal(ref, 80))}  ${level}${clause}`,
    ...(known === undefined ? [] : renderParagraph(page, known.description, { indent: 2 })),
  ];
}

/** How often an invariant was broken: once in a run says less than 3 of 120 callbacks. */
function renderViolated({ invariant }: Seen): string {
  if (invariant === undefined) return '';
  const [one, many] = messageKindWords[invariant.on];
  return `${invariant.violations} of ${countOf(invariant.judged, one, many)}`;
}

function renderSeen(page: Page, seen: Seen): readonly string[] {
  const { finding, invariant, seenIn } = seen;
  const first = finding.seenIn ?? seenIn?.id;
  const head = [
    { label: invariant === undefined ? 'case' : 'invariant', text: `${seen.id}: ${seen.title}`, tone: page.paint.bold },
    ...(invariant === undefined ? [] : [{ label: 'violated', text: renderViolated(seen), tone: page.paint.red }]),
    ...(invariant === undefined || first === undefined ? [] : [{ label: 'first in', text: first }]),
  ];
  const tones: Readonly<Record<string, Tone>> = { actual: page.paint.red, expected: page.paint.green };
  return [
    '',
    ...head.flatMap((fact) => renderFact(page, fact, { indent: 2, ...('tone' in fact ? { tone: fact.tone } : {}) })),
    ...findingFacts(seen, page.flags).flatMap((fact) => {
      const tone = tones[fact.label];
      return renderFact(page, fact, { indent: 2, ...(tone === undefined ? {} : { tone }) });
    }),
  ];
}

function renderFailure(page: Page, group: Group, rules: RulesById): readonly string[] {
  const interpretation = rules.get(group.rule)?.interpretation;
  const more = group.seen.slice(shownInFull).map(({ id }) => id);
  return [
    ...renderRuleHead(page, group, { rules, tone: page.paint.red.bold }),
    ...(interpretation === undefined
      ? []
      : renderFact(page, { label: 'interpretation', text: interpretation }, { indent: 2 })),
    ...group.seen.slice(0, shownInFull).flatMap((seen) => renderSeen(page, seen)),
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
  const groups = inOrder(failures, rules);
  const findings = groups.reduce((sum, { seen }) => sum + seen.length, 0);
  const count = `${countOf(new Set(groups.map(({ rule }) => rule)).size, 'rule')} broken, ${countOf(findings, 'finding')}`;
  return [
    ...renderHeading(page, 'Failures', count, page.paint.red.bold),
    ...groups.flatMap((group) => renderFailure(page, group, rules)),
  ];
}

const withCount = (seen: Seen): string =>
  seen.invariant === undefined ? seen.id : `${seen.id} (${renderViolated(seen)})`;

function renderWarning(page: Page, group: Group, rules: RulesById): readonly string[] {
  const alike = groupBy(group.seen, ({ finding }) => renderFinding(finding).summary);
  return [
    ...renderRuleHead(page, group, { rules, tone: page.paint.yellow }),
    ...[...alike].flatMap(([summary, seen]) => [
      ...renderParagraph(page, summary, { indent: 4 }),
      ...renderParagraph(page, listIds(seen.map(withCount), idLimit), { indent: 6, tone: page.paint.dim }),
    ]),
  ];
}

/** Every recommended rule that was not followed, in short. */
export function renderWarnings(page: Page, warnings: ReadonlyMap<string, Group>, rules: RulesById): readonly string[] {
  if (warnings.size === 0) return [];
  return [
    ...renderHeading(
      page,
      'Warnings',
      `${countOf(warnings.size, 'recommended rule')} not followed`,
      page.paint.yellow.bold,
    ),
    ...inOrder(warnings, rules).flatMap((group) => renderWarning(page, group, rules)),
  ];
}
