import { formType, parseMediaType, readForm } from '../http/request.ts';
import { parseCompactJws, verifyJws } from '../jose/jws.ts';
import { type StrictObject, parseStrictObjectOr } from '../jose/strict-json.ts';
import { type JsonObject, stringMember } from '../json.ts';
import {
  type BodyContext,
  check,
  type ClientContext,
  hasClaim,
  type KeyContext,
  type MessageContext,
  type ObjectContext,
  reader,
  requireString,
} from '../context.ts';
import { refuse } from '../refusal.ts';
import type { RegisteredKey } from '../state/accounts.ts';

/** §2.1, §4.1: application/json with any parameters; form encoding is "not currently supported". */
export const contentTypeIsJson = check('content-type-is-json', ({ contentType, policy }: MessageContext) => {
  const type = parseMediaType(contentType);
  if (type === 'application/json' || (policy.formAccepted && type === formType)) return;
  refuse('invalid_request', 'the content type must be application/json', 415);
});

/** RFC 9112 §3.2: two servers in a row may disagree on which of two Hosts counts. */
export const oneHost = check('one-host', ({ hosts }: MessageContext) => {
  if (hosts > 1) refuse('invalid_request', 'there is more than one Host');
});

/** §4.1: the payload is a JSON object; no BOM, no duplicate members (RFC 8259 §4 leaves their meaning open). */
export const bodyIsOneJsonObject = reader('body-is-one-json-object', (context: MessageContext): BodyContext => {
  const isForm = parseMediaType(context.contentType) === formType;
  return { ...context, outside: isForm ? readForm(context.bytes) : readBodyObject(context.bytes) };
});

function readBodyObject(bytes: Uint8Array): JsonObject {
  return parseStrictObjectOr(bytes, ({ message }) =>
    refuse('invalid_request', `the body must be one JSON object: ${message}`),
  ).value;
}

/** §2.1 request: one compact JWS whose header and claims are JSON objects without duplicate names (RFC 7519 §4). */
export const requestIsOneCompactJws = reader('request-is-one-compact-jws', (context: BodyContext): ObjectContext => {
  const request = stringMember(context.outside, 'request');
  if (request === undefined || request === '') refuse('invalid_request', 'request is required and must be a string');
  const jws = parseCompactJws(request);
  if (jws === undefined) refuse('invalid_request_object', 'request must be one compact JWS');
  const header = readSegment(jws.header, 'header').value;
  const { value: claims, texts } = readSegment(jws.payload, 'claims');
  return { ...context, jws, header, claims, texts };
});

function readSegment(bytes: Uint8Array, name: string): StrictObject {
  return parseStrictObjectOr(bytes, ({ message }) =>
    refuse('invalid_request_object', `the ${name} of the request object must be a JSON object: ${message}`),
  );
}

const requestObjectTypes = ['jwt', 'oauth-authz-req+jwt'];

/** §2.2: the sample says JWT; another explicit type is a token made for something else (RFC 8725 §3.11). */
export const typeIsARequestObject = check('type-is-a-request-object', ({ header }: ObjectContext) => {
  if (!Object.hasOwn(header, 'typ')) return;
  const typ = header['typ'];
  const name = typeof typ === 'string' ? typ.toLowerCase().replace(/^application\//, '') : '';
  if (!requestObjectTypes.includes(name)) refuse('invalid_request_object', 'typ does not name a request object');
});

const extensionMembers = ['crit', 'b64', 'zip', 'enc'];
const keyMembers = ['jwk', 'jku', 'x5c', 'x5u', 'x5t', 'x5t#S256'];

function refuseMembers(header: JsonObject, names: readonly string[]): void {
  const found = names.find((name) => Object.hasOwn(header, name));
  if (found !== undefined) refuse('invalid_request_object', `the header member ${found} is not supported`);
}

/** RFC 7515 §4.1.11: no extension is understood; §2.1 has no encrypted or compressed request object. */
export const headerHasNoExtension = check('header-has-no-extension', ({ header }: ObjectContext) => {
  refuseMembers(header, extensionMembers);
});

/** §5.1: only a registered key verifies, so a key in the header, or a place to fetch one, is refused. */
export const headerBringsNoKey = check('header-brings-no-key', ({ header }: ObjectContext) => {
  refuseMembers(header, keyMembers);
});

/** §2.1: the request object travels in the body; it is never fetched (RFC 9101 §10.4). */
export const noRequestUriBeside = check('no-request-uri-beside', ({ outside }: BodyContext) => {
  if (Object.hasOwn(outside, 'request_uri')) refuse('request_uri_not_supported', 'request_uri is not supported');
});

/** RFC 9101 §4: request and request_uri are never inside a request object. */
export const noRequestObjectWithin = check('no-request-object-within', (context: ObjectContext) => {
  if (hasClaim(context, 'request') || hasClaim(context, 'request_uri')) {
    refuse('invalid_request_object', 'a request object holds neither request nor request_uri');
  }
});

/** No claim of §2.3 needs this much; it bounds what is stored while the request is pending. */
export const claimsOfBoundedLength = check('claims-of-bounded-length', ({ texts, policy }: ObjectContext) => {
  for (const text of texts.values()) {
    if (text.length > policy.claimMax) refuse('invalid_request', 'a claim is too long');
  }
});

/** NUL ends a string in many systems behind this one (RFC 8725 §3.7). */
export const stringsWithoutNul = check('strings-without-nul', ({ claims }: ObjectContext) => {
  if (Object.values(claims).some((value) => typeof value === 'string' && value.includes('\0'))) {
    refuse('invalid_request', 'a claim holds NUL');
  }
});

/** RFC 9101 §6.3: a client_id outside names the same client as the one inside. */
export const clientIdBesideIsTheSame = check('client-id-beside-is-the-same', ({ outside, claims }: ObjectContext) => {
  if (Object.hasOwn(outside, 'client_id') && outside['client_id'] !== claims['client_id']) {
    refuse('invalid_request', 'client_id differs inside and outside the request object');
  }
});

/** §2.3 client_id: a registered client that has not been disabled. */
export const clientIsRegistered = reader('client-is-registered', (context: ObjectContext): ClientContext => {
  const client = context.accounts.clients.get(requireString(context, 'client_id'));
  if (client === undefined || client.disabled) refuse('invalid_client', 'client_id is not a registered client');
  return { ...context, client };
});

/** §1.3: the client registered public keys; a secret does not count. */
export const clientHasAKey = check('client-has-a-key', ({ client }: ClientContext) => {
  if (client.keys.size === 0) refuse('invalid_client', 'the client has registered no key');
});

/** §2.2 kid: required if the client registered several keys; if present, names one of them. */
export const kidSelectsTheKey = reader(
  'kid-selects-the-key',
  (context: ClientContext): KeyContext => ({ ...context, key: selectKey(context) }),
);

function selectKey({ header, client }: ClientContext): RegisteredKey {
  if (!Object.hasOwn(header, 'kid')) {
    const [only, ...others] = client.keys.values();
    if (only !== undefined && others.length === 0) return only;
    return refuse('invalid_request_object', 'kid is required: the client registered several keys');
  }
  const kid = header['kid'];
  const key = typeof kid === 'string' ? client.keys.get(kid) : undefined;
  return key ?? refuse('invalid_request_object', 'kid names no registered key of the client');
}

/** RFC 8725 §3.1: a key is used with the one algorithm it was registered for. */
export const algFitsTheKey = check('alg-fits-the-key', ({ header, key }: KeyContext) => {
  if (header['alg'] !== key.alg) refuse('invalid_request_object', 'alg does not fit the registered key');
});

/** §5.1: the request object verifies with the key the client registered. */
export const signatureVerifies = check('signature-verifies', ({ jws, key }: KeyContext) => {
  if (!verifyJws(jws, key.key, key.alg)) refuse('invalid_request_object', 'the signature does not verify');
});

/** §1.3: the client is registered for server-initiated access. */
export const serverInitiatedIsOn = check('server-initiated-is-on', ({ client }: KeyContext) => {
  if (client.flags.get('server_initiated') !== true) {
    refuse('unauthorized_client', 'the client is not registered for server-initiated access');
  }
});

/** §2.3 iss: equals client_id. */
export const issIsTheClient = check('iss-is-the-client', (context: KeyContext) => {
  const iss = requireString(context, 'iss', 'invalid_client');
  if (iss !== context.client.clientId) refuse('invalid_client', 'iss must equal client_id');
});

/** §2.3 sub: equals client_id; a carrier may accept its absence (A18), never another value. */
export const subIsTheClient = check('sub-is-the-client', (context: KeyContext) => {
  if (!hasClaim(context, 'sub') && !context.policy.subRequired) return;
  const sub = requireString(context, 'sub', 'invalid_client');
  if (sub !== context.client.clientId) refuse('invalid_client', 'sub must equal client_id');
});

/** §2.3 aud: the issuer URL of this carrier, character by character, alone or in a list (RFC 7519 §4.1.3). */
export const audIsTheIssuer = check('aud-is-the-issuer', (context: KeyContext) => {
  if (!hasClaim(context, 'aud')) refuse('invalid_request_object', 'aud is required');
  const aud = context.claims['aud'];
  const named: readonly unknown[] = Array.isArray(aud) ? aud : [aud];
  if (!named.every((entry) => typeof entry === 'string') || !named.includes(context.issuer)) {
    refuse('invalid_request_object', 'aud must be the issuer');
  }
});
