import { constants, createHmac, type KeyObject, privateEncrypt, sign as rawSign } from 'node:crypto';
import { CompactSign } from 'jose';
import type { JsonObject } from '../../lib/json.ts';
import type { SigningKey } from './keys.ts';
import type { Signer } from './tamper-signed.ts';

const encoder = new TextEncoder();
const base64url = (text: string): string => Buffer.from(text, 'utf8').toString('base64url');

const jwaHash = (alg: string): string => `sha${alg.slice(2)}`;

/** Signatures that jose would refuse to make, by algorithm family (RFC 7518 §3.1). */
const signatureFamilies: Readonly<Record<string, (input: string, key: KeyObject, alg: string) => Buffer>> = {
  RS: (input, key, alg) => rawSign(jwaHash(alg), Buffer.from(input, 'latin1'), key),
  PS: (input, key, alg) =>
    rawSign(jwaHash(alg), Buffer.from(input, 'latin1'), {
      key,
      padding: constants.RSA_PKCS1_PSS_PADDING,
      saltLength: constants.RSA_PSS_SALTLEN_DIGEST,
    }),
  ES: (input, key, alg) => rawSign(jwaHash(alg), Buffer.from(input, 'latin1'), { key, dsaEncoding: 'ieee-p1363' }),
};

function signRaw(input: string, key: SigningKey, alg: string): Buffer {
  if (key.raw instanceof Uint8Array)
    return createHmac(jwaHash(/^HS(256|384|512)$/.test(alg) ? alg : key.alg), key.raw)
      .update(Buffer.from(input, 'latin1'))
      .digest();
  const kind = key.raw.asymmetricKeyType === 'ec' ? ['ES'] : ['RS', 'PS'];
  const family = kind.includes(alg.slice(0, 2)) && /^..(256|384|512)$/.test(alg) ? alg : key.alg;
  const sign = signatureFamilies[family.slice(0, 2)];
  if (sign === undefined) throw new TypeError(`no way to sign with ${family}`);
  return sign(input, key.raw, family);
}

/** Compact JWS (RFC 7515 §7.1). The header goes out as given, even if it does not fit the key's algorithm. */
export async function signCompact(payload: string, header: JsonObject, key: SigningKey): Promise<string> {
  const alg = header['alg'];
  if (alg === key.alg && !('crit' in header) && !('b64' in header)) {
    return new CompactSign(encoder.encode(payload)).setProtectedHeader({ ...header, alg }).sign(key.jose);
  }
  const input = `${base64url(JSON.stringify(header))}.${base64url(payload)}`;
  return `${input}.${signRaw(input, key, typeof alg === 'string' ? alg : key.alg).toString('base64url')}`;
}

/** Signs a tampered input again, with the key's own algorithm. */
export function createSigner(key: SigningKey): Signer {
  return {
    sign: (input) => signRaw(Buffer.from(input).toString('latin1'), key, key.alg).toString('base64url'),
    ...(key.publicJwk === undefined ? {} : { publicJwk: key.publicJwk }),
    ...rsaOperation(key),
  };
}

function rsaOperation({ raw }: SigningKey): Pick<Signer, 'rsa'> {
  if (raw instanceof Uint8Array || raw.asymmetricKeyType !== 'rsa') return {};
  return { rsa: (block) => privateEncrypt({ key: raw, padding: constants.RSA_NO_PADDING }, block) };
}
