import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Carrier } from '../carrier.ts';
import { refuse } from '../refusal.ts';
import { queryOf } from '../http/request.ts';

const page =
  '<!doctype html><html lang="en"><title>Sign in</title><h1>Sign in</h1><p>Confirm on your phone.</p></html>';

/** §2.3 response_type: elsewhere than at the server-initiated endpoint only code. */
export function signIn(carrier: Carrier, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { client_id: clientId, redirect_uri: redirectUri, response_type: responseType, state } = queryOf(request);
  const client = typeof clientId === 'string' ? carrier.accounts.clients.get(clientId) : undefined;
  if (client === undefined || client.disabled) refuse('invalid_client', 'client_id is not a registered client');
  if (typeof redirectUri !== 'string' || !client.redirectUris.includes(redirectUri)) {
    refuse('invalid_request', 'redirect_uri is not registered for the client');
  }
  const { signInTypes, signInError } = carrier.definition.builders;
  const type = typeof responseType === 'string' ? responseType : undefined;
  if (type !== undefined && signInTypes.includes(type)) return reply.type('text/html; charset=utf-8').send(page);
  const parameters = new URLSearchParams({
    error: signInError(type),
    ...(typeof state === 'string' ? { state } : {}),
  });
  return reply.redirect(`${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${parameters.toString()}`, 302);
}
