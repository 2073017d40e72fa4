import type { CheckMismatch, NamedCheck } from '../../../../judge/check.ts';
import { MissingValue } from '../../../../model/template.ts';
import { judgeSameLevel } from './levels.ts';
import { attributeOf, defineProfileCheck, plainValueOf } from './profile.ts';

const hour = 3_600_000;

const dayOf = (moment: number): string => new Date(moment).toISOString().slice(0, 10);

/** A calendar date in the form of OpenID Connect Core §5.1, with the year. */
function isDate(value: unknown): value is string {
  if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(value)) return false;
  const moment = Date.parse(`${value}T00:00:00Z`);
  return Number.isFinite(moment) && dayOf(moment) === value;
}

const birthdayOf = (birthdate: string, years: number): string =>
  `${String(Number(birthdate.slice(0, 4)) + years).padStart(4, '0')}${birthdate.slice(4)}`;

/** The age flags of §2.11, each with the age it tells of. */
const ages = { is_adult18: 18, is_adult21: 21, is_over13: 13 } as const;

interface Person {
  readonly birthdate: string;
  readonly years: number;
  /** Milliseconds. */
  readonly now: number;
}

/**
 * The calendar day depends on where the carrier is: from UTC-12 to UTC+14 there are up to three. A birthday itself is judged
 * apart, by UTC. A birthday on 29 February falls on 1 March in a year without that day: its name sorts between the two.
 */
function judgeFlag(actual: boolean, { birthdate, years, now }: Person): Pick<CheckMismatch, 'aspect' | 'expected'>[] {
  const hasTurnedOn = (day: string): boolean => birthdayOf(birthdate, years) <= day;
  const describe = (right: boolean, day: string): string => `${right}: born on ${birthdate}, and it is ${day}`;
  const today = dayOf(now);
  const least = hasTurnedOn(dayOf(now - 12 * hour));
  if (least === hasTurnedOn(dayOf(now + 14 * hour))) {
    return actual === least ? [] : [{ expected: describe(least, today) }];
  }
  const right = hasTurnedOn(today);
  return actual === right ? [] : [{ aspect: 'on-the-day', expected: describe(right, `${today} (UTC)`) }];
}

/** The age flags of a profile, which the carrier derives from birthdate (§2.11). */
export const ageChecks: readonly NamedCheck[] = [
  /** §2.11: an age flag is what the birthdate makes it, on the clock of the run. */
  defineProfileCheck('age-flags-follow-birthdate', ({ profile, response }) => {
    const birthdate = plainValueOf(attributeOf(profile, 'birthdate'));
    if (birthdate === undefined || !Object.keys(ages).some((name) => attributeOf(profile, name))) return [];
    if (!isDate(birthdate)) throw new MissingValue('birthdate that is a date');
    const now = response.receivedAt * 1000;
    return Object.entries(ages).flatMap(([name, years]) => {
      const attribute = attributeOf(profile, name);
      const actual = plainValueOf(attribute);
      // Another check judges the shape of a flag that is no boolean.
      if (attribute === undefined || typeof actual !== 'boolean') return [];
      const path = `body.${attribute.member}`;
      return judgeFlag(actual, { birthdate, years, now }).map((mismatch) => ({ ...mismatch, path, actual }));
    });
  }),

  /** §2.11: an age flag carries the level of the birthdate it is derived from. */
  defineProfileCheck('age-flags-have-the-level-of-birthdate', ({ profile }) =>
    Object.keys(ages).flatMap((name) => judgeSameLevel(profile, name, 'birthdate')),
  ),
];
