import { randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Carrier, Grant, Grants } from '../carrier.ts';
import { authenticateClient } from '../flow/client-authentication.ts';
import { issueTokens } from '../flow/outcomes.ts';
import { parametersOf } from '../http/request.ts';
import { defined, type JsonObject } from '../json.ts';
import { refuseGrant } from '../pipeline/code.ts';
import { runChecks } from '../pipeline/step.ts';
import { refuse } from '../refusal.ts';
import type { SignIn } from '../state/records.ts';
import { readWanted } from '../state/requests.ts';

/** §4.3: form or JSON; only the grant types of the definition. */
export function token(carrier: Carrier, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const parameters = parametersOf(request);
  const type = parameters['grant_type'];
  if (typeof type !== 'string') refuse('invalid_request', 'grant_type is required');
  const { grants } = carrier.definition;
  const grant = Object.hasOwn(grants, type) ? grants[type] : undefined;
  if (grant === undefined) refuse('unsupported_grant_type', 'the grant type is not supported');
  return reply.send(grant({ carrier, parameters, authorization: request.headers.authorization }));
}

export function issueCode({ codes }: Carrier, signIn: SignIn): string {
  const code = randomBytes(24).toString('base64url');
  codes.set(code, signIn);
  return code;
}

/** RFC 6749 §4.1.2: a code is for one use. */
const authorizationCode: Grant = (call) => {
  const client = authenticateClient(call);
  const { carrier, parameters } = call;
  const signIn = takeOne(carrier.codes, parameters['code']) ?? refuseGrant();
  runChecks(carrier.definition.codeChecks, { client, signIn, parameters, now: carrier.clock.now() });
  return tokenResponse(carrier, signIn);
};

/** RFC 6749 §6, and the rotation of RFC 9700 §4.14.2. */
const refreshToken: Grant = (call) => {
  const client = authenticateClient(call);
  const signIn = takeOne(call.carrier.refreshTokens, call.parameters['refresh_token']);
  if (signIn?.client !== client || signIn.subscriber.consents.get(client.name)?.has('openid') !== true) refuseGrant();
  return tokenResponse(call.carrier, signIn);
};

/** §1.4: results are delivered only by callback, so the CIBA grant is not among them. */
export const strictGrants: Grants = {
  authorization_code: authorizationCode,
  refresh_token: refreshToken,
};

function takeOne(kept: Map<string, SignIn>, key: unknown): SignIn | undefined {
  const found = typeof key === 'string' ? kept.get(key) : undefined;
  if (typeof key === 'string') kept.delete(key);
  return found;
}

function tokenResponse(carrier: Carrier, signIn: SignIn): JsonObject {
  const { client, subscriber, scopes, redirectUri, nonce } = signIn;
  const { policy } = carrier.definition;
  const [key] = client.keys.values();
  const wanted = readWanted({ redirect_uri: redirectUri, scope: scopes.join(' '), ...defined({ nonce }) });
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
    ...defined({
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
