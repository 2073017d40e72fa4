import type { CaseResult, Result } from '../../model/result.ts';
import { collect } from '../shared/collect.ts';
import { type CaseIndex, indexCases } from './case-index.ts';
import { chooseDetails, type Details, detailNote, kindOf, renderChunk } from './case-view.ts';
import type { ClausesOf } from '../../model/interface.ts';
import { sectionsOf } from './contents.ts';
import { headlineOf, renderFirstScreen } from './first-screen.ts';
import { linksOf } from './links.ts';
import { html, type Markup, nothing } from './markup.ts';
import type { Marks } from './message-view.ts';
import { openPage, script, style } from './page.ts';
import { renderFindingOf } from './parts.ts';
import { renderProblemIndex, renderProblems } from './problems.ts';
import { renderCase, renderContents, renderSection, type RulesSource } from './rules.ts';
import { renderExpected, renderMeasured, renderUnsolicited } from './sections.ts';
import { renderRunTimeline } from './timeline.ts';
import { keysDialog, renderToolbar } from './toolbar.ts';
import { renderUnjudged, renderUnjudgedIndex } from './unjudged.ts';

/** Findings of one case that are shown in full. */
const mostFindings = 10;

function findingsOf(result: Result): ReadonlyMap<string, Markup> {
  const found = new Map<string, Markup>();
  for (const seenIn of result.cases) {
    if (seenIn.findings.length === 0) continue;
    const { flags } = result.header;
    const shown = seenIn.findings.slice(0, mostFindings).map((finding) => renderFindingOf({ finding, seenIn, flags }));
    const rest = seenIn.findings.length - shown.length;
    found.set(seenIn.id, html`${shown}${rest > 0 ? html`<p>and ${rest} more findings</p>` : nothing}`);
  }
  return found;
}

/** Cases of a rule that the result does not name: they are shown nevertheless. */
function renderHomeless({ cases }: CaseIndex, { findings, flags }: RulesSource): Markup {
  const own = cases.filter(({ home }) => home === undefined);
  if (own.length === 0) return nothing;
  const list = own.map((entry) => renderCase(entry, { findings: findings.get(entry.id) ?? nothing, flags }));
  return html`<section class="clause" id="other-cases" aria-labelledby="other-title"><h3 id="other-title">Cases of other rules</h3>${list}</section>`;
}

function* renderChunks(cases: Iterable<CaseResult>, details: Details, marks: Marks): Iterable<string> {
  let ordinal = 0;
  for (const ended of cases) {
    const detail = details[kindOf(ended.verdict)];
    if (detail !== undefined && ended.messages.length > 0) {
      yield `<script type="application/json" id="chunk-${ordinal}">${renderChunk(ended, detail, marks)}</script>\n`;
    }
    ordinal += 1;
  }
}

/**
 * The result as one HTML file that needs no network and runs nothing a carrier sent: what a reader sees first comes
 * first, the exchanges last, as inert JSON, a case at a time. Chunks no larger than a section or a case.
 */
export function* renderHtml(result: Result, clausesOf: ClausesOf): Iterable<string> {
  const collected = collect(result);
  const index = indexCases(result);
  const details = chooseDetails(result.cases, index.marks);
  const sections = sectionsOf(result.rules, clausesOf(result.header.interface.id));
  const source: RulesSource = { index, flags: result.header.flags, findings: findingsOf(result) };
  const note = detailNote(details);
  const title = `${headlineOf(result).word}: ${result.header.target.name}`;
  yield openPage({ title, style, script });
  const first = {
    problems: renderProblemIndex(result, collected),
    unjudged: renderUnjudgedIndex(collected, result.rules),
  };
  yield html`<a class="skip" href="#main">Skip to the rules</a>
${renderFirstScreen(result, first)}<main id="main" tabindex="-1">`.markup;
  yield renderProblems('failures', result, collected).markup;
  yield renderProblems('warnings', result, collected).markup;
  const links = linksOf(result.rules, index);
  yield renderExpected(result, links).markup;
  yield renderUnjudged(collected, result.rules).markup;
  yield renderMeasured(result.footer, links).markup;
  yield html`<div class="rules-area">${renderContents(sections)}<section class="rules" id="rules" aria-labelledby="rules-title"><h2 id="rules-title">Rules</h2>${renderToolbar(result.rules)}${note === '' ? nothing : html`<p class="note">${note}</p>`}<p class="note" id="no-script">Exchanges, search and filters need JavaScript; result.json has all of it.</p><p class="note" id="no-match" hidden>No rule matches.</p>`
    .markup;
  for (const section of sections) yield renderSection(section, source).markup;
  yield html`${renderHomeless(index, source)}</section></div>${renderUnsolicited(result.unsolicited)}${renderRunTimeline(result, index.cases)}</main>${keysDialog}\n`
    .markup;
  yield* renderChunks(result.cases, details, index.marks);
  yield `<script>${script}</script>\n</body>\n</html>\n`;
}
