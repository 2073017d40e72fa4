import { defined } from '../lib/optional.ts';
import type { Subscriber } from '../model/target.ts';
import { at, type Cursor, place } from '../suite/yaml/cursor.ts';
import type { GivenSubscriber } from './grammar/target.ts';
import { type Reader, requireClients } from './reader.ts';

interface Loaded {
  readonly subscriber: Subscriber;
  readonly cursor: Cursor;
}

/** What a subscriber shares with no other. */
interface Own {
  readonly what: string;
  readonly value: string;
  readonly owner: string;
  readonly cursor: Cursor;
}

function ownOf({ subscriber: { name: owner, phone, subs }, cursor }: Loaded): readonly Own[] {
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
export function loadSubscribers(
  given: readonly (readonly [string, GivenSubscriber])[],
  clients: readonly string[],
  reader: Reader,
): readonly Subscriber[] {
  const loaded = given.map(([name, { tags = [], phone, subs = [], cursor }]): Loaded => {
    const places = subs.map(([client]) => at(at(cursor, 'subs'), client));
    requireClients(places, clients, reader);
    const own = defined({ phone: reader.text(phone) });
    return { subscriber: { name, tags, ...own, subs: Object.fromEntries(subs) }, cursor };
  });
  requireOwn(loaded.flatMap(ownOf), reader);
  return loaded.map(({ subscriber }) => subscriber);
}
