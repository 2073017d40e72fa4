import type { Subscriber } from '../model/target.ts';
import { at, type Cursor, entries, place, text, texts } from '../suite/yaml/cursor.ts';
import type { Reader } from './reader.ts';

function loadSubscriber(name: string, cursor: Cursor, clients: ReadonlySet<string>, reader: Reader): Subscriber {
  const phone = reader.text(at(cursor, 'phone'));
  const subs = entries(at(cursor, 'subs'));
  for (const [client, sub] of subs) {
    if (!clients.has(client)) reader.complainAtKey(sub, 'unknown-name', `there is no client "${client}"`, clients);
  }
  return {
    name,
    tags: texts(at(cursor, 'tags')) ?? [],
    ...(phone === undefined ? {} : { phone }),
    subs: Object.fromEntries(subs.map(([client, sub]) => [client, text(sub) ?? ''] as const)),
  };
}

/** What a subscriber has alone. */
interface Own {
  readonly what: string;
  readonly value: string;
  readonly owner: string;
  readonly cursor: Cursor;
}

function ownOf({ name: owner, phone, subs }: Subscriber, cursor: Cursor): readonly Own[] {
  return [
    ...(phone === undefined ? [] : [{ what: 'the phone', value: phone, owner, cursor: at(cursor, 'phone') }]),
    ...Object.entries(subs).map(([client, value]) => {
      return { what: `the sub for client ${client}`, value, owner, cursor: at(at(cursor, 'subs'), client) };
    }),
  ];
}

/** Two names of one person would let a case see what another did to them. */
function requireOwn(all: readonly Own[], reader: Reader): void {
  const taken = new Map<string, Own>();
  for (const own of all) {
    const key = JSON.stringify([own.what, own.value]);
    const first = taken.get(key);
    if (first === undefined) {
      taken.set(key, own);
      continue;
    }
    const message = `${own.what} is that of subscriber ${first.owner} already (line ${place(first.cursor).line})`;
    reader.complain(own.cursor, 'duplicate-id', message);
  }
}

/** The test users, each a person of their own. */
export function loadSubscribers(cursor: Cursor, clients: ReadonlySet<string>, reader: Reader): readonly Subscriber[] {
  const loaded = entries(cursor).map(([name, one]) => [loadSubscriber(name, one, clients, reader), one] as const);
  requireOwn(
    loaded.flatMap(([subscriber, one]) => ownOf(subscriber, one)),
    reader,
  );
  return loaded.map(([subscriber]) => subscriber);
}
