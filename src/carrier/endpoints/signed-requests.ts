import type { FastifyReply, FastifyRequest } from 'fastify';
import type { CarrierResponse } from '../builders/authorization.ts';
import type { Carrier } from '../carrier.ts';
import { approveSilently, openRequest } from '../flow/outcomes.ts';
import { bodyBytes, queryParameters } from '../http/request.ts';
import { decryptJwe } from '../jose/jwe.ts';
import { definedMembers, type JsonObject, stringMember } from '../json.ts';
import type { MessageContext, TraitMessage } from '../context.ts';
import { runPipeline } from '../pipeline/server-initiated.ts';
import { runTraitPipeline } from '../pipeline/usertrait.ts';
import { Refusal } from '../refusal.ts';
import type { ClientState, SubscriberState } from '../state/accounts.ts';

function readRequestMessage(carrier: Carrier, request: FastifyRequest): MessageContext {
  return {
    policy: carrier.definition.policy,
    now: carrier.clock.now(),
    issuer: carrier.issuer,
    accounts: carrier.accounts,
    replays: carrier.replays,
    contentType: request.headers['content-type'] ?? '',
    hosts: request.raw.rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host').length,
    accept: request.headers.accept ?? '',
    bytes: bodyBytes(request),
    query: queryParameters(request),
    openHintToken: (token, open = ({ hintKey }, text) => decryptJwe(hintKey, text)) => open(carrier, token),
    signingKey: carrier.signingKey,
    countPending: (client, subscriber) => countPending(carrier, client, subscriber),
  };
}

/** Counts requests that wait for the user and have not outlived their granted life. */
function countPending(
  { requests, clock, definition: { builders } }: Carrier,
  client: ClientState,
  subscriber: SubscriberState,
): number {
  let count = 0;
  for (const request of requests.values()) {
    const isAlive =
      request.state === 'pending' &&
      builders.isOpen(request) &&
      clock.now() < request.receivedAt + request.granted * 1000;
    if (isAlive && request.client === client && request.subscriber === subscriber) count++;
  }
  return count;
}

/** §4.1. */
export async function respondServerInitiated(
  carrier: Carrier,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  await sendResponse(reply, await authorizeRequest(carrier, request));
}

/** Opens or refuses the request, and returns the response for the SP. */
export async function authorizeRequest(carrier: Carrier, request: FastifyRequest): Promise<CarrierResponse> {
  const { pipeline, builders, policy } = carrier.definition;
  let correlationId: string | undefined;
  try {
    const context = await runPipeline(pipeline, readRequestMessage(carrier, request), ({ claims }) => {
      correlationId = stringMember(claims, 'correlation_id');
    });
    const accepted = openRequest(carrier, context);
    const response = builders.response(accepted, policy);
    if (accepted.wanted.prompt.includes('none')) approveSilently(carrier, accepted);
    return response;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return builders.refusal(error, correlationId);
  }
}

/** Sends text, because the builder chooses the content type. */
export async function sendResponse(reply: FastifyReply, { status, headers, body }: CarrierResponse): Promise<void> {
  const type = { 'content-type': 'application/json; charset=utf-8' };
  await reply
    .code(status)
    .headers({ ...type, ...headers })
    .send(JSON.stringify(body));
}

/** §4.7. */
export async function respondUsertrait(carrier: Carrier, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const { usertraits, traits, policy } = carrier.definition;
  let body: JsonObject = {};
  try {
    const { subscriber } = await runTraitPipeline(usertraits, readTraitMessage(carrier, request), (seen) => {
      body = seen.body;
    });
    const tenure = traits.tenure(subscriber, { policy, now: carrier.clock.now() });
    recordAudit(carrier, body, tenure);
    await reply.send(traits.response(tenure));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    recordAudit(carrier, body, error.error);
    await reply.code(error.status).headers(error.headers).send(traits.refusal(error));
  }
}

function readTraitMessage(carrier: Carrier, request: FastifyRequest): TraitMessage {
  return {
    ...readRequestMessage(carrier, request),
    method: request.method,
    target: request.url,
    origin: carrier.origin,
    mccmnc: carrier.mccmnc,
    header: (name: string) => {
      const value = request.headers[name];
      return typeof value === 'string' ? value : undefined;
    },
  };
}

function recordAudit({ audited, clock }: Carrier, body: JsonObject, outcome: string): void {
  const asked = definedMembers({
    client_id: stringMember(body, 'client_id'),
    sub: stringMember(body, 'sub'),
    correlation_id: stringMember(body, 'correlation_id'),
  });
  audited.push({ at: clock.now(), ...asked, outcome });
}
