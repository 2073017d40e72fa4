import { createPublicKey } from 'node:crypto';
import type { JsonObject } from '../../model/json.ts';

/** An element of DER (X.690 §8.1): tag, length, contents. */
function der(tag: number, ...contents: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(contents);
  if (body.length < 128) return Buffer.concat([Buffer.from([tag, body.length]), body]);
  const length = Buffer.from(body.length.toString(16).padStart(4, '0'), 'hex');
  return Buffer.concat([Buffer.from([tag, 0x80 | length.length]), length, body]);
}

const sequence = (...contents: readonly Uint8Array[]): Buffer => der(0x30, ...contents);
const fromHex = (text: string): Buffer => Buffer.from(text, 'hex');

/** sha256WithRSAEncryption with its NULL (RFC 8017 §A.2.4), and ecdsa-with-SHA256 (RFC 5758 §3.2). */
const algorithms: Readonly<Record<string, Buffer>> = {
  RSA: sequence(fromHex('06092a864886f70d01010b'), fromHex('0500')),
  EC: sequence(fromHex('06082a8648ce3d040302')),
};

/** CN=signer.test */
const name = sequence(der(0x31, sequence(fromHex('0603550403'), der(0x0c, Buffer.from('signer.test')))));

const validity = sequence(der(0x18, Buffer.from('20200101000000Z')), der(0x18, Buffer.from('20991231235959Z')));

/** ECDSA-Sig-Value of r and s side by side (RFC 3279 §2.2.3). */
function ecdsaValue(signature: Buffer): Buffer {
  const half = signature.length / 2;
  const integer = (bytes: Buffer): Buffer => {
    const from = bytes.findIndex((byte) => byte !== 0);
    const short = bytes.subarray(Math.max(from, 0));
    return der(0x02, ...((short[0] ?? 0) > 127 ? [fromHex('00')] : []), short);
  };
  return sequence(integer(signature.subarray(0, half)), integer(signature.subarray(half)));
}

/** An X.509 certificate (RFC 5280 §4.1) of an RSA or P-256 key by itself, in DER; `sign` is RS256 or ES256 over bytes. */
export function selfSignedCertificate(publicJwk: JsonObject, sign: (input: Uint8Array) => Buffer): Buffer {
  const kind = publicJwk['kty'] === 'EC' ? 'EC' : 'RSA';
  const algorithm = algorithms[kind] ?? Buffer.alloc(0);
  const key = createPublicKey({ key: { ...publicJwk }, format: 'jwk' }).export({ type: 'spki', format: 'der' });
  const version3 = der(0xa0, fromHex('020102'));
  const serial = fromHex('020101');
  const certificate = sequence(version3, serial, algorithm, name, validity, name, key);
  const made = sign(certificate);
  return sequence(certificate, algorithm, der(0x03, fromHex('00'), kind === 'EC' ? ecdsaValue(made) : made));
}
