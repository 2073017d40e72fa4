import { compactVerify, errors } from 'jose';
import { parseCompact } from './compact.ts';
import { type Flaw, isFlaw } from './flaw.ts';
import type { Algorithm, CertificateKey } from './keys.ts';
import { isLowS } from './signature.ts';
import type { Manifest } from './manifest.ts';
import { parsePayload } from './payload.ts';

/** A certificate whose every byte is right, and the key that vouches for it. */
export interface Verified {
  readonly manifest: Manifest;
  readonly kid: string;
  readonly alg: Algorithm;
}

/** The key a certificate names. A key that is not named is not tried: a certificate says who signed it. */
function chooseKey(
  keys: readonly CertificateKey[],
  { kid, alg }: Pick<Verified, 'kid' | 'alg'>,
): CertificateKey | Flaw {
  const named = keys.filter((key) => key.kid === kid);
  const found = named.find((key) => key.alg === alg);
  if (found !== undefined) return found;
  const [other] = named;
  if (other !== undefined) {
    return { code: 'alg-of-key', message: `alg is ${alg}, and the key ${kid} signs with ${other.alg} only` };
  }
  const given = keys.map((key) => key.kid).join(', ');
  return {
    code: 'kid',
    message: `it names the key ${kid}, and the one given is ${given}: another key signed it, or kid was changed`,
  };
}

const bitsOfByte = 8;

/** Bytes of a signature: RFC 7518 §3.3 and §3.4, RFC 8032 §5.1.6. */
function lengthOf({ alg, key }: CertificateKey): number {
  return alg === 'RS256' ? Math.ceil((key.asymmetricKeyDetails?.modulusLength ?? 0) / bitsOfByte) : 64;
}

function signatureFlaw(signature: Uint8Array, key: CertificateKey): Flaw | undefined {
  const length = lengthOf(key);
  if (signature.length !== length) {
    const message = `the signature has ${signature.length} bytes, and ${key.alg} with this key makes ${length}: a part of it is missing or was added`;
    return { code: 'signature-length', message };
  }
  if (key.alg !== 'ES256' || isLowS(signature)) return undefined;
  return {
    code: 'signature-form',
    message: 'the signature is the second form of the one that was made: it was changed',
  };
}

/**
 * Reads a certificate by the public keys given: signed by the key it names, in the one form carrierspec writes, and of one piece.
 * Gives the first reason why not. Needs nothing but these two; `now` is in milliseconds since the epoch.
 */
export async function verifyCertificate(
  text: string,
  keys: readonly CertificateKey[],
  now: number,
): Promise<Verified | Flaw> {
  const compact = parseCompact(text);
  if (isFlaw(compact)) return compact;
  const { alg, kid, payload, signature } = compact;
  const key = chooseKey(keys, compact);
  if (isFlaw(key)) return key;
  const unfit = signatureFlaw(signature, key);
  if (unfit !== undefined) return unfit;
  try {
    await compactVerify(text, key.key, { algorithms: [key.alg] });
  } catch (cause) {
    if (!(cause instanceof errors.JOSEError)) throw cause;
    const message = `the signature is not that of the key ${kid} over these bytes: header, payload or signature was changed, or another key of this name signed`;
    return { code: 'signature', message };
  }
  const manifest = parsePayload(payload, now);
  return isFlaw(manifest) ? manifest : { manifest, kid, alg };
}
