import type { CaseResult, Result } from '../../model/result.ts';
import { policy, script, style } from './assets.ts';
import { renderProblemIndex, renderProblems } from './problems.ts';
import { renderCase } from './cases.ts';
import { chooseDetails, type Details, detailNote, loudnessOf, renderChunk } from './case-view.ts';
import { renderFindingOf } from './evidence.ts';
import { renderExpected } from './expected.ts';
import { renderFirstScreen } from './first-screen.ts';
import { html, type Markup, nothing } from './markup.ts';
import type { Marks } from './message-view.ts';
import { renderContents, renderSection, type Shelf } from './rules.ts';
import { linksOf } from './links.ts';
import { renderMeasured } from './measured.ts';
import { renderRunTimeline } from './timeline.ts';
import { sectionsOf } from './contents.ts';
import { renderUnsolicited } from './strays.ts';
import { type Survey, surveyOf } from './case-index.ts';
import { keysDialog, renderToolbar } from './toolbar.ts';
import { renderUnjudged, renderUnjudgedIndex } from './unjudged.ts';
import { headlineOf } from './words.ts';
import { collect } from '../shared/collect.ts';

/** Findings of one case that are told in full. */
const mostFindings = 10;

function findingsOf(result: Result): ReadonlyMap<string, Markup> {
  const found = new Map<string, Markup>();
  for (const seenIn of result.cases) {
    if (seenIn.findings.length === 0) continue;
    const { flags } = result.header;
    const told = seenIn.findings.slice(0, mostFindings).map((finding) => renderFindingOf({ finding, seenIn, flags }));
    const rest = seenIn.findings.length - told.length;
    found.set(seenIn.id, html`${told}${rest > 0 ? html`<p>and ${rest} more findings</p>` : nothing}`);
  }
  return found;
}

function renderTop(result: Result): string {
  const { word } = headlineOf(result);
  const title = html`${word}: ${result.header.target.name} – carrierspec`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${title.markup}</title>
<style>${style}</style>
</head>
<body>
<a class="skip" href="#main">Skip to the rules</a>
`;
}

/** Cases of a rule that the result does not name: they are shown nevertheless. */
function renderHomeless({ cases }: Survey, { findings, flags }: Shelf): Markup {
  const own = cases.filter(({ home }) => home === undefined);
  if (own.length === 0) return nothing;
  const list = own.map((entry) => renderCase(entry, { findings: findings.get(entry.id) ?? nothing, flags }));
  return html`<section class="clause" id="other-cases" aria-labelledby="other-title"><h3 id="other-title">Cases of other rules</h3>${list}</section>`;
}

function* renderChunks(cases: Iterable<CaseResult>, details: Details, marks: Marks): Iterable<string> {
  let ordinal = 0;
  for (const ended of cases) {
    const detail = details[loudnessOf(ended.verdict)];
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
export function* renderHtml(result: Result): Iterable<string> {
  const collected = collect(result);
  const survey = surveyOf(result);
  const details = chooseDetails(result.cases, survey.marks);
  const sections = sectionsOf(result.rules);
  const shelf: Shelf = { survey, flags: result.header.flags, findings: findingsOf(result) };
  const note = detailNote(details);
  yield renderTop(result);
  const first = {
    lists: renderProblemIndex(result, collected),
    recoveryRecord: renderUnjudgedIndex(collected, result.rules),
  };
  yield html`${renderFirstScreen(result, first)}<main id="main" tabindex="-1">`.markup;
  yield renderProblems('failures', result, collected).markup;
  yield renderProblems('warnings', result, collected).markup;
  const links = linksOf(result.rules, survey);
  yield renderExpected(result, links).markup;
  yield renderUnjudged(collected, result.rules).markup;
  yield renderMeasured(result.footer, links).markup;
  yield html`<div class="rules-area">${renderContents(sections)}<section class="rules" id="rules" aria-labelledby="rules-title"><h2 id="rules-title">Rules</h2>${renderToolbar(result.rules)}${note === '' ? nothing : html`<p class="note">${note}</p>`}<p class="note" id="no-script">Exchanges, search and filters need JavaScript; result.json has all of it.</p><p class="note" id="no-match" hidden>No rule matches.</p>`
    .markup;
  for (const section of sections) yield renderSection(section, shelf).markup;
  yield html`${renderHomeless(survey, shelf)}</section></div>${renderUnsolicited(result.unsolicited)}${renderRunTimeline(result, survey.cases)}</main>${keysDialog}\n`
    .markup;
  yield* renderChunks(result.cases, details, survey.marks);
  yield `<script>${script}</script>\n</body>\n</html>\n`;
}
