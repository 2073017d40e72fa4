import { countNoun, groupBy, listIds } from '../../lib/lists.ts';
import {
  foundElsewhere,
  type ReportModel,
  countFailures,
  countSection,
  type LocatedFinding,
  type FindingGroup,
  inRuleOrder,
  maxShownInFull,
} from '../shared/model.ts';
import { consequenceWords, expectedWords } from '../shared/consequences.ts';
import { findingLikeness } from '../shared/broken-rules.ts';
import { type EvidenceLine, findingFacts } from '../shared/facts.ts';
import type { Page, Tone } from '../shared/layout.ts';
import { renderClause, levelWords, ruleSentence, violationCount } from '../shared/prose.ts';
import { forTerminal } from '../shared/sanitize.ts';

/** Maximum cases named beside a shown finding, and for the findings not shown. */
const idLimit = 5;
const restLimit = 40;

function foundLines(page: Page, one: LocatedFinding, tone: Tone): readonly string[] {
  const { finding, invariant, seenIn, id, title, entry } = one;
  const first = finding.seenIn ?? seenIn?.id;
  const head: readonly EvidenceLine[] = [
    { label: invariant === undefined ? 'case' : 'invariant', text: `${id}: ${title}` },
    ...(invariant === undefined ? [] : [{ label: 'violated', text: violationCount(invariant) }]),
    ...(invariant === undefined || first === undefined ? [] : [{ label: 'first in', text: first }]),
    ...(entry === undefined ? [] : [{ label: 'known', text: expectedWords(entry) }]),
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

/** Level of detail: outcome and broken rules; one screen; everything, with one finding of each likeness. */
export type DetailLevel = 'quiet' | 'brief' | 'whole';

interface GroupDisplay {
  readonly model: ReportModel;
  readonly tone: Tone;
  readonly head: Tone;
}

/** Names other places of the same finding; undefined if there are none. */
function moreWords(
  shown: readonly LocatedFinding[],
  more: readonly LocatedFinding[],
  limit = idLimit,
): string | undefined {
  const { count, names } = foundElsewhere(shown, more);
  return names.length === 0 ? undefined : `and in ${count}: ${listIds(names, limit)}`;
}

/** Head of a rule and its first ten findings with evidence; similar ones are counted. */
function renderGroup(page: Page, group: FindingGroup, { model, tone, head }: GroupDisplay): readonly string[] {
  const { ref, found } = group;
  const rule = model.rules.get(group.rule);
  const clause = rule === undefined ? '' : `  ${forTerminal(renderClause(rule.clause), 60)}`;
  const kinds = [...groupBy(found, ({ finding }) => findingLikeness(finding)).values()];
  const shown = kinds.slice(0, maxShownInFull).flatMap(([first, ...more]) => {
    if (first === undefined) return [];
    const elsewhere = page.paragraph(moreWords([first], more), { indent: 4, tone: page.paint.dim });
    return [...foundLines(page, first, tone), ...elsewhere];
  });
  const rest = moreWords(kinds.slice(0, maxShownInFull).flat(), kinds.slice(maxShownInFull).flat(), restLimit);
  const isCause = model.failures.has(ref) || model.expected.has(ref);
  const follows = isCause ? consequenceWords(model.following.get(group.rule)) : undefined;
  return [
    '',
    `${head(forTerminal(ref, 80))}  ${levelWords(group)}${clause}`,
    ...page.paragraph(rule && ruleSentence(rule, ref)),
    ...page.fact('interpretation', rule?.interpretation),
    ...shown,
    ...(rest === undefined ? [] : ['', ...page.paragraph(rest)]),
    ...(follows === undefined ? [] : ['', ...page.fact('follows', follows)]),
  ];
}

export function renderFailures(page: Page, model: ReportModel): readonly string[] {
  if (model.failures.size === 0) return [];
  const groups = inRuleOrder(model.failures, model);
  const { red } = page.paint;
  return [
    ...page.heading('Failures', countFailures('failures', model), red.bold),
    ...groups.flatMap((group) => renderGroup(page, group, { model, tone: red, head: red.bold })),
  ];
}

/** Failures that entries of expected.yaml tolerate, without a heading of their own. */
export function renderTolerated(page: Page, model: ReportModel): readonly string[] {
  const { cyan } = page.paint;
  return inRuleOrder(model.expected, model).flatMap((group) =>
    renderGroup(page, group, { model, tone: cyan, head: cyan.bold }),
  );
}

/** Broken rules that do not count for the outcome. */
export function renderUncounted(page: Page, model: ReportModel): readonly string[] {
  if (model.uncounted.size === 0) return [];
  const groups = inRuleOrder(model.uncounted, model);
  const { yellow } = page.paint;
  return [
    ...page.heading('Broken, but not counted', countFailures('uncounted', model), yellow.bold),
    ...groups.flatMap((group) => renderGroup(page, group, { model, tone: yellow, head: yellow })),
  ];
}

export function renderWarnings(page: Page, model: ReportModel): readonly string[] {
  const { warnings } = model;
  if (warnings.size === 0) return [];
  const { yellow } = page.paint;
  return [
    ...page.heading(
      'Warnings',
      `${countNoun(countSection(model.rules.values(), 'warnings'), 'rule')} not followed, no outcome changed`,
      yellow.bold,
    ),
    ...inRuleOrder(warnings, model).flatMap((group) => renderGroup(page, group, { model, tone: yellow, head: yellow })),
  ];
}
