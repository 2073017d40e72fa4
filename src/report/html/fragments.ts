import { type Json, omitUndefined } from '../../lib/json.ts';
import type { ExpectedResult } from '../../model/expected-failure.ts';
import { renderPosition, renderRuleRef, type Verdict } from '../../model/rule.ts';
import { type EvidenceLine, findingFacts, type FindingView } from '../shared/facts.ts';
import { findingHeadline } from '../shared/broken-rules.ts';
import { levelWords, verdictLegend } from '../shared/prose.ts';
import { capitalise } from '../shared/run-prose.ts';
import { type FoundRow, renderBecause, renderFound, renderPairTable } from './shared-elements.ts';
import { messageAnchor, ruleAnchor, type HtmlContent, html, type Markup, nothing } from './links.ts';

/** A verdict as a word; its shape and colour come from the style sheet. */
export const verdictMark = (verdict: Verdict): Markup => html`<span class="v v-${verdict}">${verdict}</span>`;

/** Mark for a failure that an entry of expected.yaml tolerates, beside or instead of its verdict. */
export const expectedMark: Markup = html`<span class="v v-expected">expected</span>`;

/** `2026-01-01 00:00:00 UTC`. */
export const renderMoment = (iso: string): string => iso.replace('T', ' ').replace(/(\.\d+)?Z$/, ' UTC');

/** Labels and their values; a label without a value is left out. */
export const factList = (facts: readonly (readonly [label: HtmlContent, value: HtmlContent | undefined])[]): Markup =>
  html`<dl class="facts">${facts.map(([label, value]) => (value === undefined ? nothing : html`<div><dt>${label}</dt><dd>${value}</dd></div>`))}</dl>`;

/** List item for those that are not shown; nothing if all are. */
export const moreItem = (rest: number, words = ''): Markup =>
  rest > 0 ? html`<li>and ${rest} more${words}</li>` : nothing;

export const interpretationLine = (interpretation: string | undefined): Markup =>
  interpretation === undefined
    ? nothing
    : html`<p class="interpretation"><strong>Interpretation:</strong> ${interpretation}</p>`;

export const reasonLine = (verdict: Verdict, reason: string | undefined): HtmlContent =>
  renderBecause(html, reason === undefined ? undefined : [verdictLegend[verdict], reason]);

/** A table; the first column names the rows. */
export function renderTable(heads: readonly string[], rows: readonly (readonly HtmlContent[])[]): Markup {
  const renderRow = ([name = '', ...cells]: readonly HtmlContent[]): Markup =>
    html`<tr><th scope="row">${name}</th>${cells.map((cell) => html`<td>${cell}</td>`)}</tr>`;
  return html`<table class="recorded"><thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead><tbody>${rows.map(renderRow)}</tbody></table>`;
}

/** Table of values recorded where the interface leaves the behaviour open. */
export const renderRecordedTable = (recorded: Readonly<Record<string, Json>>): HtmlContent =>
  renderPairTable(
    html,
    'Recorded',
    Object.entries(recorded).map(([name, value]) => [name, JSON.stringify(value)]),
  );

/** A finding, its case, and the flags that its commands repeat. */
interface EvidenceView extends FindingView {
  readonly flags: readonly string[];
  /** Entry of expected.yaml that tolerates it. */
  readonly entry?: ExpectedResult | undefined;
}

const levelTones = { required: 'fail', recommended: 'warn', informational: 'informational' } as const;

/** A finding as data; `show` makes a text visible and bounds it, unless rendering does so later. */
export function makeFound({ flags, entry, ...view }: EvidenceView, show: (text: string) => string): FoundRow {
  const { finding } = view;
  // A recorded request expires in minutes, so the command signs it anew and prints it for curl.
  const facts = findingFacts(view, flags).flatMap((fact): readonly EvidenceLine[] =>
    fact.label === 'send alone' ? [fact, { label: 'as curl', text: `${fact.text} --curl` }] : [fact],
  );
  return {
    tone: entry === undefined ? levelTones[finding.level] : 'expected',
    rule: [ruleAnchor(finding.rule), show(renderRuleRef(finding))],
    level: levelWords(finding),
    headline: show(findingHeadline(view)),
    ...omitUndefined({
      at: finding.message && messageAnchor(finding.message),
      known:
        entry &&
        ([
          show(entry.reason),
          show(`${entry.owner}, until ${entry.expires}; ${renderPosition(entry.position)}`),
        ] as const),
    }),
    facts: facts.map(({ label, text }) => [
      label,
      label === 'run again' ? 'See it again' : capitalise(label),
      show(text),
    ]),
  };
}

/** A finding in the markup. */
export const renderFindingBox = (evidence: EvidenceView): Markup =>
  renderFound(
    html,
    makeFound(evidence, (text) => text),
  );
