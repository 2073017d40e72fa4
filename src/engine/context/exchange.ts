import { decodeCompactJws } from '../../judge/compact-jws.ts';
import type { Endpoint } from '../../model/interface.ts';
import { overBudgetReason } from '../../wire/read/read-body.ts';
import type { StrayUrl, ObjectReadability, ResponseObservation } from '../../judge/observation.ts';
import { type Json, omitUndefined } from '../../lib/json.ts';
import { describeNoResponse, type Exchange, type NamedDifference, type RecordedMessage } from '../../model/exchange.ts';
import type { HttpRequest } from '../../wire/build/http-request.ts';
import type { RequestObject } from '../../wire/build/request-object.ts';
import type { WireMessage } from '../../wire/record/recorder.ts';
import type { WireResponse, SendResult } from '../../wire/send/send-result.ts';
import { readDate } from '../../wire/send/skew.ts';
import type { LockRequest } from '../clock/scheduler.ts';
import { Interrupted } from '../clock/timeline.ts';
import { type CaseContext, type CaseWith, type RunServices, Unmet } from './case-context.ts';
import { describeSilence } from './circuit.ts';
import { refusedEndpoints, requireOwnOrigin } from './endpoints.ts';
import { nextMessageId } from './open-context.ts';
import type { RandomDraws } from './random-draws.ts';
import { headersByName, summarizeResponse } from '../../judge/classify.ts';
import { classifyResponse } from '../../verdict/response-class.ts';
import { elapsedMillis, toSeconds } from '../../lib/time.ts';

type ReadResponseParts = Pick<
  ResponseObservation,
  | 'status'
  | 'headers'
  | 'headerLines'
  | 'body'
  | 'received'
  | 'text'
  | 'unreadable'
  | 'outcome'
  | 'summary'
  | 'noResponse'
  | 'granted'
  | 'idToken'
  | 'idTokenHeader'
>;

function interpretResponse(
  sent: SendResult,
  { interface: { messages }, bodies }: Pick<RunServices, 'bodies' | 'interface'>,
): {
  readonly understood: ReadResponseParts;
  readonly whole: string;
  /** Why the body is unknown to us; absent if it was read. */
  readonly unknown?: string | undefined;
} {
  if ('noResponse' in sent) {
    const { reason: noResponse, detail } = sent.noResponse;
    const summary = describeNoResponse(sent.noResponse);
    const understood = { headers: {}, headerLines: [], text: '', outcome: 'no-answer' as const, noResponse, summary };
    return { understood, whole: '', ...omitUndefined({ unknown: sent.noResponse.overLimit && detail }) };
  }
  const { status, headers: headerLines, body: bytes, bytes: length } = sent.response;
  const headers = headersByName(headerLines);
  const { text, body, received, unreadable, whole, otherCoding, overBudget } = bodies.read({
    headers,
    bytes,
    whole: length,
  });
  const outcome = classifyResponse(status, body);
  const summary = summarizeResponse(outcome, status, body);
  const granted = messages.grantedSeconds(body);
  const idToken = decodeCompactJws(messages.tokenIn('callback', body));
  const understood = {
    status,
    headers,
    headerLines,
    text,
    outcome,
    summary,
    ...omitUndefined({ body, received, unreadable, granted }),
    ...omitUndefined({ idToken: idToken?.claims, idTokenHeader: idToken?.header }),
  };
  // Our requests do not forbid registered content codings, including those that carrierspec cannot decode.
  const coding = otherCoding && `the response is in the content coding ${otherCoding}, which carrierspec does not undo`;
  return { understood, whole, unknown: overBudget === true ? overBudgetReason : coding };
}

/** Random value of the header that identifies each request. */
export function traceValue(header: string, random: RandomDraws['random']): string {
  // `traceparent` needs the form of W3C Trace Context: carriers drop any other.
  return header.toLowerCase() === 'traceparent' ? `00-${random(16)}-${random(8)}-01` : random(8);
}

type SentObject = Pick<RequestObject, 'header' | 'claims'> &
  Pick<ResponseObservation, 'signingKey'> & { readonly jws: string };

export interface ExchangeOrder extends Pick<ResponseObservation, 'step' | 'client' | 'proof' | 'outside' | 'endpoint'> {
  readonly purpose: string;
  readonly http: HttpRequest;
  readonly differences: readonly NamedDifference[];
  readonly object?: SentObject;
  readonly usual?: boolean;
  /** Driver call: its URL is in the target file, and the clock there is not the carrier's. */
  readonly ours?: true;
  readonly readable?: ObjectReadability;
  /** Belongs to no step and to no case's record: any of the running cases may send it. */
  readonly unrecorded?: true;
}

interface ExchangeRecord {
  readonly order: ExchangeOrder;
  readonly observation: Pick<ResponseObservation, 'message' | 'sentAt' | 'receivedAt'> & {
    readonly body?: Json | undefined;
  };
  /** Absent if the request is held, not sent. */
  readonly sent?: SendResult;
  readonly whole: string;
}

function recordExchange(
  { order, observation, sent, whole }: ExchangeRecord,
  ctx: CaseWith<'attempt' | 'redactor', 'recorder'>,
): Exchange {
  const { redactor, attempt, services } = ctx;
  const { recorder } = services;
  const { http, object, step, purpose, differences } = order;
  const { message: id, sentAt, receivedAt, body } = observation;
  const recorded = (message: WireMessage): RecordedMessage => recorder.message(message, { id, redactor });
  learnObject(object?.claims, redactor);
  redactor.learnMembers(body);
  redactor.learnText(whole);
  const url = recorder.line(http.url, redactor);
  const request = recorded({ headers: http.headers, body: http.body ?? '' });
  const header = object && recorder.json(object.header, redactor);
  const claims = object && recorder.json(object.claims, redactor);
  const response = sent !== undefined && 'response' in sent ? sent.response : undefined;
  const silence = sent !== undefined && 'noResponse' in sent ? sent.noResponse : undefined;
  return {
    id,
    kind: 'exchange',
    ...omitUndefined({ attempt: attempt?.name }),
    step,
    purpose,
    sentAt: elapsedMillis(sentAt),
    receivedAt: elapsedMillis(receivedAt),
    method: http.method,
    url,
    request,
    ...omitUndefined({ object: header === undefined || claims === undefined ? undefined : { header, claims } }),
    differences: differences.map(({ value, ...difference }) => ({
      ...difference,
      ...omitUndefined({ value: value === undefined ? undefined : recorder.json(value, redactor) }),
    })),
    ...(response !== undefined && { response: recordResponse(response, whole, { recorded, redactor }) }),
    ...omitUndefined({
      noResponse: silence && { reason: silence.reason, detail: recorder.line(silence.detail, redactor) },
    }),
  };
}

function learnObject(claims: Json | undefined, redactor: CaseContext['redactor']): void {
  redactor.learnMembers(claims);
  redactor.learnForms(JSON.stringify(claims) ?? '');
}

interface ResponseRecording extends Pick<CaseContext, 'redactor'> {
  readonly recorded: (message: WireMessage) => RecordedMessage;
}

function recordResponse(
  { status, headers, body, bytes }: WireResponse,
  text: string,
  { recorded, redactor }: ResponseRecording,
): NonNullable<Exchange['response']> {
  for (const [, value] of headers) redactor.learnText(value);
  return { status, ...recorded({ headers, body: text, bytes, kept: body.length }) };
}

/** Adds the header that identifies the request in the carrier's logs, if the target sets one. */
function addTraceHeader(
  order: ExchangeOrder,
  { services: { target, random } }: CaseWith<never, 'random' | 'target'>,
): ExchangeOrder {
  const { traceHeader } = target;
  if (traceHeader === undefined) return order;
  const value = traceValue(traceHeader, random);
  return { ...order, http: { ...order.http, headers: [...order.http.headers, [traceHeader, value]] } };
}

/** Members of a configuration that name an endpoint where nothing is sent; undefined for other endpoints. */
function foreignEndpoints(
  { endpoint }: ExchangeOrder,
  { body }: ReadResponseParts,
  { services }: CaseWith<never, 'interface' | 'target'>,
): readonly StrayUrl[] | undefined {
  if (endpoint !== 'discovery') return undefined;
  return refusedEndpoints(body, services.target, services.interface).map(([, { member, words, why }]) => ({
    member,
    words,
    why,
  }));
}

/** Throws Unmet if nothing was sent because of the host's address. */
function requireWasSent(sent: SendResult): SendResult {
  if ('noResponse' in sent && sent.noResponse.unsent === true) throw new Unmet(sent.noResponse.detail);
  return sent;
}

/** Whether the outcome counts for the circuit: a request with its own `writing`, such as half a body, may be unanswerable. */
const countsForCircuit = ({ ours, http }: ExchangeOrder): boolean => ours !== true && http.writing === undefined;

/** Throws Unmet if the endpoint is silent; an attempt that confirms a finding is sent regardless. */
function requireResponsive(
  { ours, http }: ExchangeOrder,
  { attempt, services: { circuits } }: CaseWith<'attempt', 'circuits'>,
): void {
  if (ours === true || attempt !== undefined) return;
  const silent = circuits.silent(http.url);
  if (silent !== undefined) throw new Unmet(`nothing was sent: ${describeSilence(silent)}`);
}

const sendingTurn: readonly LockRequest[] = [{ lock: 'exchanges', exclusive: false }];

/** Waits for a turn to send; under a rate limit earlier cases go first. Throws Interrupted. */
export const awaitTurn = <T>(
  { services, order }: CaseWith<'order', 'exchanges' | 'timeline'>,
  task: () => Promise<T>,
): Promise<T> =>
  services.exchanges.pass(
    sendingTurn,
    async () => {
      if (services.timeline.stopped.aborted) throw new Interrupted();
      return task();
    },
    order,
  );

function keepExchange(recorded: ExchangeRecord, took: number, ctx: CaseContext): void {
  if (recorded.order.unrecorded === true) return;
  const message = recordExchange(recorded, ctx);
  ctx.services.state.exchanges += 1;
  ctx.state.messages.push(message);
  ctx.services.progress({ kind: 'message', id: ctx.case.id, message, took });
}

/** Kind of secret that an accepting response to the request gives away. */
const givenAway = ({ endpoint = '' }: ExchangeOrder, { services }: CaseWith<never, 'interface'>): Endpoint['gives'] =>
  services.interface.endpoints[endpoint]?.gives;

/** Sends one request, records it with the case and returns the observed response. Throws Unmet. */
export async function performExchange(given: ExchangeOrder, ctx: CaseContext): Promise<ResponseObservation> {
  const { sender, circuits, skew, lag, hold } = ctx.services;
  // Only the target file may direct a request elsewhere than to the carrier.
  if (given.ours !== true) requireOwnOrigin(given.http.url, ctx.services);
  const order = addTraceHeader(given, ctx);
  if (hold?.step === order.step) {
    const now = toSeconds(ctx.now());
    const observation = { message: nextMessageId(ctx, 'exchange'), sentAt: now, receivedAt: now };
    hold.take(order.http, recordExchange({ order, observation, whole: '' }, ctx));
    throw new Unmet(`the request of step ${order.step} is not sent`, order.step);
  }
  requireResponsive(order, ctx);
  const sentAt = ctx.now();
  const begun = performance.now();
  const sent = requireWasSent(await sender.send(order.http));
  const took = performance.now() - begun;
  const receivedAt = ctx.now();
  const behind = lag?.current() ?? 0;
  if (countsForCircuit(order)) circuits.note(order.http.url, begun, sent);
  if (!('noResponse' in sent)) ctx.services.state.respondedFrom.add(new URL(order.http.url).origin);
  const { understood, whole, unknown } = interpretResponse(sent, ctx.services);
  if (given.ours !== true) skew.observe(order.http.url, readDate(understood.headerLines), sentAt, receivedAt);
  const { step, object, differences, usual = false, readable = 'not at all', http } = order;
  const { client, proof, outside, endpoint } = order;
  const gives = givenAway(order, ctx);
  const { header, claims, jws, signingKey }: Partial<SentObject> = object ?? {};
  const observation: ResponseObservation = {
    kind: 'response',
    step,
    message: order.unrecorded === true ? '' : nextMessageId(ctx, 'exchange'),
    sentAt: toSeconds(sentAt),
    receivedAt: toSeconds(receivedAt),
    ...omitUndefined({ header, claims, jws, signingKey, differences, client, proof, outside, endpoint, gives }),
    usual,
    readable,
    url: http.url,
    took,
    samples: [took],
    ...omitUndefined({
      lag: behind > 0 ? behind / 1000 : undefined,
      elsewhere: foreignEndpoints(order, understood, ctx),
    }),
    ...understood,
  };
  keepExchange({ order, observation, sent, whole }, took, ctx);
  if (unknown !== undefined) throw new Unmet(unknown);
  return observation;
}
