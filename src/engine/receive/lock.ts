import { BlockList, isIP, isIPv6 } from 'node:net';
import { unguessableParts } from '../../lib/unguessable.ts';
import type { Client, Target } from '../../model/target.ts';
import type { Inbound } from '../../wire/receive/receive.ts';
import { isJsonObject, type Json, type JsonObject, memberOf } from '../../lib/json.ts';
import { decodeCompactJws, verifiesAny } from '../../judge/compact-jws.ts';
import { readResponse } from '../context/read-response.ts';
import type { Sender } from '../../wire/send/send.ts';

/** By what a registered URI is locked: a part that nobody guesses, the address of the sender, or its certificate. */
export type LockKind = 'segment' | 'sources' | 'certificate';

export interface ReceiverLock {
  /** By what what comes to a URI is known as the carrier's; undefined: by nothing but its content. */
  readonly kindOf: (uri: string) => LockKind | undefined;
  /** Only who knows a registered URI, or is the carrier, can have sent this. */
  readonly isThrough: (inbound: Pick<Inbound, 'target' | 'from' | 'isCertified'>) => boolean;
}

const registered = ({ notificationUris, eventUri }: Client): readonly string[] => [
  ...notificationUris,
  ...(eventUri === undefined ? [] : [eventUri]),
];

function rangesOf(sources: readonly string[]): BlockList {
  const list = new BlockList();
  for (const source of sources) {
    const [address = '', bits] = source.split('/');
    const family = isIPv6(address) ? 'ipv6' : 'ipv4';
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return list;
}

/** An IPv4 address as a socket for both families writes it. */
const mapped = /^::ffff:(?=\d+\.)/i;

function isIn(list: BlockList, from: string): boolean {
  // Without the zone of a link-local address (RFC 4007 §11).
  const [address = ''] = from.replace(mapped, '').split('%');
  return isIP(address) !== 0 && list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}

export function createReceiverLock({ receiver, clients }: Pick<Target, 'receiver' | 'clients'>): ReceiverLock {
  const { sources, clientAuthorities } = receiver;
  const parts = new Set(clients.flatMap((client) => registered(client).flatMap(unguessableParts)));
  const ranges = sources === undefined ? undefined : rangesOf(sources);
  const isWhole = ranges !== undefined || clientAuthorities !== undefined;
  return {
    kindOf: (uri) => {
      if (clientAuthorities !== undefined) return 'certificate';
      if (ranges !== undefined) return 'sources';
      return unguessableParts(uri).length > 0 ? 'segment' : undefined;
    },
    isThrough: ({ target, from, isCertified }) => {
      if (!isWhole) return unguessableParts(target).some((part) => parts.has(part));
      const isFromThere = ranges === undefined || isIn(ranges, from);
      return isFromThere && (clientAuthorities === undefined || isCertified);
    },
  };
}

/** The keys that the carrier publishes, read when something has to be told from what it did not sign. */
export interface CarrierKeys {
  readonly signed: (jws: Json | undefined) => Promise<boolean>;
}

/** Milliseconds of wall time for which keys that were read hold: strangers cause no more requests than that. */
const keysLast = 30_000;
const mostKeys = 32;

/** None where they cannot be read: then nothing is shown to be signed by them. */
async function readKeys(url: string, sender: Sender): Promise<readonly JsonObject[]> {
  try {
    const sent = await sender.send({ method: 'GET', url, headers: [['accept', 'application/json']] });
    const keys = 'response' in sent ? memberOf(readResponse(sent.response).body, 'keys') : undefined;
    return Array.isArray(keys) ? keys.filter(isJsonObject).slice(0, mostKeys) : [];
  } catch {
    // The carrier's URL is none, or the run is over.
    return [];
  }
}

export function createCarrierKeys(sender: Sender, urls: readonly string[]): CarrierKeys {
  let reading: { readonly at: number; readonly keys: Promise<readonly JsonObject[]> } | undefined;
  const current = (): Promise<readonly JsonObject[]> => {
    const now = performance.now();
    if (reading === undefined || now - reading.at > keysLast) {
      const keys = Promise.all(urls.map((url) => readKeys(url, sender))).then((sets) => sets.flat());
      reading = { at: now, keys };
    }
    return reading.keys;
  };
  return {
    signed: async (jws) => {
      if (typeof jws !== 'string' || decodeCompactJws(jws) === undefined) return false;
      return verifiesAny(jws, await current());
    },
  };
}
