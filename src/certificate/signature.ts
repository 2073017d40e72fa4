import { CompactSign } from 'jose';
import type { CertificateKey } from './keys.ts';
import type { Manifest } from './manifest.ts';

/** Order of the group of P-256 (SEC 2 §2.4.2). */
const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;
const half = 32;

const numberOf = (bytes: Uint8Array): bigint => BigInt(`0x${Buffer.from(bytes).toString('hex')}`);

/**
 * Whether the second half of an ES256 signature (r and s, 32 bytes each, RFC 7518 §3.4) is the smaller of the two values
 * that verify. The holder of a signature can make the other one without the key: of a certificate, only one is valid.
 */
export function isLowS(signature: Uint8Array): boolean {
  return numberOf(signature.subarray(half)) <= order / 2n;
}

/** The signature with the smaller of the two. */
function toLowS(signature: Uint8Array): Uint8Array {
  if (isLowS(signature)) return signature;
  const low = (order - numberOf(signature.subarray(half))).toString(16).padStart(2 * half, '0');
  return Buffer.concat([signature.subarray(0, half), Buffer.from(low, 'hex')]);
}

/** `typ` of a certificate (RFC 7515 §4.1.9): no JWS made for anything else passes for one. */
export const certificateType = 'carrierspec-certificate+jwt';

/** The certificate: a compact JWS (RFC 7515 §7.1) over the manifest's JSON, without a line feed. Its header is alg, typ and kid, in this order. */
export async function signManifest(manifest: Manifest, { key, kid, alg }: CertificateKey): Promise<string> {
  const jws = await new CompactSign(new TextEncoder().encode(JSON.stringify(manifest)))
    .setProtectedHeader({ alg, typ: certificateType, kid })
    .sign(key);
  if (alg !== 'ES256') return jws;
  const at = jws.lastIndexOf('.') + 1;
  const signature = toLowS(Buffer.from(jws.slice(at), 'base64url'));
  return jws.slice(0, at) + Buffer.from(signature).toString('base64url');
}
