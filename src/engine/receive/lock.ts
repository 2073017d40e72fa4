import { BlockList, isIP, isIPv6 } from 'node:net';
import { unguessableParts } from '../../lib/unguessable-part.ts';
import type { Client, Target } from '../../model/target.ts';
import { isJsonObject, type JsonObject, readMember, readTextMember } from '../../lib/json.ts';
import { decodeCompactJws, verifyWithAny } from '../../judge/compact-jws.ts';
import type { CarrierKeys, ReceiverLock } from '../context/attribution.ts';
import { readResponse } from '../context/read-response.ts';
import type { Sender } from '../../wire/send/sender.ts';

/** Advice where deliveries cannot be attributed. */
export const lockAdvice = 'register URIs with an unguessable part, or set receiver.sources or receiver.clients';

/** URIs of a client at which the carrier calls. */
export const registeredUris = ({ notificationUris, eventUri }: Client): readonly string[] => [
  ...(eventUri === undefined ? [] : [eventUri]),
  ...notificationUris,
];

function sourceRanges(sources: readonly string[]): BlockList {
  const list = new BlockList();
  for (const source of sources) {
    const [address = '', bits] = source.split('/');
    const family = isIPv6(address) ? 'ipv6' : 'ipv4';
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return list;
}

/** IPv4 address as a dual-stack socket writes it. */
const mappedIpv4 = /^::ffff:(?=\d+\.)/i;

function isInRanges(list: BlockList, from: string): boolean {
  // Without the zone of a link-local address (RFC 4007 §11).
  const [address = ''] = from.replace(mappedIpv4, '').split('%');
  return isIP(address) !== 0 && list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}

export function createReceiverLock({ receiver, clients }: Pick<Target, 'receiver' | 'clients'>): ReceiverLock {
  const { sources, clientAuthorities } = receiver;
  const parts = new Set(clients.flatMap((client) => registeredUris(client).flatMap(unguessableParts)));
  const ranges = sources === undefined ? undefined : sourceRanges(sources);
  const isWhole = ranges !== undefined || clientAuthorities !== undefined;
  return {
    kindOf: (uri) => {
      if (clientAuthorities !== undefined) return 'certificate';
      if (ranges !== undefined) return 'sources';
      return unguessableParts(uri).length > 0 ? 'segment' : undefined;
    },
    isThrough: ({ target, from, isCertified }) => {
      if (!isWhole) return unguessableParts(target).some((part) => parts.has(part));
      const isFromThere = ranges === undefined || isInRanges(ranges, from);
      return isFromThere && (clientAuthorities === undefined || isCertified);
    },
  };
}

/** Time for which the keys are cached, in milliseconds of real time and of the run's clock: strangers move neither. */
const keysMaxAge = 30_000;
/** Keys that are kept of a key set. */
const maxKeys = 1000;
/** Keys by which the signature of one delivery is verified; those that its kid names come first. */
const maxTriedKeys = 32;
/** Unknown key ids for which the keys are read once more; strangers may make up any number. */
const maxUnknownKeyIds = 100;

/** Reads published keys; empty if that fails, so that nothing counts as signed by them. */
async function readKeys(url: string, sender: Sender): Promise<readonly JsonObject[]> {
  try {
    const sent = await sender.send({ method: 'GET', url, headers: [['accept', 'application/json']] });
    const keys = 'response' in sent ? readMember(readResponse(sent.response).body, 'keys') : undefined;
    return Array.isArray(keys) ? keys.filter(isJsonObject).slice(0, maxKeys) : [];
  } catch {
    // The carrier published no valid URL, or the run is over.
    return [];
  }
}

/** `runTime` is the time of the run's clock: a virtual one passes hours in which the carrier may change its keys. */
export function createCarrierKeys(sender: Sender, urls: readonly string[], runTime: () => number): CarrierKeys {
  let reading:
    | { readonly at: number; readonly runAt: number; readonly keys: Promise<readonly JsonObject[]> }
    | undefined;
  const current = (): Promise<readonly JsonObject[]> => {
    const [now, runNow] = [performance.now(), runTime()];
    if (reading === undefined || Math.max(now - reading.at, runNow - reading.runAt) > keysMaxAge) {
      const keys = Promise.all(urls.map((url) => readKeys(url, sender))).then((sets) => sets.flat());
      reading = { at: now, runAt: runNow, keys };
    }
    return reading.keys;
  };
  const asked = new Set<string>();
  /** Whether the keys may be older than this key: no key of this id is known, and none was asked for. */
  const mayBeNew = (kid: string | undefined, keys: readonly JsonObject[]): kid is string =>
    kid !== undefined && keys.every((key) => key['kid'] !== kid) && !asked.has(kid) && asked.size < maxUnknownKeyIds;
  const verify = (jws: string, kid: string | undefined, keys: readonly JsonObject[]): boolean => {
    const isNamed = (key: JsonObject): boolean => key['kid'] === kid;
    const named = [...keys.filter(isNamed), ...keys.filter((key) => !isNamed(key))];
    return verifyWithAny(jws, named.slice(0, maxTriedKeys));
  };
  return {
    signed: async (jws) => {
      if (typeof jws !== 'string') return false;
      const decoded = decodeCompactJws(jws);
      if (decoded === undefined) return false;
      const keys = await current();
      const kid = readTextMember(decoded.header, 'kid');
      if (!mayBeNew(kid, keys)) return verify(jws, kid, keys);
      asked.add(kid);
      reading = undefined;
      return verify(jws, kid, await current());
    },
  };
}
