import { MissingValue } from '../../model/suite.ts';

/** Parts of a URI as written (RFC 3986 §3); absent parts are empty. */
interface UriParts {
  scheme: string;
  user: string;
  host: string;
  port: string;
  path: string;
  query: string;
  fragment: string;
}

const partNames = ['scheme', 'user', 'host', 'port', 'path', 'query', 'fragment'] as const;

/** RFC 3986 appendix B, and RFC 3986 §3.2 for the authority. */
const uriForm = /^(?:([^:/?#]+):)?(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/s;
const authorityForm = /^(?:(.*)@)?(\[[^\]]*\]|[^:]*)(?::(.*))?$/s;

function splitUri(uri: string): UriParts {
  const [, scheme = '', authority = '', path = '', query = '', fragment = ''] = uriForm.exec(uri) ?? [];
  const [, user = '', host = '', port = ''] = authorityForm.exec(authority) ?? [];
  return { scheme, user, host, port, path, query, fragment };
}

function joinUri({ scheme, user, host, port, path, query, fragment }: UriParts, hadAuthority: boolean): string {
  const before = user === '' ? '' : `${user}@`;
  const authority = `${before}${host}${port === '' ? '' : `:${port}`}`;
  return [
    scheme === '' ? '' : `${scheme}:`,
    hadAuthority || authority !== '' ? `//${authority}` : '',
    path,
    query === '' ? '' : `?${query}`,
    fragment === '' ? '' : `#${fragment}`,
  ].join('');
}

function requirePart(name: string): keyof UriParts {
  const found = partNames.find((known) => known === name);
  if (found === undefined) throw new MissingValue(`part "${name}" of a URI: ${partNames.join(', ')}`);
  return found;
}

/** Part of a URI by name; empty if absent. */
export const uriPart = (uri: string, name: string): string => splitUri(uri)[requirePart(name)];

/** Replaces one part of a URI and keeps every other character. */
export const withUriPart = (uri: string, name: string, value: string): string =>
  joinUri({ ...splitUri(uri), [requirePart(name)]: value }, uri.includes('://'));

/** Percent-encodes the last letter or digit, which gives an equivalent URI (RFC 3986 §6.2.2.2). */
export function withEscapedLetter(text: string): string {
  return text.replace(
    /[A-Za-z0-9](?=[^A-Za-z0-9]*$)/,
    (letter) => `%${letter.charCodeAt(0).toString(16).padStart(2, '0')}`,
  );
}
