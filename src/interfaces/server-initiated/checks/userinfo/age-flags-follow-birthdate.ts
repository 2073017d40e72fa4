import { MissingValue } from '../../../../model/template.ts';
import { type CheckMismatch, defineCheck } from '../../../../judge/check.ts';
import { daysOnEarth, hasTurned, isDate } from './age.ts';
import { attributeOf, levelOf, plainValueOf, profileOf } from './profile-of.ts';

/** The age flags of §2.11, each with the age it tells of. */
const ages = { is_adult18: 18, is_adult21: 21, is_over13: 13 } as const;

/** §2.11: an age flag says what the birthdate says, on the clock of the run. */
export const ageFlagsFollowBirthdate = defineCheck((observation) => {
  const found = profileOf(observation);
  if (found === undefined) return [];
  const birthdate = plainValueOf(attributeOf(found.profile, 'birthdate'));
  if (birthdate === undefined || !Object.keys(ages).some((name) => attributeOf(found.profile, name))) return [];
  if (!isDate(birthdate)) throw new MissingValue('birthdate that is a date');
  const now = found.response.receivedAt * 1000;
  return Object.entries(ages).flatMap(([name, years]): CheckMismatch[] => {
    const attribute = attributeOf(found.profile, name);
    const actual = plainValueOf(attribute);
    // A flag that is no boolean has no sense to compare; its shape is judged elsewhere.
    if (attribute === undefined || typeof actual !== 'boolean') return [];
    return judge(actual, { birthdate, years, now }).map((mismatch) => ({
      ...mismatch,
      path: `body.${attribute.member}`,
      actual,
    }));
  });
});

interface Person {
  readonly birthdate: string;
  readonly years: number;
  /** Milliseconds. */
  readonly now: number;
}

/** Which day it is depends on where the carrier is; the day itself of a birthday is judged apart, by UTC. */
function judge(actual: boolean, { birthdate, years, now }: Person): Pick<CheckMismatch, 'aspect' | 'expected'>[] {
  const { first, utc, last } = daysOnEarth(now);
  const [least, most] = [hasTurned(birthdate, years, first), hasTurned(birthdate, years, last)];
  const say = (right: boolean, day: string): string => `${right}: born on ${birthdate}, and it is ${day}`;
  if (least === most) return actual === least ? [] : [{ expected: say(least, utc) }];
  const right = hasTurned(birthdate, years, utc);
  if (actual === right) return [];
  const expected = say(right, `${utc} (UTC)`);
  return [{ aspect: 'on-the-day', expected }];
}

/** §2.11: an age flag carries the level of the birthdate it is derived from. */
export const ageFlagsHaveTheLevelOfBirthdate = defineCheck((observation) => {
  const found = profileOf(observation);
  if (found === undefined) return [];
  const birthdate = levelOf(attributeOf(found.profile, 'birthdate'));
  if (birthdate === undefined) return [];
  return Object.keys(ages).flatMap((name): CheckMismatch[] => {
    const attribute = attributeOf(found.profile, name);
    const actual = levelOf(attribute);
    if (attribute === undefined || actual === undefined || actual === birthdate) return [];
    const expected = `${JSON.stringify(birthdate)}, the level of birthdate`;
    return [{ path: `body.${attribute.member}.verified`, expected, actual }];
  });
});
