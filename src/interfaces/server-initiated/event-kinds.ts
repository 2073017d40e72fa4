import { isJsonObject, type Json, type JsonObject } from '../../lib/json.ts';
import type { EventKinds } from '../../model/interface.ts';

/** Names of §6 events: a list, the last parts of an RFC 8417 object's keys, or a text that should be a list. */
export function readEventNames(events: Json | undefined): readonly string[] {
  if (typeof events === 'string') return [events];
  if (Array.isArray(events)) return events.filter((name) => typeof name === 'string');
  if (!isJsonObject(events)) return [];
  return Object.keys(events).map((uri) => (uri.split(/[/:#]/).at(-1) ?? uri).replaceAll('-', '_'));
}

const setEventNames = (set: JsonObject | undefined): readonly string[] => readEventNames(set?.['events']);

/** Names of a device change (A10); the sample's security_event is none of them. */
export const deviceChangeNames: ReadonlySet<string> = new Set(['device_change', 'sim_swap']);

const revocationName = 'consent_revoked';

/** The name that the sample lists; alone it says of no kind that it is that. */
const categoryName = 'securityevent';

/** Other events a carrier may offer; the interface does not show their form. The last two are of the Shared Signals Framework 1.0, §8.1. */
const otherEventNames: ReadonlySet<string> = new Set([
  'profilechange',
  'lineport',
  'userport',
  'verification',
  'streamupdated',
]);

/** Letters and digits of the last part of a name, in lower case: a kind written in another way is still that kind. */
const simplifyName = (name: string): string =>
  (name.split(/[/:#]/).at(-1) ?? name).toLowerCase().replaceAll(/[^a-z0-9]/g, '');

const namesChange = (name: string): boolean => /devicechange|simswap/.test(name);
const namesRevocation = (name: string): boolean => name.includes('consentrevoked');

/** Simplified names of the kinds of an event; empty if nothing in it names a kind, so that a broken one is judged. */
const namedKinds = (set: JsonObject | undefined): readonly string[] =>
  setEventNames(set)
    .map(simplifyName)
    .filter((name) => name !== '' && name !== categoryName);

/** Counts an event that names no kind. */
export function isDeviceChange(set: JsonObject | undefined): boolean {
  const names = namedKinds(set);
  return names.some(namesChange) || names.length === 0;
}

export const isRevocation = (set: JsonObject | undefined): boolean => setEventNames(set).includes(revocationName);

/** Kinds of §6 events. An event that names no kind may be either, because the form of consent_revoked is not shown. */
export const eventKinds: EventKinds = {
  device_change: isDeviceChange,
  consent_revoked: (set) => namedKinds(set).some(namesRevocation) || namedKinds(set).length === 0,
};

const isKnownName = (name: string): boolean => namesChange(name) || namesRevocation(name) || otherEventNames.has(name);

/** All names of an event whose names are all unknown, else none: no rule about a kind of the interface judges it (P27). */
export const unknownEventNames = (set: JsonObject | undefined): readonly string[] =>
  namedKinds(set).some(isKnownName) || namedKinds(set).length === 0 ? [] : setEventNames(set);
