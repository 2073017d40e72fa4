import { createPublicKey, type KeyObject } from 'node:crypto';
import { isJsonObject, type JsonObject, stringMember } from '../json.ts';

const publicMembers: Readonly<Record<string, { alg: string; names: readonly string[] }>> = {
  RSA: { alg: 'RS256', names: ['kty', 'n', 'e'] },
  EC: { alg: 'ES256', names: ['kty', 'crv', 'x', 'y'] },
};
const privateMembers = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'];

/** A public JWK of a kind the carrier works with (RSA of 2048 bits or more, EC P-256), or undefined. */
export function importPublicJwk(jwk: unknown): { alg: string; jwk: JsonObject; key: KeyObject } | undefined {
  if (!isJsonObject(jwk) || privateMembers.some((name) => name in jwk)) return undefined;
  const kind = publicMembers[stringMember(jwk, 'kty') ?? ''];
  if (kind === undefined) return undefined;
  const needed = Object.fromEntries(kind.names.map((name) => [name, stringMember(jwk, name) ?? '']));
  const key = importKey(needed);
  if (key === undefined) return undefined;
  const { modulusLength, namedCurve } = key.asymmetricKeyDetails ?? {};
  const strong = kind.alg === 'RS256' ? (modulusLength ?? 0) >= 2048 : namedCurve === 'prime256v1';
  return strong ? { alg: kind.alg, jwk: needed, key } : undefined;
}

function importKey(jwk: Record<string, string>): KeyObject | undefined {
  try {
    return createPublicKey({ key: jwk, format: 'jwk' });
  } catch {
    return undefined;
  }
}
