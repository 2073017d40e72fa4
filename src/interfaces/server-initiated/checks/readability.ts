import { isUtf8 } from 'node:buffer';
import { type CheckMismatch, defineCheck, type NamedCheck } from '../../../judge/check.ts';
import type { Judgeable } from '../../../judge/observation.ts';
import {
  nestsTooDeep,
  maxJsonDepth,
  findRepeatedName,
  isJsonObject,
  type Json,
  readMember,
  parseJson,
} from '../../../lib/json.ts';

const base64urlText = /^[A-Za-z0-9_-]+$/;

/** Mistake in one part of a JWT (RFC 7515 §5.2, RFC 7519 §7.2), or undefined. */
function findJwtMistake(part: string): string | undefined {
  if (!base64urlText.test(part)) return 'a part with other characters than base64url without padding';
  const bytes = Buffer.from(part, 'base64url');
  if (!isUtf8(bytes)) return 'a part whose text is not UTF-8';
  const text = bytes.toString('utf8');
  if (nestsTooDeep(text)) return `a part nested more than ${maxJsonDepth} levels deep, which carrierspec does not read`;
  if (!isJsonObject(parseJson(text))) return 'a part that is no JSON object';
  // RFC 7515 §4, RFC 7519 §4: names are unique.
  const twice = findRepeatedName(text);
  return twice === undefined ? undefined : `a part that has ${JSON.stringify(twice)} twice`;
}

/** Header and claims of a JWT that is not encrypted are JSON objects in UTF-8. */
function judgeJwtSyntax(member: string, value: Json | undefined): readonly CheckMismatch[] {
  if (value === undefined) return [];
  const parts = typeof value === 'string' ? value.split('.') : [];
  if (parts.length !== 3) return [];
  const actual = parts
    .slice(0, 2)
    .map(findJwtMistake)
    .find((mistake) => mistake !== undefined);
  if (actual === undefined) return [];
  return [
    { path: `body.${member}`, expected: 'a JWT: two JSON objects in UTF-8 and a signature, in base64url', actual },
  ];
}

/** User info as a JWT, which OpenID Connect Core §5.3.2 has for SPs that register for it; its claims are read. */
function judgeBareJwt(observation: Judgeable): readonly CheckMismatch[] {
  if (observation.kind !== 'response' || observation.endpoint !== 'userinfo') return [];
  const { received, unreadable } = observation;
  if (unreadable !== undefined || typeof received !== 'string') return [];
  return [{ aspect: 'user-info', path: 'body', expected: 'user info as a JSON object', actual: 'a JWT' }];
}

/** The members of bodies that are JWTs (§2.6, §6). */
export const jwtMembers = ['id_token', 'set'] as const;

export const readableChecks: readonly NamedCheck[] = [
  /** RFC 9110 §8.4, RFC 8259 §4, §8.1: the coding, the charset and the syntax of a body are those that its header fields name. */
  defineCheck('readable-as-declared', (observation) => {
    const unreadable = 'unreadable' in observation ? (observation.unreadable ?? []) : [];
    const body = 'body' in observation ? observation.body : undefined;
    return [
      ...unreadable,
      ...judgeBareJwt(observation),
      ...jwtMembers.flatMap((member) => judgeJwtSyntax(member, readMember(body, member))),
    ];
  }),
];
