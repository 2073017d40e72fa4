import { isJsonObject, type Json, type JsonObject } from '../../lib/json.ts';
import type { Client, Subscriber } from '../../model/target.ts';
import { timing } from './timing.ts';

export interface DecodedRequest {
  readonly header: JsonObject;
  readonly claims: JsonObject;
}

/** State of a carrier when a request object arrives (§2.12, §3), as far as a target file gives it. */
export interface CarrierState {
  /** Time of the carrier, in epoch seconds. */
  readonly now: number;
  readonly issuer: string;
  readonly clients: readonly Client[];
  readonly subscribers: readonly Subscriber[];
  /** Whether a client_id used this jti within the last 5 minutes. */
  readonly used: (clientId: string, jti: string) => boolean;
}

export interface ArrivedRequest extends DecodedRequest {
  readonly carrier: CarrierState;
  readonly client: Client | undefined;
}

type ValueTest<Seen> = (value: Json | undefined, seen: Seen) => boolean;
type ObjectTest = ValueTest<DecodedRequest>;

/** Rule that the object alone shows; `decode` judges it, and the carrier refuses an object that breaks it. */
export type ObjectConstraint = readonly [
  /** With its aspect: `REQ-036#other-separators`. */
  rule: string,
  expected: string,
  holds: ObjectTest,
  /** Values that an SP must not send, but a carrier may accept. */
  tolerated?: (value: Json | undefined) => boolean,
];

/** Rule that depends on the carrier's state. */
type StateConstraint = readonly [rule: string, holds: ValueTest<ArrivedRequest>];

/** Constraints of the interface on one member of a request object (§2.2, §2.3). */
interface MemberConstraints {
  readonly shown?: readonly ObjectConstraint[];
  /** Refused if broken, by the carrier's state. */
  readonly known?: readonly StateConstraint[];
  /** Any outcome if broken: the interface leaves it open, or a target file does not give it. */
  readonly open?: readonly StateConstraint[];
}

export interface RequestMember extends MemberConstraints {
  readonly in: 'header' | 'claims';
  readonly name: string;
}

export const isNonEmptyText = (value: Json | undefined): value is string => typeof value === 'string' && value !== '';
export const isPresent = (value: Json | undefined): boolean => value !== undefined;
const isAbsent = (value: Json | undefined): boolean => value === undefined;
export const isWholeNumber = (value: Json | undefined): boolean => typeof value === 'number' && Number.isInteger(value);
export const numberOrNaN = (value: Json | undefined): number => (typeof value === 'number' ? value : Number.NaN);

export const orAbsent =
  <Seen>(holds: ValueTest<Seen>): ValueTest<Seen> =>
  (value, seen) =>
    value === undefined || holds(value, seen);
/** Skips empty values and other types, which another rule judges. */
const ifText =
  <Seen>(holds: (text: string, seen: Seen) => boolean): ValueTest<Seen> =>
  (value, seen) =>
    !isNonEmptyText(value) || holds(value, seen);
const ifNumber =
  (holds: (value: number, arrived: ArrivedRequest) => boolean): ValueTest<ArrivedRequest> =>
  (value, arrived) =>
    typeof value !== 'number' || !Number.isFinite(value) || holds(value, arrived);
/** Skips unregistered clients, which are refused for their client_id. */
const ifRegistered =
  (holds: (value: string, client: Client) => boolean): ValueTest<ArrivedRequest> =>
  (value, { client }) =>
    !isNonEmptyText(value) || client === undefined || holds(value, client);
export const matchPattern =
  (pattern: RegExp) =>
  (value: Json | undefined): boolean =>
    typeof value === 'string' && pattern.test(value);
const matchAny =
  (...values: readonly Json[]) =>
  (value: Json | undefined): boolean =>
    value !== undefined && values.includes(value);
const matchWords =
  (known: readonly string[]) =>
  (text: string): boolean =>
    text.split(' ').every((word) => known.includes(word));

/** §2.3 context: the length after decoding, the shortest count; a context too long by it is too long by any (REQ-077). */
function contextLength(value: string): number {
  try {
    return Array.from(decodeURIComponent(value)).length;
  } catch {
    return Array.from(value).length;
  }
}

/** The length as written is the longest count: a context too short by it is too short by any (REQ-077). */
const isAllowedContext = (value: Json | undefined): boolean =>
  typeof value === 'string' && Array.from(value).length >= 8 && !/\p{Cc}/u.test(value);

const secretKeyMembers = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'k'];

const isPublicKey = (value: Json | undefined): boolean =>
  isJsonObject(value) && value['kty'] !== 'oct' && !secretKeyMembers.some((name) => Object.hasOwn(value, name));

const hasForbiddenScheme = (uri: string): boolean => /^(?:http|ftp|file|data|javascript|ws|wss):/i.test(uri);

/** Whether the value equals client_id, if there is one. */
const isClientId: ObjectTest = (value, { claims }) =>
  claims['client_id'] === undefined || value === claims['client_id'];

const isAudience = (aud: Json | undefined, issuer: string): boolean =>
  aud === issuer || (Array.isArray(aud) && aud.some((one) => one === issuer));

/** Window of iat, exp and jti, in seconds (§2.3). */
const freshnessWindow = 300;
/** Seconds allowed for clock differences and transit. */
const arrivalSkew = 5;
const isNearEdge = (value: number, edge: number): boolean => Math.abs(value - edge) <= arrivalSkew;

const launchScopeWords = 'name email phone postal_code openid offline_access address birthdate'.split(' ');
const knownOptions = ['light', 'dark', 'local_redirect'];

/** §2.2, parameter by parameter. */
const headerConstraints: Readonly<Record<string, MemberConstraints>> = {
  kid: {
    // A carrier may skip the validation of kid (HDR-005).
    shown: [['HDR-004', '1 to 36 letters and digits', orAbsent(matchPattern(/^[A-Za-z0-9]{1,36}$/)), () => true]],
    known: [['HDR-001', (kid, { client }) => kid !== undefined || client === undefined || client.keys.length < 2]],
    open: [['HDR-005', orAbsent((kid, { client }) => client?.keys.some((key) => key.kid === kid) === true)]],
  },
  typ: { open: [['HDR-006', matchAny('JWT')]] },
  alg: { open: [['HDR-007', matchAny('RS256', 'ES256')]] },
};

/** §2.3, claim by claim. */
const claimConstraints: Readonly<Record<string, MemberConstraints>> = {
  iss: {
    shown: [
      ['REQ-001', 'the client_id, as text', isNonEmptyText],
      ['REQ-002', 'the same as client_id', ifText(isClientId)],
    ],
  },
  sub: {
    shown: [
      ['REQ-003', 'the client_id', isPresent],
      // A carrier may ignore sub (REQ-003).
      ['REQ-005', 'the client_id: sub names the SP, never the person', orAbsent(isClientId), () => true],
    ],
    open: [['REQ-003', (sub, { claims: { client_id: id } }) => sub !== undefined && sub === id]],
  },
  aud: {
    known: [['REQ-007', orAbsent((aud, { carrier }) => isAudience(aud, carrier.issuer))]],
    open: [['REQ-007', isNonEmptyText]],
  },
  iat: {
    shown: [
      ['REQ-008', 'the time of signing', isPresent],
      ['REQ-010', 'a whole number of epoch seconds', orAbsent(isWholeNumber)],
    ],
    known: [['REQ-009', ifNumber((iat, { carrier }) => iat >= carrier.now - freshnessWindow - arrivalSkew)]],
    open: [
      [
        'REQ-009',
        ifNumber((iat, { carrier: { now } }) => iat <= now + arrivalSkew && !isNearEdge(iat, now - freshnessWindow)),
      ],
    ],
  },
  exp: {
    shown: [
      ['REQ-011', 'a time up to 5 minutes ahead', isPresent],
      ['REQ-013', 'a whole number of epoch seconds', orAbsent(isWholeNumber)],
      [
        'REQ-012',
        'at most 5 minutes after iat',
        (exp, { claims: { iat } }) => !(numberOrNaN(exp) - numberOrNaN(iat) > freshnessWindow),
      ],
    ],
    known: [
      ['REQ-011', ifNumber((exp, { carrier }) => exp >= carrier.now - arrivalSkew)],
      ['REQ-012', ifNumber((exp, { carrier }) => exp <= carrier.now + freshnessWindow + arrivalSkew)],
    ],
    open: [
      ['REQ-011', ifNumber((exp, { carrier }) => !isNearEdge(exp, carrier.now))],
      ['REQ-012', ifNumber((exp, { carrier }) => !isNearEdge(exp, carrier.now + freshnessWindow))],
      ['REQ-012', ifNumber((exp, { claims: { iat } }) => typeof iat !== 'number' || exp >= iat)],
    ],
  },
  jti: {
    known: [
      ['REQ-015', ifText((jti, { carrier, client }) => client === undefined || !carrier.used(client.clientId, jti))],
    ],
    open: [['REQ-015', orAbsent((jti) => isNonEmptyText(jti) && jti.length <= 256)]],
  },
  nbf: { open: [['REQ-087', isAbsent]] },
  expires_in: {
    shown: [
      ['REQ-017', 'the seconds that the request is to stay valid', isPresent],
      ['REQ-018', 'a JSON integer above 0', orAbsent((life) => isWholeNumber(life) && numberOrNaN(life) > 0)],
      ['REQ-019', 'at most 48 hours (172800 s)', (life) => !(numberOrNaN(life) > timing.longestLife)],
    ],
    open: [['REQ-019', ifNumber((life) => life >= 30 && life <= freshnessWindow)]],
  },
  response_type: {
    shown: [
      ['REQ-021', 'async_token', isPresent],
      // One sample has this spelling (REQ-023).
      ['REQ-022', 'async_token', orAbsent(matchAny('async_token')), matchAny('async-token')],
    ],
  },
  client_id: {
    shown: [['REQ-025', "the SP's registered client id", isNonEmptyText]],
    known: [['REQ-026', ifText((id, { carrier }) => carrier.clients.some(({ clientId }) => clientId === id))]],
  },
  redirect_uri: {
    shown: [
      ['REQ-027', 'a registered redirect URI', isPresent],
      ['REQ-028', 'the scheme https or a custom one', ifText((uri) => !hasForbiddenScheme(uri))],
      ['REQ-029', 'no wildcard', ifText((uri) => !uri.includes('*'))],
    ],
    known: [['REQ-030', ifRegistered((uri, { redirectUris }) => redirectUris.includes(uri))]],
  },
  notification_uri: {
    shown: [['REQ-032', 'a registered notification URI', isNonEmptyText]],
    known: [['REQ-033', ifRegistered((uri, { notificationUris }) => notificationUris.includes(uri))]],
  },
  // It is the bearer token of the callback; a value that no header can carry is open.
  client_notification_token: { open: [['REQ-034', orAbsent(matchPattern(/^[!-~]+$/))]] },
  scope: {
    shown: [
      ['REQ-035', 'scopes, as text', isNonEmptyText],
      [
        'REQ-036#other-separators',
        'scopes separated by one space',
        ifText((scope) => !/[,;\t]|^ | {2}| $/.test(scope)),
      ],
    ],
    open: [
      ['REQ-038', ifText(matchWords(launchScopeWords))],
      ['REQ-037', ifRegistered((scope, { scopes = [] }) => matchWords(scopes)(scope))],
    ],
  },
  state: { open: [['REQ-039', orAbsent(isNonEmptyText)]] },
  nonce: { open: [['REQ-040', orAbsent(isNonEmptyText)]] },
  prompt: { open: [['REQ-042', orAbsent(matchAny('consent', 'login'))]] },
  options: {
    open: [['REQ-050', orAbsent((options) => isNonEmptyText(options) && matchWords(knownOptions)(options))]],
  },
  acr_values: {
    shown: [
      ['REQ-058', 'a1 or a3', orAbsent(matchAny('a1', 'a2', 'a3'))],
      ['REQ-059', 'not a2, which is inconsistent', (acr) => acr !== 'a2'],
    ],
    open: [['REQ-059', orAbsent(matchAny('a1', 'a3'))]],
  },
  login_hint: {
    shown: [
      [
        'REQ-063',
        'login_hint or login_hint_token',
        (hint, { claims: { login_hint_token: token } }) => isNonEmptyText(hint) || isNonEmptyText(token),
      ],
      [
        'REQ-070',
        'one of login_hint and login_hint_token, not both',
        orAbsent((_, { claims: { login_hint_token: token } }) => token === undefined),
      ],
      [
        'REQ-067#other-forms',
        'a phone number as plus sign, country code and digits',
        ifText((hint) => !hint.startsWith('+') || /^\+[1-9]\d{6,14}$/.test(hint)),
      ],
    ],
    known: [['REQ-066', ifRegistered((hint, { flags }) => !hint.startsWith('+') || flags['enum_enabled'] === true)]],
    open: [
      [
        'REQ-064',
        (hint, { client, carrier }) =>
          carrier.subscribers.some(
            ({ subs, tags }) => tags.includes('consented') && client !== undefined && subs[client.name] === hint,
          ),
      ],
    ],
  },
  login_hint_token: { open: [['REQ-069', isAbsent]] },
  context: {
    shown: [
      ['REQ-074', 'at most 240 characters', ifText((text) => contextLength(text) <= 240)],
      ['REQ-075', 'at least 8 characters, none of them a control', orAbsent(isAllowedContext)],
    ],
    open: [['REQ-076', orAbsent(matchPattern(/^[A-Za-z0-9-]*$/))]],
  },
  correlation_id: {
    shown: [
      [
        'REQ-082',
        'up to 128 letters, digits, hyphens and underscores',
        orAbsent(matchPattern(/^[A-Za-z0-9_-]{0,128}$/)),
      ],
    ],
  },
  referred_binding: { shown: [['REQ-084', 'a public key', orAbsent(isPublicKey)]], open: [['REQ-084', isAbsent]] },
  sdk_version: { open: [['REQ-086', orAbsent(isNonEmptyText)]] },
};

export const requestMembers: readonly RequestMember[] = [
  ...Object.entries(headerConstraints).map(([name, rules]): RequestMember => ({ in: 'header', name, ...rules })),
  ...Object.entries(claimConstraints).map(([name, rules]): RequestMember => ({ in: 'claims', name, ...rules })),
];
