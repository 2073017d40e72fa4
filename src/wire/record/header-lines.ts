import type { HeaderLines } from '../../model/exchange.ts';
import type { Redactor } from './redact.ts';

const credentialHeaders: ReadonlySet<string> = new Set([
  'authorization',
  'proxy-authorization',
  'x-authorization',
  'cookie',
  'set-cookie',
]);

/** Whether the value of a header field is a credential. */
export const isCredentialHeader = (name: string): boolean => credentialHeaders.has(name.toLowerCase());

/** The schemes that are no secret themselves; after any other word everything is. */
const scheme = /^(bearer|basic|digest|dpop|negotiate) +(.+)$/is;

/** What stands behind the scheme; the whole value where it has none. */
export const credentialIn = (value: string): string => scheme.exec(value)?.[2] ?? value;

function redactHeader([name, value]: readonly [string, string], redactor: Redactor): readonly [string, string] {
  const kind = name.toLowerCase();
  if (!isCredentialHeader(kind)) return [redactor.text(name), redactor.text(value)];
  const [, word, credential] = (kind.endsWith('cookie') ? null : scheme.exec(value)) ?? [];
  if (word === undefined || credential === undefined) return [name, redactor.mark('credential', value)];
  return [name, `${word} ${redactor.mark('token', credential)}`];
}

/** Header lines without secrets. */
export const redactHeaders = (headers: HeaderLines, redactor: Redactor): HeaderLines =>
  headers.map((line) => redactHeader(line, redactor));
