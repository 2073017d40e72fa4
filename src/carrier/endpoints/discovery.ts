import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Platform } from '../builders/discovery.ts';
import type { Carrier } from '../carrier.ts';
import { queryOf } from '../http/request.ts';
import { pathsOf } from './addresses.ts';
import { defined, type JsonObject } from '../json.ts';

const page =
  '<!doctype html><html lang="en"><title>Find your carrier</title><h1>Find your carrier</h1>' +
  '<p>Enter your number, or scan the code with your phone.</p></html>';

/** Configuration at the path of OpenID Connect Discovery (A4); a query with parameters gets the response of §4.5. */
export function ownConfiguration(carrier: Carrier, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { definition } = carrier;
  if (Object.keys(queryOf(request)).length > 0) return configuration(carrier, request, reply);
  return published(carrier, reply, definition.discovery.configuration(platformOf(carrier)));
}

function platformOf({ issuer, origin, mccmnc, ownCodes, otherCarriers, definition }: Carrier): Platform {
  return { issuer, origin, mccmnc, ownCodes, otherCarriers, paths: pathsOf(definition.routes) };
}

/** OIDC Discovery §3 jwks_uri. */
export function keySet(carrier: Carrier, _request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { definition, signingKey, retiredKeys } = carrier;
  return cacheable(reply).send({ keys: definition.discovery.jwks([signingKey, ...retiredKeys]) });
}

/** §4.6: page only; the admin API plays the user and issues the login_hint_token. */
export const discoveryUi = (_carrier: Carrier, _request: FastifyRequest, reply: FastifyReply): FastifyReply =>
  reply.type('text/html; charset=utf-8').send(page);

/** §4.5. */
export function configuration(carrier: Carrier, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const parameters = queryOf(request);
  const { client_id: clientId, mccmnc } = parameters;
  const client = typeof clientId === 'string' ? carrier.accounts.clients.get(clientId) : undefined;
  const { discovery: builders, policy } = carrier.definition;
  const address = builders.carrierOf({ client, mccmnc, parameters }, platformOf(carrier));
  if (address !== undefined) return published(carrier, reply, builders.configuration(address));
  return reply.code(policy.discoveryErrorStatus).send({
    error: 'provider_not_found',
    error_description: 'client_id and mccmnc name no carrier of this platform',
    ...defined({ redirect_uri: carrier.discoveryUi }),
  });
}

/** Sends text, because the builder chooses the content type. */
const published = ({ definition }: Carrier, reply: FastifyReply, body: JsonObject): FastifyReply =>
  cacheable(reply).type(definition.discovery.contentType).send(JSON.stringify(body));

const cacheable = (reply: FastifyReply): FastifyReply => reply.header('cache-control', 'max-age=3600');
