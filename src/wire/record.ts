import type { HeaderLines, RecordedMessage } from '../model/exchange.ts';
import { type Redactor, redactionMark } from './redact.ts';

/** Characters of a body that are kept in the result. */
const recordedLimit = 16 * 1024;

const credentialHeaders: ReadonlySet<string> = new Set(['authorization', 'x-authorization', 'cookie', 'set-cookie']);

function recordHeader([name, value]: readonly [string, string], redactor: Redactor): readonly [string, string] {
  if (!credentialHeaders.has(name.toLowerCase())) return [name, redactor.text(value)];
  const [scheme = '', ...rest] = value.split(' ');
  const credential = rest.join(' ');
  return [
    name,
    credential === '' ? redactionMark('credential', value) : `${scheme} ${redactionMark('token', credential)}`,
  ];
}

/** One half of an exchange as it goes into the result: secrets out, length bounded. */
export function recordMessage(headers: HeaderLines, body: string | Buffer, redactor: Redactor): RecordedMessage {
  const bytes = Buffer.byteLength(body);
  const text = redactor.text(typeof body === 'string' ? body : body.toString('utf8'));
  return {
    headers: headers.map((line) => recordHeader(line, redactor)),
    body: text.length > recordedLimit ? text.slice(0, recordedLimit) : text,
    bytes,
    ...(text.length > recordedLimit ? { truncated: true as const } : {}),
  };
}
