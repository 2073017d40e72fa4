import { type CheckMismatch, defineCheck, type MessageCheck, type RunMessage } from '../../../../judge/check.ts';
import type { EventObservation, Judgeable } from '../../../../judge/observation.ts';
import { memberOf, isJsonObject, type Json, type JsonObject } from '../../../../lib/json.ts';
import { MissingValue } from '../../../../model/template.ts';

/** What is wrong with one delivery at the event endpoint. */
export type EventJudge = (event: EventObservation) => readonly CheckMismatch[];

/** The events an observation consists of: one, or all that an await took. */
export function eventsOf(observation: Judgeable): readonly EventObservation[] {
  if (observation.kind === 'event') return [observation];
  return observation.kind === 'events' ? observation.deliveries : [];
}

/** Names of §6 events: a list, the keys of an RFC 8417 object, of which the last part counts, or a text that should be a list. */
export function namesIn(events: Json | undefined): readonly string[] {
  if (typeof events === 'string') return [events];
  if (Array.isArray(events)) return events.filter((name) => typeof name === 'string');
  if (!isJsonObject(events)) return [];
  return Object.keys(events).map((uri) => (uri.split(/[/:#]/).at(-1) ?? uri).replaceAll('-', '_'));
}

export const namesOf = ({ set }: EventObservation): readonly string[] => namesIn(set?.['events']);

/** Names that a device change may go by (A10); security_event is the one of the sample. */
export const changeNames: ReadonlySet<string> = new Set(['device_change', 'sim_swap']);

/** Other events a carrier may offer; the interface does not show their form. */
const otherNames: ReadonlySet<string> = new Set(['consent_revoked', 'profile_change', 'line_port', 'user_port']);

export const isRevocation = (event: EventObservation): boolean => namesOf(event).includes('consent_revoked');

/** An event that does not clearly name another kind counts as a device change: a broken one must not escape judgement. */
export function isDeviceChange(event: EventObservation): boolean {
  const names = namesOf(event);
  return names.some((name) => changeNames.has(name)) || !names.some((name) => otherNames.has(name));
}

/** A check of device changes alone: the interface does not show the form of other events (§6, 6). */
export const defineChangeCheck = (name: string, judge: EventJudge): MessageCheck =>
  defineCheck(name, (observation) => {
    const changes = eventsOf(observation).filter(isDeviceChange);
    if (changes.length === 0) throw new MissingValue('device_change');
    return changes.flatMap(judge);
  });

/** The claims of the SET. Throws MissingValue where the delivery has no readable SET. */
export function claimsOf({ set }: EventObservation): JsonObject {
  if (set === undefined) throw new MissingValue('set');
  return set;
}

/** The header of the SET. Throws MissingValue where the delivery has no readable SET. */
export function headerOf({ setHeader }: EventObservation): JsonObject {
  if (setHeader === undefined) throw new MissingValue('setHeader');
  return setHeader;
}

/** The device change that a message of the run is. */
export const changeIn = (message: RunMessage): EventObservation | undefined =>
  'event' in message && isDeviceChange(message.event) ? message.event : undefined;

/** The keys of a JWK set, where a message of the run is the response with one. */
export function keysIn(message: RunMessage): readonly JsonObject[] {
  const response = 'response' in message ? message.response : undefined;
  const keys = response?.outcome === 'accepted' ? memberOf(response.body, 'keys') : undefined;
  return Array.isArray(keys) ? keys.filter(isJsonObject) : [];
}
