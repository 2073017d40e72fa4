import { createHmac, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { asText, type JsonObject } from '../../json.ts';
import type { CompactJws } from '../../jose/jws.ts';
import type { RegisteredKey } from '../../state/accounts.ts';

let made: KeyObject | undefined;

/** A private key that no key set shows. */
export function otherKey(): KeyObject {
  made ??= generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
  return made;
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

/** What the SP uploaded in the portal. */
export function pemOf({ key }: RegisteredKey): string {
  return key.export({ type: 'spki', format: 'pem' }).toString();
}
