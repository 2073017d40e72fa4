import {
  findRepeatedName,
  isJsonObject,
  type Json,
  type JsonObject,
  omitUndefined,
  parseBody,
} from '../../../lib/json.ts';
import { decodeCompactJws, decodeSegment } from '../../../judge/compact-jws.ts';
import { readTolerantly } from '../tolerated-forms.ts';

/** Type of a message, as far as its content shows. */
export type MessageType =
  | 'request-object'
  | 'client-assertion'
  | 'id-token'
  | 'access-token'
  | 'event-token'
  | 'usertrait-proof'
  | 'jwt'
  | 'encrypted'
  | 'callback'
  | 'response'
  | 'refusal'
  | 'tenure'
  | 'tenure-request'
  | 'configuration'
  | 'jwks'
  | 'jwk'
  | 'userinfo'
  | 'token'
  | 'carrier-of-one'
  | 'json'
  | 'text';

/** Recognized message; JSON and forms have a body, a JWS has header and claims. */
export interface RecognizedMessage {
  readonly type: MessageType;
  readonly header?: JsonObject;
  readonly claims?: JsonObject;
  readonly body?: Json;
  /** Body as received; `body` is its reading. */
  readonly received?: Json;
  /** Member that an object of the body has twice. */
  readonly twice?: string;
  readonly jws?: string;
  /** Messages inside this one, by the member they stand in: `request`, `set`, `id_token`. */
  readonly inside: readonly { readonly member: string; readonly found: RecognizedMessage }[];
}

const hasMembers = (object: JsonObject, ...names: readonly string[]): boolean =>
  names.every((name) => Object.hasOwn(object, name));
const hasAnyMember = (object: JsonObject, ...names: readonly string[]): boolean =>
  names.some((name) => hasMembers(object, name));
const lowerCaseType = (value: Json | undefined): string => (typeof value === 'string' ? value.toLowerCase() : '');

/** RFC 9068 §2.2. An id token may have the same typ, as the samples of the interface do, but no scope. */
function isAccessToken({ typ }: JsonObject, claims: JsonObject): boolean {
  if (!hasMembers(claims, 'client_id', 'scope') || hasAnyMember(claims, 'nonce', 'at_hash')) return false;
  return /at\+jwt/.test(lowerCaseType(typ)) || !hasAnyMember(claims, 'auth_time', 'acr', 'amr');
}

/** First match wins. §2.3, §2.6, §4.7, §5.5, §6. */
const jwtTypes: readonly (readonly [MessageType, (header: JsonObject, claims: JsonObject) => boolean])[] = [
  [
    'event-token',
    ({ typ }, claims) =>
      /set\+jwt|secevent\+jwt/.test(lowerCaseType(typ)) ||
      (hasMembers(claims, 'events') && !/logout\+jwt/.test(lowerCaseType(typ))),
  ],
  [
    'usertrait-proof',
    ({ typ }, claims) => /dpop/.test(lowerCaseType(typ)) || hasAnyMember(claims, 'htm', 'htu', 'ath'),
  ],
  [
    'request-object',
    (_, claims) => hasAnyMember(claims, 'response_type', 'notification_uri', 'login_hint', 'redirect_uri'),
  ],
  ['access-token', isAccessToken],
  ['id-token', (_, claims) => hasAnyMember(claims, 'auth_time', 'acr', 'at_hash', 'amr')],
  ['client-assertion', (_, claims) => hasMembers(claims, 'iss', 'sub', 'aud') && claims['iss'] === claims['sub']],
  ['id-token', (_, claims) => hasMembers(claims, 'iss', 'sub', 'aud', 'exp', 'iat')],
];

/** §2.9: a document with two members or more that only a configuration has. */
function isConfiguration(body: JsonObject): boolean {
  const names = Object.keys(body);
  return names.filter((name) => /_(?:endpoint|supported)$|^(?:issuer|jwks_uri)$/.test(name)).length >= 2;
}

/** §2.11: members of a userinfo response beside sub. */
const profileMembers: ReadonlySet<string> = new Set([
  'name',
  'birthdate',
  'email',
  'picture',
  'address',
  'phone',
  'postal_code',
  'is_adult18',
  'is_adult21',
  'is_adult_18',
  'is_adult_21',
  'is_over13',
  'is_over_13',
  'last_4_social',
  'location',
  'sim_tenure_24',
]);

/** Members of a JSON body whose value is a message of its own. */
const holderMembers = ['request', 'set', 'id_token', 'client_assertion', 'login_hint_token'] as const;

const bodyTypes: readonly (readonly [MessageType, (body: JsonObject) => boolean])[] = [
  ['jwks', ({ keys }) => Array.isArray(keys) && (keys.length === 0 || keys.some(isJsonObject))],
  ['jwk', ({ kty }) => typeof kty === 'string'],
  ['configuration', isConfiguration],
  ['tenure', (body) => hasMembers(body, 'sim_tenure')],
  ['tenure-request', (body) => hasMembers(body, 'usertrait')],
  ['carrier-of-one', (body) => hasAnyMember(body, 'request', 'set', 'client_assertion')],
  ['callback', (body) => hasAnyMember(body, 'access_token', 'id_token') || hasMembers(body, 'auth_req_id', 'error')],
  ['response', (body) => hasMembers(body, 'auth_req_id')],
  ['refusal', (body) => hasMembers(body, 'error')],
  ['userinfo', (body) => hasMembers(body, 'sub') && Object.keys(body).some((name) => profileMembers.has(name))],
];

function recognizeJson(given: Json): RecognizedMessage {
  const body = readTolerantly(given, '');
  if (!isJsonObject(body)) return { type: 'json', body: given, inside: [] };
  const inside = holderMembers.flatMap((member) => {
    const value = Object.hasOwn(body, member) ? body[member] : undefined;
    const found = typeof value === 'string' ? recognizeCompact(value) : undefined;
    return found === undefined ? [] : [{ member, found }];
  });
  const type = bodyTypes.find(([, fits]) => fits(body))?.[0] ?? 'json';
  return { type, body, ...(body === given ? {} : { received: given }), inside };
}

function recognizeCompact(text: string): RecognizedMessage | undefined {
  const parts = text.split('.').length;
  if (parts === 5) {
    const header = decodeSegment(text.split('.')[0]);
    return header === undefined ? undefined : { type: 'encrypted', header, inside: [] };
  }
  const decoded = decodeCompactJws(text);
  if (decoded === undefined) return undefined;
  const type = jwtTypes.find(([, fits]) => fits(decoded.header, decoded.claims))?.[0] ?? 'jwt';
  return { type, ...decoded, jws: text, inside: [] };
}

/** Recognizes a form (§2.1, §4.3) like JSON; the last of two equal names counts. */
export const recognizeForm = (text: string): RecognizedMessage =>
  recognizeJson(Object.fromEntries(new URLSearchParams(text)));

/** Recognizes a compact JWS or JWE, or JSON. Undefined for other text. */
export function recognizeMessage(text: string): RecognizedMessage | undefined {
  const given = text.trim().replace(/^(?:authorization:\s*)?(?:bearer|dpop)\s+/i, '');
  const compact = recognizeCompact(given);
  if (compact !== undefined) return compact;
  const body = parseBody(given);
  if (body === undefined) return undefined;
  if (typeof body === 'string') return recognizeCompact(body);
  return { ...recognizeJson(body), ...omitUndefined({ twice: findRepeatedName(given) }) };
}
