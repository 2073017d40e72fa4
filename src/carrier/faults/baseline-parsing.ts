import { isUtf8 } from 'node:buffer';
import { inflateRawSync } from 'node:zlib';
import { isJsonList, isJsonObject, type Json, stringMember } from '../json.ts';
import { all, defineFaults } from './edit/define.ts';
import { without, withPolicy } from './edit/parts.ts';
import { failing500, failing500OnMessage, failing500OnRequest, letObjectThrough } from './edit/requests.ts';
import { byContent, bySegment, firstOfEach, rewritten, tidied } from './edit/tidy.ts';

const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);

const tooDeep = '['.repeat(512);

/** The size to which the zip of a payload is inflated at most. */
const inflatedMax = 67_108_864;

/** On what a parser reads over, and what it dies of (SEC-09 to SEC-11, SEC-22). */
export const baselineParsingFaults = defineFaults({
  'json-serialization-accepted': [
    'The JOSE library is asked to verify any JWS, so the JSON serializations pass as well.',
    'SEC-09',
    rewritten(fromSerialization),
  ],
  'nested-jwt-accepted': ['A JWT within the JWT is unwrapped, and its claims count.', 'SEC-09', tidied(unwrapped)],
  'compressed-payload-accepted': [
    'A payload with zip is inflated, however much there is in it.',
    'SEC-09',
    all(
      letObjectThrough(['header-has-no-extension'], ({ header }) => 'zip' in header && !('crit' in header)),
      tidied(inflated),
    ),
  ],
  'segments-behind-the-third-ignored': [
    'The first three segments are taken, whatever follows.',
    'TRN-002 SEC-09',
    rewritten((request) =>
      typeof request === 'string' && request.split('.').length > 5 ? request.split('.').slice(0, 3).join('.') : request,
    ),
  ],
  'jwe-500': [
    'Five segments go to a decrypter that has no key, which ends in an internal error.',
    'TRN-002 TRN-015 SEC-09',
    failing500OnRequest((request) => request.split('.').length === 5),
  ],
  'first-of-duplicates-wins': [
    'Of two members of one name in the request object the first counts.',
    'CB-001 CB-024 SEC-10 REQ-005 CB-012',
    tidied(byContent((content) => (isUtf8(content) ? firstOfEach(content.toString('utf8')) : content))),
  ],
  'base64-padding-accepted': [
    'Padding behind a segment is read over.',
    'SEC-11',
    tidied(bySegment((segment) => segment.replace(/(?<!=)=+$/, ''))),
  ],
  'base64-other-alphabet-accepted': [
    'Segments may be in the alphabet of RFC 4648 §4 as well.',
    'SEC-11',
    tidied(
      bySegment((segment) =>
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
    tidied(bySegment((segment) => segment.replaceAll(/\s/g, ''))),
  ],
  'request-trimmed': [
    'Blanks around the request object are cut off.',
    'SEC-11',
    rewritten((request) => (typeof request === 'string' ? request.trim() : request)),
  ],
  'base64-tail-bits-ignored': [
    'Bits left over in the last character of a segment are read over.',
    'SEC-11',
    tidied(bySegment((segment) => (/^[\w-]+$/.test(segment) ? sameBytes(segment) : segment))),
  ],
  'utf-8-errors-replaced': [
    'Bytes that are no UTF-8 are read as question marks.',
    'SEC-11',
    tidied(byContent((content) => (isUtf8(content) ? content : content.toString('utf8')))),
  ],
  'byte-order-mark-accepted': [
    'A byte order mark before the JSON is read over.',
    'SEC-11',
    tidied(byContent((content) => (content.subarray(0, 3).equals(byteOrderMark) ? content.subarray(3) : content))),
  ],
  'claims-compared-as-written': [
    'aud, redirect_uri and response_type are compared before the escapes of JSON are read.',
    'REQ-006 REQ-023 REQ-028 REQ-031',
    tidied(
      byContent((content) =>
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
    tidied(
      byContent((content) =>
        isUtf8(content) ? content.toString('utf8').replaceAll(/\\u[dD][89a-fA-F][\da-fA-F]{2}/g, '?') : content,
      ),
    ),
  ],
  'nul-accepted': ['A claim may hold NUL.', 'SEC-11', without('strings-without-nul')],
  'claims-unbounded': [
    'A claim may have any length.',
    'SEC-22',
    withPolicy({ claimMax: 10_000_000 }),
    { except: { 'longest-body/a-hundred-kilobytes': 'so long a request is refused by its length' } },
  ],
  'body-above-a-megabyte-500': [
    'A body of a megabyte does not fit where it is kept, which ends in an internal error.',
    'SEC-22',
    all(
      withPolicy({ bodyMax: 33_554_432 }),
      failing500OnMessage((bytes) => bytes.length > 1_000_000),
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
    all(
      failing500OnMessage((bytes) => bytes.includes(tooDeep)),
      failing500OnRequest((request) => contentOf(request).includes(tooDeep)),
    ),
  ],
  'many-claims-500': [
    'Claims go to a table of 255 columns, and more of them end in an internal error.',
    'SEC-22',
    failing500(({ claims }) => Object.keys(claims).length > 255),
  ],
});

/** The compact form of a JSON serialization with one signature (RFC 7515 §7.2), as text or as JSON. */
function fromSerialization(request: Json | undefined): Json | undefined {
  const found = typeof request === 'string' ? parsed(request) : request;
  if (!isJsonObject(found)) return request;
  const list = found['signatures'];
  const first: unknown = list !== undefined && isJsonList(list) ? list[0] : found;
  if (!isJsonObject(first)) return request;
  return [stringMember(first, 'protected'), stringMember(found, 'payload'), stringMember(first, 'signature')].join('.');
}

/** The payload of the inner JWT in place of the outer one. */
function unwrapped(request: string): string {
  const [header, , signature] = request.split('.');
  const [, inner, ...rest] = contentOf(request).toString('utf8').split('.');
  return inner === undefined || rest.length !== 1 ? request : [header, inner, signature].join('.');
}

/** What the payload holds when its zip is undone; the request object as it is where it has none. */
function inflated(request: string): string {
  const [header = '', , signature] = request.split('.');
  const members = parsed(Buffer.from(header, 'base64url').toString('utf8'));
  if (!isJsonObject(members) || !('zip' in members)) return request;
  const content = inflateRawSync(contentOf(request), { maxOutputLength: inflatedMax }).toString('utf8');
  return [header, Buffer.from(content.trim(), 'utf8').toString('base64url'), signature].join('.');
}

function sameBytes(segment: string): string {
  return Buffer.from(segment, 'base64url').toString('base64url');
}

function contentOf(request: string): Buffer {
  return Buffer.from(request.split('.')[1] ?? '', 'base64url');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
