import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { calculateJwkThumbprint } from 'jose';
import { isJsonObject, type Json, type JsonObject } from '../lib/json.ts';

/** Algorithms of certificates (RFC 7518 §3.3, §3.4; RFC 8037 §3.1): each key has exactly one. */
export type CertificateAlgorithm = 'RS256' | 'ES256' | 'EdDSA';

export interface CertificateKey {
  readonly kid: string;
  readonly alg: CertificateAlgorithm;
  readonly key: KeyObject;
}

/** RFC 7518 §3.3. */
const minModulusLength = 2048;

/** Algorithm of a key, or why it is unsuitable; the reason quotes nothing of the key. */
function keyAlgorithm({
  asymmetricKeyType: type,
  asymmetricKeyDetails: details,
}: KeyObject): CertificateAlgorithm | { wrong: string } {
  if (type === 'ed25519') return 'EdDSA';
  if (type === 'ec') {
    return details?.namedCurve === 'prime256v1' ? 'ES256' : { wrong: 'its curve is not P-256' };
  }
  if (type !== 'rsa') return { wrong: 'it is neither RSA nor EC on P-256 nor Ed25519' };
  const bits = details?.modulusLength ?? 0;
  return bits >= minModulusLength
    ? 'RS256'
    : { wrong: `RS256 needs at least ${minModulusLength} bits, and it has ${bits}` };
}

const algorithmAliases: Readonly<Record<string, string>> = { Ed25519: 'EdDSA' };

/** The kid of a JWK, or else its thumbprint (RFC 7638). */
async function readKid(jwk: JsonObject, publicKey: KeyObject): Promise<string> {
  const kid = jwk['kid'];
  return typeof kid === 'string' && kid !== '' ? kid : calculateJwkThumbprint(publicKey.export({ format: 'jwk' }));
}

/** Why the JWK's own members forbid this operation, if they do. */
function findUseConflict(jwk: JsonObject, alg: CertificateAlgorithm, operation: 'sign' | 'verify'): string | undefined {
  const { alg: declared, use, key_ops: operations } = jwk;
  if (typeof declared === 'string' && (algorithmAliases[declared] ?? declared) !== alg)
    return `its alg is ${declared}, and it can do ${alg}`;
  if (use !== undefined && use !== 'sig') return 'its use is not "sig"';
  if (Array.isArray(operations) && !operations.includes(operation)) return `its key_ops do not have "${operation}"`;
  return undefined;
}

function isMatchingPair(privateKey: KeyObject, publicKey: KeyObject, alg: CertificateAlgorithm): boolean {
  const hash = alg === 'EdDSA' ? null : 'sha256';
  const probe = Buffer.from('probe');
  return verify(hash, probe, publicKey, sign(hash, probe, privateKey));
}

const knownKeyTypes: ReadonlySet<Json | undefined> = new Set(['RSA', 'EC', 'OKP']);

type ParsedKey = CertificateKey | { readonly wrong: string };

/** Key of a JWK for one operation, or why it cannot be used; the reason continues a sentence that begins with the file name. */
async function importCertificateKey(jwk: JsonObject, operation: 'sign' | 'verify'): Promise<ParsedKey> {
  const isPrivate = operation === 'sign';
  const what = isPrivate ? 'is no private JWK' : 'is no public JWK';
  if (!knownKeyTypes.has(jwk['kty'])) return { wrong: `${what}: kty is neither RSA nor EC nor OKP` };
  const { d, ...shown } = jwk;
  if (isPrivate && typeof d !== 'string') return { wrong: `${what}: it has no private member d` };
  try {
    const publicKey = createPublicKey({ key: shown, format: 'jwk' });
    const key = isPrivate ? createPrivateKey({ key: { ...jwk }, format: 'jwk' }) : publicKey;
    const alg = keyAlgorithm(key);
    if (typeof alg === 'object') return { wrong: `cannot be used: ${alg.wrong}` };
    const unfit = findUseConflict(jwk, alg, operation);
    if (unfit !== undefined) return { wrong: `cannot be used: ${unfit}` };
    if (isPrivate && !isMatchingPair(key, publicKey, alg))
      return { wrong: 'cannot be used: its private and public members do not belong together' };
    return { kid: await readKid(jwk, publicKey), alg, key };
  } catch {
    return { wrong: `${what}: its members are no key` };
  }
}

/** The private JWK that signs certificates, or why it cannot; the reason continues a sentence that begins with the file name. */
export async function parseSigningKey(jwk: unknown): Promise<ParsedKey> {
  if (!isJsonObject(jwk)) return { wrong: 'is no private JWK: it holds no JSON object' };
  if (jwk['kty'] === 'oct') return { wrong: 'is a shared secret: a verifier could also sign' };
  return importCertificateKey(jwk, 'sign');
}

async function parsePublicKey(jwk: Json): Promise<ParsedKey> {
  if (!isJsonObject(jwk)) return { wrong: 'is no public JWK: it holds no JSON object' };
  if (jwk['kty'] === 'oct') return { wrong: 'is a shared secret, which proves nothing about who signed' };
  if ('d' in jwk) return { wrong: 'is a private key: verify with its public part, and keep it to yourself' };
  return importCertificateKey(jwk, 'verify');
}

const isParsedKey = (one: ParsedKey): one is CertificateKey => 'key' in one;

/** Keys of a public JWK or a JWK Set that can verify certificates (others are ignored, RFC 7517 §5), or why there are none. */
export async function parsePublicKeys(value: Json): Promise<readonly CertificateKey[] | { readonly wrong: string }> {
  const set = isJsonObject(value) ? value['keys'] : undefined;
  if (set === undefined) {
    const one = await parsePublicKey(value);
    return isParsedKey(one) ? [one] : one;
  }
  if (!Array.isArray(set)) return { wrong: 'is no JWK Set: keys is no list' };
  const list: readonly Json[] = set;
  const read = await Promise.all(list.map(parsePublicKey));
  const keys = read.filter(isParsedKey);
  if (keys.length > 0) return keys;
  const first = read.find((one): one is { readonly wrong: string } => 'wrong' in one);
  return {
    wrong: `has no key that can verify a certificate${first === undefined ? '' : `: the first ${first.wrong}`}`,
  };
}
