import type { LimitUnit, LimitProbe, LimitResult } from '../../model/limit.ts';
import { countNoun } from '../../lib/lists.ts';
import { type AllowedLimit, type LimitStanding, limitStanding } from '../../model/allowed-limit.ts';
import { limitInWords } from '../shared/notes.ts';
import { renderClause } from '../shared/prose.ts';
import { type Links, limitAnchor, html, type Markup, nothing } from './links.ts';

/** Maps a value to its place in the picture, from `left` to `right`. */
export type ValueScale = (value: number) => number;

export interface PictureSpan {
  readonly left: number;
  readonly right: number;
}

/** Minimum distance between labels, in picture units. */
const minLabelDistance = 58;

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

/** Familiar values; those that fit are written below the axis. */
const landmarks: Readonly<Record<LimitUnit, readonly number[]>> = {
  s: [0, 10, minute, 5 * minute, 30 * minute, hour, 6 * hour, day, 7 * day, 30 * day],
  characters: [1, 8, 32, 128, 512, 2048, 8192, 32_768, 131_072],
  requests: [1, 2, 4, 8, 16, 32, 64, 128],
};

/** `300 s`, `30 min`, `48 h`, `7 d`: the largest customary unit that divides the value. */
function durationText(seconds: number): string {
  const [size, name] = (
    [
      [day, 'd', 3 * day],
      [hour, 'h', 2 * hour],
      [minute, 'min', 11 * minute],
    ] as const
  ).find(([unit, , from]) => seconds >= from && seconds % unit === 0) ?? [1, 's'];
  return `${(seconds / size).toLocaleString('en')} ${name}`;
}

/** A value as written in a picture: `300 s`, `32,766`. */
export const valueInUnit = (value: number, unit: LimitUnit): string =>
  unit === 's' ? durationText(value) : value.toLocaleString('en');

/** Creates a logarithmic scale, because probes range from a few to millions and close in on the limit. Values are from 0 on. */
export function createScale(values: readonly number[], { left, right }: PictureSpan): ValueScale {
  const place = (value: number): number => Math.log1p(Math.max(0, value));
  const places = values.map(place);
  const [least, greatest] = [Math.min(...places), Math.max(...places)];
  const width = greatest - least;
  return (value) =>
    width === 0
      ? (left + right) / 2
      : left + ((Math.min(greatest, Math.max(least, place(value))) - least) / width) * (right - left);
}

/** Landmarks between two values, spaced far enough apart. */
export function chooseLandmarks(
  unit: LimitUnit,
  { least, greatest }: { least: number; greatest: number },
  scale: ValueScale,
): readonly number[] {
  const chosen: number[] = [];
  for (const value of landmarks[unit].filter((one) => one >= least && one <= greatest)) {
    const before = chosen.at(-1);
    if (before === undefined || scale(value) - scale(before) >= minLabelDistance) chosen.push(value);
  }
  return chosen;
}

/** Sizes of a picture, in picture units. */
const width = 560;
const height = 64;
const edgeWidth = 26;
const axisY = 34;
const maxProbes = 200;

const formatNumber = (value: number): string => value.toFixed(1).replace(/\.0$/, '');

interface Drawing {
  readonly limit: LimitResult;
  readonly allowed: AllowedLimit | undefined;
  readonly scale: ValueScale;
  readonly least: number;
  readonly greatest: number;
}

/** Range that the interface allows: an open end extends to the edge, a single value is a marker. */
function renderAllowed({ allowed, scale, least, greatest }: Drawing): Markup {
  if (allowed?.from === undefined && allowed?.to === undefined) return nothing;
  const from = scale(allowed.from ?? least);
  const to = scale(allowed.to ?? greatest);
  if (to - from < 4) return html`<path class="allowed-here" d="M${formatNumber((from + to) / 2)} 40l5 9h-10z"/>`;
  return html`<rect class="allowed" x="${formatNumber(from)}" y="14" width="${formatNumber(to - from)}" height="35"/>`;
}

/** Accepted values above the line, others below. */
function renderProbes(probes: readonly LimitProbe[], scale: ValueScale): Markup {
  const held = probes.filter((probe) => probe.held).map(({ at }) => `M${formatNumber(scale(at))} ${axisY - 3}v-9`);
  const refused = probes
    .filter((probe) => !probe.held)
    .map(({ at }) => `M${formatNumber(scale(at) - 3)} ${axisY + 4}l6 6m0 -6l-6 6`);
  return html`<path class="held" d="${[...new Set(held)].join('')}"/><path class="refused" d="${[...new Set(refused)].join('')}"/>`;
}

/** The limit with its uncertainty; an arrow if none was found up to there. */
function renderFound({ limit, scale }: Drawing): Markup {
  const { value, uncertainty = 0, state, unit } = limit;
  if (value === undefined) return nothing;
  const x = scale(value);
  const words = `${state === 'beyond' ? '≥ ' : ''}${valueInUnit(value, unit)}${uncertainty === 0 ? '' : ` ± ${valueInUnit(uncertainty, unit)}`}`;
  const isRight = x > width - 150;
  const label = html`<text class="found" x="${formatNumber(isRight ? x - 6 : x + 6)}" y="11" text-anchor="${isRight ? 'end' : 'start'}">${words}</text>`;
  if (state === 'beyond') {
    return html`<path class="limit" d="M${formatNumber(x - 8)} 16l8 6l-8 6m8 -6h-16"/>${label}`;
  }
  const from = scale(value - uncertainty);
  const blur = scale(value + uncertainty) - from;
  return html`<rect class="blur" x="${formatNumber(from)}" y="8" width="${formatNumber(Math.max(1, blur))}" height="40"/><path class="limit" d="M${formatNumber(x)} 3v47"/>${label}`;
}

function renderAxis({ limit, scale, least, greatest }: Drawing): Markup {
  const marks = chooseLandmarks(limit.unit, { least, greatest }, scale).map((value, at) => {
    const x = formatNumber(scale(value));
    // A narrow window has larger labels, and only every other one.
    const size = at % 2 === 0 ? 'small' : 'small spare';
    return html`<line class="grid" x1="${x}" x2="${x}" y1="${axisY - 3}" y2="${axisY + 3}"/><text class="${size}" x="${x}" y="${height - 2}" text-anchor="middle">${valueInUnit(value, limit.unit)}</text>`;
  });
  return html`<line class="axis" x1="0" x2="${width}" y1="${axisY}" y2="${axisY}"/>${marks}`;
}

function renderPicture(limit: LimitResult, allowed: AllowedLimit | undefined): Markup {
  const probes = limit.probes.slice(0, maxProbes);
  const edges = [allowed?.from, allowed?.to, limit.value].filter((value) => value !== undefined);
  const values = [...probes.map(({ at }) => at), ...edges].filter(Number.isFinite);
  if (values.length === 0) return nothing;
  const [least, greatest] = [Math.min(...values), Math.max(...values)];
  const scale = createScale(values, { left: edgeWidth, right: width - edgeWidth });
  const drawing: Drawing = { limit, allowed, scale, least, greatest };
  const held = probes.filter((probe) => probe.held).length;
  const label = `${limit.title}: ${limit.words}. ${countNoun(held, 'value')} accepted, ${probes.length - held} not.`;
  return html`<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${label}">${renderAllowed(drawing)}${renderAxis(drawing)}${renderProbes(probes, scale)}${renderFound(drawing)}</svg>`;
}

const standingWords = {
  within: 'as the interface states',
  outside: 'not as the interface states',
  unsure: 'no limit was found; the interface goes on from there',
  open: 'the interface states no value',
  unmeasured: 'not measured',
} as const;

/** Words for a recommended limit; a carrier that differs breaks nothing. */
const softWords: Readonly<Partial<Record<LimitStanding, string>>> = {
  within: 'as the interface recommends',
  outside: 'not as the interface recommends',
};

export function standingText(limit: LimitResult, allowed: AllowedLimit | undefined) {
  const standing = limitStanding(limit, allowed);
  const isSoft = allowed?.level === 'recommended';
  const words = (isSoft ? softWords[standing] : undefined) ?? standingWords[standing];
  return { words, tone: isSoft && standing === 'outside' ? 'differs' : standing };
}

function renderLimit(limit: LimitResult, allowed: AllowedLimit | undefined, { toRules }: Links): Markup {
  const { about, found, isSeen, rules, name } = limitInWords(limit);
  const standing = standingText(limit, allowed);
  const states =
    allowed === undefined
      ? nothing
      : html`<p class="states"><span class="standing s-${standing.tone}">${standing.words}</span>: ${allowed.words} <span class="quiet">${renderClause(allowed.clause)}</span></p>`;
  return html`<li id="${limitAnchor(name)}"><div><h3>${about} <span class="quiet">${toRules(rules)}</span></h3><p class="${isSeen ? 'found' : 'quiet'}">${found}</p>${states}</div>${renderPicture(limit, allowed)}</li>`;
}

const legend = html`<p class="quiet">Where the carrier really stops. No verdict depends on it. <span class="key key-held">a value that was accepted</span>, <span class="key key-refused">one that was not</span>, <span class="key key-limit">the limit</span>, with its uncertainty; <span class="key key-allowed">where the interface lets it be</span>. Distances go by the logarithm.</p>`;

/** Each measured limit on an axis, with the values tried and the range that the interface allows. */
export function renderLimitSection(
  limits: readonly LimitResult[],
  allowedOf: (limit: string) => AllowedLimit | undefined,
  links: Links,
): Markup {
  if (limits.length === 0) return nothing;
  const items = limits.map((limit) => renderLimit(limit, allowedOf(limit.name), links));
  return html`<section class="limits" id="limits" aria-labelledby="limits-title"><h2 id="limits-title">Measured limits <span class="quiet">${countNoun(limits.length, 'limit')}</span></h2>${legend}<ol>${items}</ol></section>`;
}
