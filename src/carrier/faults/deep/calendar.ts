export const minute = 60_000;
export const hour = 60 * minute;
export const day = 24 * hour;

/** The number of the minute, hour or day of a moment in milliseconds, in UTC. */
export function slotOf(at: number, size: number): number {
  return Math.floor(at / size);
}

/** The milliseconds of a moment since its minute, hour or day began. */
export function within(at: number, size: number): number {
  return at - slotOf(at, size) * size;
}

/** The n-th Sunday of a month, at midnight UTC. */
function sunday(year: number, month: number, nth: number): number {
  const first = new Date(Date.UTC(year, month, 1)).getUTCDay();
  return Date.UTC(year, month, 1 + ((7 - first) % 7) + 7 * (nth - 1));
}

/** Milliseconds by which the clocks of a town in the middle of North America are before UTC, which is below zero. */
export function localOffset(at: number): number {
  const year = new Date(at).getUTCFullYear();
  const isSummer = at >= sunday(year, 2, 2) + 8 * hour && at < sunday(year, 10, 1) + 7 * hour;
  return isSummer ? -5 * hour : -6 * hour;
}

/** The year of the ISO week of a moment, which is that of its Thursday. */
export function weekYear(at: number): number {
  const date = new Date(at);
  date.setUTCDate(date.getUTCDate() + 4 - (date.getUTCDay() || 7));
  return date.getUTCFullYear();
}
