import type { CertifiedInterface } from '../../judge/check.ts';
import { classifyResponse, headersByName, summarizeResponse } from '../../judge/classify.ts';
import type { ResponseObservation, Readable } from '../../judge/observation.ts';
import type { Exchange, NamedDifference } from '../../model/exchange.ts';
import { defined } from '../../lib/optional.ts';
import type { HttpRequest } from '../../wire/build/http-request.ts';
import { readBody } from '../../wire/read/read-body.ts';
import { recordMessage, type Redactor } from '../../wire/record/redact.ts';
import type { RequestObject } from '../../wire/build/request-object.ts';
import type { Sent } from '../../wire/send/sent.ts';
import type { Want } from '../clock/scheduler.ts';
import { Interrupted } from '../clock/timeline.ts';
import { type CaseContext, Unmet } from './case-context.ts';
import { nextMessageId } from './open-context.ts';

/** A request object as it was sent. */
type SentObject = Pick<RequestObject, 'header' | 'claims'> &
  Pick<ResponseObservation, 'signingKey'> & { readonly jws: string };

export interface ExchangeOrder extends Pick<ResponseObservation, 'step' | 'client' | 'proof' | 'outside' | 'endpoint'> {
  readonly purpose: string;
  readonly http: HttpRequest;
  readonly differences: readonly NamedDifference[];
  readonly object?: SentObject;
  readonly usual?: boolean;
  readonly readable?: Readable;
}

type Understood = Pick<
  ResponseObservation,
  | 'status'
  | 'headers'
  | 'headerLines'
  | 'body'
  | 'text'
  | 'unreadable'
  | 'outcome'
  | 'summary'
  | 'noResponse'
  | 'granted'
>;

function understand(sent: Sent, { messages }: CertifiedInterface): Understood {
  if ('noResponse' in sent) {
    const { reason: noResponse, detail } = sent.noResponse;
    const summary = `no answer: ${noResponse} (${detail})`;
    return { headers: {}, headerLines: [], text: '', outcome: 'no-answer', noResponse, summary };
  }
  const { status, headers: headerLines, body: bytes, bytes: whole } = sent.response;
  const headers = headersByName(headerLines);
  const { text, body, unreadable } = readBody({ headers, bytes, whole });
  const outcome = classifyResponse(status, body);
  const summary = summarizeResponse(outcome, status, body);
  return {
    status,
    headers,
    headerLines,
    text,
    outcome,
    summary,
    ...defined({ body, unreadable, granted: messages.grantedSeconds(body) }),
  };
}

interface Recorded {
  readonly order: ExchangeOrder;
  readonly observation: ResponseObservation;
  readonly sent: Sent;
}

function record({ order, observation, sent }: Recorded, { redactor, attempt }: CaseContext): Exchange {
  const { http, object, step, purpose } = order;
  redactor.learnMembers(object?.claims);
  redactor.learnMembers(observation.body);
  return {
    id: observation.message,
    kind: 'exchange',
    ...defined({ attempt: attempt?.name }),
    step,
    purpose,
    sentAt: observation.sentAt * 1000,
    receivedAt: observation.receivedAt * 1000,
    method: http.method,
    url: redactor.text(http.url),
    request: recordMessage({ headers: http.headers, body: http.body ?? '' }, redactor),
    ...defined({ object: object && { header: redactor.json(object.header), claims: redactor.json(object.claims) } }),
    differences: order.differences.map((difference) =>
      difference.value === undefined ? difference : { ...difference, value: redactor.json(difference.value) },
    ),
    ...recordResponse(sent, observation.text, redactor),
  };
}

function recordResponse(sent: Sent, text: string, redactor: Redactor): Pick<Exchange, 'response' | 'noResponse'> {
  if ('noResponse' in sent) {
    const { reason, detail } = sent.noResponse;
    return { noResponse: { reason, detail: redactor.text(detail) } };
  }
  const { status, headers, body, bytes } = sent.response;
  return { response: { status, ...recordMessage({ headers, body: text, bytes, kept: body.length }, redactor) } };
}

/** The order with the header by which its request can be found in the carrier's logs, where the target names one. */
function traceable(order: ExchangeOrder, { world: { target, random } }: CaseContext): ExchangeOrder {
  const { traceHeader } = target;
  if (traceHeader === undefined) return order;
  return { ...order, http: { ...order.http, headers: [...order.http.headers, [traceHeader, random(8)]] } };
}

const turn: readonly Want[] = [{ lock: 'exchanges', exclusive: false }];

/** Waits for a turn to send; cases that began earlier go first where there is a rate limit. Throws Interrupted. */
export const inTurn = <T>({ world, order }: CaseContext, task: () => Promise<T>): Promise<T> =>
  world.exchanges.pass(
    turn,
    async () => {
      if (world.timeline.stopped.aborted) throw new Interrupted();
      return task();
    },
    order,
  );

/** Sends one request, records it with the case and gives what came back. */
export async function exchange(given: ExchangeOrder, ctx: CaseContext): Promise<ResponseObservation> {
  const { sender, skew, lag, state } = ctx.world;
  const order = traceable(given, ctx);
  const { hold } = ctx.world;
  if (hold?.step === order.step) {
    hold.take(order.http);
    throw new Unmet(`the request of step ${order.step} is not sent`, order.step);
  }
  const sentAt = ctx.now();
  const begun = performance.now();
  const sent = await sender.send(order.http);
  const took = performance.now() - begun;
  const receivedAt = ctx.now();
  const behind = lag?.current() ?? 0;
  state.exchanges += 1;
  const understood = understand(sent, ctx.world.interface);
  skew.observe(understood.headers['date'], sentAt, receivedAt);
  const { step, object, client, proof, outside, endpoint, usual = false, readable = 'not at all', http } = order;
  const { header, claims, jws, signingKey }: Partial<SentObject> = object ?? {};
  const observation: ResponseObservation = {
    kind: 'response',
    step,
    message: nextMessageId(ctx, 'exchange'),
    sentAt: sentAt / 1000,
    receivedAt: receivedAt / 1000,
    ...defined({ lag: behind > 0 ? behind / 1000 : undefined }),
    ...defined({ header, claims, jws, signingKey, client, proof, outside, endpoint }),
    usual,
    readable,
    url: http.url,
    took,
    samples: [took],
    ...understood,
  };
  ctx.state.messages.push(record({ order, observation, sent }, ctx));
  return observation;
}
