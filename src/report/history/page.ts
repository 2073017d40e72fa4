import type {
  CarrierHistory,
  HistoryRun,
  Turn,
  TurnCause,
  History,
  HistoryMatrix,
  MatrixCell,
  HistoryMatrixRow,
} from '../../compare/history/history-model.ts';
import type { Verdict } from '../../model/rule.ts';
import { ruleAnchor, type HtmlContent, html, type Markup, nothing } from '../html/links.ts';
import { renderPageStart, historyStyle } from '../html/page.ts';
import { renderMoment, verdictMark } from '../html/fragments.ts';
import { newsSince, type CarrierTurn } from '../../compare/history/turns.ts';
import { countNoun, groupBy } from '../../lib/lists.ts';
import { renderScore } from '../shared/run-prose.ts';

/** Finds the report of a run: a path relative to the page's folder, or undefined. */
type ReportLookup = (run: HistoryRun) => string | undefined;

/** Kind of a carrier in words; empty for an operator's real carrier. */
function kindWords({ kind, faults }: Pick<CarrierHistory, 'kind' | 'faults'>): string {
  if (kind === 'carrier') return '';
  if (kind === 'test carrier') return 'a test carrier';
  if (kind === 'reference carrier') return 'the embedded reference carrier';
  return `the embedded reference carrier with faults injected: ${faults.join(', ')}`;
}

/** `Reference carrier, with faults injected: iat-not-checked`. */
export function carrierTitle(carrier: CarrierHistory): string {
  const words = kindWords(carrier);
  return words === '' ? carrier.name : `${carrier.name}, ${words}`;
}

/** `2026-01-01 00:00:00 UTC`. */
export const runMoment = ({ startedAt }: HistoryRun): string => renderMoment(startedAt);

const runDay = ({ startedAt }: HistoryRun): string => startedAt.slice(0, 10);

/** Box that a wide table scrolls in; the keyboard can reach it. */
const scrollBox = (name: string, table: HtmlContent): Markup =>
  html`<div class="box" role="region" aria-label="${name}" tabindex="0">${table}</div>`;

/** Legend of every verdict mark on a page; only the tick is a pass. */
const legend = (verdicts: Iterable<Verdict>): Markup =>
  html`<p class="legend">${[...new Set(verdicts)].map((verdict) => html`${verdictMark(verdict)} `)}<span class="v-none">·</span> not selected</p>`;

const causeTexts: Readonly<Record<TurnCause, string>> = {
  carrier: '',
  rule: 'the rule has other words than before',
  suites: 'other suites judged it than before',
  selection: 'the cases in which it was found did not run in the other run',
};

export const causeWords = ({ cause }: Turn): string => causeTexts[cause];

const historySection = (title: string, parts: readonly HtmlContent[]): HtmlContent =>
  parts.every((part) => part === nothing) ? nothing : html`<section><h2>${title}</h2>${parts}</section>\n`;

function carrierRow(carrier: CarrierHistory, reportOf: ReportLookup): Markup {
  const { name, runs, older, issuer, interface: of } = carrier;
  const last = runs.at(-1);
  const report = last === undefined ? undefined : reportOf(last);
  const when = last === undefined ? '' : runMoment(last);
  const began = report === undefined ? when : html`<a href="${report}">${when}</a>`;
  const words = kindWords(carrier);
  const kind: HtmlContent = words === '' ? nothing : html`<p class="kind">${words}</p>`;
  const required = last?.required === undefined ? '–' : renderScore(last.required);
  const notes = last === undefined ? '' : last.notes.join('; ');
  const left = older === 0 ? nothing : html`<p class="quiet">${older} older left out</p>`;
  return html`<tr><th scope="row"><b>${name}</b>${kind}<p class="quiet">${issuer}</p></th><td>${of}, ${last?.edition ?? ''}</td><td>${runs.length}${left}</td><td>${began}</td><td>${last?.headline ?? ''}${notes === '' ? nothing : html`<p class="quiet">${notes}</p>`}</td><td>${required}</td></tr>\n`;
}

function carrierTable(carriers: readonly CarrierHistory[], reportOf: ReportLookup): Markup {
  const heads = ['Carrier', 'Interface, edition', 'Runs', 'Newest run', 'Its outcome', 'Required rules'];
  return scrollBox(
    'Carriers',
    html`<table><thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead><tbody>${carriers.map((one) => carrierRow(one, reportOf))}</tbody></table>`,
  );
}

/** Caveats on the verdict of a cell. */
function cellNotes({ newerWithout, judgedLast, otherWords }: MatrixCell, { runs }: CarrierHistory): readonly string[] {
  const before = judgedLast && runs[judgedLast.at];
  return [
    ...(newerWithout === 0 ? [] : [`not selected in ${countNoun(newerWithout, 'newer run')}`]),
    ...(judgedLast === undefined || before === undefined
      ? []
      : [`last judged ${judgedLast.verdict}, ${runDay(before)}`]),
    ...(otherWords ? ['the rule had other words'] : []),
  ];
}

function renderCell(cell: MatrixCell | undefined, carrier: CarrierHistory | undefined): Markup {
  if (cell === undefined || carrier === undefined)
    return html`<td><span class="v-none" aria-hidden="true">·</span><span class="unseen">not selected</span></td>`;
  const notes = cellNotes(cell, carrier).join('; ');
  return html`<td>${verdictMark(cell.verdict)}${notes === '' ? nothing : html`<p class="quiet">${notes}</p>`}</td>`;
}

function renderRow({ id, level, clause, description, cells }: HistoryMatrixRow, carriers: MatrixCarriers): Markup {
  return html`<tr><th scope="row"><b>${id}</b> <span class="level">${level}</span><p class="rule-words">${clause}: ${description}</p></th>${cells.map((cell, at) => renderCell(cell, carriers[at]))}</tr>\n`;
}

type MatrixCarriers = readonly (CarrierHistory | undefined)[];

/** Matrix with a row group for each area. */
function matrixTable(caption: string, rows: readonly HistoryMatrixRow[], carriers: MatrixCarriers): HtmlContent {
  if (rows.length === 0) return nothing;
  const heads = carriers.map(
    (one) =>
      html`<th scope="col">${one === undefined ? '' : html`${one.name} <span class="kind">${kindWords(one)}</span>`}</th>`,
  );
  const groups = [...groupBy(rows, ({ area }) => area)].map(
    ([area, ofIt]) =>
      html`<tbody><tr><th class="area" scope="rowgroup" colspan="${carriers.length + 1}">${area}</th></tr>${ofIt.map((row) => renderRow(row, carriers))}</tbody>`,
  );
  return scrollBox(
    caption,
    html`<table class="matrix"><thead><tr><th scope="col">Rule</th>${heads}</tr></thead>${groups}</table>`,
  );
}

const settledVerdicts: ReadonlySet<string> = new Set(['pass', 'informational']);

/** Whether every carrier was judged by its newest run and nothing is wrong. */
const isSettled = ({ cells }: HistoryMatrixRow): boolean =>
  cells.every((cell) => cell !== undefined && settledVerdicts.has(cell.verdict) && cell.newerWithout === 0);

function renderMatrix(matrix: HistoryMatrix, { carriers, editions }: History): HtmlContent {
  const shown = matrix.carriers.map((id) => carriers.find((one) => one.id === id));
  const open = matrix.rows.filter((row) => !isSettled(row));
  const rest = matrix.rows.filter(isSettled);
  const ofIt = editions.filter((edition) => edition.interface === matrix.interface);
  const mixed =
    ofIt.length > 1
      ? html`<p class="note">These runs were judged by ${ofIt.length} editions of rules and suites. A verdict of one edition is not that of another; each carrier says which one its runs have.</p>`
      : nothing;
  const verdicts = matrix.rows.flatMap(({ cells }) =>
    cells.flatMap((cell) => (cell === undefined ? [] : cell.verdict)),
  );
  return historySection(`Carriers by rules: ${matrix.interface}`, [
    mixed,
    html`<p>The newest verdict of each carrier on each rule.</p>`,
    legend(verdicts),
    html`<h3>Broken, warned of, or not judged somewhere: ${countNoun(open.length, 'rule')}</h3>`,
    matrixTable(`Rules that are open, ${matrix.interface}`, open, shown),
    html`<details><summary>Judged and kept by all: ${countNoun(rest.length, 'rule')}</summary>${matrixTable(`Rules that all keep, ${matrix.interface}`, rest, shown)}</details>`,
  ]);
}

const shortDigest = (digest: string): Markup => html`<code>${digest.replace(/^sha256:/, '').slice(0, 12)}</code>`;

function renderEditions({ editions }: History): HtmlContent {
  const rows = editions.map(
    ({ label, interface: of, rules, suites, tools, runs }) =>
      html`<tr><th scope="row">${of}, ${label}</th><td>${shortDigest(rules)}</td><td>${shortDigest(suites)}</td><td>${tools.join(', ')}</td><td>${runs}</td></tr>`,
  );
  const heads = ['Interface, edition', 'Rules', 'Suites', 'carrierspec', 'Runs'];
  return historySection('Editions of rules and suites', [
    scrollBox(
      'Editions',
      html`<table><thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead><tbody>${rows}</tbody></table>`,
    ),
  ]);
}

/** `3 carriers, 14 runs`. */
const historySummary = ({ carriers }: History): string =>
  `${countNoun(carriers.length, 'carrier')}, ${countNoun(
    carriers.reduce((sum, { runs }) => sum + runs.length, 0),
    'run',
  )}`;

const maxTurns = 50;

/** A turn, with a link into the report of its run if there is one. */
function turnItem({ carrier, turn, run }: CarrierTurn, reportOf: ReportLookup): Markup {
  const report = reportOf(run);
  const id = html`<b>${turn.rule}</b>`;
  const rule = report === undefined ? id : html`<a href="${report}#${ruleAnchor(turn.rule)}">${id}</a>`;
  const words = causeWords(turn);
  const cause = words === '' ? nothing : html` <span class="quiet">(${words})</span>`;
  return html`<li><time>${runMoment(run)}</time> ${carrierTitle(carrier)}: ${rule} ${verdictMark(turn.from)} <span class="unseen">became</span><span aria-hidden="true">→</span> ${verdictMark(turn.to)}${cause}</li>`;
}

/** Page of a history: carriers, turns, and carriers by rules. It needs no network and runs nothing. */
export function renderHistory(history: History, reportOf: ReportLookup): string {
  const turns = newsSince(history, Number.NEGATIVE_INFINITY)
    .turned.toSorted((one, other) => Date.parse(other.run.startedAt) - Date.parse(one.run.startedAt))
    .slice(0, maxTurns)
    .map((one) => turnItem(one, reportOf));
  const list = turns.length === 0 ? html`<p>No rule has turned.</p>` : html`<ul class="turns">${turns}</ul>`;
  const main: HtmlContent = [
    historySection('Carriers', [carrierTable(history.carriers, reportOf)]),
    historySection('What turned', [list]),
    history.matrices.map((matrix) => renderMatrix(matrix, history)),
    renderEditions(history),
  ];
  const body = html`<a class="skip" href="#main">To the content</a><header><h1>History of runs</h1><p>${historySummary(history)}.</p></header><main id="main">${main}</main>`;
  return `${renderPageStart({ title: 'History', style: historyStyle })}${body.markup}\n</body>\n</html>\n`;
}
