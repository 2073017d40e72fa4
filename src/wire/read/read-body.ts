import { isJsonType } from '../../lib/media-type.ts';
import { copyText } from '../../lib/truncation.ts';
import {
  nestsTooDeep,
  maxJsonDepth,
  findRepeatedName,
  hasByteOrderMark,
  type Json,
  parseBody,
  omitUndefined,
} from '../../lib/json.ts';
import type { ReadabilityFlaw } from '../../model/exchange.ts';
import type { BodyInterpreter } from '../../model/interface.ts';
import { maxBodyBytes } from './collect-body.ts';
import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib';

type Decode = (bytes: Buffer) => Buffer;

/** Bounds the output while it is inflated. */
const inflateLimits = { maxOutputLength: maxBodyBytes };

/** Decodes a coding that has no header or checksum; throws unless every byte is used. */
function decodeToEnd(
  decode: (bytes: Buffer, options: typeof inflateLimits & { info: true }) => unknown,
  bytes: Buffer,
): Buffer {
  const decoded = decode(bytes, { ...inflateLimits, info: true });
  if (!isRecord(decoded) || !isRecord(decoded['engine']) || !Buffer.isBuffer(decoded['buffer']))
    throw new TypeError('zlib gives a buffer and an engine');
  if (decoded['engine']['bytesWritten'] !== bytes.length) throw new Error('bytes are left over');
  return decoded['buffer'];
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** RFC 9110 §8.4.1.2: deflate is zlib, but many senders omit its header. */
function inflate(bytes: Buffer): Buffer {
  try {
    return inflateSync(bytes, inflateLimits);
  } catch (error) {
    if (isTooLong(error)) throw error;
    return decodeToEnd(inflateRawSync, bytes);
  }
}

const gunzip: Decode = (bytes) => gunzipSync(bytes, inflateLimits);

const codings: Readonly<Record<string, Decode>> = {
  gzip: gunzip,
  'x-gzip': gunzip,
  deflate: inflate,
  br: (bytes) => decodeToEnd(brotliDecompressSync, bytes),
  identity: (bytes) => bytes,
};

/** Registered codings (RFC 9110 §16.6.1) that cannot be decoded here; a response may use one if the request names none. */
const undecodableCodings: ReadonlySet<string> = new Set([
  'aes128gcm',
  'compress',
  'dcb',
  'dcz',
  'exi',
  'pack200-gzip',
  'x-compress',
  'zstd',
]);

/** More codings than any sender needs. */
const maxCodings = 3;

const isTooLong = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';

interface WrongCoding {
  readonly expected: string;
  readonly actual: string;
}

/** The decoded bytes, or why there are none: too long, wrongly coded, or in a registered coding that cannot be decoded here. */
type DecodedBody =
  | { readonly bytes: Buffer }
  | { readonly tooLong: WrongCoding }
  | { readonly wrong: WrongCoding; readonly other?: string };

function undoCoding(name: string, bytes: Buffer): DecodedBody {
  const decode = Object.hasOwn(codings, name) ? codings[name] : undefined;
  if (decode === undefined) {
    const wrong = { expected: `one of ${Object.keys(codings).join(', ')}`, actual: name };
    return { wrong, ...(undecodableCodings.has(name) ? { other: name } : {}) };
  }
  try {
    return { bytes: decode(bytes) };
  } catch (error) {
    if (!isTooLong(error)) return { wrong: { expected: `a body in ${name}`, actual: 'one that is not' } };
    return { tooLong: { expected: `at most ${maxBodyBytes} bytes when ${name} is undone`, actual: 'more' } };
  }
}

/** Undoes the codings of Content-Encoding, last one first (RFC 9110 §8.4). */
export function undoCodings(header: string, bytes: Buffer): DecodedBody {
  if (bytes.length === 0) return { bytes };
  const names = header
    .split(',', maxCodings + 1)
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '');
  if (names.length > maxCodings) {
    return { wrong: { expected: `at most ${maxCodings} codings`, actual: 'more' } };
  }
  let decoded: DecodedBody = { bytes };
  for (const name of names.toReversed()) {
    if ('bytes' in decoded) decoded = undoCoding(name, decoded.bytes);
  }
  return decoded;
}

/** A body as it is judged; its text is always well-formed. */
export interface ReadBody {
  readonly text: string;
  /** The JSON value that was meant; absent if there is none. */
  readonly body?: Json;
  /** Body as received, JSON or text, if it was read as another value. */
  readonly received?: Json;
  /** How it differs from what its header fields declare; absent if it does not. */
  readonly unreadable?: readonly ReadabilityFlaw[];
  /** Registered coding that cannot be decoded here: the body is unknown. */
  readonly otherCoding?: string;
  /** The run has read so much that only the head of this body was kept: the body is unknown. */
  readonly overBudget?: true;
}

/** A received body: header values by lower-case name, bytes up to the limit, and the number of bytes in all. */
interface ReceivedBody {
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Buffer;
  readonly whole: number;
}

/** Media type in lower case, and its charset (RFC 9110 §8.3). */
interface ContentType {
  readonly type: string;
  readonly charset: string | undefined;
}

function parseContentType(header: string): ContentType {
  const [type = '', ...parameters] = header.split(';').map((part) => part.trim().toLowerCase());
  const charset = parameters.find((parameter) => parameter.startsWith('charset='))?.slice('charset='.length);
  return { type, charset: charset?.replaceAll('"', '') };
}

const utf8 = 'utf-8';
const replacement = '\u{FFFD}';
const replacementBytes = Buffer.from(replacement);

/** The first byte that is not UTF-8; `text` is the decoded text, with U+FFFD for invalid bytes. */
function describeWrongByte(bytes: Buffer, text: string): string {
  let [offset, from] = [0, 0];
  for (;;) {
    const next = text.indexOf(replacement, from);
    offset += Buffer.byteLength(text.slice(from, next));
    // The sender may have written U+FFFD itself.
    if (!bytes.subarray(offset, offset + replacementBytes.length).equals(replacementBytes)) break;
    offset += replacementBytes.length;
    from = next + 1;
  }
  return `byte 0x${(bytes[offset] ?? 0).toString(16).padStart(2, '0')} at offset ${offset}`;
}

/** A decoded body: bytes, text, and the JSON value of the text. */
interface DecodedContent {
  readonly bytes: Buffer;
  readonly text: string;
  readonly body: Json | undefined;
}

/** Reports text that is not UTF-8, or not JSON: JSON is UTF-8 whatever the header says (RFC 8259 §8.1). */
function judgeText({ bytes, text, body }: DecodedContent, { type, charset }: ContentType): readonly ReadabilityFlaw[] {
  const isJson = isJsonType(type);
  if ((isJson || charset === utf8) && !isUtf8(bytes)) {
    return [{ path: 'body', expected: 'text in UTF-8', actual: describeWrongByte(bytes, text) }];
  }
  if (!isJson || bytes.length === 0) return [];
  if (body === undefined) {
    const actual = nestsTooDeep(text) ? 'more levels, which carrierspec does not read' : 'none';
    return [{ path: 'body', expected: `JSON, at most ${maxJsonDepth} levels deep`, actual }];
  }
  const marked = {
    path: 'body',
    expected: 'JSON without a byte order mark',
    actual: 'a byte order mark (U+FEFF) first',
  };
  const twice = findRepeatedName(text);
  return [
    ...(hasByteOrderMark(text) ? [marked] : []),
    ...(twice === undefined
      ? []
      : [{ aspect: 'twice', path: 'body', expected: 'no member twice', actual: JSON.stringify(twice) }]),
  ];
}

/** Excess length is a fault only in JSON, which cannot be parsed without its end; a cut page still shows what it says. */
const judgeLength = (long: ReadabilityFlaw, { type }: ContentType): readonly ReadabilityFlaw[] =>
  isJsonType(type) ? [long] : [];

/** Reads a body by its header fields. An unreadable body is still read as far as possible, so that one mistake is one finding. */
export function readBody({ headers, bytes, whole }: ReceivedBody, meant: BodyInterpreter = (body) => body): ReadBody {
  const declared = parseContentType(headers['content-type'] ?? '');
  const decoded = undoCodings(headers['content-encoding'] ?? '', bytes);
  const content = 'bytes' in decoded ? decoded.bytes : bytes;
  const text = content.toString('utf8');
  const json = parseBody(text);
  const body = meant(json, text);
  const judge = (): readonly ReadabilityFlaw[] => {
    if (whole > bytes.length) {
      const long = { path: 'body', expected: `at most ${maxBodyBytes} bytes`, actual: `${whole} bytes` };
      return judgeLength(long, declared);
    }
    if ('tooLong' in decoded) return judgeLength({ path: 'content-encoding', ...decoded.tooLong }, declared);
    if ('wrong' in decoded) return [{ path: 'content-encoding', ...decoded.wrong }];
    return judgeText({ bytes: content, text, body: json }, declared);
  };
  const unreadable = judge();
  return {
    text,
    ...omitUndefined({
      body,
      received: body === json ? undefined : (json ?? text),
      unreadable: unreadable.length > 0 ? unreadable : undefined,
      otherCoding: 'wrong' in decoded ? decoded.other : undefined,
    }),
  };
}

/** `text` is the beginning of a large body, for judges; `whole` is the entire text, for the record. */
export interface WholeBody extends ReadBody {
  readonly whole: string;
}

/** Reads the bodies of one run: equal large bodies are read once, and only their beginning stays in memory. */
export interface BodyReader {
  readonly read: (came: ReceivedBody) => WholeBody;
}

const smallBodyBytes = 16 * 1024;

/** Characters of distinct large bodies that are read in full. */
const maxReadCharacters = 192 * 1024 * 1024;

/** Reason for which a body over the budget has no verdict: the limit is ours, not the carrier's (P11). */
export const overBudgetReason = `the large bodies of this run exceed the ${maxReadCharacters / 1024 / 1024} MB that one run reads in full`;

/** Large bodies remembered. */
const maxRememberedBodies = 16;

function bodyKey({ headers, bytes, whole }: ReceivedBody): string {
  const declared = JSON.stringify([headers['content-type'], headers['content-encoding'], whole]);
  return createHash('sha256').update(declared).update(bytes).digest('base64');
}

const bodyHead = (text: string): string =>
  text.length <= smallBodyBytes ? text : copyText(text.slice(0, smallBodyBytes));

export function createBodyReader(meant?: BodyInterpreter, budget = maxReadCharacters): BodyReader {
  let left = budget;
  const known = new Map<string, WholeBody>();
  const readAnew = (came: ReceivedBody): WholeBody => {
    if (left <= 0 && came.bytes.length > smallBodyBytes) {
      const head = came.bytes.toString('utf8', 0, smallBodyBytes);
      return { text: head, whole: head, overBudget: true };
    }
    const { text, ...read } = readBody(came, meant);
    if (text.length > smallBodyBytes) left -= text.length;
    return { ...read, text: bodyHead(text), whole: text };
  };
  return {
    read: (came) => {
      if (came.bytes.length <= smallBodyBytes && came.headers['content-encoding'] === undefined) return readAnew(came);
      const key = bodyKey(came);
      const found = known.get(key) ?? readAnew(came);
      // Most recently used goes last.
      known.delete(key);
      known.set(key, found);
      const [oldest] = known.keys();
      if (known.size > maxRememberedBodies && oldest !== undefined) known.delete(oldest);
      return found;
    },
  };
}
