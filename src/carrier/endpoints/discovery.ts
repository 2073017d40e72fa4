import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Platform } from '../builders/discovery.ts';
import type { Carrier } from '../carrier.ts';
import { queryParameters } from '../http/request.ts';
import { routePaths } from './addresses.ts';
import { definedMembers, type JsonObject } from '../json.ts';

const discoveryPage =
  '<!doctype html><html lang="en"><title>Find your carrier</title><h1>Find your carrier</h1>' +
  '<p>Enter your number, or scan the code with your phone.</p></html>';

/** Configuration at the path of OpenID Connect Discovery (A4); a query with parameters gets the response of §4.5. */
export function respondOwnConfiguration(carrier: Carrier, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { definition } = carrier;
  if (Object.keys(queryParameters(request)).length > 0) return respondConfiguration(carrier, request, reply);
  return sendPublished(carrier, reply, definition.discovery.configuration(describePlatform(carrier)));
}

function describePlatform({ issuer, origin, mccmnc, ownCodes, otherCarriers, definition }: Carrier): Platform {
  return { issuer, origin, mccmnc, ownCodes, otherCarriers, paths: routePaths(definition.routes) };
}

/** OIDC Discovery §3 jwks_uri. */
export function respondKeySet(carrier: Carrier, _request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { definition, signingKey, retiredKeys } = carrier;
  return markCacheable(reply).send({ keys: definition.discovery.jwks([signingKey, ...retiredKeys]) });
}

/** §4.6: page only; the admin API plays the user and issues the login_hint_token. */
export const respondDiscoveryUi = (_carrier: Carrier, _request: FastifyRequest, reply: FastifyReply): FastifyReply =>
  reply.type('text/html; charset=utf-8').send(discoveryPage);

/** §4.5. */
export function respondConfiguration(carrier: Carrier, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const parameters = queryParameters(request);
  const { client_id: clientId, mccmnc } = parameters;
  const client = typeof clientId === 'string' ? carrier.accounts.clients.get(clientId) : undefined;
  const { discovery: builders, policy } = carrier.definition;
  const address = builders.carrierOf({ client, mccmnc, parameters }, describePlatform(carrier));
  if (address !== undefined) return sendPublished(carrier, reply, builders.configuration(address));
  return reply.code(policy.discoveryErrorStatus).send({
    error: 'provider_not_found',
    error_description: 'client_id and mccmnc name no carrier of this platform',
    ...definedMembers({ redirect_uri: carrier.discoveryUi }),
  });
}

/** Sends text, because the builder chooses the content type. */
const sendPublished = ({ definition }: Carrier, reply: FastifyReply, body: JsonObject): FastifyReply =>
  markCacheable(reply).type(definition.discovery.contentType).send(JSON.stringify(body));

const markCacheable = (reply: FastifyReply): FastifyReply => reply.header('cache-control', 'max-age=3600');
