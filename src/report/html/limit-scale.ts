import type { LimitUnit } from '../../model/limit.ts';

/** A value's place on the picture, from `left` to `right`. */
export type Scale = (value: number) => number;

export interface Span {
  readonly left: number;
  readonly right: number;
}

/** Labels that are told apart need so much room, in units of the picture. */
const apart = 58;

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

/** Values that a reader knows; those that fit are written below the axis. */
const landmarks: Readonly<Record<LimitUnit, readonly number[]>> = {
  s: [0, 10, minute, 5 * minute, 30 * minute, hour, 6 * hour, day, 7 * day, 30 * day],
  characters: [1, 8, 32, 128, 512, 2048, 8192, 32_768, 131_072],
  requests: [1, 2, 4, 8, 16, 32, 64, 128],
};

/** `300 s`, `30 min`, `48 h`, `7 d`: in the greatest unit that has it whole and that a reader would use. */
function inTime(seconds: number): string {
  const [size, name] = (
    [
      [day, 'd', 3 * day],
      [hour, 'h', 2 * hour],
      [minute, 'min', 11 * minute],
    ] as const
  ).find(([unit, , from]) => seconds >= from && seconds % unit === 0) ?? [1, 's'];
  return `${(seconds / size).toLocaleString('en')} ${name}`;
}

/** A value as it stands in a picture: `300 s`, `32,766`. */
export const inUnit = (value: number, unit: LimitUnit): string =>
  unit === 's' ? inTime(value) : value.toLocaleString('en');

/** By the logarithm, because what is tried goes from a few to millions and its halves meet at the limit. Values from 0 on. */
export function createScale(values: readonly number[], { left, right }: Span): Scale {
  const place = (value: number): number => Math.log1p(Math.max(0, value));
  const places = values.map(place);
  const [least, greatest] = [Math.min(...places), Math.max(...places)];
  const width = greatest - least;
  return (value) =>
    width === 0
      ? (left + right) / 2
      : left + ((Math.min(greatest, Math.max(least, place(value))) - least) / width) * (right - left);
}

/** The landmarks between two values that leave each other room. */
export function landmarksOf(
  unit: LimitUnit,
  { least, greatest }: { least: number; greatest: number },
  scale: Scale,
): readonly number[] {
  const chosen: number[] = [];
  for (const value of landmarks[unit].filter((one) => one >= least && one <= greatest)) {
    const before = chosen.at(-1);
    if (before === undefined || scale(value) - scale(before) >= apart) chosen.push(value);
  }
  return chosen;
}
