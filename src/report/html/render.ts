import type { CaseResult, Result, RuleResult } from '../../model/result.ts';
import { levels } from '../../model/rule.ts';
import { countVerdicts } from '../shared/run-prose.ts';
import { factList, renderFindingOf } from './parts.ts';
import { html, type Markup, nothing } from './markup.ts';
import { countOf } from '../../lib/lists.ts';
import { collect } from '../shared/collect.ts';
import { entriesOf, toleratedRules } from '../shared/standing.ts';
import { type CaseIndex, indexCases } from './case-index.ts';
import { chooseDetails, detailNote, type Details, kindOf, renderChunk } from './case-view.ts';
import type { ClausesOf } from '../../model/interface.ts';
import { sectionsOf } from './contents.ts';
import { headlineOf, renderFirstScreen } from './first-screen.ts';
import { linksOf } from './links.ts';
import type { Marks } from './message-view.ts';
import { openPage, script, style } from './page.ts';
import { renderProblemIndex, renderProblems, renderUnjudged, renderUnjudgedIndex } from './problems.ts';
import { renderCase, renderContents, renderSection, type RulesSource } from './rules.ts';
import { renderExpected, renderMeasured, renderUnsolicited } from './sections.ts';
import { renderRunTimeline } from './timeline.ts';

interface Choice {
  readonly value: string;
  readonly count: number;
}

function renderChoices(name: string, legend: string, choices: readonly Choice[]): Markup {
  const boxes = choices.map(({ value, count }) => {
    const tone = name === 'verdict' ? ` v v-${value}` : '';
    return html`<label class="chip"><input type="checkbox" name="${name}" value="${value}"><span class="chip-text${tone}">${value} <span class="count">${count}</span></span></label>`;
  });
  return html`<fieldset><legend>${legend}</legend>${boxes}</fieldset>`;
}

/** Search and filters; hidden until the page's script runs, which applies them. */
function renderToolbar(rules: readonly RuleResult[]): Markup {
  const count = (key: 'level' | 'area', value: string): number => rules.filter((rule) => rule[key] === value).length;
  const verdicts = countVerdicts(rules).map(([value, number]) => ({ value, count: number }));
  const ofLevels = levels
    .map((value) => ({ value, count: count('level', value) }))
    .filter((choice) => choice.count > 0);
  const areas = [...new Set(rules.map(({ area }) => area))].map((value) => ({ value, count: count('area', value) }));
  return html`<form class="toolbar" role="search" id="filters" aria-label="Rules" hidden><div class="find"><label for="q">Search</label><input type="search" id="q" name="q" autocomplete="off" spellcheck="false" placeholder="id, statement, case, value"><label class="chip"><input type="checkbox" name="in" value="exchanges"><span class="chip-text">also in exchanges</span></label><output id="shown" for="q">${countOf(rules.length, 'rule')}</output><button type="button" id="clear">Clear</button><button type="button" id="keys-open" aria-haspopup="dialog">Keys</button></div><details class="narrow"><summary>Filters</summary>${renderChoices('verdict', 'Verdict', verdicts)}${renderChoices('level', 'Level', ofLevels)}${renderChoices('area', 'Area', areas)}</details></form>`;
}

const keys: readonly (readonly [key: string, action: string])[] = [
  ['/', 'search'],
  ['j', 'next rule'],
  ['k', 'rule before'],
  ['n', 'next rule that failed or warned'],
  ['o', 'open or close the rule in focus'],
  ['c', 'clear search and filters'],
  ['?', 'this list'],
  ['Esc', 'leave the search, close this list'],
];

/** The keys, and the switch that turns them off (WCAG 2.1.4). */
const keysDialog: Markup = html`<dialog id="keys" aria-labelledby="keys-title"><h2 id="keys-title">Keys</h2>${factList(keys.map(([key, action]) => [html`<kbd>${key}</kbd>`, action]))}<p><label><input type="checkbox" id="keys-on" checked> single keys are on</label></p><form method="dialog"><button>Close</button></form></dialog>`;

/** Findings of one case that are shown in full. */
const mostFindings = 10;

function findingsOf(result: Result, entryOf: RulesSource['entryOf']): ReadonlyMap<string, Markup> {
  const found = new Map<string, Markup>();
  for (const seenIn of result.cases) {
    if (seenIn.findings.length === 0) continue;
    const { flags } = result.header;
    const shown = seenIn.findings
      .slice(0, mostFindings)
      .map((finding) => renderFindingOf({ finding, seenIn, flags, entry: entryOf(finding, seenIn.id) }));
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
  const entryOf = entriesOf(result);
  const findings = findingsOf(result, entryOf);
  const source: RulesSource = {
    index,
    flags: result.header.flags,
    findings,
    entryOf,
    tolerated: toleratedRules(result),
  };
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
  yield renderProblems('expected', result, collected).markup;
  yield renderProblems('warnings', result, collected).markup;
  const links = linksOf(result.rules, index);
  yield renderExpected(result, links).markup;
  yield renderUnjudged(collected, result.rules).markup;
  yield renderMeasured(result.footer, links).markup;
  yield html`<div class="rules-area">${renderContents(sections)}<section class="rules" id="rules" aria-labelledby="rules-title"><h2 id="rules-title">Rules</h2>${renderToolbar(result.rules)}${note === '' ? nothing : html`<p class="note">${note}</p>`}<p class="note" id="no-script">Exchanges, search and filters need JavaScript; result.json has all of it.</p><p class="note" id="no-match" hidden>No rule matches.</p>`
    .markup;
  for (const section of sections) yield renderSection(section, source).markup;
  yield html`${renderHomeless(index, source)}</section></div>${renderUnsolicited(result)}${renderRunTimeline(result, index.cases)}</main>${keysDialog}\n`
    .markup;
  yield* renderChunks(result.cases, details, index.marks);
  yield `<script>${script}</script>\n</body>\n</html>\n`;
}
