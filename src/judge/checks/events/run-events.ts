import { isJsonObject, type JsonObject } from '../../../model/json.ts';
import type { RunMessage } from '../../check.ts';
import type { EventSeen } from '../../observation.ts';
import { isDeviceChange } from './event.ts';

const isEvent = (value: unknown): value is EventSeen => isObject(value) && value['kind'] === 'event';
const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/** The device change a message of the run is, if it is one. */
export function changeIn(message: RunMessage): EventSeen | undefined {
  if (!('event' in message)) return undefined;
  const { event } = message;
  return isEvent(event) && isDeviceChange(event) ? event : undefined;
}

/** The keys of a JWK set, where a message of the run is the answer with one. */
export function keysIn(message: RunMessage): readonly JsonObject[] {
  if (!('answer' in message)) return [];
  const { body, outcome } = message.answer;
  const keys = isJsonObject(body) && outcome === 'accepted' ? body['keys'] : undefined;
  return Array.isArray(keys) ? keys.filter(isJsonObject) : [];
}
