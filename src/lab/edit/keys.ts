import { createHmac, generateKeyPairSync, type KeyObject } from 'node:crypto';
import type { CompactJws } from '../../carrier/jose/jws.ts';
import { asText, type JsonObject } from '../../carrier/json.ts';
import type { RegisteredKey } from '../../carrier/state/accounts.ts';

let madeKey: KeyObject | undefined;

/** Private key that is in no key set. */
export function otherKey(): KeyObject {
  madeKey ??= generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
  return madeKey;
}

/** Sets alg to none and removes the signature (RFC 7515, appendix A.5). */
export function removeSignature(jws: string): string {
  const [header = '', payload = ''] = jws.split('.');
  const none = Buffer.from(header, 'base64url')
    .toString('utf8')
    .replace(/"alg":"[^"]*"/, '"alg":"none"');
  return `${Buffer.from(none).toString('base64url')}.${payload}.`;
}

/** Changes the first character of the signature. */
export function breakSignature(jws: string): string {
  const at = jws.lastIndexOf('.') + 1;
  return `${jws.slice(0, at)}${jws[at] === 'A' ? 'B' : 'A'}${jws.slice(at + 1)}`;
}

const digests: Readonly<Record<string, string>> = { HS256: 'sha256', HS384: 'sha384', HS512: 'sha512' };

/** Whether the signature is an HMAC with this secret, by the alg of the header. */
export function isHmac(
  { header, jws }: { readonly header: JsonObject; readonly jws: CompactJws },
  secret: string | Buffer,
): boolean {
  const digest = digests[asText(header['alg'])];
  return digest !== undefined && createHmac(digest, secret).update(jws.signed).digest().equals(jws.signature);
}

/** Public key in PEM, as the SP uploaded it in the portal. */
export function publicPem({ key }: RegisteredKey): string {
  return key.export({ type: 'spki', format: 'pem' }).toString();
}
