import { isJsonObject, type Json, type JsonObject } from '../../../lib/json.ts';
import { timing } from '../timing.ts';

/** The parts of a JWT that a row looks at. */
interface JwtParts {
  readonly header: JsonObject;
  readonly claims: JsonObject;
}

type Holds = (value: Json | undefined, parts: JwtParts) => boolean;

/** A rule that one JWT can break by itself: what is expected where it does not hold. */
export interface ObjectRule {
  /** With its aspect: `REQ-036#other-separators`. */
  readonly rule: string;
  /** `claims.iat`, `header.kid`. */
  readonly path: string;
  readonly expected: string;
  readonly holds: Holds;
}

type Row = readonly [rule: string, path: string, expected: string, holds: Holds];

const rowsOf = (rows: readonly Row[]): readonly ObjectRule[] =>
  rows.map(([rule, path, expected, holds]) => ({ rule, path, expected, holds }));

const isText = (value: Json | undefined): value is string => typeof value === 'string' && value !== '';
const isThere: Holds = (value) => value !== undefined;
const isWhole: Holds = (value) => typeof value === 'number' && Number.isInteger(value);
const numberOf = (value: Json | undefined): number => (typeof value === 'number' ? value : Number.NaN);

const orAbsent =
  (holds: Holds): Holds =>
  (value, parts) =>
    value === undefined || holds(value, parts);
/** What is no text, or empty, is for another rule. */
const ofText =
  (holds: (text: string) => boolean): Holds =>
  (value) =>
    !isText(value) || holds(value);
const fits =
  (pattern: RegExp): Holds =>
  (value) =>
    typeof value === 'string' && pattern.test(value);
const isOneOf =
  (...values: readonly Json[]): Holds =>
  (value) =>
    value !== undefined && values.includes(value);

/** §2.3 context: as decoded it is the shortest, and what is too long so is too long however it is counted (REQ-077). */
function contextLength(value: string): number {
  try {
    return Array.from(decodeURIComponent(value)).length;
  } catch {
    return Array.from(value).length;
  }
}

/** As it is written it is the longest: what is too short so is too short however it is counted (REQ-077). */
const isContext: Holds = (value) =>
  typeof value === 'string' && Array.from(value).length >= 8 && !/\p{Cc}/u.test(value);

const secretKeyMembers = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'k'];

const isPublicKey: Holds = (value) =>
  isJsonObject(value) && value['kty'] !== 'oct' && !secretKeyMembers.some((name) => Object.hasOwn(value, name));

const isPlainUri = (uri: string): boolean => /^(?:http|ftp|file|data|javascript|ws|wss):/i.test(uri);

/** The value is that of client_id, where there is one. */
const isClientId: Holds = (value, { claims }) => claims['client_id'] === undefined || value === claims['client_id'];

/** §2.2 and §2.3, claim by claim, as far as a request object shows it without the carrier and without the time. */
export const requestObjectRules = rowsOf([
  ['HDR-004', 'header.kid', '1 to 36 letters and digits', orAbsent(fits(/^[A-Za-z0-9]{1,36}$/))],
  ['REQ-001', 'claims.iss', 'the client_id, as text', isText],
  ['REQ-002', 'claims.iss', 'the same as client_id', (iss, parts) => !isText(iss) || isClientId(iss, parts)],
  ['REQ-003', 'claims.sub', 'the client_id', isThere],
  ['REQ-005', 'claims.sub', 'the client_id: sub names the SP, never the person', orAbsent(isClientId)],
  ['REQ-008', 'claims.iat', 'the time of signing', isThere],
  ['REQ-010', 'claims.iat', 'a whole number of epoch seconds', orAbsent(isWhole)],
  ['REQ-011', 'claims.exp', 'a time up to 5 minutes ahead', isThere],
  ['REQ-013', 'claims.exp', 'a whole number of epoch seconds', orAbsent(isWhole)],
  [
    'REQ-012',
    'claims.exp',
    'at most 5 minutes after iat',
    (exp, { claims }) => !(numberOf(exp) - numberOf(claims['iat']) > 300),
  ],
  ['REQ-017', 'claims.expires_in', 'the seconds that the request is to stay valid', isThere],
  [
    'REQ-018',
    'claims.expires_in',
    'a JSON integer above 0',
    orAbsent((value, parts) => isWhole(value, parts) && numberOf(value) > 0),
  ],
  ['REQ-019', 'claims.expires_in', 'at most 48 hours (172800 s)', (value) => !(numberOf(value) > timing.longestLife)],
  ['REQ-021', 'claims.response_type', 'async_token', isThere],
  ['REQ-022', 'claims.response_type', 'async_token', orAbsent(isOneOf('async_token'))],
  ['REQ-025', 'claims.client_id', "the SP's registered client id", isText],
  ['REQ-027', 'claims.redirect_uri', 'a registered redirect URI', isThere],
  ['REQ-028', 'claims.redirect_uri', 'the scheme https or a custom one', ofText((uri) => !isPlainUri(uri))],
  ['REQ-029', 'claims.redirect_uri', 'no wildcard', ofText((uri) => !uri.includes('*'))],
  ['REQ-032', 'claims.notification_uri', 'a registered notification URI', isText],
  ['REQ-035', 'claims.scope', 'scopes, as text', isText],
  [
    'REQ-036#other-separators',
    'claims.scope',
    'scopes separated by one space',
    ofText((scope) => !/[,;\t]|^ | {2}| $/.test(scope)),
  ],
  ['REQ-058', 'claims.acr_values', 'a1 or a3', orAbsent(isOneOf('a1', 'a2', 'a3'))],
  ['REQ-059', 'claims.acr_values', 'not a2, which is inconsistent', (value) => value !== 'a2'],
  [
    'REQ-063',
    'claims.login_hint',
    'login_hint or login_hint_token',
    (hint, { claims }) => isText(hint) || isText(claims['login_hint_token']),
  ],
  [
    'REQ-070',
    'claims.login_hint',
    'one of login_hint and login_hint_token, not both',
    orAbsent((_, { claims }) => claims['login_hint_token'] === undefined),
  ],
  [
    'REQ-067#other-forms',
    'claims.login_hint',
    'a phone number as plus sign, country code and digits',
    ofText((hint) => !hint.startsWith('+') || /^\+[1-9]\d{6,14}$/.test(hint)),
  ],
  ['REQ-074', 'claims.context', 'at most 240 characters', ofText((text) => contextLength(text) <= 240)],
  ['REQ-075', 'claims.context', 'at least 8 characters, none of them a control', orAbsent(isContext)],
  [
    'REQ-082',
    'claims.correlation_id',
    'up to 128 letters, digits, hyphens and underscores',
    orAbsent(fits(/^[A-Za-z0-9_-]{0,128}$/)),
  ],
  ['REQ-084', 'claims.referred_binding', 'a public key', orAbsent(isPublicKey)],
]);

/** OIDC Core §2 and §3.1.3.7, as the baseline has them. */
export const idTokenRules = rowsOf([
  ['SEC-31', 'claims.iss', "the carrier's issuer URL", fits(/^https?:\/\//)],
  ['SEC-31', 'claims.sub', 'the pairwise subscriber id, 1 to 255 characters', fits(/^[\x20-\x7e]{1,255}$/)],
  ['SEC-31', 'claims.aud', 'the client_id', (aud) => isText(aud) || (Array.isArray(aud) && aud.some(isText))],
  [
    'SEC-31',
    'claims.azp',
    'the client_id, where aud names several',
    (azp, { claims: { aud } }) => isText(azp) || !Array.isArray(aud) || aud.length < 2,
  ],
  ['SEC-31', 'claims.iat', 'a whole number of epoch seconds', isWhole],
  ['SEC-31', 'claims.exp', 'a number after iat', (exp, { claims }) => numberOf(exp) > numberOf(claims['iat'])],
  ['SEC-31', 'claims.acr', 'text, where it is there', orAbsent((acr) => typeof acr === 'string')],
]);

/** §5.5, RFC 7523 §3. */
export const clientAssertionRules = rowsOf(
  ['iss', 'sub', 'aud', 'exp'].map((name) => {
    const expected = 'there: a client assertion names who signs, for whom and until when';
    return ['TOK-001', `claims.${name}`, expected, isThere];
  }),
);
