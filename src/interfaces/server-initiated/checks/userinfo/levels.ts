import { type CheckMismatch, defineSequenceCheck, type NamedCheck } from '../../../../judge/check.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../../lib/json.ts';
import { responseIn } from '../parts.ts';
import { type Attribute, attributeOf, attributesOf, defineProfileCheck, levelOf } from './profile.ts';

/** §2.11 gives address no value of its own: its parts are the value. */
const valueNames = (member: string): readonly string[] =>
  member === 'address' ? ['value', 'formatted', 'street_address', 'locality', 'region', 'country'] : ['value'];

function judgeShape({ member, value }: Attribute): readonly CheckMismatch[] {
  const path = `body.${member}`;
  if (!isJsonObject(value)) return [{ path, expected: 'an object with value and verified', actual: value }];
  const actual = Object.keys(value);
  const expected = `${member === 'address' ? 'an address' : 'a value'} beside verified`;
  return [
    ...(valueNames(member).some((name) => name in value) ? [] : [{ path, expected, actual }]),
    ...('verified' in value ? [] : [{ path, expected: 'verified beside the value', actual }]),
  ];
}

const levels: readonly Json[] = [1, 2, 3];

/** A level written as 1.0 or 1e0, which a JSON reader takes for an integer; undefined where there is none. */
const writtenAsFraction = (text: string): string | undefined =>
  /"verified"\s*:\s*(-?\d+[.eE][-+\d.eE]*)/.exec(text)?.[1];

/** Members of §2.11 that tell how an attribute was proofed. */
const assurance: ReadonlySet<string> = new Set(['verified', 'verification', 'identity_documents', 'regulation']);

function assurancePathsIn(value: Json, path: string): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((item: Json, at) => assurancePathsIn(item, `${path}.${at}`));
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    assurance.has(name) ? [`${path}.${name}`] : assurancePathsIn(member, `${path}.${name}`),
  );
}

/** §2.11: the attribute carries the level of the one it is derived from, where both have a level. */
export function judgeSameLevel(profile: JsonObject, name: string, source: string): readonly CheckMismatch[] {
  const attribute = attributeOf(profile, name);
  const [actual, wanted] = [levelOf(attribute), levelOf(attributeOf(profile, source))];
  if (attribute === undefined || actual === undefined || wanted === undefined || actual === wanted) return [];
  const expected = `${JSON.stringify(wanted)}, the level of ${source}`;
  return [{ path: `body.${attribute.member}.verified`, expected, actual }];
}

/** The levels of a profile (§1.7, §2.11). */
export const levelChecks: readonly NamedCheck[] = [
  /** §2.11: for a client with ial_enabled each attribute is an object with value and verified. */
  defineProfileCheck('attributes-have-levels', ({ profile }) => attributesOf(profile).flatMap(judgeShape)),

  /** §2.11: verified is the integer 1, 2 or 3, wherever it stands. */
  defineProfileCheck('levels-are-1-2-or-3', ({ profile, response }) => {
    const expected = 'the integer 1, 2 or 3';
    const mismatches = attributesOf(profile).flatMap((attribute): CheckMismatch[] => {
      const level = levelOf(attribute);
      if (level === undefined || levels.includes(level)) return [];
      return [{ path: `body.${attribute.member}.verified`, expected, actual: level }];
    });
    if (mismatches.length > 0) return mismatches;
    const written = writtenAsFraction(response.text);
    return written === undefined ? [] : [{ path: 'text', expected, actual: written }];
  }),

  /** §1.7, §2.11: without ial_enabled the response tells nothing of how an attribute was proofed. */
  defineProfileCheck('no-assurance-data', ({ profile, response: { received = profile } }) =>
    assurancePathsIn(received, 'body').map((path) => ({
      path,
      expected: 'no assurance data for a client without ial_enabled',
      actual: path.split('.').at(-1) ?? '',
    })),
  ),

  /** §2.11: postal_code copies the level of address. */
  defineProfileCheck('postal-code-follows-address', ({ profile }) => judgeSameLevel(profile, 'postal_code', 'address')),

  /** §8: rate limits are not shown; where the run met one, the finding keeps the headers of that response. */
  defineSequenceCheck('rate-limits-not-met', () => (message) => {
    const { status, headers = {} } = responseIn(message) ?? {};
    if (status === undefined) return undefined;
    if (status !== 429) return [];
    return [{ expected: 'no response 429', actual: { status, 'retry-after': headers['retry-after'] ?? null } }];
  }),
];
