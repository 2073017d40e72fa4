import { type Cursor, items, text } from '../suite/yaml/document.ts';
import { type Reader, withoutPassword } from './reader.ts';

const quotedUri = (uri: string): string => withoutPassword(JSON.stringify(uri));

/** A URI on our receiver: a path of it that begins with a slash, or an absolute http or https URL. */
export function loadOurs(cursor: Cursor, reader: Reader): string | undefined {
  const uri = text(cursor);
  if (uri === undefined || uri.startsWith('/')) return uri;
  if (/^https?:$/.test(URL.canParse(uri) ? new URL(uri).protocol : '')) return uri;
  const message = `${quotedUri(uri)} is no http or https URL, and no path of the receiver: that begins with /`;
  return reader.complain(cursor, 'bad-value', message);
}

/** Schemes that open no app and no page of an SP. */
const unusable = /^(?:ftp|ws|wss|file|data|javascript|mailto):$/;

/** A redirect URI as it is registered: https, http, or a scheme of the SP's app. */
function loadRedirect(cursor: Cursor, reader: Reader): string | undefined {
  const uri = text(cursor);
  if (uri === undefined) return undefined;
  const protocol = URL.canParse(uri) ? new URL(uri).protocol : undefined;
  if (protocol !== undefined && !unusable.test(protocol)) return uri;
  const message = `${quotedUri(uri)} is no absolute URI with https, http or a scheme of an app`;
  return reader.complain(cursor, 'bad-value', message);
}

/** Those of a list that can be used; each of the others is reported. */
export function loadAll(
  cursor: Cursor | undefined,
  reader: Reader,
  load: (item: Cursor, reader: Reader) => string | undefined,
): readonly string[] {
  return cursor === undefined ? [] : items(cursor).flatMap((item) => load(item, reader) ?? []);
}

/** The redirect URIs of a client; every request names one. */
export function loadRedirects(cursor: Cursor | undefined, reader: Reader): readonly string[] {
  if (cursor !== undefined && Array.isArray(cursor.value) && items(cursor).length === 0) {
    reader.complain(
      cursor,
      'bad-value',
      'a client without a redirect URI can send no request: every request names one',
    );
  }
  return loadAll(cursor, reader, loadRedirect);
}
