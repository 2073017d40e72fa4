import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Response } from '../builders/authorization.ts';
import type { Carrier } from '../carrier.ts';
import { approveSilently, openRequest } from '../flow/outcomes.ts';
import { bytesOf, queryOf } from '../http/request.ts';
import { decryptJwe } from '../jose/jwe.ts';
import { defined, type JsonObject, stringMember } from '../json.ts';
import type { MessageContext, TraitMessage } from '../pipeline/context.ts';
import { runPipeline } from '../pipeline/server-initiated.ts';
import { runTraitPipeline } from '../pipeline/usertrait.ts';
import { Refusal } from '../refusal.ts';
import type { Client, Subscriber } from '../state/accounts.ts';

function messageOf(carrier: Carrier, request: FastifyRequest): MessageContext {
  return {
    policy: carrier.definition.policy,
    now: carrier.clock.now(),
    issuer: carrier.issuer,
    accounts: carrier.accounts,
    replays: carrier.replays,
    contentType: request.headers['content-type'] ?? '',
    hosts: request.raw.rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host').length,
    accept: request.headers.accept ?? '',
    bytes: bytesOf(request),
    query: queryOf(request),
    openHintToken: (token, open = ({ hintKey }, text) => decryptJwe(hintKey, text)) => open(carrier, token),
    signingKey: carrier.signingKey,
    countPending: (client, subscriber) => countPending(carrier, client, subscriber),
  };
}

/** Counts requests that wait for the user and have not outlived their granted life. */
function countPending(
  { requests, clock, definition: { builders } }: Carrier,
  client: Client,
  subscriber: Subscriber,
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
export async function serverInitiated(carrier: Carrier, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  await write(reply, await respondTo(carrier, request));
}

/** Opens or refuses the request, and returns the response for the SP. */
export async function respondTo(carrier: Carrier, request: FastifyRequest): Promise<Response> {
  const { pipeline, builders, policy } = carrier.definition;
  let correlationId: string | undefined;
  try {
    const context = await runPipeline(pipeline, messageOf(carrier, request), ({ claims }) => {
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
export async function write(reply: FastifyReply, { status, headers, body }: Response): Promise<void> {
  const type = { 'content-type': 'application/json; charset=utf-8' };
  await reply
    .code(status)
    .headers({ ...type, ...headers })
    .send(JSON.stringify(body));
}

/** §4.7. */
export async function usertrait(carrier: Carrier, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const { usertraits, traits, policy } = carrier.definition;
  let body: JsonObject = {};
  try {
    const { subscriber } = await runTraitPipeline(usertraits, readMessage(carrier, request), (seen) => {
      body = seen.body;
    });
    const tenure = traits.tenure(subscriber, { policy, now: carrier.clock.now() });
    audit(carrier, body, tenure);
    await reply.send(traits.response(tenure));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    audit(carrier, body, error.error);
    await reply.code(error.status).headers(error.headers).send(traits.refusal(error));
  }
}

function readMessage(carrier: Carrier, request: FastifyRequest): TraitMessage {
  return {
    ...messageOf(carrier, request),
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

function audit({ audited, clock }: Carrier, body: JsonObject, outcome: string): void {
  const asked = defined({
    client_id: stringMember(body, 'client_id'),
    sub: stringMember(body, 'sub'),
    correlation_id: stringMember(body, 'correlation_id'),
  });
  audited.push({ at: clock.now(), ...asked, outcome });
}
