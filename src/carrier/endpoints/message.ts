import type { FastifyRequest } from 'fastify';
import type { Carrier } from '../carrier.ts';
import { bytesOf, queryOf } from '../http/request.ts';
import { decryptJwe } from '../jose/jwe.ts';
import type { MessageContext } from '../pipeline/context.ts';
import type { Client, Subscriber } from '../state/accounts.ts';

/** What the checks of any endpoint see of a POST. */
export function messageOf(carrier: Carrier, request: FastifyRequest): MessageContext {
  return {
    policy: carrier.definition.policy,
    now: carrier.clock.now(),
    issuer: carrier.issuer,
    accounts: carrier.accounts,
    replays: carrier.replays,
    contentType: request.headers['content-type'] ?? '',
    accept: request.headers.accept ?? '',
    bytes: bytesOf(request),
    query: queryOf(request),
    openHintToken: (token) => decryptJwe(carrier.hintKey, token),
    countPending: (client, subscriber) => countPending(carrier, client, subscriber),
  };
}

/** Requests that wait for a user, and whose life is not over. */
function countPending({ requests, clock }: Carrier, client: Client, subscriber: Subscriber): number {
  let count = 0;
  for (const request of requests.values()) {
    const isAlive = request.state === 'pending' && clock.now() < request.receivedAt + request.granted * 1000;
    if (isAlive && request.client === client && request.subscriber === subscriber) count++;
  }
  return count;
}
