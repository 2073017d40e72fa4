import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Carrier } from '../carrier.ts';
import { queryOf } from './query.ts';

const page =
  '<!doctype html><html lang="en"><title>Find your carrier</title><h1>Find your carrier</h1>' +
  '<p>Enter your number, or scan the code with your phone.</p></html>';

/** §4.5, and the spelling of OpenID Connect Discovery for the carrier's own issuer (A4). */
export function discovery(app: FastifyInstance, carrier: Carrier): void {
  app.get('/.well-known/openid_configuration', (request, reply) => answer(carrier, request, reply));
  app.get('/.well-known/openid-configuration', (request, reply) => {
    const { issuer, origin, mccmnc, definition } = carrier;
    if (Object.keys(queryOf(request)).length > 0) return answer(carrier, request, reply);
    return cacheable(reply).send(definition.discovery.configuration({ issuer, origin, mccmnc }));
  });
  app.get('/jwks', (_request, reply) => {
    const { definition, signingKey, retiredKeys } = carrier;
    return cacheable(reply).send({ keys: definition.discovery.jwks([signingKey, ...retiredKeys]) });
  });
  // §4.6: what the user does there, and the login_hint_token that comes of it, is for the admin door.
  app.get('/discovery-ui', (_request, reply) => reply.type('text/html; charset=utf-8').send(page));
}

function answer(carrier: Carrier, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { client_id: clientId, mccmnc } = queryOf(request);
  const client = typeof clientId === 'string' ? carrier.accounts.clients.get(clientId) : undefined;
  const { discovery: makers, policy } = carrier.definition;
  const address = makers.carrierOf({ client, mccmnc }, carrier);
  if (address !== undefined) return cacheable(reply).send(makers.configuration(address));
  return reply.code(policy.discoveryErrorStatus).send({
    error: 'provider_not_found',
    error_description: 'client_id and mccmnc name no carrier of this platform',
    ...(carrier.discoveryUi === undefined ? {} : { redirect_uri: carrier.discoveryUi }),
  });
}

function cacheable(reply: FastifyReply): FastifyReply {
  return reply.header('cache-control', 'max-age=3600');
}
