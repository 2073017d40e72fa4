import { isJsonObject, type JsonObject } from '../../../../model/json.ts';
import type { RunMessage } from '../../../../judge/check.ts';
import type { EventObservation } from '../../../../judge/observation.ts';
import { isDeviceChange } from './event.ts';

/** The device change a message of the run is, if it is one. */
export function changeIn(message: RunMessage): EventObservation | undefined {
  if (!('event' in message)) return undefined;
  const { event } = message;
  return isDeviceChange(event) ? event : undefined;
}

/** The keys of a JWK set, where a message of the run is the answer with one. */
export function keysIn(message: RunMessage): readonly JsonObject[] {
  if (!('response' in message)) return [];
  const { body, outcome } = message.response;
  const keys = isJsonObject(body) && outcome === 'accepted' ? body['keys'] : undefined;
  return Array.isArray(keys) ? keys.filter(isJsonObject) : [];
}
