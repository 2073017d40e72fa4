import { audienceOf } from '../../judge/audience.ts';
import { callbackKind, headersByName } from '../../judge/classify.ts';
import { decodeCompactJws } from '../../judge/compact-jws.ts';
import type { CallbackObservation, EventObservation, ResponseObservation } from '../../judge/observation.ts';
import { isJsonObject, type Json, parseJson } from '../../model/json.ts';
import { defined } from '../../suite/defined.ts';
import type { Inbound } from '../../wire/receive.ts';

/** A delivery with its header and body understood. */
export interface Parsed {
  readonly inbound: Inbound;
  readonly headers: Record<string, string>;
  readonly text: string;
  readonly body: Json | undefined;
}

export function parseDelivery(inbound: Inbound): Parsed {
  const text = inbound.body.toString('utf8');
  return { inbound, headers: headersByName(inbound.headers), text, body: parseJson(text) };
}

/** What a callback and an event have in common, as a judge sees them. */
function observe(message: string, { inbound, headers, text, body }: Parsed) {
  const { receivedAt, lag, method, target, headers: headerLines } = inbound;
  return {
    message,
    receivedAt: receivedAt / 1000,
    ...defined({ lag: lag === undefined ? undefined : lag / 1000, body }),
    method,
    target,
    headers,
    headerLines,
    text,
  };
}

export function observeCallback(message: string, parsed: Parsed, sent: ResponseObservation): CallbackObservation {
  const { body } = parsed;
  const idToken = isJsonObject(body) ? decodeCompactJws(body['id_token']) : undefined;
  return {
    kind: 'callback',
    ...observe(message, parsed),
    ...defined({ idToken: idToken?.claims, idTokenHeader: idToken?.header }),
    ...callbackKind(body),
    sent,
  };
}

/** The registration that an event is for: its name, and path and query of its endpoint. */
export interface EventEndpoint {
  readonly client: string;
  readonly endpoint: string | undefined;
}

export function observeEvent(message: string, parsed: Parsed, registration?: EventEndpoint): EventObservation {
  const { body } = parsed;
  const jws = isJsonObject(body) ? body['set'] : undefined;
  const set = decodeCompactJws(jws);
  return {
    kind: 'event',
    ...observe(message, parsed),
    ...defined({
      client: registration?.client,
      endpoint: registration?.endpoint,
      jws: typeof jws === 'string' ? jws : undefined,
      set: set?.claims,
      setHeader: set?.header,
      audience: audienceOf(set?.claims ?? {}),
    }),
  };
}
