import { isJsonObject, type JsonObject } from '../../../model/json.ts';
import type { RunMessage } from '../../check.ts';
import type { EventSeen } from '../../observation.ts';
import { isDeviceChange } from './event.ts';

/** The device change a message of the run is, if it is one. */
export function changeIn(message: RunMessage): EventSeen | undefined {
  if (!('event' in message)) return undefined;
  const { event } = message;
  return isDeviceChange(event) ? event : undefined;
}

/** The keys of a JWK set, where a message of the run is the answer with one. */
export function keysIn(message: RunMessage): readonly JsonObject[] {
  if (!('answer' in message)) return [];
  const { body, outcome } = message.answer;
  const keys = isJsonObject(body) && outcome === 'accepted' ? body['keys'] : undefined;
  return Array.isArray(keys) ? keys.filter(isJsonObject) : [];
}
