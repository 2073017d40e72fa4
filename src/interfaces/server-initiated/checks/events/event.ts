import { isJsonObject, type Json, type JsonObject } from '../../../../model/json.ts';
import { MissingValue } from '../../../../model/template.ts';
import { type CheckMismatch, defineCheck, type MessageCheck } from '../../../../judge/check.ts';
import type { Judgeable } from '../../../../judge/mismatch.ts';
import type { EventObservation } from '../../../../judge/observation.ts';

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

/** Whatever does not clearly name another event is taken for a device change: a broken one must not escape judgement. */
export function isDeviceChange(event: EventObservation): boolean {
  const names = namesOf(event);
  return names.some((name) => changeNames.has(name)) || !names.some((name) => otherNames.has(name));
}

/** A check of device changes alone; the form of other events is not shown, so of them it can say nothing (§6, 6). */
export const defineChangeCheck = (judge: EventJudge): MessageCheck =>
  defineCheck((observation) => {
    const changes = eventsOf(observation).filter(isDeviceChange);
    if (changes.length === 0) throw new MissingValue('device_change');
    return changes.flatMap(judge);
  });

/** A member of the claims or the header that is there, null included. */
export const claimOf = (claims: JsonObject | undefined, name: string): Json | undefined =>
  claims !== undefined && Object.hasOwn(claims, name) ? claims[name] : undefined;
