import { createHash } from 'node:crypto';
import { isJsonObject, type Json, type JsonObject, plainText } from '../../../model/json.ts';
import { MissingValue } from '../../../model/template.ts';
import { defineCheck } from '../../../judge/check.ts';
import { decodeCompactJws } from '../../../judge/compact-jws.ts';
import type { ResponseObservation, CallbackObservation } from '../../../judge/observation.ts';
import { deliveriesOf } from './deliveries-of.ts';
import { memberOf } from './words.ts';

/** Members of the thumbprint, in order (RFC 7638 §3.2). */
const thumbprintMembers: Readonly<Record<string, readonly string[]>> = {
  RSA: ['e', 'kty', 'n'],
  EC: ['crv', 'kty', 'x', 'y'],
};

function thumbprint(jwk: JsonObject): string | undefined {
  const members = thumbprintMembers[plainText(jwk['kty'])];
  if (members === undefined) return undefined;
  const text = JSON.stringify(Object.fromEntries(members.map((name) => [name, jwk[name] ?? null])));
  return createHash('sha256').update(text).digest('base64url');
}

/** The key a token is bound to: `cnf` as jkt, as jwk, or as the bare JWK of public samples. */
function boundTo(cnf: Json | undefined): string | undefined {
  if (!isJsonObject(cnf)) return undefined;
  if (typeof cnf['jkt'] === 'string') return cnf['jkt'];
  return thumbprint(isJsonObject(cnf['jwk']) ? cnf['jwk'] : cnf);
}

function confirmationOf({ body, idToken }: CallbackObservation): Json | undefined {
  const accessToken = decodeCompactJws(memberOf(body, 'access_token'));
  if (accessToken?.claims['cnf'] !== undefined) return accessToken.claims['cnf'];
  if (idToken?.['cnf'] !== undefined) return idToken['cnf'];
  // An opaque access token keeps its binding to itself: nothing to judge.
  if (accessToken === undefined)
    throw new MissingValue('cnf to read: the access token is opaque (supports: { referred-binding: false } says so)');
  return undefined;
}

const boundToKey = (whose: string, keyOf: (sent: ResponseObservation) => JsonObject | undefined) =>
  defineCheck((observation) =>
    deliveriesOf(observation).flatMap((callback) => {
      const key = keyOf(callback.sent);
      const wanted = key === undefined ? undefined : thumbprint(key);
      if (wanted === undefined) return [];
      const bound = boundTo(confirmationOf(callback));
      if (bound === wanted) return [];
      return [{ path: 'access_token.cnf', expected: `${whose}, thumbprint ${wanted}`, actual: bound ?? null }];
    }),
  );

/** §2.3 referred_binding: the access token is bound to the key it names. */
export const boundToReferredKey = boundToKey('the key of referred_binding', ({ claims }) => {
  const key = claims?.['referred_binding'];
  return isJsonObject(key) ? key : undefined;
});

/** §2.3 referred_binding: without it, to the SP key that verified the request object. */
export const boundToSigningKey = boundToKey('the key that signed the request object', ({ signingKey }) => signingKey);
