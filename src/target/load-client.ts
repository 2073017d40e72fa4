import type { Client } from '../model/target.ts';
import { at, type Cursor, entries, items, text, texts } from '../suite/yaml/cursor.ts';
import { loadKey } from './load-key.ts';
import { readSmall } from './read-small.ts';
import type { Reader } from './reader.ts';

/** One SP registration of the target file, its keys and its secret read from where they are kept. */
export function loadClient(name: string, cursor: Cursor, reader: Reader): Client {
  const secret = loadSecret(at(cursor, 'secret'), reader);
  const eventUri = text(at(cursor, 'event_uri'));
  return {
    name,
    clientId: reader.text(at(cursor, 'client_id')) ?? '',
    keys: items(at(cursor, 'keys')).flatMap((key) => loadKey(key, reader) ?? []),
    ...(secret === undefined ? {} : { secret }),
    redirectUris: texts(at(cursor, 'redirect_uris')) ?? [],
    notificationUris: texts(at(cursor, 'notification_uris')) ?? [],
    ...(eventUri === undefined ? {} : { eventUri }),
    flags: Object.fromEntries(entries(at(cursor, 'flags')).map(([flag, { value }]) => [flag, value === true] as const)),
  };
}

function loadSecret(cursor: Cursor, reader: Reader): string | undefined {
  const place = at(cursor, 'file');
  if (place.value === undefined) return reader.text(cursor);
  const read = readSmall(place, reader);
  if (read === undefined) return undefined;
  const secret = read.content.trim();
  return secret === '' ? reader.complain(place, 'bad-value', `${read.name} is empty`) : secret;
}
