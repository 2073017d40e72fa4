import { renderPosition } from '../../model/position.ts';
import { severity } from '../../model/verdict.ts';
import type { CaseEntry } from './case-index.ts';
import { isInMarkup, judgedBy, listedUnder, trafficOf } from './case-rows.ts';
import { caseAnchor, caseLink, ruleLink } from './links.ts';
import { type Content, html, join, type Markup, nothing } from './markup.ts';
import { commandLine, reasonLine, renderRecorded, verdictMark } from './parts.ts';

interface CasesSource {
  /** What was found in a case, rendered, by the case's id. */
  readonly findings: ReadonlyMap<string, Markup>;
  readonly flags: readonly string[];
}

/** A case, closed, with what was found in it. Its exchanges come when it is opened. */
export function renderCase(entry: CaseEntry, { findings, flags }: CasesSource): Markup {
  const { id, title, verdict, reason, position, recorded } = entry;
  const found = findings.get(id) ?? nothing;
  const links = judgedBy(entry).map(ruleLink);
  return html`<details class="case" id="${caseAnchor(id)}"><summary>${verdictMark(verdict)} <span class="id">${id}</span> <span class="title">${title}</span> <span class="quiet">${trafficOf(entry)}</span></summary><div class="inside">${reasonLine(verdict, reason)}${found}${renderRecorded(recorded)}<p class="meta">Judges ${join(links, ', ')} · ${renderPosition(position)}</p>${found === nothing ? html`<p class="again">${commandLine(id, flags)}</p>` : nothing}</div></details>`;
}

/** Names of cases by verdict: those of this rule with an anchor, those of others as links. */
function renderNames(rule: string, cases: readonly CaseEntry[]): Content {
  const nameOf = ({ id, home }: CaseEntry): Markup =>
    home === rule ? html`<b id="${caseAnchor(id)}">${id}</b>` : caseLink(id);
  return severity.flatMap((verdict) => {
    const own = cases.filter((entry) => entry.verdict === verdict);
    return own.length === 0 ? [] : [html`<p>${verdictMark(verdict)} ${join(own.map(nameOf), ', ')}</p>`];
  });
}

/**
 * The cases of a rule: those that a reader will want to look into in full. The script lists the others; without
 * JavaScript their names and verdicts stand there.
 */
export function renderCasesOf(rule: string, cases: readonly CaseEntry[], source: CasesSource): Content {
  const shown = cases.filter((entry) => entry.home === rule && isInMarkup(entry));
  const others = listedUnder(rule, cases);
  const names = others.length === 0 ? nothing : html`<noscript>${renderNames(rule, others)}</noscript>`;
  return [shown.map((entry) => renderCase(entry, source)), names];
}
