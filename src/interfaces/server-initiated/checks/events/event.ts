import { type CheckMismatch, defineCheck, type MessageCheck, type RunMessage } from '../../../../judge/check.ts';
import type { EventObservation, Judgeable } from '../../../../judge/observation.ts';
import type { JsonObject } from '../../../../lib/json.ts';
import { MissingValue } from '../../../../model/template.ts';
import * as kinds from '../../event-kinds.ts';

export type EventJudge = (event: EventObservation) => readonly CheckMismatch[];

/** The events an observation consists of: one, or all that an await took. */
export function eventsOf(observation: Judgeable): readonly EventObservation[] {
  if (observation.kind === 'event') return [observation];
  return observation.kind === 'events' ? observation.deliveries : [];
}

export const namesOf = ({ set }: EventObservation): readonly string[] => kinds.namesIn(set?.['events']);

export const isRevocation = ({ set }: EventObservation): boolean => kinds.isRevocation(set);

export const isDeviceChange = ({ set }: EventObservation): boolean => kinds.isDeviceChange(set);

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

export const changeIn = (message: RunMessage): EventObservation | undefined =>
  'event' in message && isDeviceChange(message.event) ? message.event : undefined;
