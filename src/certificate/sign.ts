import { CompactSign } from 'jose';
import type { CertificateKey } from './keys.ts';
import { toLowS } from './low-s.ts';
import type { Manifest } from './manifest.ts';

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
