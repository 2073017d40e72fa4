import { headersByName } from '../../judge/classify.ts';
import { readAudience, decodeCompactJws } from '../../judge/compact-jws.ts';
import type { CallbackObservation, EventObservation, ResponseObservation } from '../../judge/observation.ts';
import type { Messages } from '../../model/interface.ts';
import { isJsonObject, renderPlain, omitUndefined } from '../../lib/json.ts';
import type { BodyReader, WholeBody } from '../../wire/read/read-body.ts';
import type { Inbound } from '../../wire/receive/receiver.ts';
import type { Delivery } from '../../model/exchange.ts';
import type { ReceiverResponse, ScriptedResponse, Scope } from '../../model/suite.ts';
import { defaultResponse } from '../../model/target.ts';
import type { Recorder } from '../../wire/record/recorder.ts';
import type { Redactor } from '../../wire/record/redactor.ts';

export interface ParsedDelivery extends WholeBody {
  readonly inbound: Inbound;
  readonly headers: Record<string, string>;
  /** The body was kept as text and not parsed. */
  readonly isSkimmed?: true;
}

/** Largest body that is cheap to read, in bytes; large enough for all tokens of a callback. */
const maxCheapBody = 16 * 1024;

/** Reads a delivery. An unauthenticated one is read only if that is cheap: its headers, and a small unencoded body. */
export function parseDelivery(inbound: Inbound, isAuthenticated: boolean, bodies: BodyReader): ParsedDelivery {
  const headers = headersByName(inbound.headers);
  const isCheap = inbound.body.length <= maxCheapBody && headers['content-encoding'] === undefined;
  if (!isAuthenticated && !isCheap) {
    const text = inbound.body.toString('utf8');
    return { inbound, headers, text, whole: text, isSkimmed: true };
  }
  return { inbound, headers, ...bodies.read({ headers, bytes: inbound.body, whole: inbound.bytes }) };
}

/** Part of the observation that callbacks and events share. */
function observeMessage(message: string, { inbound, headers, text, body, received, unreadable }: ParsedDelivery) {
  const { receivedAt, lag, method, target, headers: headerLines } = inbound;
  return {
    message,
    receivedAt: receivedAt / 1000,
    ...omitUndefined({ lag: lag === undefined ? undefined : lag / 1000, body, received, unreadable }),
    method,
    target,
    headers,
    headerLines,
    text,
  };
}

/** Request that a callback answers, and the interface's messages to read its body. */
interface AnsweredRequest extends Pick<CallbackObservation, 'ahead' | 'history' | 'stray'> {
  readonly sent: ResponseObservation;
  readonly messages: Messages;
}

export function observeCallback(
  message: string,
  parsed: ParsedDelivery,
  answered: AnsweredRequest,
): CallbackObservation {
  const { sent, messages, ahead, history, stray } = answered;
  const { body } = parsed;
  const token = messages.tokenIn('callback', body) ?? '';
  const idToken = decodeCompactJws(token);
  const kind = messages.callbackKind(body);
  const withoutIdToken = kind.tokens && token === '' ? (true as const) : undefined;
  return {
    kind: 'callback',
    ...observeMessage(message, parsed),
    ...omitUndefined({ idToken: idToken?.claims, idTokenHeader: idToken?.header, withoutIdToken }),
    ...kind,
    sent,
    ...omitUndefined({ ahead, history, stray }),
  };
}

/** Registration of an event: its name, and path and query of its endpoint. */
interface EventEndpoint {
  readonly client: string;
  readonly endpoint: string | undefined;
}

interface EventContext {
  readonly message?: string;
  readonly messages: Messages;
  readonly registration?: EventEndpoint;
}

export function observeEvent(
  parsed: ParsedDelivery,
  { message = '', messages, registration }: EventContext,
): EventObservation {
  const jws = messages.tokenIn('event', parsed.body);
  const set = decodeCompactJws(jws);
  return {
    kind: 'event',
    ...observeMessage(message, parsed),
    ...omitUndefined({
      client: registration?.client,
      endpoint: registration?.endpoint,
      jws: typeof jws === 'string' ? jws : undefined,
      set: set?.claims,
      setHeader: set?.header,
      audience: readAudience(set?.claims ?? {}),
    }),
  };
}

type DecodedToken = NonNullable<Delivery['idToken']>;

interface DeliveryEntry {
  readonly id: string;
  readonly response: ReceiverResponse;
  readonly step?: string;
  readonly messages: Messages;
}

interface RecordingServices {
  readonly recorder: Recorder;
  readonly redactor: Redactor;
}

function recordedToken(
  token: DecodedToken | undefined,
  { recorder, redactor }: RecordingServices,
): Delivery['idToken'] {
  if (token === undefined) return undefined;
  const [header, claims] = [recorder.json(token.header, redactor), recorder.json(token.claims, redactor)];
  return header === undefined || !isJsonObject(claims) ? undefined : { header, claims };
}

/** Records a delivery for the result: signed token decoded, secrets redacted. */
export function recordDelivery(
  { id, response, step, messages }: DeliveryEntry,
  parsed: ParsedDelivery,
  recording: RecordingServices,
): Delivery {
  const { inbound, whole, body } = parsed;
  const { recorder, redactor } = recording;
  redactor.learnMembers(body);
  for (const text of [whole, inbound.target, ...inbound.headers.map(([, value]) => value)]) redactor.learnText(text);
  const token = decodeCompactJws(messages.tokenIn('callback', body) ?? messages.tokenIn('event', body));
  return {
    id,
    kind: 'delivery',
    ...(step === undefined ? {} : { step }),
    receivedAt: inbound.receivedAt,
    method: inbound.method,
    target: recorder.line(inbound.target, redactor),
    request: recorder.message(
      { headers: inbound.headers, body: whole, bytes: inbound.bytes, kept: inbound.body.length },
      { id, redactor },
    ),
    ...omitUndefined({ idToken: recordedToken(token, recording) }),
    answered: response.reset === true ? 'reset' : response.status,
  };
}

/** Next scripted response of a case; the last one repeats. */
export function scriptedResponse(script: readonly ScriptedResponse[], given: number, scope: Scope): ReceiverResponse {
  const scripted = script[Math.min(given, script.length - 1)];
  if (scripted === undefined) return defaultResponse;
  const { headers, ...rest } = scripted;
  if (headers === undefined) return rest;
  return {
    ...rest,
    headers: Object.fromEntries(headers.map(([name, value]) => [name, renderPlain(value.evaluate(scope))])),
  };
}
