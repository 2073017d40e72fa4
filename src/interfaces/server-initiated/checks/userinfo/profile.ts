import {
  type CheckMismatch,
  defineCheck,
  type MessageCheck,
  defineSequenceCheck,
  type NamedCheck,
} from '../../../../judge/check.ts';
import type { ResponseObservation } from '../../../../judge/observation.ts';
import { isJsonObject, type Json, type JsonObject, parseBody, readMember } from '../../../../lib/json.ts';
import { MissingValue } from '../../../../model/suite.ts';
import { type Attribute, findAttribute, listAttributes } from '../../attributes.ts';
import { findResponse } from '../define-check.ts';

export interface ProfileObservation {
  readonly response: ResponseObservation;
  readonly profile: JsonObject;
}

/** Check of the profile of a user-info response; a refusal or a body that is no JSON object is not judged. */
export const defineProfileCheck = (
  name: string,
  judge: (found: ProfileObservation) => readonly CheckMismatch[],
): MessageCheck =>
  defineCheck(name, (observation) => {
    if (observation.kind !== 'response' || observation.outcome !== 'accepted') return [];
    return isJsonObject(observation.body) ? judge({ response: observation, profile: observation.body }) : [];
  });

const attributeLevel = (attribute: Attribute | undefined): Json | undefined => readMember(attribute?.value, 'verified');

/** The value of an attribute, in either shape of §2.11. */
const attributeValue = (attribute: Attribute | undefined): Json | undefined =>
  isJsonObject(attribute?.value) ? readMember(attribute.value, 'value') : attribute?.value;

/** §2.11 gives address no value of its own: its parts are the value. */
const valueMemberNames = (member: string): readonly string[] =>
  member === 'address' ? ['value', 'formatted', 'street_address', 'locality', 'region', 'country'] : ['value'];

function judgeShape({ member, value }: Attribute): readonly CheckMismatch[] {
  const path = `body.${member}`;
  if (!isJsonObject(value)) return [{ path, expected: 'an object with value and verified', actual: value }];
  const actual = Object.keys(value);
  const expected = `${member === 'address' ? 'an address' : 'a value'} beside verified`;
  return [
    ...(valueMemberNames(member).some((name) => name in value) ? [] : [{ path, expected, actual }]),
    ...('verified' in value ? [] : [{ path, expected: 'verified beside the value', actual }]),
  ];
}

const validLevels: readonly Json[] = [1, 2, 3];

/** The profile with each level such as 1.0 or 1e0 as `{ written }`, because a JSON reader takes it for an integer. */
function markFractions(text: string): JsonObject {
  const marked = parseBody(text.replaceAll(/("verified"\s*:\s*)(-?\d+[.eE][-+\d.eE]*)/g, '$1{"written":"$2"}'));
  return isJsonObject(marked) ? marked : {};
}

const levelMismatch = ({ member }: Attribute, actual: Json): CheckMismatch => ({
  path: `body.${member}.verified`,
  expected: 'the integer 1, 2 or 3',
  actual,
});

/** Members of §2.11 that say how an attribute was proofed. */
const assuranceMembers: ReadonlySet<string> = new Set(['verified', 'verification', 'identity_documents', 'regulation']);

function assurancePathsIn(value: Json, path: string): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((item: Json, at) => assurancePathsIn(item, `${path}.${at}`));
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    assuranceMembers.has(name) ? [`${path}.${name}`] : assurancePathsIn(member, `${path}.${name}`),
  );
}

/** §2.11: the attribute carries the level of the one it is derived from, if both have a level. */
function judgeSameLevel(profile: JsonObject, name: string, source: string): readonly CheckMismatch[] {
  const attribute = findAttribute(profile, name);
  const [actual, wanted] = [attributeLevel(attribute), attributeLevel(findAttribute(profile, source))];
  if (attribute === undefined || actual === undefined || wanted === undefined || actual === wanted) return [];
  const expected = `${JSON.stringify(wanted)}, the level of ${source}`;
  return [{ path: `body.${attribute.member}.verified`, expected, actual }];
}

/** The levels of a profile (§1.7, §2.11), and its sub. */
export const levelChecks: readonly NamedCheck[] = [
  /** §2.11: sub begins with the code of the carrier and a dash. */
  defineProfileCheck('sub-begins-with-a-carrier-code', ({ profile: { sub } }) =>
    sub === undefined || (typeof sub === 'string' && /^\d{5,6}-./.test(sub))
      ? []
      : [{ path: 'body.sub', expected: 'a carrier code, a dash and an identifier', actual: sub }],
  ),

  /** §2.11: for a client with ial_enabled each attribute is an object with value and verified. */
  defineProfileCheck('attributes-have-levels', ({ profile }) => listAttributes(profile).flatMap(judgeShape)),

  /** §2.11: verified of an attribute is the integer 1, 2 or 3. */
  defineProfileCheck('levels-are-1-2-or-3', ({ profile, response }) => {
    const mismatches = listAttributes(profile).flatMap((attribute) => {
      const level = attributeLevel(attribute);
      return level === undefined || validLevels.includes(level) ? [] : [levelMismatch(attribute, level)];
    });
    if (mismatches.length > 0) return mismatches;
    return listAttributes(markFractions(response.text)).flatMap((attribute) => {
      const written = readMember(attributeLevel(attribute), 'written');
      return written === undefined ? [] : [levelMismatch(attribute, written)];
    });
  }),

  /** §1.7, §2.11: without ial_enabled the response does not say how an attribute was proofed. */
  defineProfileCheck('no-assurance-data', ({ profile, response: { received = profile } }) =>
    assurancePathsIn(received, 'body').map((path) => ({
      path,
      expected: 'no assurance data for a client without ial_enabled',
      actual: path.split('.').at(-1) ?? '',
    })),
  ),

  /** §2.11: postal_code copies the level of address. */
  defineProfileCheck('postal-code-follows-address', ({ profile }) => judgeSameLevel(profile, 'postal_code', 'address')),

  /** §8 shows no rate limits; if the run met one, the finding keeps its status and Retry-After. */
  defineSequenceCheck('rate-limits-not-met', () => (message) => {
    const { status, headers = {} } = findResponse(message) ?? {};
    if (status === undefined) return undefined;
    if (status !== 429) return [];
    return [{ expected: 'no response 429', actual: { status, 'retry-after': headers['retry-after'] ?? null } }];
  }),
];

const hourMilliseconds = 3_600_000;

const utcDay = (moment: number): string => new Date(moment).toISOString().slice(0, 10);

/** A calendar date in the form of OpenID Connect Core §5.1, with the year. */
function isCalendarDate(value: unknown): value is string {
  if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(value)) return false;
  const moment = Date.parse(`${value}T00:00:00Z`);
  return Number.isFinite(moment) && utcDay(moment) === value;
}

const toCalendarDate = (year: string, month: string, day: string): string | undefined => {
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  return isCalendarDate(date) ? date : undefined;
};

/** Days, as YYYY-MM-DD, that digits may mean: with the year first, in the order of ISO 8601; with it last, in either order. */
function possibleDays(value: string): readonly (string | undefined)[] {
  const [, year, month, day] = /^(\d{4})[/. -]?(\d{1,2})[/. -]?(\d{1,2})(?:T.*)?$/.exec(value) ?? [];
  if (year !== undefined && month !== undefined && day !== undefined) return [toCalendarDate(year, month, day)];
  const [, one, other, last] = /^(\d{1,2})[/. -](\d{1,2})[/. -](\d{4})$/.exec(value) ?? [];
  if (one !== undefined && other !== undefined && last !== undefined)
    return [toCalendarDate(last, other, one), toCalendarDate(last, one, other)];
  return /^\d{4}$/.test(value) ? [toCalendarDate(value, '1', '1'), toCalendarDate(value, '12', '31')] : [];
}

/**
 * Reads a birthdate in any form, because §2.11 shows none. Returns each day that it may mean, as YYYY-MM-DD: of a year alone the first
 * and the last. Year 0000 leaves the year out (OpenID Connect Core §5.1).
 */
function readBirthdays(value: Json | undefined): readonly string[] {
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text !== 'string' || text.startsWith('0000')) return [];
  if (/^[\d/. -]+(?:T.*)?$/.test(text)) return possibleDays(text).filter((day) => day !== undefined);
  const moment = new Date(`${text} UTC`);
  // Node moves a day that the month does not have to the next month.
  const isThere = (text.match(/\d+/g) ?? []).some((digits) => Number(digits) === moment.getUTCDate());
  return isThere ? [utcDay(moment.getTime())] : [];
}

const birthdayAt = (birthdate: string, years: number): string =>
  `${String(Number(birthdate.slice(0, 4)) + years).padStart(4, '0')}${birthdate.slice(4)}`;

/** Age flags of §2.11, with their ages in years. */
const flagAges = { is_adult18: 18, is_adult21: 21, is_over13: 13 } as const;

interface AgeContext {
  readonly birthdate: string;
  readonly years: number;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** A birthday is judged apart, because the date depends on the carrier's time zone (UTC-12 to UTC+14). */
function judgeFlag(
  actual: boolean,
  { birthdate, years, now }: AgeContext,
): Pick<CheckMismatch, 'aspect' | 'expected'>[] {
  const hasTurnedOn = (day: string): boolean => birthdayAt(birthdate, years) <= day;
  const describe = (right: boolean, day: string): string => `${right}: born on ${birthdate}, and it is ${day}`;
  const today = utcDay(now);
  const least = hasTurnedOn(utcDay(now - 12 * hourMilliseconds));
  if (least === hasTurnedOn(utcDay(now + 14 * hourMilliseconds))) {
    return actual === least ? [] : [{ expected: describe(least, today) }];
  }
  const right = hasTurnedOn(today);
  return actual === right ? [] : [{ aspect: 'on-the-day', expected: describe(right, `${today} (UTC)`) }];
}

/** The age flags of a profile, which the carrier derives from birthdate (§2.11). */
export const ageChecks: readonly NamedCheck[] = [
  /** §2.11: an age flag follows from birthdate, on the clock of the run. */
  defineProfileCheck('age-flags-follow-birthdate', ({ profile, response }) => {
    const birthdate = attributeValue(findAttribute(profile, 'birthdate'));
    if (birthdate === undefined || !Object.keys(flagAges).some((name) => findAttribute(profile, name))) return [];
    const [first, ...others] = readBirthdays(birthdate);
    if (first === undefined) throw new MissingValue('birthdate that is a date');
    const now = response.receivedAt * 1000;
    const judgeBy = (birthday: string): readonly CheckMismatch[] =>
      Object.entries(flagAges).flatMap(([name, years]) => {
        const attribute = findAttribute(profile, name);
        const actual = attributeValue(attribute);
        // Another check judges the shape of a flag that is no boolean.
        if (attribute === undefined || typeof actual !== 'boolean') return [];
        const path = `body.${attribute.member}`;
        return judgeFlag(actual, { birthdate: birthday, years, now }).map((mismatch) => ({
          ...mismatch,
          path,
          actual,
        }));
      });
    const found = judgeBy(first);
    return others.some((other) => judgeBy(other).length === 0) ? [] : found;
  }),

  /** §2.11: an age flag carries the level of the birthdate it is derived from. */
  defineProfileCheck('age-flags-have-the-level-of-birthdate', ({ profile }) =>
    Object.keys(flagAges).flatMap((name) => judgeSameLevel(profile, name, 'birthdate')),
  ),
];
