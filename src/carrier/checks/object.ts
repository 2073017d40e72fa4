import { formType, mediaType, readForm } from '../http/request.ts';
import { parseCompactJws } from '../jose/jws.ts';
import { type StrictObject, strictObjectOr } from '../jose/strict-json.ts';
import { type JsonObject, stringMember } from '../json.ts';
import { type BodyContext, hasClaim, type MessageContext, type ObjectContext } from '../pipeline/context.ts';
import { check, reader } from '../pipeline/step.ts';
import { refuse } from '../refusal.ts';

/** §2.1, §4.1: application/json with any parameters; form encoding is "not currently supported". */
export const contentTypeIsJson = check('content-type-is-json', ({ contentType, policy }: MessageContext) => {
  const type = mediaType(contentType);
  if (type === 'application/json' || (policy.formAccepted && type === formType)) return;
  refuse('invalid_request', 'the content type must be application/json', 415);
});

/** RFC 9112 §3.2: with two Hosts two servers in a row may read two requests. */
export const oneHost = check('one-host', ({ hosts }: MessageContext) => {
  if (hosts > 1) refuse('invalid_request', 'there is more than one Host');
});

/** §4.1: the payload is a JSON object; no BOM, no duplicate members (RFC 8259 §4 leaves their meaning open). */
export const bodyIsOneJsonObject = reader('body-is-one-json-object', (context: MessageContext): BodyContext => {
  const isForm = mediaType(context.contentType) === formType;
  return { ...context, outside: isForm ? readForm(context.bytes) : readDescribed(context.bytes) };
});

function readDescribed(bytes: Uint8Array): JsonObject {
  return strictObjectOr(bytes, ({ message }) =>
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
  return strictObjectOr(bytes, ({ message }) =>
    refuse('invalid_request_object', `the ${name} of the request object must be a JSON object: ${message}`),
  );
}

const types = ['jwt', 'oauth-authz-req+jwt'];

/** §2.2: the sample says JWT; another explicit type is a token made for something else (RFC 8725 §3.11). */
export const typeIsARequestObject = check('type-is-a-request-object', ({ header }: ObjectContext) => {
  if (!Object.hasOwn(header, 'typ')) return;
  const typ = header['typ'];
  const name = typeof typ === 'string' ? typ.toLowerCase().replace(/^application\//, '') : '';
  if (!types.includes(name)) refuse('invalid_request_object', 'typ does not name a request object');
});

const extensions = ['crit', 'b64', 'zip', 'enc'];
const keyMembers = ['jwk', 'jku', 'x5c', 'x5u', 'x5t', 'x5t#S256'];

function refuseMembers(header: JsonObject, names: readonly string[]): void {
  const found = names.find((name) => Object.hasOwn(header, name));
  if (found !== undefined) refuse('invalid_request_object', `the header member ${found} is not supported`);
}

/** RFC 7515 §4.1.11: no extension is understood, and what is encrypted or compressed is no request object of §2.1. */
export const headerHasNoExtension = check('header-has-no-extension', ({ header }: ObjectContext) => {
  refuseMembers(header, extensions);
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

/** NUL ends a string in too many places behind this one (RFC 8725 §3.7). */
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
