import { renderPosition } from '../../model/position.ts';
import type { InvariantResult } from '../../model/result.ts';
import { renderRuleRef } from '../../model/rule.ts';
import { countOf } from '../shared/layout.ts';
import { messageKindWords, verdictLegend } from '../shared/prose.ts';
import { renderSpan } from '../terminal/end.ts';
import { caseAnchor, invariantAnchor, ruleAnchor } from './anchors.ts';
import { renderFindingOf } from './evidence.ts';
import { html, join, type Markup, nothing } from './markup.ts';
import { renderRecorded } from './recorded.ts';
import type { CaseEntry } from './case-index.ts';
import { commandLine, verdictMark } from './words.ts';

function trafficOf({ sent, came, startedAt, endedAt }: CaseEntry): string {
  if (startedAt === 0) return 'not run';
  const parts = [countOf(sent, 'exchange'), ...(came === 0 ? [] : [countOf(came, 'delivery', 'deliveries')])];
  return [...parts, renderSpan(Math.max(0, endedAt - startedAt))].join(', ');
}

const reasonLine = (verdict: keyof typeof verdictLegend, reason: string | undefined): Markup =>
  reason === undefined ? nothing : html`<p class="because"><strong>${verdictLegend[verdict]}:</strong> ${reason}</p>`;

/** A case, closed; `findings` is what was found in it. Its exchanges come from its chunk when it is opened. */
export function renderCase(
  entry: CaseEntry,
  { findings, flags }: { findings: Markup; flags: readonly string[] },
): Markup {
  const { id, title, verdict, reason, rules, also, position, recorded, ordinal, sent, came } = entry;
  const links = [...rules, ...also.map((rule) => ({ rule }))].map(
    (ref) => html`<a href="#${ruleAnchor(ref.rule)}">${renderRuleRef(ref)}</a>`,
  );
  const exchanges = sent + came === 0 ? nothing : html`<div class="exchanges" data-chunk="${ordinal}"></div>`;
  return html`<details class="case" id="${caseAnchor(id)}"><summary>${verdictMark(verdict)} <span class="id">${id}</span> <span class="title">${title}</span> <span class="quiet">${trafficOf(entry)}</span></summary><div class="inside">${reasonLine(verdict, reason)}${findings}${renderRecorded(recorded)}<p class="meta">Judges ${join(links, ', ')} · ${renderPosition(position)}</p>${findings === nothing ? html`<p class="again">${commandLine(id, flags)}</p>` : nothing}${exchanges}</div></details>`;
}

/** A case that is shown under another rule: a line that leads there. */
export function renderCaseLink({ id, title, verdict, home }: CaseEntry): Markup {
  const under = home === undefined ? nothing : html` <span class="quiet">under ${home}</span>`;
  return html`<p class="elsewhere">${verdictMark(verdict)} <a href="#${caseAnchor(id)}">${id}</a> <span class="title">${title}</span>${under}</p>`;
}

/** An invariant: on how many messages it was judged, and the first that broke it. */
export function renderInvariant(invariant: InvariantResult, flags: readonly string[]): Markup {
  const { id, title, verdict, reason, on, judged, violations, findings, position } = invariant;
  const [one, many] = messageKindWords[on];
  const words = `${violations === 0 ? 'held for' : `broken by ${violations} of`} ${countOf(judged, one, many)}`;
  const found = findings.map((finding) => renderFindingOf({ finding, flags }));
  return html`<details class="case invariant" id="${invariantAnchor(id)}"><summary>${verdictMark(verdict)} <span class="id">${id}</span> <span class="title">${title}</span> <span class="quiet">standing rule, ${words}</span></summary><div class="inside">${reasonLine(verdict, reason)}${found}<p class="meta">${renderPosition(position)}</p></div></details>`;
}
