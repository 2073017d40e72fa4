const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

const daysIn = (year: number, month: number): number => new Date(Date.UTC(year, month + 1, 0)).getUTCDate();

/** One o'clock UTC on the last Sunday of a month: summer time begins and ends then in Europe. */
function lastSunday(year: number, month: number): number {
  const last = Date.UTC(year, month, daysIn(year, month), 1);
  return last - new Date(last).getUTCDay() * day;
}

/** The n-th Sunday of a month, at midnight UTC. */
function sunday(year: number, month: number, nth: number): number {
  const first = new Date(Date.UTC(year, month, 1)).getUTCDay();
  return Date.UTC(year, month, 1 + ((7 - first) % 7) + 7 * (nth - 1));
}

/** A moment of each year; of a leap day, of each year that has one. */
const ofYear: Readonly<Record<string, (year: number) => number | undefined>> = {
  year: (year) => Date.UTC(year, 0, 1),
  'leap-day': (year) => (daysIn(year, 1) === 29 ? Date.UTC(year, 1, 29) : undefined),
  'summer-time': (year) => lastSunday(year, 2),
  'winter-time': (year) => lastSunday(year, 9),
  // Two o'clock in the middle of North America: on the second Sunday of March, and the first of November.
  'daylight-time': (year) => sunday(year, 2, 2) + 8 * hour,
  'standard-time': (year) => sunday(year, 10, 1) + 7 * hour,
};

const units: Readonly<Record<string, number>> = { minute, hour, day };

/** The names of the moments that come again; `03:00` is one as well. */
export const recurring: readonly string[] = [...Object.keys(units), ...Object.keys(ofYear)];

/** A leap day comes after eight years at most. */
const years = [0, 1, 2, 3, 4, 5, 6, 7, 8];

const clockTime = /^([01]\d|2[0-3]):([0-5]\d)$/;

/** The first moment of this name after a time, both in milliseconds since the epoch, in UTC; undefined where no moment has it. */
export function nextMoment(name: string, after: number): number | undefined {
  const unit = Object.hasOwn(units, name) ? units[name] : undefined;
  if (unit !== undefined) return (Math.floor(after / unit) + 1) * unit;
  const [, hours, minutes] = clockTime.exec(name) ?? [];
  if (hours !== undefined) {
    const ofDay = Number(hours) * hour + Number(minutes) * minute;
    return (Math.floor((after - ofDay) / day) + 1) * day + ofDay;
  }
  const inYear = Object.hasOwn(ofYear, name) ? ofYear[name] : undefined;
  const year = new Date(after).getUTCFullYear();
  return years.map((more) => inYear?.(year + more)).find((at) => at !== undefined && at > after);
}
