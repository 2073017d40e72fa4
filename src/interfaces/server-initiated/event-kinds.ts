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

/** Other events a carrier may offer; the interface does not show their form. The last two are of the Shared Signals Framework 1.0, §8.1. */
const otherEventNames: ReadonlySet<string> = new Set([
  revocationName,
  'profile_change',
  'line_port',
  'user_port',
  'verification',
  'stream_updated',
]);

/** Counts every event that does not clearly name another kind, so that a broken one is judged. */
export function isDeviceChange(set: JsonObject | undefined): boolean {
  const names = setEventNames(set);
  return names.some((name) => deviceChangeNames.has(name)) || !names.some((name) => otherEventNames.has(name));
}

export const isRevocation = (set: JsonObject | undefined): boolean => setEventNames(set).includes(revocationName);

const isUnnamedEvent = (set: JsonObject | undefined): boolean =>
  !setEventNames(set).some((name) => deviceChangeNames.has(name) || otherEventNames.has(name));

/** Kinds of §6 events. An event without a known name may be either, because the form of consent_revoked is not shown. */
export const eventKinds: EventKinds = {
  device_change: isDeviceChange,
  consent_revoked: (set) => isRevocation(set) || isUnnamedEvent(set),
};
