import type { CaseView } from '../../src/report/html/case-view.ts';
import { countNoun } from '../../src/lib/lists.ts';
import { html } from './dom.ts';
import { foundAt } from './rows.ts';

type TimeScale = (milliseconds: number) => number;

interface TrackMark {
  readonly at: number;
  readonly bad: boolean;
  readonly title: string;
}

interface TrackRow {
  readonly name: string;
  readonly isSent: boolean;
  readonly marks: TrackMark[];
}

const width = 760;
const left = 170;
const right = 12;
const rowHeight = 24;
const spanHeight = 14;
const maxTrackName = 26;
const maxPending = 8;
/** Possible seconds between labels. */
const labelSteps = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400, 43_200, 86_400];

function secondsText(milliseconds: number) {
  const value = milliseconds / 1000;
  return `${value >= 100 ? Math.round(value) : Math.round(value * 10) / 10} s`;
}

function drawAxis(scale: TimeScale, last: number, height: number) {
  const step = labelSteps.find((one) => last / 1000 / one <= 8) ?? 86_400 * Math.ceil(last / 8 / 86_400_000);
  return Array.from({ length: Math.floor(last / step / 1000) + 1 }, (_, index) => {
    const at = index * step * 1000;
    const x = scale(at);
    const isLast = x > width - 40;
    return html`<line class="grid" x1="${x}" x2="${x}" y1="14" y2="${height - 4}"/><text class="small" x="${isLast ? width : x + 2}" y="10" text-anchor="${isLast ? 'end' : 'start'}">${secondsText(at)}</text>`;
  });
}

/** A triangle for a message sent, a diamond for one received. */
function drawMark(isSent: boolean, { bad, title }: TrackMark, { x, y }: { x: number; y: number }) {
  const d = isSent ? `M${x} ${y - 6}l5 10h-10z` : `M${x} ${y - 7}l6 7l-6 7l-6 -7z`;
  return html`<path class="mark ${bad ? 'bad' : isSent ? 'sent' : 'came'}" d="${d}"><title>${title}</title></path>`;
}

function drawGaps({ isSent, marks }: TrackRow, y: number, scale: TimeScale) {
  if (isSent) return [];
  return marks.flatMap(({ at }, index) => {
    const before = marks[index - 1]?.at;
    if (before === undefined || scale(at) - scale(before) <= 46) return [];
    const x = (scale(at) + scale(before)) / 2;
    return [
      html`<text class="small gap" x="${x}" y="${y - 3}" text-anchor="middle">${secondsText(at - before)}</text>`,
    ];
  });
}

function drawRow(row: TrackRow, top: number, scale: TimeScale) {
  const { name, isSent, marks } = row;
  const y = top + 16;
  const shown = name.length > maxTrackName ? `${name.slice(0, maxTrackName)}…` : name;
  // Marks that broke a rule are drawn over others at the same place.
  const drawn = marks
    .toSorted((one, other) => Number(one.bad) - Number(other.bad))
    .map((mark) => drawMark(isSent, mark, { x: scale(mark.at), y }));
  return html`<text class="small row-name" x="0" y="${y + 4}">${shown}</text><line class="track" x1="${left}" x2="${width}" y1="${y}" y2="${y}"/>${drawGaps(row, y, scale)}${drawn}`;
}

/** Rows of the timeline: one for messages sent, and one per address of ours for messages received. */
function makeTracks({ startedAt, messages }: CaseView, anchor: string) {
  const rows: Map<string, TrackRow> = new Map();
  for (const { kind, line, step, time, at: message } of messages) {
    const isSent = kind === 'exchange';
    const name = isSent ? 'sent' : `came in: ${line.replace(/^POST /, '')}`;
    const row = rows.get(name) ?? { name, isSent, marks: [] };
    rows.set(name, row);
    const at = time - startedAt;
    const bad = foundAt(anchor, message).length > 0;
    row.marks.push({ at, bad, title: `${step ?? 'no step'}: ${line}, ${secondsText(at)}` });
  }
  return [...rows.values()];
}

/** Bars below the rows: windows in which deliveries were expected, and periods in which requests were open. */
function drawSpans(view: CaseView, top: number, scale: TimeScale) {
  const rows = [
    ...view.windows.map((span) => ({ span, kind: 'window', label: 'expected' })),
    ...view.pending.slice(0, maxPending).map((span) => ({ span, kind: 'pending', label: 'open as granted' })),
  ];
  return rows.map(({ span: [from, to, at], kind, label }, index) => {
    const x = scale(from - view.startedAt);
    const y = top + 4 + index * spanHeight;
    const size = Math.max(3, scale(to - view.startedAt) - x);
    const title = `${label}, ${at}: ${secondsText(from - view.startedAt)} to ${secondsText(to - view.startedAt)}`;
    return html`<rect class="${kind}" x="${x}" y="${y}" width="${size}" height="9" rx="2"><title>${title}</title></rect><text class="small" x="0" y="${y + 8}">${label}, ${at}</text>`;
  });
}

/** Length of a case's timeline in milliseconds; undefined without deliveries or open requests, or under a second. */
function timelineLength({ startedAt, messages, windows, pending }: CaseView) {
  const last = Math.max(...messages.map(({ time }) => time), ...windows.map(([, to]) => to)) - startedAt;
  const isTimed = messages.some(({ kind }) => kind === 'delivery') || pending.length > 0;
  if (!Number.isFinite(last) || last < 1000 || !isTimed) return undefined;
  // A request that stays open long after the last message is cut, so that the rest stays legible.
  return Math.max(last, ...pending.map(([, to]) => Math.min(to - startedAt, last * 3)));
}

export function drawTimeline(view: CaseView, anchor: string) {
  const whole = timelineLength(view);
  if (whole === undefined) return undefined;
  const scale: TimeScale = (at) => Math.round((left + (Math.max(0, at) / whole) * (width - left - right)) * 10) / 10;
  const rows = makeTracks(view, anchor);
  const below = 18 + rows.length * rowHeight;
  const height = below + (view.windows.length + Math.min(view.pending.length, maxPending)) * spanHeight + 8;
  const came = view.messages
    .filter(({ kind }) => kind === 'delivery')
    .map(({ time }) => secondsText(time - view.startedAt));
  const when = came.length === 0 ? '' : ` at ${came.slice(0, 12).join(', ')}`;
  const label = `Timeline. ${countNoun(came.length, 'delivery', 'deliveries')}${when}`;
  const drawn = [
    drawAxis(scale, whole, height),
    rows.map((row, index) => drawRow(row, 16 + index * rowHeight, scale)),
    drawSpans(view, below, scale),
  ];
  return html`<figure class="timeline"><svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${label}">${drawn}</svg></figure>`;
}
