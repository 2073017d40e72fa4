import { countNoun, groupBy } from '../../lib/lists.ts';
import type { Result } from '../../model/result.ts';
import type { Verdict } from '../../model/rule.ts';
import { renderSpan } from '../shared/time.ts';
import { detailKind } from './case-view.ts';
import type { CaseEntry, CaseTry } from './case-index.ts';
import { caseAnchor, html, type Markup, nothing } from './links.ts';

type Axis = (moment: number) => number;

const maxLabels = 6;

/** Drawn length of a wait: seconds are nearly to scale, hours take little more than minutes. */
const drawnLength = (milliseconds: number): number => Math.log2(1 + milliseconds / 1000);

function indexAtOrBefore(sorted: readonly number[], moment: number): number {
  let low = 0;
  let high = sorted.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((sorted[middle] ?? Number.POSITIVE_INFINITY) <= moment) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Moments far enough apart to label each. */
function chooseMarks(
  sorted: readonly number[],
  axis: Axis,
  { from, to }: { from: number; to: number },
): readonly number[] {
  const apart = (to - from) / maxLabels;
  const chosen: number[] = [];
  for (const moment of sorted) {
    const before = chosen.at(-1);
    if (before === undefined || axis(moment) - axis(before) >= apart) chosen.push(moment);
  }
  return chosen;
}

/** A stretch in which nothing happened; `at` is the middle of its drawing. */
export interface TimelineBreak {
  readonly at: number;
  readonly milliseconds: number;
}

/** Maximum number of breaks, minimum distance between them, and minimum length in milliseconds. */
const maxBreaks = 10;
const minBreakDistance = 76;
const minBreak = 5 * 60_000;

/** Longest breaks that are far enough apart. */
function chooseBreaks(sorted: readonly number[], axis: Axis): readonly TimelineBreak[] {
  const all = sorted
    .slice(1)
    .map((moment, index) => {
      const before = sorted[index] ?? moment;
      return { at: (axis(before) + axis(moment)) / 2, milliseconds: moment - before };
    })
    .filter(({ milliseconds }) => milliseconds >= minBreak)
    .toSorted((one, other) => other.milliseconds - one.milliseconds);
  const chosen: TimelineBreak[] = [];
  for (const one of all) {
    if (chosen.length === maxBreaks) break;
    if (chosen.every(({ at }) => Math.abs(at - one.at) >= minBreakDistance)) chosen.push(one);
  }
  return chosen;
}

/** Creates an axis for milliseconds, on which stretches without events are drawn logarithmically. */
export function createAxis(
  moments: readonly number[],
  span: { readonly from: number; readonly to: number },
): { readonly axis: Axis; readonly marks: readonly number[]; readonly breaks: readonly TimelineBreak[] } {
  const sorted = [...new Set(moments)].toSorted((one, other) => one - other);
  const places: number[] = [0];
  for (let index = 1; index < sorted.length; index += 1) {
    places.push((places[index - 1] ?? 0) + drawnLength((sorted[index] ?? 0) - (sorted[index - 1] ?? 0)));
  }
  const whole = places.at(-1) ?? 0;
  const scale = whole === 0 ? 0 : (span.to - span.from) / whole;
  const axis: Axis = (moment) => span.from + (places[indexAtOrBefore(sorted, moment)] ?? 0) * scale;
  return { axis, marks: chooseMarks(sorted, axis, span), breaks: chooseBreaks(sorted, axis) };
}

interface Extent<T> {
  readonly from: (value: T) => number;
  readonly to: (value: T) => number;
  /** Maximum number of rows; values that overlap more deeply share one. */
  readonly most: number;
}

/** Packs values into as few rows as hold them without overlap, first fit; at most `most` rows. */
export function packRows<T>(values: readonly T[], { from, to, most }: Extent<T>): readonly (readonly T[])[] {
  const rows: { ends: number; values: T[] }[] = [];
  for (const value of values.toSorted((one, other) => from(one) - from(other))) {
    const free = rows.find(({ ends }) => ends <= from(value));
    if (free !== undefined) {
      free.values.push(value);
      free.ends = to(value);
    } else if (rows.length < most) rows.push({ ends: to(value), values: [value] });
    else {
      const soonest = rows.reduce((best, row) => (row.ends < best.ends ? row : best));
      soonest.values.push(value);
      soonest.ends = Math.max(soonest.ends, to(value));
    }
  }
  return rows.map((row) => row.values);
}

/** Width of the picture and of its column of names, in picture units. */
const width = 1000;
const chartLeft = 130;

/** Maximum rows of one kind; bars that overlap more deeply are drawn over one another. */
const maxBarRows = 10;
const tickHeight = 8;
/** Height above the rows, for elapsed times and breaks. */
const headHeight = 34;
const maxRowName = 20;

/** Layout of bars by kind; `mark` is the space for the mark before a bar. */
const kinds = { ordinary: { row: 5, bar: 4, mark: 0 }, notable: { row: 11, bar: 8, mark: 11 } } as const;

/** Shape of each verdict, as elsewhere in the page, so that colour is never the only sign. */
const shapes: Readonly<Record<Verdict, string>> = {
  pass: '✓',
  informational: '◆',
  warn: '▲',
  inconclusive: '?',
  error: '!',
  fail: '✕',
  'not-applicable': '–',
  'not-run': '○',
  attested: '■',
};

/** Shortens a name that is too long to stand beside the bars. */
function shorten(name: string, limit: number): string {
  const letters = Array.from(name);
  return letters.length > limit ? `${letters.slice(0, limit - 1).join('')}…` : name;
}

interface TimelineRow {
  readonly name: string;
  /** Text below the name, before the number of cases. */
  readonly note: string;
  readonly cases: readonly CaseEntry[];
}

interface SizedMarkup {
  readonly markup: Markup;
  readonly height: number;
}

const formatNumber = (value: number): string => value.toFixed(1).replace(/\.0$/, '');

/** One try of a case, from its start to its last message; in the observation window after it, it holds no lock. */
interface Bar extends CaseTry {
  readonly entry: CaseEntry;
}

const caseBars = (cases: readonly CaseEntry[]): readonly Bar[] =>
  cases.flatMap((entry) => entry.tries.map((one) => ({ entry, ...one })));

const barWidth = ({ from, to }: CaseTry, axis: Axis): number => Math.max(2, axis(to) - axis(from));

/** Draws ordinary bars as one path with the ordinals of their cases, because an element for each would be too many. */
function renderOrdinaryBars(rows: readonly (readonly Bar[])[], axis: Axis, top: number): Markup {
  const { row, bar } = kinds.ordinary;
  const d = rows.flatMap((bars, index) => {
    const y = formatNumber(top + index * row + bar / 2);
    return bars.map((one) => `M${formatNumber(axis(one.from))} ${y}h${formatNumber(barWidth(one, axis))}`);
  });
  const ordinals = rows.flatMap((bars) => bars.map(({ entry }) => entry.ordinal)).join(' ');
  return d.length === 0
    ? nothing
    : { markup: `<path class="bar-ordinary" data-cases="${ordinals}" d="${d.join('')}"/>` };
}

function renderNotableBar(shown: Bar, axis: Axis, y: number): Markup {
  const { id, verdict } = shown.entry;
  const x = axis(shown.from);
  const size = formatNumber(barWidth(shown, axis));
  const bar = html`<rect class="bar-${verdict}" x="${formatNumber(x)}" y="${formatNumber(y)}" width="${size}" height="${kinds.notable.bar}"><title>${id}: ${verdict}</title></rect>`;
  const mark = html`<text class="mark-${verdict}" x="${formatNumber(x - 2)}" y="${formatNumber(y + 8)}" text-anchor="end">${shapes[verdict]}</text>`;
  return html`<a href="#${caseAnchor(id)}" aria-label="${id}: ${verdict}">${mark}${bar}</a>`;
}

function renderBars(
  cases: readonly CaseEntry[],
  axis: Axis,
  { top, kind }: { top: number; kind: keyof typeof kinds },
): SizedMarkup {
  const { row, mark } = kinds[kind];
  const own = caseBars(cases.filter(({ verdict }) => detailKind(verdict) === kind));
  const rows = packRows(own, {
    from: ({ from }) => axis(from) - mark,
    to: (one) => axis(one.from) + barWidth(one, axis),
    most: maxBarRows,
  });
  const height = rows.length * row;
  if (kind === 'ordinary') return { markup: renderOrdinaryBars(rows, axis, top), height };
  const drawn = rows.map((bars, index) => bars.map((one) => renderNotableBar(one, axis, top + index * row)));
  return { markup: html`${drawn}`, height };
}

/** Draws ticks as one path. It contains only numbers and bypasses `html`, which would cut so long a text. */
function renderTicks(name: 'sent' | 'came', places: readonly number[], y: number): Markup {
  const d = [...new Set(places.map(formatNumber))].map((x) => `M${x} ${formatNumber(y)}v${tickHeight - 2}`).join('');
  return { markup: `<path class="${name}" d="${d}"/>` };
}

/** One row: bars of its cases, those that did not pass below, then ticks for messages sent and received. */
function renderRow({ name, note, cases }: TimelineRow, axis: Axis, top: number): SizedMarkup {
  const ordinary = renderBars(cases, axis, { top: top + 3, kind: 'ordinary' });
  const notable = renderBars(cases, axis, { top: top + 4 + ordinary.height, kind: 'notable' });
  const below = top + ordinary.height + notable.height + 6;
  const sentAt = cases.flatMap((entry) => entry.sentAt.map(axis));
  const receivedAt = cases.flatMap((entry) => entry.receivedAt.map(axis));
  const sent = renderTicks('sent', sentAt, below);
  const came = renderTicks('came', receivedAt, below + tickHeight);
  const label = html`<text class="row-name" x="0" y="${top + 13}">${shorten(name, maxRowName)}</text><text class="small" x="0" y="${top + 25}">${note}${cases.length} ${cases.length === 1 ? 'case' : 'cases'}</text>`;
  return {
    markup: html`<line class="rule-line" x1="0" x2="${width}" y1="${top}" y2="${top}"/>${label}${ordinary.markup}${notable.markup}${sent}${came}`,
    height: Math.max(30, below - top + 2 * tickHeight + 2),
  };
}

function renderLabels(axis: Axis, marks: readonly number[], height: number): Markup {
  const labels = marks.map((moment) => {
    const x = axis(moment);
    const isLast = x > width - 90;
    const at = formatNumber(x + (isLast ? -3 : 3));
    return html`<line class="grid" x1="${formatNumber(x)}" x2="${formatNumber(x)}" y1="16" y2="${height}"/><text class="small" x="${at}" y="12" text-anchor="${isLast ? 'end' : 'start'}">+${renderSpan(moment - (marks[0] ?? moment))}</text>`;
  });
  return html`${labels}`;
}

/** A wait that is drawn much shorter than it was: two strokes, and its length. */
function renderBreak({ at, milliseconds }: TimelineBreak, height: number): Markup {
  const x = formatNumber(at);
  return html`<g class="break"><title>nothing happened for ${renderSpan(milliseconds)}</title><line x1="${x}" x2="${x}" y1="${headHeight}" y2="${height}"/><path d="M${formatNumber(at - 5)} ${headHeight + 4}l4 -8m2 8l4 -8"/><text class="small" x="${x}" y="${headHeight - 8}" text-anchor="middle">${renderSpan(milliseconds)}</text></g>`;
}

function renderRows(rows: readonly TimelineRow[], axis: Axis): { readonly markup: Markup; readonly height: number } {
  let top = headHeight;
  const drawn = rows.map((row) => {
    const { markup, height } = renderRow(row, axis, top);
    top += height;
    return markup;
  });
  return { markup: html`${drawn}`, height: top };
}

const legend = html`One row for each subscriber and client. A bar is a case, from its start to its last message; one that did not pass stands below with the mark of its verdict and leads to the case. The ticks are <span class="key key-sent">what was sent</span> and, below, <span class="key key-came">what came in</span>. Long waits are drawn shorter than they were: <span class="key-break">two strokes</span> mark the longest, with their length; the labels above say how long after the start it was on the run’s clock.`;

/** Rows by subscriber and client; a case that does not name both is in the row of its area. */
function timelineRows(cases: readonly CaseEntry[]): readonly TimelineRow[] {
  const groups = groupBy(cases, ({ client, subscriber, area }) =>
    client === undefined || subscriber === undefined ? `1 ${area}` : `0 ${subscriber}\n${client}`,
  );
  return [...groups]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, own]) => {
      const { client, subscriber, area = '' } = own[0] ?? {};
      const isKnown = client !== undefined && subscriber !== undefined;
      return { name: isKnown ? subscriber : area, note: isKnown ? `as ${shorten(client, 12)}: ` : '', cases: own };
    });
}

export const hasRun = ({ startedAt }: CaseEntry): boolean => startedAt > 0;

/** Timeline of the run: a row for each subscriber and client, with cases as bars and messages as ticks. */
export function renderRunTimeline({ header }: Result, cases: readonly CaseEntry[]): Markup {
  const ran = cases.filter(hasRun);
  if (ran.length === 0) return nothing;
  const moments = ran.flatMap(({ startedAt, sentAt, receivedAt }) => [startedAt, ...sentAt, ...receivedAt]);
  const { axis, marks, breaks } = createAxis(moments, { from: chartLeft, to: width - 4 });
  const { markup, height } = renderRows(timelineRows(ran), axis);
  const label = `The run by subscriber and client: ${countNoun(ran.length, 'case')} from ${header.startedAt} on`;
  return html`<section class="run" id="run" aria-labelledby="run-title"><h2 id="run-title">The run</h2><figure><svg viewBox="0 0 ${width} ${height + 2}" role="group" aria-label="${label}">${renderLabels(axis, marks, height)}${breaks.map((one) => renderBreak(one, height))}${markup}</svg><figcaption>${legend}</figcaption></figure></section>`;
}
