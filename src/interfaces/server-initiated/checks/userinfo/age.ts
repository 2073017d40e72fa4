const hour = 3_600_000;

/** Calendar days, `2026-01-31`, that are today somewhere on earth: from UTC-12 to UTC+14. Milliseconds. */
export function daysOnEarth(now: number): { readonly first: string; readonly utc: string; readonly last: string } {
  return { first: dayOf(now - 12 * hour), utc: dayOf(now), last: dayOf(now + 14 * hour) };
}

const dayOf = (moment: number): string => new Date(moment).toISOString().slice(0, 10);

/** Whether somebody of this birthdate has turned so many years old by this day; both `YYYY-MM-DD`. */
export function hasTurned(birthdate: string, years: number, day: string): boolean {
  // Somebody born on 29 February turns on 1 March where there is no such day: its name stands between the two.
  return birthdayOf(birthdate, years) <= day;
}

const birthdayOf = (birthdate: string, years: number): string =>
  `${String(Number(birthdate.slice(0, 4)) + years).padStart(4, '0')}${birthdate.slice(4)}`;

/** A calendar date in the form of OpenID Connect Core §5.1, with the year. */
export function isDate(value: unknown): value is string {
  if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(value)) return false;
  const moment = Date.parse(`${value}T00:00:00Z`);
  return Number.isFinite(moment) && dayOf(moment) === value;
}
