import type { FastifyReply, FastifyRequest } from 'fastify';
import { randomBytes } from 'node:crypto';
import type { Carrier, Grant, Grants } from '../carrier.ts';
import { authenticateClient } from './credentials.ts';
import { recordCancellation as cancelRequest, issueTokens } from '../flow/outcomes.ts';
import { readParameters, queryParameters } from '../http/request.ts';
import { definedMembers, type JsonObject, stringMember } from '../json.ts';
import { refuseGrant, runCancelPipeline, runCodePipeline } from '../pipeline/grants.ts';
import { refuse } from '../refusal.ts';
import type { SignIn } from '../state/records.ts';
import { readAcceptedClaims } from '../state/requests.ts';

const signInPage =
  '<!doctype html><html lang="en"><title>Sign in</title><h1>Sign in</h1><p>Confirm on your phone.</p></html>';

/** §2.3 response_type: the authorization endpoint supports only code. */
export function respondSignIn(carrier: Carrier, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const {
    client_id: clientId,
    redirect_uri: redirectUri,
    response_type: responseType,
    state,
  } = queryParameters(request);
  const client = typeof clientId === 'string' ? carrier.accounts.clients.get(clientId) : undefined;
  if (client === undefined || client.disabled) refuse('invalid_client', 'client_id is not a registered client');
  if (typeof redirectUri !== 'string' || !client.redirectUris.includes(redirectUri)) {
    refuse('invalid_request', 'redirect_uri is not registered for the client');
  }
  const { signInTypes, signInError } = carrier.definition.builders;
  const type = typeof responseType === 'string' ? responseType : undefined;
  if (type !== undefined && signInTypes.includes(type)) return reply.type('text/html; charset=utf-8').send(signInPage);
  const parameters = new URLSearchParams({ error: signInError(type), ...(typeof state === 'string' ? { state } : {}) });
  return reply.redirect(`${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${parameters.toString()}`, 302);
}

/** §4.3: form or JSON; only the grant types of the definition. */
export async function respondToken(carrier: Carrier, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const parameters = readParameters(request);
  const type = parameters['grant_type'];
  if (typeof type !== 'string') refuse('invalid_request', 'grant_type is required');
  const { grants } = carrier.definition;
  const grant = Object.hasOwn(grants, type) ? grants[type] : undefined;
  if (grant === undefined) refuse('unsupported_grant_type', 'the grant type is not supported');
  await reply.send(await grant({ carrier, parameters, authorization: request.headers.authorization }));
}

export function issueCode({ codes }: Carrier, signIn: SignIn): string {
  const code = randomBytes(24).toString('base64url');
  codes.set(code, signIn);
  return code;
}

/** RFC 6749 §4.1.2, §4.1.3: a second use of a code revokes its access token. */
const authorizationCode: Grant = async (call) => {
  const client = authenticateClient(call);
  const { carrier, parameters } = call;
  const { definition, codes, clock, redeemed, revoked } = carrier;
  const code = stringMember(parameters, 'code') ?? '';
  const issued = redeemed.get(code);
  if (issued !== undefined) revoked.add(issued);
  const signIn = await runCodePipeline(definition.codeCall, { client, codes, parameters, now: clock.now() });
  const response = tokenResponse(carrier, signIn);
  redeemed.set(code, stringMember(response, 'access_token') ?? '');
  return response;
};

/** RFC 6749 §6, and the rotation of RFC 9700 §4.14.2. */
const refreshToken: Grant = (call) => {
  const client = authenticateClient(call);
  const signIn = takeRefreshToken(call.carrier.refreshTokens, call.parameters['refresh_token']);
  if (signIn?.client !== client || signIn.subscriber.consents.get(client.name)?.has('openid') !== true) refuseGrant();
  return tokenResponse(call.carrier, signIn);
};

/** §1.4: results are delivered only by callback, so there is no CIBA grant. */
export const strictGrants: Grants = { authorization_code: authorizationCode, refresh_token: refreshToken };

function takeRefreshToken(kept: Map<string, SignIn>, key: unknown): SignIn | undefined {
  const found = typeof key === 'string' ? kept.get(key) : undefined;
  if (typeof key === 'string') kept.delete(key);
  return found;
}

function tokenResponse(carrier: Carrier, signIn: SignIn): JsonObject {
  const { client, subscriber, scopes, redirectUri, nonce } = signIn;
  const { policy } = carrier.definition;
  const [key] = client.keys.values();
  const wanted = readAcceptedClaims({
    redirect_uri: redirectUri,
    scope: scopes.join(' '),
    ...definedMembers({ nonce }),
  });
  const { accessToken, idToken } = issueTokens(carrier, {
    request: { client, subscriber, wanted, boundKey: key?.jwk ?? {} },
    policy,
    issuer: carrier.issuer,
    now: carrier.clock.now(),
    sub: subscriber.subs.get(client.name) ?? refuseGrant(),
    scopes,
    acr: 'a3',
    authentication: 'full',
  });
  return {
    access_token: accessToken,
    token_type: 'Bearer',
    expires_in: policy.tokenLife,
    scope: scopes.join(' '),
    ...definedMembers({
      id_token: idToken,
      refresh_token: scopes.includes('offline_access') ? keepRefreshToken(carrier, signIn) : undefined,
    }),
  };
}

function keepRefreshToken({ refreshTokens }: Carrier, signIn: SignIn): string {
  const token = randomBytes(32).toString('base64url');
  refreshTokens.set(token, signIn);
  return token;
}

/** §4.4. */
export function respondCancel(carrier: Carrier, call: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { definition, requests } = carrier;
  const parameters = readParameters(call);
  const { authorization } = call.headers;
  const client = authenticateClient({ carrier, parameters, authorization, endpoint: 'cancel' });
  const request = runCancelPipeline(definition.cancel, { client, parameters, requests });
  cancelRequest(carrier, request);
  return reply.send({ auth_req_id: request.id });
}
