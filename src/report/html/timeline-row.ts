import type { Verdict } from '../../model/verdict.ts';
import { caseAnchor } from './anchors.ts';
import type { Axis } from './axis.ts';
import { loudnessOf } from './case-view.ts';
import { html, type Markup } from './markup.ts';
import { packRows } from './pack.ts';
import type { CaseEntry } from './case-index.ts';

/** Width of the picture and of its column of names, in its own units. */
export const width = 1000;
export const left = 130;

/** Rows of one kind; what overlaps more deeply is drawn over one another. */
const mostRows = 10;
const tickHeight = 8;
/** Characters that fit beside the bars. */
const longestName = 20;

/** How bars of one kind are set: a mark before a bar takes room in its row. */
const kinds = {
  quiet: { row: 5, bar: 4, mark: 0 },
  loud: { row: 11, bar: 8, mark: 11 },
} as const;

/** The shape of each verdict, as elsewhere in the page: colour only repeats it. */
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

/** The beginning of a name, where it is too long to stand beside the bars. */
export function shorten(name: string, limit: number): string {
  const letters = Array.from(name);
  return letters.length > limit ? `${letters.slice(0, limit - 1).join('')}…` : name;
}

export interface Lane {
  readonly name: string;
  /** Below the name, before the number of cases. */
  readonly note: string;
  readonly cases: readonly CaseEntry[];
}

interface Drawn {
  readonly markup: Markup;
  readonly height: number;
}

export const number = (value: number): string => value.toFixed(1).replace(/\.0$/, '');

/** Until its last message: afterwards a case is only watched, without its lane. */
export const lastOf = ({ sentAt, cameAt, startedAt }: CaseEntry): number =>
  Math.max(startedAt, sentAt.at(-1) ?? 0, cameAt.at(-1) ?? 0);

function renderBar(entry: CaseEntry, axis: Axis, y: number): Markup {
  const { id, verdict, startedAt } = entry;
  const loudness = loudnessOf(verdict);
  const x = axis(startedAt);
  const size = number(Math.max(2, axis(lastOf(entry)) - x));
  const tone = loudness === 'quiet' ? 'quiet' : verdict;
  const bar = html`<rect class="bar-${tone}" x="${number(x)}" y="${number(y)}" width="${size}" height="${kinds[loudness].bar}"><title>${id}: ${verdict}</title></rect>`;
  if (loudness === 'quiet') return bar;
  const mark = html`<text class="mark-${verdict}" x="${number(x - 2)}" y="${number(y + 8)}" text-anchor="end">${shapes[verdict]}</text>`;
  return html`<a href="#${caseAnchor(id)}" aria-label="${id}: ${verdict}">${mark}${bar}</a>`;
}

function renderBars(
  cases: readonly CaseEntry[],
  axis: Axis,
  { top, kind }: { top: number; kind: keyof typeof kinds },
): Drawn {
  const { row, mark } = kinds[kind];
  const own = cases.filter(({ verdict }) => loudnessOf(verdict) === kind);
  const rows = packRows(own, {
    from: (entry) => axis(entry.startedAt) - mark,
    to: (entry) => Math.max(axis(entry.startedAt) + 2, axis(lastOf(entry))),
    most: mostRows,
  });
  const bars = rows.map((entries, index) => entries.map((entry) => renderBar(entry, axis, top + index * row)));
  return { markup: html`${bars}`, height: rows.length * row };
}

/** A path of numbers alone; it is longer than any text may be. */
function renderTicks(name: 'sent' | 'came', places: readonly number[], y: number): Markup {
  const d = [...new Set(places.map(number))].map((x) => `M${x} ${number(y)}v${tickHeight - 2}`).join('');
  return { markup: `<path class="${name}" d="${d}"/>` };
}

/** One lane: its cases as bars, those that did not pass below, then what was sent and what came in as ticks. */
export function renderLane({ name, note, cases }: Lane, axis: Axis, top: number): Drawn {
  const quiet = renderBars(cases, axis, { top: top + 3, kind: 'quiet' });
  const loud = renderBars(cases, axis, { top: top + 4 + quiet.height, kind: 'loud' });
  const below = top + quiet.height + loud.height + 6;
  const sent = renderTicks(
    'sent',
    cases.flatMap(({ sentAt }) => sentAt.map(axis)),
    below,
  );
  const came = renderTicks(
    'came',
    cases.flatMap(({ cameAt }) => cameAt.map(axis)),
    below + tickHeight,
  );
  const label = html`<text class="lane" x="0" y="${top + 13}">${shorten(name, longestName)}</text><text class="small" x="0" y="${top + 25}">${note}${cases.length} ${cases.length === 1 ? 'case' : 'cases'}</text>`;
  return {
    markup: html`<line class="rule-line" x1="0" x2="${width}" y1="${top}" y2="${top}"/>${label}${quiet.markup}${loud.markup}${sent}${came}`,
    height: Math.max(30, below - top + 2 * tickHeight + 2),
  };
}
