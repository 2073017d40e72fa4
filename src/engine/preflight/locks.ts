import { isLoopback, isLoopbackAddress } from '../../lib/loopback.ts';
import { drawUnguessable } from '../../lib/unguessable.ts';
import type { Client, Target } from '../../model/target.ts';
import type { Inbound } from '../../wire/receive/receive.ts';
import { createReceiverLock, type LockKind, type ReceiverLock } from '../receive/lock.ts';
import { type Found, type Note, notesOf, ok, warning } from './note.ts';

/** By what deliveries are known as the carrier's. */
const known: Readonly<Record<LockKind, string>> = {
  segment: 'by parts of the registered URIs that nobody guesses',
  sources: 'by where they come from (receiver.sources)',
  certificate: 'by the client certificate that they come with (receiver.clients)',
};

/** A URI with a part that nobody guesses, before its query. */
const locked = (uri: string): string => uri.replace(/\/?(?=[?#]|$)/, `/${drawUnguessable()}`);

function eventNote({ name, eventUri }: Client, lock: ReceiverLock): readonly Found[] {
  if (eventUri === undefined || lock.kindOf(eventUri) !== undefined) return [];
  const description = `event_uri ${eventUri} can be guessed: what comes there is judged only where it names a subscriber by an id that nobody guesses, or is signed with a key of the carrier; where anything else came, cases that await an event are inconclusive`;
  const change = `register ${locked(eventUri)} in its place, or name receiver.sources or receiver.clients`;
  return [warning(`client ${name}`, { whose: 'configuration', description, change })];
}

function notificationNote({ name, notificationUris }: Client, lock: ReceiverLock): readonly Found[] {
  const open = notificationUris.filter((uri) => lock.kindOf(uri) === undefined);
  if (open.length === 0) return [];
  const description = `${open.join(' and ')} in notification_uris can be guessed: what comes there is judged where it names a request by a value that nobody guesses. ${open.map(locked).join(' and ')} would be locked`;
  return [ok(`client ${name}`, description)];
}

/** Whether what strangers send to the registered URIs can be told from what the carrier sends. */
export function checkLocks(target: Pick<Target, 'receiver' | 'clients'>): readonly Note[] {
  const lock = createReceiverLock(target);
  const { clients } = target;
  const uris = clients.flatMap(({ notificationUris, eventUri = [] }) => [...notificationUris, eventUri].flat());
  const kinds = [...new Set(uris.map(lock.kindOf))];
  const locks = kinds
    .flatMap((kind) => kind ?? [])
    .map((kind) => ok('deliveries', `the carrier’s are known ${known[kind]}`));
  const open = clients.flatMap((client) => [...eventNote(client, lock), ...notificationNote(client, lock)]);
  return notesOf('receiver', [...locks, ...open]);
}

/**
 * Whether `receiver.sources` still tells the carrier from a stranger, by a request of our own that arrived through the public URL:
 * behind a tunnel everything comes from the tunnel.
 */
export function checkSources(
  { receiver, clients }: Pick<Target, 'receiver' | 'clients'>,
  publicUrl: string,
  arrived: Pick<Inbound, 'target' | 'from' | 'isCertified'>,
): readonly Found[] {
  const { sources, clientAuthorities } = receiver;
  if (sources === undefined || clientAuthorities !== undefined || isLoopback(new URL(publicUrl).hostname)) return [];
  const isTaken = createReceiverLock({ receiver, clients }).isThrough(arrived);
  if (!isTaken && !isLoopbackAddress(arrived.from)) return [];
  const description = isTaken
    ? `a request of this machine arrives from ${arrived.from}, one of receiver.sources: whoever sends to the URL is taken for the carrier`
    : `what is sent to it arrives from ${arrived.from}, none of receiver.sources: nothing is known as the carrier’s`;
  const change = 'take receiver.sources out, and register URIs with a part that nobody guesses';
  return [warning('deliveries', { whose: 'configuration', description, change })];
}
