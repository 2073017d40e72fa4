declare const milliseconds: unique symbol;

/** Whole milliseconds: a span, or a moment since the epoch. Only this file makes them, so that no fraction reaches a clock. */
export type Millis = number & { readonly [milliseconds]: true };

const isWhole = (value: number): value is Millis => Number.isSafeInteger(value);

/** Returns a number that is whole milliseconds already. Throws RangeError for a fraction: round it where it was read. */
export function wholeMillis(value: number): Millis {
  if (isWhole(value)) return value;
  throw new RangeError(`${value} is not a whole number of milliseconds`);
}

/** Last moment of a Date. A time that a carrier states may be any number; later ones are as good as this. */
const lastMoment = 8.64e15;

/** At most the last moment, and never -0. */
const bounded = (rounded: number): Millis => wholeMillis(Math.min(Math.max(rounded, -lastMoment), lastMoment) + 0);

/** Rounds milliseconds up: for what is due then. */
export const ceilMillis = (value: number): Millis => bounded(Math.ceil(value));

/** Rounds milliseconds down: for a time that has passed, and for the time of a clock. */
export const floorMillis = (value: number): Millis => bounded(Math.floor(value));

/** A double has seconds since the epoch to a quarter of a microsecond, so parts of a microsecond are noise. */
const toMicros = (seconds: number): number => Math.round(seconds * 1e6);

/** Rounds a moment at which something is due, or a time to wait, up: never before it, and less than a millisecond after it. */
export const dueMillis = (seconds: number): Millis => ceilMillis(toMicros(seconds) / 1000);

/** Rounds a time that has passed down. */
export const elapsedMillis = (seconds: number): Millis => floorMillis(toMicros(seconds) / 1000);

/** Seconds with fraction, as templates, observations and texts have them. */
export const toSeconds = (span: Millis): number => span / 1000;

/** Moment so many seconds after another, rounded up. */
export const afterSeconds = (moment: Millis, seconds: number): Millis => ceilMillis(moment + dueMillis(seconds));

/** Latest of some moments; the beginning of the epoch without any. */
export const latest = (...moments: readonly Millis[]): Millis => ceilMillis(Math.max(0, ...moments));

/** First moment from this one on that a clock with this unit can show. */
export const inWholeUnits = (moment: Millis, unit: Millis): Millis => ceilMillis(Math.ceil(moment / unit) * unit);

/** Adds numbers. If one has a fraction they are seconds, and the sum is exact to the microsecond, however many there are. */
export function addSeconds(terms: readonly number[]): number {
  const add = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0);
  if (terms.every(Number.isInteger)) return add(terms);
  const micros = add(terms.map(toMicros));
  return Number.isSafeInteger(micros) ? micros / 1e6 : add(terms);
}
