import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib';
import { bodyLimit } from './collect-body.ts';

type Decode = (bytes: Buffer) => Buffer;

/** What a coding inflates to is bounded while it is inflated. */
const limited = { maxOutputLength: bodyLimit };

/**
 * Decodes with a coding that has neither a header nor a checksum: other bytes may decode to nonsense and end early. Throws unless all
 * of them are used.
 */
function toTheEnd(decode: (bytes: Buffer, options: typeof limited & { info: true }) => unknown, bytes: Buffer): Buffer {
  const decoded = decode(bytes, { ...limited, info: true });
  if (!isRecord(decoded) || !isRecord(decoded['engine']) || !Buffer.isBuffer(decoded['buffer']))
    throw new TypeError('zlib gives a buffer and an engine');
  if (decoded['engine']['bytesWritten'] !== bytes.length) throw new Error('bytes are left over');
  return decoded['buffer'];
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** RFC 9110 §8.4.1.2: deflate is zlib, and many send it without its header. */
function inflate(bytes: Buffer): Buffer {
  try {
    return inflateSync(bytes, limited);
  } catch (error) {
    if (isTooLong(error)) throw error;
    return toTheEnd(inflateRawSync, bytes);
  }
}

const gunzip: Decode = (bytes) => gunzipSync(bytes, limited);

const codings: Readonly<Record<string, Decode>> = {
  gzip: gunzip,
  'x-gzip': gunzip,
  deflate: inflate,
  br: (bytes) => toTheEnd(brotliDecompressSync, bytes),
  identity: (bytes) => bytes,
};

/** Others of the registry (RFC 9110 §16.6.1), which a response may have where a request names none, and which cannot be undone here. */
const others: ReadonlySet<string> = new Set([
  'aes128gcm',
  'compress',
  'dcb',
  'dcz',
  'exi',
  'pack200-gzip',
  'x-compress',
  'zstd',
]);

/** More than any sender has a reason for. */
const mostCodings = 3;

const isTooLong = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';

interface WrongCoding {
  readonly expected: string;
  readonly actual: string;
}

/** The bytes before they were coded, or why there are none: they are more than is judged, or the coding is wrong, or another of the registry. */
export type Decoded =
  | { readonly bytes: Buffer }
  | { readonly tooLong: WrongCoding }
  | { readonly wrong: WrongCoding; readonly other?: string };

function undo(name: string, bytes: Buffer): Decoded {
  const decode = Object.hasOwn(codings, name) ? codings[name] : undefined;
  if (decode === undefined) {
    const wrong = { expected: `one of ${Object.keys(codings).join(', ')}`, actual: name };
    return { wrong, ...(others.has(name) ? { other: name } : {}) };
  }
  try {
    return { bytes: decode(bytes) };
  } catch (error) {
    if (!isTooLong(error)) return { wrong: { expected: `a body in ${name}`, actual: 'one that is not' } };
    return { tooLong: { expected: `at most ${bodyLimit} bytes when ${name} is undone`, actual: 'more' } };
  }
}

/**
 * Undoes the codings that Content-Encoding names, the last one first (RFC 9110 §8.4). A request without Accept-Encoding leaves them
 * open. An empty body, as of a response to HEAD, has nothing to undo.
 */
export function undoCodings(header: string, bytes: Buffer): Decoded {
  if (bytes.length === 0) return { bytes };
  const names = header
    .split(',', mostCodings + 1)
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '');
  if (names.length > mostCodings) {
    return { wrong: { expected: `at most ${mostCodings} codings`, actual: 'more' } };
  }
  let decoded: Decoded = { bytes };
  for (const name of names.toReversed()) {
    if ('bytes' in decoded) decoded = undo(name, decoded.bytes);
  }
  return decoded;
}
