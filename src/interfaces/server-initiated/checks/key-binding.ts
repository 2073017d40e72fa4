import { createHash } from 'node:crypto';
import type { MessageCheck, NamedCheck } from '../../../judge/check.ts';
import { decodeCompactJws } from '../../../judge/compact-jws.ts';
import type { CallbackObservation, ResponseObservation } from '../../../judge/observation.ts';
import { readMember, isJsonObject, type Json, type JsonObject, renderPlain } from '../../../lib/json.ts';
import { MissingValue } from '../../../model/suite.ts';
import { defineCallbackCheck } from './define-check.ts';

/** Members of the thumbprint, in order (RFC 7638 §3.2). */
const thumbprintMembers: Readonly<Record<string, readonly string[]>> = {
  RSA: ['e', 'kty', 'n'],
  EC: ['crv', 'kty', 'x', 'y'],
};

function jwkThumbprint(jwk: JsonObject): string | undefined {
  const members = thumbprintMembers[renderPlain(jwk['kty'])];
  if (members === undefined) return undefined;
  const text = JSON.stringify(Object.fromEntries(members.map((name) => [name, jwk[name] ?? null])));
  return createHash('sha256').update(text).digest('base64url');
}

/** Thumbprint of the key a token is bound to: `cnf` as jkt, as jwk, or as the bare JWK of public samples. */
function boundThumbprint(cnf: Json | undefined): string | undefined {
  if (!isJsonObject(cnf)) return undefined;
  if (typeof cnf['jkt'] === 'string') return cnf['jkt'];
  return jwkThumbprint(isJsonObject(cnf['jwk']) ? cnf['jwk'] : cnf);
}

/** A message that may have an access token. */
interface TokenBearer {
  readonly body?: Json | undefined;
  readonly idToken?: JsonObject | undefined;
}

const readConfirmation = ({ body, idToken }: TokenBearer): Json | undefined =>
  decodeCompactJws(readMember(body, 'access_token'))?.claims['cnf'] ?? idToken?.['cnf'];

/** Whether the access token of a message shows that it is bound to this public JWK. */
export function isBoundTo(message: TokenBearer, jwk: Json): boolean {
  const shown = readConfirmation(message);
  return shown !== undefined && isJsonObject(jwk) && boundThumbprint(shown) === jwkThumbprint(jwk);
}

/** Throws MissingValue for an opaque access token, which does not show its key. */
function requireReadableToken({ body }: CallbackObservation): undefined {
  if (decodeCompactJws(readMember(body, 'access_token')) !== undefined) return undefined;
  throw new MissingValue('cnf to read: the access token is opaque (supports: { referred-binding: false } says so)');
}

interface BindingKey {
  readonly description: string;
  readonly of: (sent: ResponseObservation) => JsonObject | undefined;
  /** Tokens need not show their key. */
  readonly isOptional?: true;
}

const defineBindingCheck = (name: string, key: BindingKey): MessageCheck =>
  defineCallbackCheck(name, (callback) => {
    const jwk = key.of(callback.sent);
    const wanted = jwk === undefined ? undefined : jwkThumbprint(jwk);
    if (wanted === undefined) return [];
    const shown = readConfirmation(callback);
    if (shown === undefined && key.isOptional === true) return [];
    const bound = boundThumbprint(shown ?? requireReadableToken(callback));
    if (bound === wanted) return [];
    return [{ path: 'access_token.cnf', expected: `${key.description}, thumbprint ${wanted}`, actual: bound ?? null }];
  });

/** Checks of the key that the access token is bound to (§2.3 referred_binding). */
export const bindingChecks: readonly NamedCheck[] = [
  /** §2.3 referred_binding: the key it names. */
  defineBindingCheck('bound-to-referred-key', {
    description: 'the key of referred_binding',
    of: ({ claims }) => {
      const key = claims?.['referred_binding'];
      return isJsonObject(key) ? key : undefined;
    },
  }),

  /** §2.3 referred_binding: without it, the SP key that verified the request object; §2.6 shows no contents of tokens. */
  defineBindingCheck('bound-to-signing-key', {
    description: 'the key that signed the request object',
    of: ({ signingKey }) => signingKey,
    isOptional: true,
  }),

  defineCallbackCheck('binding-shown', (callback) =>
    readConfirmation(callback) === undefined
      ? [{ path: 'access_token.cnf', expected: 'the key that the access token is bound to', actual: null }]
      : [],
  ),
];
