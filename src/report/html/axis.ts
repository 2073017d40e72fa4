/** The place of a moment on the page. */
export type Axis = (moment: number) => number;

/** Labels of time along the axis. */
const labels = 6;

/** A wait of seconds takes nearly what it lasted, one of hours little more than one of minutes. */
const lengthOf = (milliseconds: number): number => Math.log2(1 + milliseconds / 1000);

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

/** Moments that are far enough apart for a label each. */
function chooseMarks(
  sorted: readonly number[],
  axis: Axis,
  { from, to }: { from: number; to: number },
): readonly number[] {
  const apart = (to - from) / labels;
  const chosen: number[] = [];
  for (const moment of sorted) {
    const before = chosen.at(-1);
    if (before === undefined || axis(moment) - axis(before) >= apart) chosen.push(moment);
  }
  return chosen;
}

/** A stretch in which nothing happened, at the middle of where it is drawn. */
export interface Break {
  readonly at: number;
  readonly milliseconds: number;
}

/** Breaks that are marked, the room that each needs on the page, and the least that is one, milliseconds. */
const breakCount = 10;
const breakRoom = 76;
const leastBreak = 5 * 60_000;

/** The longest stretches without anything, as far as they leave each other room. */
function chooseBreaks(sorted: readonly number[], axis: Axis): readonly Break[] {
  const all = sorted
    .slice(1)
    .map((moment, index) => {
      const before = sorted[index] ?? moment;
      return { at: (axis(before) + axis(moment)) / 2, milliseconds: moment - before };
    })
    .filter(({ milliseconds }) => milliseconds >= leastBreak)
    .toSorted((one, other) => other.milliseconds - one.milliseconds);
  const chosen: Break[] = [];
  for (const one of all) {
    if (chosen.length === breakCount) break;
    if (chosen.every(({ at }) => Math.abs(at - one.at) >= breakRoom)) chosen.push(one);
  }
  return chosen;
}

/**
 * An axis on which something happens everywhere: a stretch in which nothing happened is drawn by the logarithm of its
 * length, so that a run of two days with three busy minutes can be read. Moments in milliseconds.
 */
export function createAxis(
  moments: readonly number[],
  span: { readonly from: number; readonly to: number },
): { readonly axis: Axis; readonly marks: readonly number[]; readonly breaks: readonly Break[] } {
  const sorted = [...new Set(moments)].toSorted((one, other) => one - other);
  const places: number[] = [0];
  for (let index = 1; index < sorted.length; index += 1) {
    places.push((places[index - 1] ?? 0) + lengthOf((sorted[index] ?? 0) - (sorted[index - 1] ?? 0)));
  }
  const whole = places.at(-1) ?? 0;
  const scale = whole === 0 ? 0 : (span.to - span.from) / whole;
  const axis: Axis = (moment) => span.from + (places[indexAtOrBefore(sorted, moment)] ?? 0) * scale;
  return { axis, marks: chooseMarks(sorted, axis, span), breaks: chooseBreaks(sorted, axis) };
}

interface Extent<T> {
  readonly from: (value: T) => number;
  readonly to: (value: T) => number;
  /** Rows; what overlaps more deeply shares one. */
  readonly most: number;
}

/** Values in as few rows as hold them without overlap, the first free row taken; at most `most` rows. */
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
