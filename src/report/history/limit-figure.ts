import type { HistoryRun, LimitLine, LimitPoint } from '../../compare/history/lines.ts';
import type { Standing } from '../../model/allowed.ts';
import type { LimitUnit } from '../../model/limit.ts';
import { type Content, html, type Markup, nothing } from '../html/markup.ts';
import { box } from './parts.ts';
import { dayOf } from './names.ts';
import { scaleOf, type Scale } from './scale.ts';

const width = 360;
const height = 150;
const left = 52;
const right = 348;
const top = 12;
const bottom = 122;

/** `300 s` of a figure on the axis. */
const figure = (value: number, unit: LimitUnit): string =>
  `${value.toLocaleString('en-GB')}${unit === 's' ? ' s' : ''}`;

const place = (at: number, count: number): number =>
  count < 2 ? (left + right) / 2 : left + 12 + ((right - left - 24) * at) / (count - 1);

const round = (value: number): number => Math.round(value * 10) / 10;

interface Placed {
  readonly point: LimitPoint;
  readonly value: number;
  readonly at: number;
  readonly x: number;
}

function placedOf({ points }: LimitLine): readonly Placed[] {
  return points.flatMap((point, at) =>
    point?.value === undefined ? [] : [{ point, value: point.value, at, x: round(place(at, points.length)) }],
  );
}

/** What the interface allows; where that is one value, a band that can be seen. */
function bandOf({ allowed }: LimitLine, scale: Scale): Content {
  if (allowed === undefined || (allowed.from === undefined && allowed.to === undefined)) return nothing;
  const upper = allowed.to === undefined ? top : scale(allowed.to);
  const lower = allowed.from === undefined ? bottom : scale(allowed.from);
  const thick = Math.max(4, lower - upper);
  const from = lower - upper < 4 ? upper - 2 : upper;
  return html`<rect class="allowed" x="${left}" y="${round(from)}" width="${right - left}" height="${round(thick)}"></rect>`;
}

/** Neighbouring runs that measured are joined; a run between them that did not leaves a gap. */
function joinsOf(placed: readonly Placed[], scale: Scale): readonly Markup[] {
  return placed.flatMap((one, index) => {
    const before = placed[index - 1];
    if (before === undefined || one.at - before.at !== 1) return [];
    return [
      html`<line class="join" x1="${before.x}" y1="${round(scale(before.value))}" x2="${one.x}" y2="${round(scale(one.value))}"></line>`,
    ];
  });
}

function markOf({ point, value, x }: Placed, scale: Scale): Markup {
  const y = round(scale(value));
  const blur = point.uncertainty ?? 0;
  const whisker =
    blur === 0
      ? nothing
      : html`<line class="blur" x1="${x}" y1="${round(scale(value - blur))}" x2="${x}" y2="${round(scale(value + blur))}"></line>`;
  const mark =
    point.state === 'beyond'
      ? html`<path class="mark p-${point.standing}" d="M${x - 4.5} ${y + 3.5}h9l-4.5 -8z"></path>`
      : html`<circle class="mark p-${point.standing}" cx="${x}" cy="${y}" r="3.6"></circle>`;
  return html`${whisker}${mark}`;
}

const standings: Readonly<Record<Standing, string>> = {
  within: 'as the interface allows',
  outside: 'not as the interface allows',
  unsure: 'no limit was found as far as was tried',
  open: 'the interface states no value',
  unmeasured: 'not measured',
};

/** What is only recommended allows more. */
const standingWords = ({ standing }: LimitPoint, allowed: LimitLine['allowed']): string =>
  allowed?.level === 'recommended' && (standing === 'within' || standing === 'outside')
    ? standings[standing].replace('allows', 'recommends')
    : standings[standing];

const allowedWords = ({ allowed }: LimitLine): string =>
  allowed === undefined
    ? 'What the interface allows is not known here.'
    : `§${allowed.clause} (${allowed.level}): ${allowed.words}.`;

/** The same in words: what the picture says must be read without it. */
function valueRows({ points, changes, allowed }: LimitLine, runs: readonly HistoryRun[]): readonly Markup[] {
  return points.map((point, at) => {
    const run = runs[at];
    const words = point === undefined ? 'not measured in this run' : (point.reason ?? point.words);
    const standing = point === undefined ? '' : standingWords(point, allowed);
    const cell = changes.includes(at) ? html`<td class="differs">${words}</td>` : html`<td>${words}</td>`;
    return html`<tr><th scope="row">${at + 1}, ${run === undefined ? '' : dayOf(run)}</th>${cell}<td>${standing}</td></tr>`;
  });
}

function picture(line: LimitLine, placed: readonly Placed[]): Content {
  if (placed.length === 0) return html`<p class="quiet">No run has found it.</p>`;
  const { unit, allowed, points, title } = line;
  const edges = [allowed?.from, allowed?.to].filter((edge) => edge !== undefined);
  const { scale, least, greatest } = scaleOf([...placed.map(({ value }) => value), ...edges], { top, bottom });
  const label = `${title}, over ${points.length} runs`;
  const ends = placed.map(
    ({ at, x }) => html`<text class="small" x="${x}" y="${bottom + 16}" text-anchor="middle">${at + 1}</text>`,
  );
  return html`<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${label}">${bandOf(line, scale)}<line class="axis" x1="${left}" y1="${bottom}" x2="${right}" y2="${bottom}"></line><text class="small" x="${left - 4}" y="${round(scale(greatest)) + 4}" text-anchor="end">${figure(greatest, unit)}</text>${least === greatest ? nothing : html`<text class="small" x="${left - 4}" y="${round(scale(least)) + 4}" text-anchor="end">${figure(least, unit)}</text>`}${joinsOf(placed, scale)}${placed.map((one) => markOf(one, scale))}${ends}</svg>`;
}

/** One limit over the runs of a carrier: a line, what the interface allows as a band, and the same in words. */
export function limitFigure(line: LimitLine, runs: readonly HistoryRun[]): Markup {
  const { name, title, changes } = line;
  const placed = placedOf(line);
  const changed = changes.length === 0 ? '' : `; changed in run ${changes.map((at) => at + 1).join(', ')}`;
  const table = html`<table><thead><tr><th scope="col">Run</th><th scope="col">Found</th><th scope="col">Which is</th></tr></thead><tbody>${valueRows(line, runs)}</tbody></table>`;
  return html`<figure><figcaption><b>${name}</b> ${title}${changed}</figcaption>${picture(line, placed)}<p class="quiet">${allowedWords(line)}</p><details><summary>In words</summary>${box(`${name} in words`, table)}</details></figure>\n`;
}
