import { usageError } from './inputs.ts';

/** A moment, in milliseconds since the epoch, with the offset from UTC in which it was given, in minutes. */
export interface Moment {
  readonly milliseconds: number;
  readonly offset: number;
}

const shape = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d)?(?:Z|([+-])(\d\d):(\d\d))$/;

/** Years that have four digits in every offset. */
const years = [1970, 9989] as const;

/** February has no 30th, which JavaScript reads as a day of March. */
function isOnCalendar(given: string, { milliseconds, offset }: Moment): boolean {
  const local = new Date(milliseconds + offset * 60_000);
  const year = local.getUTCFullYear();
  return year >= years[0] && year <= years[1] && local.toISOString().slice(0, 16) === given.slice(0, 16);
}

/** Reads what a flag was given: an ISO 8601 time that says how far it is from UTC. Without that, two readers read two times. */
export const timeOf =
  (flag: string) =>
  (given: string): { readonly milliseconds: number } => {
    const [whole, sign, hours = '0', minutes = '0'] = shape.exec(given) ?? [];
    const milliseconds = whole === undefined ? Number.NaN : Date.parse(given);
    const moment = { milliseconds, offset: (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) };
    if (Number.isNaN(milliseconds) || !isOnCalendar(given, moment)) {
      throw usageError(`${flag}: "${given}" is no time such as 2026-12-01T09:00:00+01:00 or 2026-12-01T08:00Z`);
    }
    return moment;
  };
