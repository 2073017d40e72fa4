import { quoteWord } from '../../lib/shell.ts';
import type { HttpRequest } from '../../wire/build/http-request.ts';
import { usageError } from '../shared/inputs.ts';

/**
 * A request as a command of curl, which sends it byte for byte. It holds what was signed just now: credentials as well. Throws
 * where no command line can hold the request.
 */
export function renderCurl({ method, url, headers, body }: HttpRequest): string {
  if (body?.includes('\0') === true) throw usageError('--curl: the body has a NUL, which no command line can hold');
  const words = [
    'curl --silent --show-error --include --path-as-is',
    `--request ${quoteWord(method)}`,
    ...headers.map(([name, value]) => `--header ${quoteWord(value === '' ? `${name};` : `${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`--data-raw ${quoteWord(body)}`]),
    quoteWord(url),
  ];
  return words.join(' \\\n  ');
}
