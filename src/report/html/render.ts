import type { Result, CaseResult, RuleResult } from '../../model/result.ts';
import { type ReportModel, unjudgedRules, createModel } from '../shared/model.ts';
import { type CaseIndex, indexCases } from './case-index.ts';
import { html, type Markup, nothing, createLinks } from './links.ts';
import {
  countProblems,
  renderProblemIndex,
  renderProblemCards,
  renderUnjudgedSection,
  renderUnjudgedIndex,
} from './problems.ts';
import { resultHeadlineLine } from '../../verdict/headline.ts';
import { levels } from '../../model/rule.ts';
import { capitalise, countRuleVerdicts } from '../shared/run-prose.ts';
import { renderFindingBox } from './fragments.ts';
import { countNoun } from '../../lib/lists.ts';
import { createEntryLookup, toleratedRules } from '../../verdict/findings.ts';
import { makeCaseRows, renderCaseEntry } from './case-rows.ts';
import { detailNote, type Exchanges, packExchanges, collectMarks, packText } from './case-view.ts';
import type { Interface } from '../../model/interface.ts';
import { ruleSections, renderContents, renderSection, type RulesSource } from './rules.ts';
import { renderFirstScreen, renderAbout } from './first-screen.ts';
import { renderPageStart, script, style } from './page.ts';
import { renderExpectedSection, renderProfile, renderUnsolicitedSection } from './areas.ts';
import { renderLimitSection } from './limits.ts';
import { renderSheets } from './sheets.ts';

/** A part of the page in the navigation; `count` is absent if there is nothing to count. */
interface PagePart {
  readonly id: string;
  readonly name: string;
  readonly count?: number;
  /** The page does not have it. */
  readonly isAbsent?: boolean;
}

/** Parts in the navigation, in page order. */
export function pageParts(result: Result, model: ReportModel): readonly PagePart[] {
  const { footer, rules } = result;
  const { limits = [], profile = [], expected = [] } = footer ?? {};
  const counted = (id: string, name: string, count: number): PagePart => ({ id, name, count, isAbsent: count === 0 });
  return [
    { id: 'summary', name: 'Summary' },
    counted('broken', 'Broken', countProblems('failures', result, model)),
    counted('broken-expected', 'Broken, as expected', countProblems('expected', result, model)),
    counted('uncounted', 'Broken, not counted', countProblems('uncounted', result, model)),
    counted('warnings', 'Warnings', countProblems('warnings', result, model)),
    counted('expected', 'Expected failures', expected.length),
    counted('unjudged', 'Not judged', unjudgedRules(result).length),
    counted('limits', 'Limits', limits.length),
    counted('profile', 'Profile', profile.length),
    { id: 'rules', name: 'Rules', count: rules.length },
    { id: 'about', name: 'About' },
  ];
}

/** Navigation to the parts of a page, always in sight; printing is offered once the script runs. */
function renderNavigation(parts: readonly PagePart[]): Markup {
  const items = parts
    .filter(({ isAbsent }) => isAbsent !== true)
    .map(({ id, name, count }) => {
      const number = count === undefined ? nothing : html` <span class="count">${count}</span>`;
      return html`<li><a href="#${id}">${name}${number}</a></li>`;
    });
  return html`<nav class="parts" aria-label="Parts of the report"><ul>${items}</ul><p class="printing" id="printing" hidden><button type="button" id="print-summary">Print summary</button> <button type="button" id="print-all">Print all</button></p></nav>`;
}

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

/** Search and filters, hidden until the page's script runs. */
function renderToolbar(rules: readonly RuleResult[]): Markup {
  const count = (key: 'level' | 'area', value: string): number => rules.filter((rule) => rule[key] === value).length;
  const verdicts = countRuleVerdicts(rules).map(([value, number]) => ({ value, count: number }));
  const ofLevels = levels
    .map((value) => ({ value, count: count('level', value) }))
    .filter((choice) => choice.count > 0);
  const areas = [...new Set(rules.map(({ area }) => area))].map((value) => ({ value, count: count('area', value) }));
  return html`<form class="toolbar" role="search" id="filters" aria-label="Rules" hidden><div class="find"><label for="q">Search</label><input type="search" id="q" name="q" autocomplete="off" spellcheck="false" placeholder="id, statement, case, value"><label class="chip"><input type="checkbox" name="in" value="exchanges"><span class="chip-text">also in exchanges</span></label><output id="shown" for="q">${countNoun(rules.length, 'rule')}</output><button type="button" id="clear">Clear</button></div><details class="narrow"><summary>Filters</summary>${renderChoices('verdict', 'Verdict', verdicts)}${renderChoices('level', 'Level', ofLevels)}${renderChoices('area', 'Area', areas)}</details></form>`;
}

const maxCaseFindings = 10;

/** Renders the findings of the cases passed to `take`. */
function collectFindings(flags: readonly string[], entryOf: RulesSource['entryOf']) {
  const findings = new Map<string, Markup>();
  const take = (seenIn: CaseResult): void => {
    if (seenIn.findings.length === 0) return;
    const shown = seenIn.findings
      .slice(0, maxCaseFindings)
      .map((finding) => renderFindingBox({ finding, seenIn, flags, entry: entryOf(finding, seenIn.id) }));
    const rest = seenIn.findings.length - shown.length;
    findings.set(seenIn.id, html`${shown}${rest > 0 ? html`<p>and ${rest} more findings</p>` : nothing}`);
  };
  return { findings, take };
}

/** Cases of rules that the result does not have. */
function renderHomeless({ cases }: CaseIndex, source: RulesSource): Markup {
  const own = cases.filter(({ home }) => home === undefined);
  if (own.length === 0) return nothing;
  return html`<details class="clause" id="other-cases" open><summary><h3>Cases of other rules</h3></summary>${own.map((entry) => renderCaseEntry(entry, source))}</details>`;
}

/** Data that is neither run nor shown, until the page's script unpacks it. */
const renderPacked = (id: string, packed: string): string =>
  `<script type="application/octet-stream" id="${id}">${packed}</script>\n`;

/** Walks the cases once, because a big result reads them from its journal, one at a time. */
function walkCases(result: Result) {
  const { flags } = result.header;
  const entryOf = createEntryLookup(result);
  const { marks, take } = collectMarks(result.invariants);
  const found = collectFindings(flags, entryOf);
  const packing = packExchanges(result.cases, marks);
  const index = indexCases(result, [take, found.take, packing.take]);
  const source: RulesSource = { index, flags, findings: found.findings, entryOf, tolerated: toleratedRules(result) };
  return { index, source, exchanges: packing.end() };
}

function* renderData(index: CaseIndex, exchanges: Exchanges, flags: readonly string[]): Iterable<string> {
  for (const [number, block] of exchanges.blocks.entries()) yield renderPacked(`block-${number}`, block);
  yield renderPacked('cases-data', packText(JSON.stringify(makeCaseRows(index, { places: exchanges.places, flags }))));
}

/** Maximum number of rules for a page with open sections; in a longer one, sections are opened one by one, or by a search. */
const maxOpenRules = 40;

/** Renders the result in small chunks, as one HTML file that needs no network and runs nothing a carrier sent. */
export function* renderHtml(result: Result, known: Interface): Iterable<string> {
  const model = createModel(result);
  const { index, source, exchanges } = walkCases(result);
  // Clauses and limits are known only for the edition that ships.
  const { id, version } = result.header.interface;
  const isKnown = known.id === id && known.version === version;
  const clauses = isKnown ? known.clauses : [];
  const sections = ruleSections(result.rules, clauses);
  const note = detailNote(exchanges.details);
  const title = `${capitalise(resultHeadlineLine(result))}: ${result.header.target.name}`;
  yield renderPageStart({ title, style, script });
  const first = { problems: renderProblemIndex(result, model), unjudged: renderUnjudgedIndex(model, result) };
  const allowedFor = (limit: string) =>
    isKnown && Object.hasOwn(known.allowedLimits, limit) ? known.allowedLimits[limit] : undefined;
  yield html`<a class="skip" href="#main">Skip to the rules</a>
${renderNavigation(pageParts(result, model))}${renderFirstScreen(result, first)}${renderSheets(result, model, allowedFor)}<main id="main" tabindex="-1">`
    .markup;
  yield renderProblemCards('failures', result, model).markup;
  yield renderProblemCards('expected', result, model).markup;
  yield renderProblemCards('uncounted', result, model).markup;
  yield renderProblemCards('warnings', result, model).markup;
  const links = createLinks(result.rules, index);
  yield renderExpectedSection(result, links).markup;
  yield renderUnjudgedSection(model, result).markup;
  const { limits = [], profile = [] } = result.footer ?? {};
  yield renderLimitSection(limits, allowedFor, links).markup;
  yield renderProfile(profile, links).markup;
  yield html`<div class="rules-area">${renderContents(sections)}<section class="rules" id="rules" aria-labelledby="rules-title"><h2 id="rules-title">Rules</h2>${renderToolbar(result.rules)}${note === '' ? nothing : html`<p class="note">${note}</p>`}<p class="note" id="no-script">Exchanges, search, filters, and of cases that passed all but their names need JavaScript; result.json has all of it.</p><p class="note" id="no-match" hidden>No rule matches.</p>`
    .markup;
  const isOpen = result.rules.length <= maxOpenRules;
  for (const section of sections) yield renderSection(section, source, isOpen).markup;
  yield html`${renderHomeless(index, source)}</section></div>${renderUnsolicitedSection(result)}${renderAbout(result)}</main>\n`
    .markup;
  yield* renderData(index, exchanges, source.flags);
  yield `<script>${script}</script>\n</body>\n</html>\n`;
}
