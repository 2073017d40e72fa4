import type { HeaderLines, RecordedMessage } from '../../model/exchange.ts';
import { type Redactor, redactionMark } from './redact.ts';

/** Characters of a body that are kept in the result. */
const recordedLimit = 16 * 1024;

const credentialHeaders: ReadonlySet<string> = new Set([
  'authorization',
  'proxy-authorization',
  'x-authorization',
  'cookie',
  'set-cookie',
]);

/** The schemes that are no secret themselves; after any other word everything is. */
const scheme = /^(bearer|basic|digest|dpop|negotiate) +(.+)$/is;

function recordHeader([name, value]: readonly [string, string], redactor: Redactor): readonly [string, string] {
  const kind = name.toLowerCase();
  if (!credentialHeaders.has(kind)) return [name, redactor.text(value)];
  const [, word, credential] = (kind.endsWith('cookie') ? null : scheme.exec(value)) ?? [];
  if (word === undefined || credential === undefined) return [name, redactionMark('credential', value)];
  return [name, `${word} ${redactionMark('token', credential)}`];
}

/**
 * One half of an exchange as it goes into the result: secrets out, length bounded. `bytes` is the length of the whole
 * body, where more came than was kept.
 */
export function recordMessage(
  headers: HeaderLines,
  body: string | Buffer,
  redactor: Redactor,
  bytes = Buffer.byteLength(body),
): RecordedMessage {
  const text = redactor.text(typeof body === 'string' ? body : body.toString('utf8'));
  return {
    headers: headers.map((line) => recordHeader(line, redactor)),
    body: text.length > recordedLimit ? text.slice(0, recordedLimit) : text,
    bytes,
    ...(text.length > recordedLimit || bytes > Buffer.byteLength(body) ? { truncated: true as const } : {}),
  };
}
