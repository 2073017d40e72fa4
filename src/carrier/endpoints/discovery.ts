import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Carrier } from '../carrier.ts';
import type { JsonObject } from '../json.ts';
import { signingAlgorithms } from '../jws.ts';
import { queryOf } from './query.ts';

/** §4.5, and the spelling of OpenID Connect Discovery for the carrier's own issuer (A4). */
export function discovery(app: FastifyInstance, carrier: Carrier): void {
  app.get('/.well-known/openid_configuration', (request, reply) => answer(carrier, request, reply));
  app.get('/.well-known/openid-configuration', (request, reply) =>
    Object.keys(queryOf(request)).length === 0
      ? reply.header('cache-control', 'max-age=3600').send(configuration(carrier))
      : answer(carrier, request, reply),
  );
  app.get('/jwks', (_request, reply) =>
    reply.header('cache-control', 'max-age=3600').send({ keys: [carrier.signingKey.publicJwk] }),
  );
}

function answer(carrier: Carrier, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { client_id: clientId, mccmnc } = queryOf(request);
  const client = typeof clientId === 'string' ? carrier.accounts.clients.get(clientId) : undefined;
  if (client === undefined || client.disabled || mccmnc !== carrier.mccmnc) {
    return reply.code(carrier.definition.policy.discoveryErrorStatus).send({
      error: 'provider_not_found',
      error_description: 'client_id and mccmnc name no carrier of this platform',
      ...(carrier.discoveryUi === undefined ? {} : { redirect_uri: carrier.discoveryUi }),
    });
  }
  return reply.header('cache-control', 'max-age=3600').send(configuration(carrier));
}

/** §2.9, and the keys that lead to the endpoints of §4. */
export function configuration({ issuer, origin, mccmnc }: Carrier): JsonObject {
  return {
    issuer,
    authorization_endpoint: `${origin}/authorize`,
    token_endpoint: `${origin}/token`,
    jwks_uri: `${origin}/jwks`,
    userinfo_endpoint: `${origin}/userinfo`,
    server_initiated_authorization_endpoint: `${origin}/bc-authorize`,
    response_types_supported: ['code', 'token', 'async_token'],
    subject_types_supported: ['pairwise'],
    id_token_signing_alg_values_supported: ['RS256'],
    request_object_signing_alg_values_supported: signingAlgorithms,
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'private_key_jwt'],
    acr_values_supported: ['a1', 'a3'],
    scopes_supported: ['openid', 'name', 'email', 'phone', 'postal_code', 'offline_access', 'address', 'birthdate'],
    request_parameter_supported: true,
    request_uri_parameter_supported: false,
    mccmnc,
  };
}
