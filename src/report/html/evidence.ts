import { countNoun, groupBy } from '../../lib/lists.ts';
import type { RuleResult } from '../../model/result.ts';
import { findingHeadline } from '../shared/broken-rules.ts';
import { consequenceWords } from '../shared/consequences.ts';
import type { FindingGroup, LocatedFinding, ReportModel } from '../shared/model.ts';
import { levelWords, ruleSentence, violationCount } from '../shared/prose.ts';
import { moreItem, renderFindingBox } from './fragments.ts';
import { caseLink, html, type HtmlContent, invariantLink, type Markup, nothing } from './links.ts';

const maxNamedFindings = 40;

/** Findings of each rule that did not hold, by aspect. */
export function groupsByRule({ failures, expected, uncounted, warnings }: ReportModel) {
  const groups = [failures, expected, uncounted, warnings].flatMap((section) => [...section.values()]);
  return groupBy(groups, ({ rule }) => rule);
}

function renderFoundIn({ finding, invariant, seenIn, id, title }: LocatedFinding): Markup {
  if (invariant === undefined) return html`<p class="seen">Case ${caseLink(id, finding.message)}: ${title}</p>`;
  const first = finding.seenIn ?? seenIn?.id;
  const link = first === undefined ? nothing : html`, first in case ${caseLink(first, finding.message)}`;
  const violated = html` <span class="violated">in ${violationCount(invariant)}</span>`;
  return html`<p class="seen">Invariant ${invariantLink(id)}: ${title}${violated}${link}</p>`;
}

function renderMore(found: readonly LocatedFinding[]): Markup {
  if (found.length === 0) return nothing;
  const rows = found.slice(0, maxNamedFindings).map((one) => {
    const { id, finding, invariant } = one;
    const link = invariant === undefined ? caseLink(id, finding.message) : invariantLink(id);
    return html`<li>${link} <span class="quiet">${findingHeadline(one)}</span></li>`;
  });
  return html`<details class="more"><summary>${countNoun(found.length, 'more finding')} of the same rule</summary><ul>${rows}${moreItem(found.length - maxNamedFindings, ', in the cases')}</ul></details>`;
}

function renderGroup({ ref, found, ...binding }: FindingGroup, rule: RuleResult, flags: readonly string[]): Markup {
  const [first, ...more] = found;
  if (first === undefined) return nothing;
  const aspect =
    ref === rule.id
      ? nothing
      : html`<p class="aspect">${ref} <span class="level">${levelWords(binding)}</span> <span class="description">${ruleSentence(rule, ref)}</span></p>`;
  return html`${aspect}${renderFindingBox({ ...first, flags })}${renderFoundIn(first)}${renderMore(more)}`;
}

/** Evidence of a rule that did not hold: the first finding of each aspect in full, and what follows from it. */
export function renderEvidence(
  rule: RuleResult,
  groups: readonly FindingGroup[],
  { flags, following }: Pick<ReportModel, 'flags' | 'following'>,
): HtmlContent {
  const words = consequenceWords(following.get(rule.id));
  const follows =
    words === undefined ? nothing : html`<p class="follows"><strong>Follows from it:</strong> ${words}</p>`;
  return [groups.map((group) => renderGroup(group, rule, flags)), follows];
}
