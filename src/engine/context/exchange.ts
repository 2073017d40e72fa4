import type { CertifiedInterface } from '../../judge/check.ts';
import { classifyResponse, headersByName, summarizeResponse } from '../../judge/classify.ts';
import type { ResponseObservation, Readable } from '../../judge/observation.ts';
import type { Exchange, NamedDifference } from '../../model/exchange.ts';
import type { JsonObject } from '../../model/json.ts';
import { parseJson } from '../../model/json.ts';
import type { HttpRequest } from '../../wire/build/http-request.ts';
import { recordMessage } from '../../wire/record/redact.ts';
import type { Sent } from '../../wire/send/send.ts';
import type { CaseContext } from './case-context.ts';
import { nextMessageId } from './open-context.ts';

import { Interrupted } from '../clock/timeline.ts';

interface SentObject {
  readonly header: JsonObject;
  readonly claims: JsonObject;
  readonly jws: string;
  readonly signingKey?: JsonObject;
}

export interface ExchangeOrder {
  readonly step: string;
  readonly purpose: string;
  readonly http: HttpRequest;
  readonly differences: readonly NamedDifference[];
  readonly object?: SentObject;
  readonly client?: string;
  readonly usual?: boolean;
  readonly proof?: string;
  readonly readable?: Readable;
}

type Understood = Pick<
  ResponseObservation,
  'status' | 'headers' | 'headerLines' | 'body' | 'text' | 'outcome' | 'summary' | 'noResponse' | 'granted'
>;

function understand(sent: Sent, { messages }: CertifiedInterface): Understood {
  if ('noResponse' in sent) {
    const { reason, detail } = sent.noResponse;
    return {
      headers: {},
      headerLines: [],
      text: '',
      outcome: 'no-answer',
      noResponse: reason,
      summary: `no answer: ${reason} (${detail})`,
    };
  }
  const { status, headers: headerLines, body: bytes } = sent.response;
  const text = bytes.toString('utf8');
  const body = parseJson(text);
  const outcome = classifyResponse(status, body);
  const granted = messages.grantedSeconds(body);
  return {
    status,
    headers: headersByName(headerLines),
    headerLines,
    text,
    outcome,
    summary: summarizeResponse(outcome, status, body),
    ...(body === undefined ? {} : { body }),
    ...(granted === undefined ? {} : { granted }),
  };
}

interface Recorded {
  readonly order: ExchangeOrder;
  readonly observation: ResponseObservation;
  readonly sent: Sent;
}

function record({ order, observation, sent }: Recorded, { redactor }: CaseContext): Exchange {
  redactor.learnMembers(order.object?.claims);
  redactor.learnMembers(observation.body);
  const { http, object } = order;
  return {
    id: observation.message,
    kind: 'exchange',
    step: order.step,
    purpose: order.purpose,
    sentAt: observation.sentAt * 1000,
    receivedAt: observation.receivedAt * 1000,
    method: http.method,
    url: redactor.text(http.url),
    request: recordMessage({ headers: http.headers, body: http.body ?? '' }, redactor),
    ...(object === undefined
      ? {}
      : { object: { header: redactor.json(object.header), claims: redactor.json(object.claims) } }),
    differences: order.differences.map((difference) =>
      difference.value === undefined ? difference : { ...difference, value: redactor.json(difference.value) },
    ),
    ...('response' in sent
      ? {
          response: {
            status: sent.response.status,
            ...recordMessage(sent.response, redactor),
          },
        }
      : { noResponse: { reason: sent.noResponse.reason, detail: redactor.text(sent.noResponse.detail) } }),
  };
}

function sentPart({ header, claims, jws, signingKey }: SentObject): SentObject {
  return { header, claims, jws, ...(signingKey === undefined ? {} : { signingKey }) };
}

/** The order with the header by which its request can be found in the carrier's logs, where the target names one. */
function traceable(order: ExchangeOrder, { world: { target, random } }: CaseContext): ExchangeOrder {
  const { traceHeader } = target;
  if (traceHeader === undefined) return order;
  return { ...order, http: { ...order.http, headers: [...order.http.headers, [traceHeader, random(8)]] } };
}

/** Waits for a turn to send; cases that began earlier go first where there is a rate limit. Throws Interrupted. */
export const inTurn = <T>({ world, order }: CaseContext, task: () => Promise<T>): Promise<T> =>
  world.exchanges.pass(
    [{ lock: 'exchanges', exclusive: false }],
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
  const sentAt = ctx.now();
  const begun = performance.now();
  const sent = await sender.send(order.http);
  const took = performance.now() - begun;
  const receivedAt = ctx.now();
  const behind = lag?.current() ?? 0;
  state.exchanges += 1;
  const understood = understand(sent, ctx.world.interface);
  skew.observe(understood.headers['date'], sentAt, receivedAt);
  const { object, client, proof } = order;
  const observation: ResponseObservation = {
    kind: 'response',
    step: order.step,
    message: nextMessageId(ctx, 'exchange'),
    sentAt: sentAt / 1000,
    receivedAt: receivedAt / 1000,
    ...(behind > 0 ? { lag: behind / 1000 } : {}),
    ...(object === undefined ? {} : sentPart(object)),
    ...(client === undefined ? {} : { client }),
    usual: order.usual ?? false,
    readable: order.readable ?? 'not at all',
    url: order.http.url,
    took,
    samples: [took],
    ...(proof === undefined ? {} : { proof }),
    ...understood,
  };
  ctx.state.messages.push(record({ order, observation, sent }, ctx));
  return observation;
}
