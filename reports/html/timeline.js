import { draw, make } from './dom.js';

/**
 * @import { CaseView } from '../../src/report/html/case-view.ts'
 * @typedef {(milliseconds: number) => number} Scale
 * @typedef {{ at: number, bad: boolean, title: string }} Mark
 * @typedef {{ name: string, isSent: boolean, marks: Mark[] }} Row
 */

const width = 760;
const left = 170;
const right = 12;
const rowHeight = 24;
const spanHeight = 14;
const longestName = 26;
/** Requests whose open time is drawn. */
const mostPending = 8;
/** Seconds from one label to the next. */
const steps = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400, 43_200, 86_400];

/** @param {number} milliseconds */
function seconds(milliseconds) {
  const value = milliseconds / 1000;
  return `${value >= 100 ? Math.round(value) : Math.round(value * 10) / 10} s`;
}

/**
 * @param {Scale} scale
 * @param {number} last
 * @param {number} height
 */
function drawAxis(scale, last, height) {
  const step = steps.find((one) => last / 1000 / one <= 8) ?? 86_400 * Math.ceil(last / 8 / 86_400_000);
  const parts = [];
  for (let at = 0; at <= last; at += step * 1000) {
    const x = scale(at);
    const isLast = x > width - 40;
    const place = { class: 'small', x: isLast ? width : x + 2, y: 10, 'text-anchor': isLast ? 'end' : 'start' };
    parts.push(draw('line', { class: 'grid', x1: x, x2: x, y1: 14, y2: height - 4 }), draw('text', place, seconds(at)));
  }
  return parts;
}

/**
 * A triangle for what was sent, a diamond for what came in.
 * @param {Row} row
 * @param {Mark} mark
 * @param {{ x: number, y: number }} place
 */
function drawMark({ isSent }, { bad, title }, { x, y }) {
  const d = isSent ? `M${x} ${y - 6}l5 10h-10z` : `M${x} ${y - 7}l6 7l-6 7l-6 -7z`;
  return draw('path', { class: `mark ${bad ? 'bad' : isSent ? 'sent' : 'came'}`, d }, draw('title', {}, title));
}

/**
 * The time from one delivery to the next, where there is space for it.
 * @param {Row} row
 * @param {number} y
 * @param {Scale} scale
 */
function drawGaps({ isSent, marks }, y, scale) {
  if (isSent) return [];
  return marks.flatMap(({ at }, index) => {
    const before = marks[index - 1]?.at;
    if (before === undefined || scale(at) - scale(before) <= 46) return [];
    const place = { class: 'small gap', x: (scale(at) + scale(before)) / 2, y: y - 3, 'text-anchor': 'middle' };
    return [draw('text', place, seconds(at - before))];
  });
}

/**
 * @param {Row} row
 * @param {number} top
 * @param {Scale} scale
 */
function drawRow(row, top, scale) {
  const { name, marks } = row;
  const y = top + 16;
  return [
    draw(
      'text',
      { class: 'small row-name', x: 0, y: y + 4 },
      name.length > longestName ? `${name.slice(0, longestName)}…` : name,
    ),
    draw('line', { class: 'track', x1: left, x2: width, y1: y, y2: y }),
    drawGaps(row, y, scale),
    // What broke a rule is drawn over what stands at the same place.
    marks
      .toSorted((one, other) => Number(one.bad) - Number(other.bad))
      .map((mark) => drawMark(row, mark, { x: scale(mark.at), y })),
  ];
}

/**
 * What was sent in one row; what came in, in one for each address of ours.
 * @param {CaseView} view
 */
function tracksOf({ startedAt, messages }) {
  /** @type {Map<string, Row>} */
  const rows = new Map();
  for (const { kind, line, step, time, marks } of messages) {
    const isSent = kind === 'exchange';
    const name = isSent ? 'sent' : `came in: ${line.replace(/^POST /, '')}`;
    const row = rows.get(name) ?? { name, isSent, marks: [] };
    rows.set(name, row);
    const at = time - startedAt;
    row.marks.push({ at, bad: marks !== undefined, title: `${step ?? 'no step'}: ${line}, ${seconds(at)}` });
  }
  return [...rows.values()];
}

/**
 * Bars below the rows: the window in which a delivery was expected, and how long a request stays open.
 * @param {CaseView} view
 * @param {number} top
 * @param {Scale} scale
 */
function drawSpans(view, top, scale) {
  const rows = [
    ...view.windows.map((span) => ({ span, kind: 'window', label: 'expected' })),
    ...view.pending.slice(0, mostPending).map((span) => ({ span, kind: 'pending', label: 'open as granted' })),
  ];
  return rows.map(({ span: [from, to, at], kind, label }, index) => {
    const x = scale(from - view.startedAt);
    const y = top + 4 + index * spanHeight;
    const size = Math.max(3, scale(to - view.startedAt) - x);
    const title = `${label}, ${at}: ${seconds(from - view.startedAt)} to ${seconds(to - view.startedAt)}`;
    const bar = draw('rect', { class: kind, x, y, width: size, height: 9, rx: 2 }, draw('title', {}, title));
    return [bar, draw('text', { class: 'small', x: 0, y: y + 8 }, `${label}, ${at}`)];
  });
}

/**
 * How a case lies in time, in milliseconds from its start; undefined where all happens within a second.
 * @param {CaseView} view
 */
function extentOf({ startedAt, messages, windows, pending }) {
  const last = Math.max(...messages.map(({ time }) => time), ...windows.map(([, to]) => to)) - startedAt;
  const isTimed = messages.some(({ kind }) => kind === 'delivery') || pending.length > 0;
  if (!Number.isFinite(last) || last < 1000 || !isTimed) return undefined;
  // A request that stays open long after the last message is drawn as far as it helps.
  return Math.max(last, ...pending.map(([, to]) => Math.min(to - startedAt, last * 3)));
}

/**
 * Deliveries of a case against time, with their expected windows.
 * @param {CaseView} view
 */
export function drawTimeline(view) {
  const whole = extentOf(view);
  if (whole === undefined) return undefined;
  /** @type {Scale} */
  const scale = (at) => Math.round((left + (Math.max(0, at) / whole) * (width - left - right)) * 10) / 10;
  const rows = tracksOf(view);
  const below = 18 + rows.length * rowHeight;
  const height = below + (view.windows.length + Math.min(view.pending.length, mostPending)) * spanHeight + 8;
  const came = view.messages
    .filter(({ kind }) => kind === 'delivery')
    .map(({ time }) => seconds(time - view.startedAt));
  const when = came.length === 0 ? '' : ` at ${came.slice(0, 12).join(', ')}`;
  const label = `Timeline. ${came.length} ${came.length === 1 ? 'delivery' : 'deliveries'}${when}`;
  const drawn = [
    drawAxis(scale, whole, height),
    rows.map((row, index) => drawRow(row, 16 + index * rowHeight, scale)),
    drawSpans(view, below, scale),
  ];
  const svg = draw('svg', { viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': label }, drawn);
  return make('figure', { class: 'timeline' }, svg);
}
