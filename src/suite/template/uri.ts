import { MissingValue } from '../../model/suite.ts';

/** The parts of a URI (RFC 3986 §3), each as it stands there; one that is not there is empty. */
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

function split(uri: string): UriParts {
  const [, scheme = '', authority = '', path = '', query = '', fragment = ''] = uriForm.exec(uri) ?? [];
  const [, user = '', host = '', port = ''] = authorityForm.exec(authority) ?? [];
  return { scheme, user, host, port, path, query, fragment };
}

function join({ scheme, user, host, port, path, query, fragment }: UriParts, hadAuthority: boolean): string {
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

/** A part of a URI by its name; empty where it is not there. */
export const uriPart = (uri: string, name: string): string => split(uri)[requirePart(name)];

/** The URI with another text in one part, and every other character as it was. */
export const withUriPart = (uri: string, name: string, value: string): string =>
  join({ ...split(uri), [requirePart(name)]: value }, uri.includes('://'));

/** The text with its last letter or digit written as a percent escape (RFC 3986 §6.2.2.2: another writing of the same). */
export function withEscapedLetter(text: string): string {
  return text.replace(
    /[A-Za-z0-9](?=[^A-Za-z0-9]*$)/,
    (letter) => `%${letter.charCodeAt(0).toString(16).padStart(2, '0')}`,
  );
}
