import { omitUndefined } from '../../lib/json.ts';
import type { CaseResult, FindingContext, Result, RuleResult } from '../../model/result.ts';
import { type ReportModel, createModel } from '../shared/model.ts';
import { type CaseIndex, indexCases } from './case-index.ts';
import { html, type Markup, nothing, createLinks } from './links.ts';
import { renderCauses } from './causes.ts';
import { groupsByRule } from './evidence.ts';
import { renderUnjudgedSection } from './unjudged.ts';
import { resultHeadlineLine } from '../../verdict/headline.ts';
import { capitalise, countRuleVerdicts } from '../shared/run-prose.ts';
import { makeFound } from './fragments.ts';
import { forTerminal } from '../shared/sanitize.ts';
import { countNoun, groupBy } from '../../lib/lists.ts';
import { createEntryLookup, toleratedRules } from '../../verdict/findings.ts';
import { type CaseRow, makeCaseRows, otherCases } from './case-rows.ts';
import { detailNote, packExchanges, packText } from './case-view.ts';
import type { Interface } from '../../model/interface.ts';
import { ruleSections, renderSection, type RulesSource } from './rules.ts';
import { renderFirstScreen, renderAbout } from './first-screen.ts';
import { renderPageStart, script, style } from './page.ts';
import { renderExpectedSection, renderProfile, renderUnsolicitedSection } from './areas.ts';
import { renderLimitSection } from './limits.ts';
import { renderSheets } from './sheets.ts';

/** Navigation to the parts of a page, always in sight; printing is offered once the script runs. */
function renderNavigation(parts: readonly (readonly [id: string, name: string, isThere: boolean])[]): Markup {
  const items = parts
    .filter(([, , isThere]) => isThere)
    .map(([id, name]) => html`<li><a href="#${id}">${name}</a></li>`);
  return html`<nav class="parts" aria-label="Parts of the report"><ul>${items}</ul><p class="printing" id="printing" hidden><button type="button" id="print-summary">Print summary</button> <button type="button" id="print-all">Print all</button></p></nav>`;
}

function renderChips(
  field: string,
  legend: string,
  counts: readonly (readonly [value: string, count: number])[],
): Markup {
  const chips = counts.map(([value, count]) => {
    const tone = field === 'is' ? ` v v-${value}` : '';
    return html`<button type="button" class="chip${tone}" data-field="${field}" data-value="${value}" aria-pressed="false">${value} <span class="count">${count}</span></button> `;
  });
  return html`<p role="group" aria-label="${legend}"><span class="quiet">${legend}</span> ${chips}</p>`;
}

/** Search and filters, hidden until the page's script runs. */
function renderToolbar(rules: readonly RuleResult[]): Markup {
  const counted = (key: 'level' | 'area') =>
    [...groupBy(rules, (rule) => rule[key])].map(([value, own]) => [value, own.length] as const);
  return html`<form class="toolbar" role="search" id="filters" aria-label="Rules" hidden><div class="find"><label for="q">Search</label><input type="search" id="q" name="q" autocomplete="off" spellcheck="false" placeholder="id, statement, case, value"><label><input type="checkbox" id="in"> also in exchanges</label><output id="shown" for="q">${countNoun(rules.length, 'rule')}</output><button type="button" id="clear">Clear</button></div><details id="narrow"><summary>Filters</summary>${renderChips('is', 'Verdict', countRuleVerdicts(rules))}${renderChips('level', 'Level', counted('level'))}${renderChips('area', 'Area', counted('area'))}</details></form>`;
}

const maxCaseFindings = 100;

/** Collects the findings in the cases passed to `take` as data: their own, and those of invariants. */
function collectFindings({ flags }: ReportModel, invariants: Result['invariants'], entryOf: RulesSource['entryOf']) {
  const found = new Map<string, CaseRow['found']>();
  const broken = invariants.flatMap((invariant) => invariant.findings.map((finding) => ({ finding, invariant })));
  const byCase = groupBy(broken, ({ finding }) => finding.seenIn ?? '');
  const take = (seenIn: CaseResult): void => {
    const own = seenIn.findings.map((finding) => ({ finding }));
    const all: readonly FindingContext[] = [...own, ...(byCase.get(seenIn.id) ?? [])];
    if (all.length === 0) return;
    const rows = all.slice(0, maxCaseFindings).map(({ finding, invariant }) => {
      const entry = entryOf(finding, invariant?.id ?? seenIn.id);
      return makeFound({ finding, seenIn, flags, entry, ...omitUndefined({ invariant }) }, forTerminal);
    });
    found.set(seenIn.id, { rows, left: all.length - rows.length });
  };
  return { found, take };
}

/** Place for cases of rules that the result does not have. */
const renderHomeless = ({ cases }: CaseIndex): Markup =>
  cases.every(({ home }) => home !== undefined)
    ? nothing
    : html`<details class="clause" id="${otherCases}"><summary><h3>Cases of other rules</h3></summary><div class="inside"><div class="listed"></div></div></details>`;

/** Data that is neither run nor shown, until the page's script unpacks it. */
const renderPacked = (id: string, packed: string): string =>
  `<script type="application/octet-stream" id="${id}">${packed}</script>\n`;

/** Walks the cases once, because a big result reads them from its journal, one at a time. */
function walkCases(result: Result, model: ReportModel) {
  const entryOf = createEntryLookup(result);
  const { found, take } = collectFindings(model, result.invariants, entryOf);
  const packing = packExchanges(result.cases);
  const index = indexCases(result, [take, packing.take]);
  const source: RulesSource = { index, model, groups: groupsByRule(model), entryOf, tolerated: toleratedRules(result) };
  return { index, source, found, exchanges: packing.end() };
}

/** Maximum number of rules for a page with open sections; in a longer one, sections are opened one by one, or by a search. */
const maxOpenRules = 40;

/** Renders the result in small chunks, as one HTML file that needs no network and runs nothing a carrier sent. */
export function* renderHtml(result: Result, known: Interface): Iterable<string> {
  const model = createModel(result);
  const { index, source, found, exchanges } = walkCases(result, model);
  // Clauses and limits are known only for the edition that ships.
  const { id, version } = result.header.interface;
  const isKnown = known.id === id && known.version === version;
  const sections = ruleSections(result.rules, isKnown ? known.clauses : []);
  const allowedFor = (limit: string) =>
    isKnown && Object.hasOwn(known.allowedLimits, limit) ? known.allowedLimits[limit] : undefined;
  const { limits = [], profile = [] } = result.footer ?? {};
  const links = createLinks(result.rules, index);
  const expected = renderExpectedSection(result, links);
  const unjudged = renderUnjudgedSection(model, result);
  const note = detailNote(exchanges.details);
  const title = `${capitalise(resultHeadlineLine(result))}: ${result.header.target.name}`;
  yield renderPageStart({ title, style, script });
  const navigation = renderNavigation([
    ['summary', 'Summary', true],
    ['rules', 'Rules', true],
    ['expected', 'Expected failures', expected !== nothing],
    ['unjudged', 'Not judged', unjudged !== nothing],
    ['limits', 'Limits', limits.length > 0],
    ['profile', 'Profile', profile.length > 0],
    ['about', 'About', true],
  ]);
  yield html`<a class="skip" href="#main">Skip to the rules</a>
${navigation}${renderFirstScreen(result, renderCauses(result, model))}${renderSheets(result, model, allowedFor)}<main id="main" tabindex="-1"><section class="rules" id="rules" aria-labelledby="rules-title"><h2 id="rules-title">Rules</h2>${renderToolbar(result.rules)}${note === '' ? nothing : html`<p class="note">${note}</p>`}<p class="note" id="no-script">Cases, exchanges, search and filters need JavaScript; result.json has all of it.</p><p class="note" id="no-match" hidden>No rule matches.</p>`
    .markup;
  const isOpen = result.rules.length <= maxOpenRules;
  for (const section of sections) yield renderSection(section, source, isOpen).markup;
  yield html`${renderHomeless(index)}</section>${expected}${unjudged}`.markup;
  yield renderLimitSection(limits, allowedFor, links).markup;
  yield html`${renderProfile(profile, links)}${renderUnsolicitedSection(result)}${renderAbout(result)}</main>\n`.markup;
  for (const [number, block] of exchanges.blocks.entries()) yield renderPacked(`block-${number}`, block);
  const rows = makeCaseRows(index, { places: exchanges.places, flags: model.flags, found });
  yield renderPacked('cases-data', packText(JSON.stringify(rows)));
  yield `<script>${script}</script>\n</body>\n</html>\n`;
}
