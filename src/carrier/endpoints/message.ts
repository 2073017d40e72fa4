import type { FastifyRequest } from 'fastify';
import { bytesOf } from '../body.ts';
import type { Carrier } from '../carrier.ts';
import type { MessageContext } from '../context.ts';
import { queryOf } from './query.ts';

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
  };
}
