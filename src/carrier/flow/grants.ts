import { randomBytes } from 'node:crypto';
import type { Client, Subscriber } from '../state/accounts.ts';
import { authenticateClient } from './client-authentication.ts';
import type { Carrier } from '../carrier.ts';
import { check, type Check } from '../pipeline/context.ts';
import type { JsonObject } from '../json.ts';
import { issueTokens } from './outcomes.ts';
import { refuse } from '../refusal.ts';
import { optional, readWanted } from '../state/requests.ts';

/** A call of the token endpoint (§4.3). */
export interface TokenCall {
  readonly carrier: Carrier;
  readonly parameters: JsonObject;
  readonly authorization: string | undefined;
}

/** One grant type: the body of its 200, or a Refusal. */
export type Grant = (call: TokenCall) => JsonObject;

/** A sign-in, as an authorization code or a refresh token stands for it. */
export interface SignIn {
  readonly client: Client;
  readonly subscriber: Subscriber;
  readonly redirectUri: string;
  readonly scopes: readonly string[];
  readonly nonce?: string;
  /** Milliseconds. */
  readonly expiresAt: number;
}

export function issueCode({ codes }: Carrier, signIn: SignIn): string {
  const code = randomBytes(24).toString('base64url');
  codes.set(code, signIn);
  return code;
}

/** A code, and who brings it. */
export interface CodeContext {
  readonly client: Client;
  readonly signIn: SignIn;
  readonly parameters: JsonObject;
  /** Milliseconds. */
  readonly now: number;
}

export type CodeCheck = Check<CodeContext>;

/** RFC 6749 §4.1.3: a code is for one client, one redirect_uri and a short time. */
export const strictCodeChecks: readonly CodeCheck[] = [
  check('code-is-for-the-client', ({ client, signIn }) => {
    if (signIn.client !== client) refuseGrant();
  }),
  check('code-has-not-expired', ({ signIn, now }) => {
    if (signIn.expiresAt <= now) refuseGrant();
  }),
  check('code-is-for-the-redirect-uri', ({ signIn, parameters }) => {
    if (parameters['redirect_uri'] !== signIn.redirectUri) refuseGrant();
  }),
];

/** RFC 6749 §4.1.2: and for one use. */
const authorizationCode: Grant = (call) => {
  const client = authenticateClient(call);
  const { carrier, parameters } = call;
  const signIn = takeOne(carrier.codes, parameters['code']);
  if (signIn === undefined) refuseGrant();
  for (const { run } of carrier.definition.codeChecks) run({ client, signIn, parameters, now: carrier.clock.now() });
  return answer(carrier, signIn);
};

/** RFC 6749 §6, and the rotation of RFC 9700 §4.14.2. */
const refreshToken: Grant = (call) => {
  const client = authenticateClient(call);
  const signIn = takeOne(call.carrier.refreshTokens, call.parameters['refresh_token']);
  if (signIn?.client !== client || signIn.subscriber.consents.get(client.name)?.has('openid') !== true) refuseGrant();
  return answer(call.carrier, signIn);
};

/** §1.4: results are delivered only by callback, so the CIBA grant is not among them. */
export const strictGrants: Readonly<Record<string, Grant>> = {
  authorization_code: authorizationCode,
  refresh_token: refreshToken,
};

function refuseGrant(): never {
  return refuse('invalid_grant', 'the grant is not valid');
}

function takeOne(kept: Map<string, SignIn>, key: unknown): SignIn | undefined {
  const found = typeof key === 'string' ? kept.get(key) : undefined;
  if (typeof key === 'string') kept.delete(key);
  return found;
}

function answer(carrier: Carrier, signIn: SignIn): JsonObject {
  const { client, subscriber, scopes, redirectUri, nonce } = signIn;
  const { policy } = carrier.definition;
  const now = carrier.clock.now();
  const sub = subscriber.subs.get(client.name) ?? refuseGrant();
  const [key] = client.keys.values();
  const wanted = readWanted({ redirect_uri: redirectUri, scope: scopes.join(' '), ...optional('nonce', nonce) });
  const { accessToken, idToken } = issueTokens(carrier, {
    request: {
      client,
      subscriber,
      wanted,
      boundKey: key?.jwk ?? {},
    },
    policy,
    issuer: carrier.issuer,
    now,
    sub,
    scopes,
    acr: 'a3',
    authentication: 'full',
  });
  return {
    access_token: accessToken,
    token_type: 'Bearer',
    expires_in: policy.tokenLife,
    scope: scopes.join(' '),
    ...optional('id_token', idToken),
    ...optional('refresh_token', scopes.includes('offline_access') ? keepRefreshToken(carrier, signIn) : undefined),
  };
}

function keepRefreshToken({ refreshTokens }: Carrier, signIn: SignIn): string {
  const token = randomBytes(32).toString('base64url');
  refreshTokens.set(token, signIn);
  return token;
}
