import { quoteWord } from '../../lib/shell.ts';
import type { HttpRequest } from '../../wire/build/http-request.ts';
import { usageError } from '../shared/inputs.ts';

/** Control characters, and those that turn the direction of text: a terminal would show another command. */
const unsafe = /(?![\t\n])[\p{Cc}\p{Bidi_Control}]/u;
/** A header value is one line. */
const unsafeInHeader = /(?!\t)[\p{Cc}\p{Bidi_Control}]/u;

function requireSafe(what: string, text: string, pattern: RegExp): void {
  if (pattern.test(text))
    throw usageError(`--curl: ${what} has a control character, which no command line can show safely`);
}

/**
 * A request as a command of curl, which sends what would be sent: to the host that this program reads in the URL, one request, byte
 * for byte. It holds what was signed just now: credentials as well. Throws where no command line can hold the request.
 */
export function renderCurl({ method, url, headers, body }: HttpRequest): string {
  if (body?.includes('\0') === true) throw usageError('--curl: the body has a NUL, which no command line can hold');
  requireSafe('the body', body ?? '', unsafe);
  for (const [name, value] of headers) requireSafe('a header field', name + value, unsafeInHeader);
  const words = [
    'curl --silent --show-error --include --path-as-is --globoff',
    `--request ${quoteWord(method)}`,
    ...headers.map(([name, value]) => `--header ${quoteWord(value === '' ? `${name};` : `${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`--data-raw ${quoteWord(body)}`]),
    // A carrier names the URL: curl reads some of them another way, and would send to another host.
    quoteWord(new URL(url).href),
  ];
  return words.join(' \\\n  ');
}
