import { Buffer, isUtf8 } from 'node:buffer';
import { gunzipSync, inflateRawSync } from 'node:zlib';
import type { Carrier, Route } from '../../carrier/carrier.ts';
import { isJsonList, isJsonObject, type Json, stringMember } from '../../carrier/json.ts';
import { refuseClient } from '../../carrier/pipeline/assertion.ts';
import { reader, type SubscriberContext } from '../../carrier/context.ts';
import { refuse } from '../../carrier/refusal.ts';
import { combineEdits, defineFaults, type Edit } from '../edit/fault-table.ts';
import { changeConfiguration, changeIdTokenKey } from '../edit/messages.ts';
import {
  dropChecks,
  replaceCheck,
  withAssertion,
  withBuilders,
  withPipeline,
  withPolicy,
  withRoutes,
  withUserinfoCall,
} from '../../carrier/seams/definition-parts.ts';
import {
  tidyContent,
  tidySegments,
  failOnMessage,
  failOnObject,
  failOnRequest,
  keepFirstMembers,
  rewriteRequest,
  skipObjectCheckIf,
  tidyRequest,
} from '../edit/requests.ts';

const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);

const deepNesting = '['.repeat(512);

/** Maximum size of an inflated payload, in bytes. */
const maxInflated = 67_108_864;

/** Faults of lenient or fragile parsers (SEC-09 to SEC-11, SEC-22). */
export const baselineParsingFaults = defineFaults({
  'json-serialization-accepted': [
    'The JOSE library is asked to verify any JWS, so the JSON serializations pass as well.',
    'SEC-09',
    rewriteRequest(fromSerialization),
  ],
  'nested-jwt-accepted': [
    'A JWT within the JWT is unwrapped, and its claims count.',
    'SEC-09',
    tidyRequest(unwrapInner),
  ],
  'compressed-payload-accepted': [
    'A payload with zip is inflated, however much there is in it.',
    'SEC-09',
    combineEdits(
      skipObjectCheckIf(['header-has-no-extension'], ({ header }) => 'zip' in header && !('crit' in header)),
      tidyRequest(inflatePayload),
    ),
  ],
  'segments-behind-the-third-ignored': [
    'The first three segments are taken, whatever follows.',
    'TRN-002 SEC-09',
    rewriteRequest((request) =>
      typeof request === 'string' && request.split('.').length > 5 ? request.split('.').slice(0, 3).join('.') : request,
    ),
  ],
  'jwe-500': [
    'Five segments go to a decrypter that has no key, which ends in an internal error.',
    'TRN-002 TRN-015 SEC-09 REQ-033',
    failOnRequest((request) => request.split('.').length === 5),
  ],
  'first-of-duplicates-wins': [
    'The first of two members of one name in the request object counts.',
    'CB-001 CB-024 SEC-10 REQ-005 CB-012',
    tidyRequest(tidyContent((content) => (isUtf8(content) ? keepFirstMembers(content.toString('utf8')) : content))),
  ],
  'base64-padding-accepted': [
    'Padding behind a segment is read over.',
    'SEC-11',
    tidyRequest(tidySegments((segment) => segment.replace(/(?<!=)=+$/, ''))),
    { keeps: 'src/lab/faults/faults.test.ts runs with it' },
  ],
  'base64-other-alphabet-accepted': [
    'Segments may be in the alphabet of RFC 4648 §4 as well.',
    'SEC-11',
    tidyRequest(
      tidySegments((segment) =>
        segment
          .replaceAll('+', '-')
          .replaceAll('/', '_')
          .replace(/(?<!=)=+$/, ''),
      ),
    ),
  ],
  'base64-white-space-accepted': [
    'Line breaks and blanks in a segment are read over.',
    'SEC-11',
    tidyRequest(tidySegments((segment) => segment.replaceAll(/\s/g, ''))),
  ],
  'request-trimmed': [
    'Blanks around the request object are cut off.',
    'SEC-11',
    rewriteRequest((request) => (typeof request === 'string' ? request.trim() : request)),
    { keeps: 'src/lab/faults/faults.test.ts runs with it' },
  ],
  'base64-tail-bits-ignored': [
    'Bits left over in the last character of a segment are read over.',
    'SEC-11',
    tidyRequest(tidySegments((segment) => (/^[\w-]+$/.test(segment) ? sameBytes(segment) : segment))),
  ],
  'utf-8-errors-replaced': [
    'Bytes that are no UTF-8 are read as question marks.',
    'SEC-11',
    tidyRequest(tidyContent((content) => (isUtf8(content) ? content : content.toString('utf8')))),
  ],
  'byte-order-mark-accepted': [
    'A byte order mark before the JSON is read over.',
    'SEC-11',
    tidyRequest(
      tidyContent((content) => (content.subarray(0, 3).equals(byteOrderMark) ? content.subarray(3) : content)),
    ),
  ],
  'claims-compared-as-written': [
    'aud, redirect_uri and response_type are compared before the escapes of JSON are read.',
    'REQ-006 REQ-023 REQ-028 REQ-031',
    tidyRequest(
      tidyContent((content) =>
        isUtf8(content)
          ? content
              .toString('utf8')
              .replaceAll(/"(?:aud|redirect_uri|response_type)":"[^"]*"/g, (claim) => claim.replaceAll('\\', '\\\\'))
          : content,
      ),
    ),
  ],
  'unpaired-surrogates-replaced': [
    'Half of a surrogate pair is read as a question mark.',
    'CB-011 SEC-11',
    tidyRequest(
      tidyContent((content) =>
        isUtf8(content) ? content.toString('utf8').replaceAll(/\\u[dD][89a-fA-F][\da-fA-F]{2}/g, '?') : content,
      ),
    ),
  ],
  'claims-unbounded': [
    'A claim may have any length.',
    'SEC-22',
    withPolicy({ claimMax: 10_000_000 }),
    { except: { 'longest-body/a-hundred-kilobytes': 'so long a request is refused by its length' } },
  ],
  'body-above-a-megabyte-500': [
    'A body of a megabyte does not fit where it is kept, which ends in an internal error.',
    'SEC-22',
    combineEdits(
      withPolicy({ bodyMax: 33_554_432 }),
      failOnMessage((bytes) => bytes.length > 1_000_000),
    ),
  ],
  'one-body-at-a-time': [
    'One request is read at a time, so what waits for the end of a body keeps all others out (C4.5).',
    'SEC-22',
    withPolicy({ bodiesAtOnce: 1 }),
    { stateful: true },
  ],
  'deep-json-500': [
    'JSON of more than 512 levels overflows the stack of the parser, which ends in an internal error.',
    'SEC-22',
    combineEdits(
      failOnMessage((bytes) => bytes.includes(deepNesting)),
      failOnRequest((request) => decodePayload(request).includes(deepNesting)),
    ),
  ],
  'many-claims-500': [
    'Claims go to a table of 255 columns, and more of them end in an internal error.',
    'SEC-22',
    failOnObject(({ claims }) => Object.keys(claims).length > 255),
  ],
});

/** Converts a JSON serialization with one signature (RFC 7515 §7.2), as text or as JSON, to the compact form. */
function fromSerialization(request: Json | undefined): Json | undefined {
  const found = typeof request === 'string' ? parseOrUndefined(request) : request;
  if (!isJsonObject(found)) return request;
  const list = found['signatures'];
  const first: unknown = list !== undefined && isJsonList(list) ? list[0] : found;
  if (!isJsonObject(first)) return request;
  return [stringMember(first, 'protected'), stringMember(found, 'payload'), stringMember(first, 'signature')].join('.');
}

/** Replaces the outer payload with that of a nested JWT. */
function unwrapInner(request: string): string {
  const [header, , signature] = request.split('.');
  const [, inner, ...rest] = decodePayload(request).toString('utf8').split('.');
  return inner === undefined || rest.length !== 1 ? request : [header, inner, signature].join('.');
}

/** Inflates a zipped payload; returns a request object without zip unchanged. */
function inflatePayload(request: string): string {
  const [header = '', , signature] = request.split('.');
  const members = parseOrUndefined(Buffer.from(header, 'base64url').toString('utf8'));
  if (!isJsonObject(members) || !('zip' in members)) return request;
  const content = inflateRawSync(decodePayload(request), { maxOutputLength: maxInflated }).toString('utf8');
  return [header, Buffer.from(content.trim(), 'utf8').toString('base64url'), signature].join('.');
}

function sameBytes(segment: string): string {
  return Buffer.from(segment, 'base64url').toString('base64url');
}

function decodePayload(request: string): Buffer {
  return Buffer.from(request.split('.')[1] ?? '', 'base64url');
}

function parseOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Faults around the request object, and of signed and published documents (SEC-14, SEC-19, SEC-26 and SEC-31 on). */
export const baselineMessagesFaults = defineFaults({
  'request-within-believed': [
    'The claims of a request object inside the request object count (C1.11).',
    'SEC-19 SEC-31 REQ-040 RSP-002 REQ-079 CB-004 CB-008 CB-010',
    combineEdits(
      dropChecks('no-request-object-within'),
      withBuilders(({ claims }) => ({ claims: withInner(claims) })),
    ),
    {
      except: {
        'conflicting-values': 'a request within that differs from the one around it is refused',
        'inner-request': 'there is no check that could be missing',
      },
    },
  ],
  'request-uri-fetched': [
    'A request_uri is fetched, inside the request object as beside it (C1.11).',
    'SEC-19',
    combineEdits(dropChecks('no-request-object-within', 'no-request-uri-beside'), fetchingRequests()),
    {
      except: {
        'inner-request': 'there is no check that could be missing',
        'request-uri-beside': 'there is no check that could be missing',
      },
    },
  ],
  'assertion-exp-not-checked': [
    'exp of a client assertion is not looked at (C2.17).',
    'SEC-14 SEC-52',
    withAssertion(({ onAssertion }) => ({
      onAssertion: replaceCheck(onAssertion, 'assertion-is-of-now', ({ claims: { iat }, now, policy }) => {
        if (!(Number(iat) <= now / 1000 + policy.iatMaxAhead)) refuseClient();
      }),
    })),
  ],
  'userinfo-empty-token': [
    'An empty bearer token ends in an internal error (C1.20).',
    'SEC-33',
    withUserinfoCall(({ readToken }) => ({
      readToken: reader(readToken.name, (context) => {
        if (/^bearer\s*$/i.test(context.authorization ?? '')) refuse('server_error', 'the carrier failed', 500);
        return readToken.read(context);
      }),
    })),
    { except: { 'empty-bearer': 'an empty bearer is refused before it is read' } },
  ],
  'id-token-of-an-unpublished-kid': [
    'The kid of id tokens is not that of any published key (C2.17).',
    'SEC-31',
    changeIdTokenKey(() => ({ kid: 'carrierkey99' })),
    { keeps: 'src/cli/run/critical.test.ts runs with it' },
  ],
  'discovery-lists-none': [
    'none is among the algorithms for request objects (C2.17).',
    'SEC-39',
    changeConfiguration(({ request_object_signing_alg_values_supported: algs }) => ({
      request_object_signing_alg_values_supported: [...(algs !== undefined && isJsonList(algs) ? algs : []), 'none'],
    })),
  ],
  'discovery-forwarded-host-believed': [
    'The configuration is made for the host that X-Forwarded-Host or Forwarded names (C4.5).',
    'SEC-47 DSC-012',
    withRoutes(({ configuration, ownConfiguration }) => ({
      configuration: forForwardedHost(configuration),
      ownConfiguration: forForwardedHost(ownConfiguration),
    })),
  ],
  'two-hosts-accepted': ['The first of two Host headers counts (C4.5).', 'SEC-48', dropChecks('one-host')],
  'framing-corrected': [
    'A proxy in front corrects a length or a coding that no parser takes, and passes the request on (C4.5).',
    'SEC-48',
    (definition) => ({ ...definition, readAgain: passOnCorrected }),
  ],
  'compressed-body-inflated': [
    'A compressed body is inflated, however much there is in it (C4.5).',
    'SEC-48',
    withPipeline(({ readBody }) => ({
      readBody: reader(readBody.name, (context) => {
        const isPacked = context.bytes[0] === 0x1f && context.bytes[1] === 0x8b;
        return readBody.read(isPacked ? { ...context, bytes: withoutTail(gunzipSync(context.bytes)) } : context);
      }),
    })),
  ],
  'method-override-honoured': [
    'A GET with X-HTTP-Method-Override is taken for a POST of its query (C4.5).',
    'SEC-49',
    withRoutes(({ serverInitiated: route }) => ({ serverInitiated: route && allowOverrides(route) })),
    { except: { 'other-methods': 'it decides what other methods get at the same address' } },
  ],
});

/** Passes the JSON of a request on with a framing of its own, and returns the response as it is written. */
async function passOnCorrected({ origin }: Carrier, packet: Buffer): Promise<string> {
  const [, path = '/'] = packet.toString('utf8').split(' ');
  const body = packet.subarray(packet.indexOf('{'), packet.lastIndexOf('}') + 1);
  const response = await fetch(`${origin}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: body.toString('utf8'),
  });
  const text = await response.text();
  const lines = ['content-type: application/json', `content-length: ${Buffer.byteLength(text)}`, 'connection: close'];
  return [`HTTP/1.1 ${response.status} -`, ...lines, '', text].join('\r\n');
}

/** Cuts off everything from the first two blanks on. */
function withoutTail(bytes: Buffer): Buffer {
  const end = bytes.indexOf('  ');
  return end < 0 ? bytes : bytes.subarray(0, end);
}

/** Lets the claims of an inner request object override the outer ones. */
function withInner(claims: (context: SubscriberContext) => SubscriberContext['claims']) {
  return (context: SubscriberContext): SubscriberContext['claims'] => {
    const [, payload] = (stringMember(context.claims, 'request') ?? '').split('.');
    if (payload === undefined) return claims(context);
    const inner: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'));
    return { ...claims(context), ...(typeof inner === 'object' ? inner : {}) };
  };
}

function fetchingRequests(): Edit {
  return withPipeline(({ readKey }) => ({
    readKey: reader(readKey.name, async (context) => {
      const url = stringMember(context.outside, 'request_uri') ?? stringMember(context.claims, 'request_uri');
      if (url !== undefined) await fetch(url, { signal: AbortSignal.timeout(2000) }).catch(() => undefined);
      return readKey.read(context);
    }),
  }));
}

function allowOverrides(route: Route): Route {
  return {
    ...route,
    methods: [...route.methods, 'GET'],
    respond: (carrier, call, reply) => {
      if (call.method === 'GET') {
        const isPost = String(call.headers['x-http-method-override']).toUpperCase() === 'POST';
        if (!isPost) refuse('invalid_request', 'the method must be POST', 405);
        call.body = Buffer.from(JSON.stringify(call.query));
        call.headers['content-type'] = 'application/json';
      }
      return route.respond(carrier, call, reply);
    },
  };
}

function forForwardedHost(route: Route | undefined): Route | undefined {
  return (
    route && {
      ...route,
      respond: (carrier, request, reply) => {
        const { 'x-forwarded-host': named, forwarded } = request.headers;
        const host = typeof named === 'string' ? named : /host=([^;,]+)/.exec(forwarded ?? '')?.[1];
        const origin = host === undefined ? carrier.origin : `https://${host}`;
        return route.respond(host === undefined ? carrier : { ...carrier, origin, issuer: origin }, request, reply);
      },
    }
  );
}
