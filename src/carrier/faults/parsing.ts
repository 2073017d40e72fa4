import { isUtf8 } from 'node:buffer';
import { inflateRawSync } from 'node:zlib';
import { isJsonList, isJsonObject, type Json, stringMember } from '../json.ts';
import { all, defineFault, without, withPolicy } from './edit/define.ts';
import { firstOfEach } from './edit/repeated-members.ts';
import {
  byContent,
  bySegment,
  failing500,
  failing500OnMessage,
  failing500OnRequest,
  letObjectThrough,
  rewritten,
  tidied,
} from './edit/looser.ts';

const tooDeep = '['.repeat(512);
const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);

/** The size to which the zip of a payload is inflated at most. */
const inflatedMax = 67_108_864;

/** On what a parser reads over, and what it dies of (SEC-09 to SEC-11, SEC-22). */
export const parsingFaults = [
  defineFault({
    name: 'json-serialization-accepted',
    says: 'The JOSE library is asked to verify any JWS, so the JSON serializations pass as well.',
    breaks: ['SEC-09'],
    apply: rewritten(fromSerialization),
  }),
  defineFault({
    name: 'nested-jwt-accepted',
    says: 'A JWT within the JWT is unwrapped, and its claims count.',
    breaks: ['SEC-09'],
    apply: tidied(unwrapped),
  }),
  defineFault({
    name: 'compressed-payload-accepted',
    says: 'A payload with zip is inflated, however much there is in it.',
    breaks: ['SEC-09'],
    apply: all(
      letObjectThrough(['header-has-no-extension'], ({ header }) => 'zip' in header && !('crit' in header)),
      tidied(inflated),
    ),
  }),
  defineFault({
    name: 'segments-behind-the-third-ignored',
    says: 'The first three segments are taken, whatever follows.',
    breaks: ['TRN-002', 'SEC-09'],
    apply: rewritten((request) =>
      typeof request === 'string' && request.split('.').length > 5 ? request.split('.').slice(0, 3).join('.') : request,
    ),
  }),
  defineFault({
    name: 'jwe-500',
    says: 'Five segments go to a decrypter that has no key, which ends in an internal error.',
    breaks: ['TRN-002', 'TRN-015', 'SEC-09'],
    apply: failing500OnRequest((request) => request.split('.').length === 5),
  }),
  defineFault({
    name: 'first-of-duplicates-wins',
    says: 'Of two members of one name in the request object the first counts.',
    breaks: ['CB-001', 'CB-024', 'SEC-10'],
    apply: tidied(byContent((content) => (isUtf8(content) ? firstOfEach(content.toString('utf8')) : content))),
  }),
  defineFault({
    name: 'base64-padding-accepted',
    says: 'Padding behind a segment is read over.',
    breaks: ['SEC-11'],
    apply: tidied(bySegment((segment) => segment.replace(/=+$/, ''))),
  }),
  defineFault({
    name: 'base64-other-alphabet-accepted',
    says: 'Segments may be in the alphabet of RFC 4648 §4 as well.',
    breaks: ['SEC-11'],
    apply: tidied(bySegment((segment) => segment.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, ''))),
  }),
  defineFault({
    name: 'base64-white-space-accepted',
    says: 'Line breaks and blanks in a segment are read over.',
    breaks: ['SEC-11'],
    apply: tidied(bySegment((segment) => segment.replaceAll(/\s/g, ''))),
  }),
  defineFault({
    name: 'request-trimmed',
    says: 'Blanks around the request object are cut off.',
    breaks: ['SEC-11'],
    apply: rewritten((request) => (typeof request === 'string' ? request.trim() : request)),
  }),
  defineFault({
    name: 'base64-tail-bits-ignored',
    says: 'Bits left over in the last character of a segment are read over.',
    breaks: ['SEC-11'],
    apply: tidied(bySegment((segment) => (/^[\w-]+$/.test(segment) ? sameBytes(segment) : segment))),
  }),
  defineFault({
    name: 'utf-8-errors-replaced',
    says: 'Bytes that are no UTF-8 are read as question marks.',
    breaks: ['SEC-11'],
    apply: tidied(byContent((content) => (isUtf8(content) ? content : content.toString('utf8')))),
  }),
  defineFault({
    name: 'byte-order-mark-accepted',
    says: 'A byte order mark before the JSON is read over.',
    breaks: ['SEC-11'],
    apply: tidied(
      byContent((content) => (content.subarray(0, 3).equals(byteOrderMark) ? content.subarray(3) : content)),
    ),
  }),
  defineFault({
    name: 'unpaired-surrogates-replaced',
    says: 'Half of a surrogate pair is read as a question mark.',
    breaks: ['CB-011', 'SEC-11'],
    apply: tidied(
      byContent((content) =>
        isUtf8(content) ? content.toString('utf8').replaceAll(/\\u[dD][89a-fA-F][\da-fA-F]{2}/g, '?') : content,
      ),
    ),
  }),
  defineFault({
    name: 'nul-accepted',
    says: 'A claim may hold NUL.',
    breaks: ['SEC-11'],
    apply: without('strings-without-nul'),
  }),
  defineFault({
    name: 'claims-unbounded',
    says: 'A claim may have any length.',
    breaks: ['SEC-22'],
    apply: withPolicy({ claimMax: 10_000_000 }),
  }),
  defineFault({
    name: 'body-above-a-megabyte-500',
    says: 'A body of a megabyte does not fit where it is kept, which ends in an internal error.',
    breaks: ['TRN-015', 'SEC-22'],
    apply: all(
      withPolicy({ bodyMax: 33_554_432 }),
      failing500OnMessage((bytes) => bytes.length > 1_000_000),
    ),
  }),
  defineFault({
    name: 'deep-json-500',
    says: 'JSON of more than 512 levels overflows the stack of the parser, which ends in an internal error.',
    breaks: ['TRN-015', 'SEC-22'],
    apply: all(
      failing500OnMessage((bytes) => bytes.includes(tooDeep)),
      failing500OnRequest((request) => contentOf(request).includes(tooDeep)),
    ),
  }),
  defineFault({
    name: 'many-claims-500',
    says: 'Claims go to a table of 255 columns, and more of them end in an internal error.',
    breaks: ['TRN-015', 'SEC-22'],
    apply: failing500(({ claims }) => Object.keys(claims).length > 255),
  }),
] as const;

function contentOf(request: string): Buffer {
  return Buffer.from(request.split('.')[1] ?? '', 'base64url');
}

function sameBytes(segment: string): string {
  return Buffer.from(segment, 'base64url').toString('base64url');
}

/** The compact form of a JSON serialization with one signature (RFC 7515 §7.2), as text or as JSON. */
function fromSerialization(request: Json | undefined): Json | undefined {
  const found = typeof request === 'string' ? parsed(request) : request;
  if (!isJsonObject(found)) return request;
  const list = found['signatures'];
  const first: unknown = list !== undefined && isJsonList(list) ? list[0] : found;
  if (!isJsonObject(first)) return request;
  return [stringMember(first, 'protected'), stringMember(found, 'payload'), stringMember(first, 'signature')].join('.');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
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
