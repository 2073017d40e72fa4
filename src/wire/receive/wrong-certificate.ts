import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import type { Identity } from '../../model/target.ts';

/** The host of the certificate: nobody's (RFC 6761 §6.4). */
const host = 'wrong-certificate.invalid';

const dayMs = 86_400_000;

const lengthOf = (bytes: number): readonly number[] =>
  bytes < 0x80 ? [bytes] : bytes < 0x100 ? [0x81, bytes] : [0x82, bytes >> 8, bytes & 0xff];

/** One value of DER (X.690): tag, length, and the parts of its content. */
function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([tag, ...lengthOf(content.length)]), content]);
}

const sequence = (...parts: readonly Uint8Array[]): Buffer => der(0x30, ...parts);

/** Object identifiers, encoded. */
const ids = {
  ecdsaWithSha256: Buffer.from('06082a8648ce3d040302', 'hex'),
  commonName: Buffer.from('0603550403', 'hex'),
  subjectAltName: Buffer.from('0603551d11', 'hex'),
};

/** UTCTime: two digits of the year, as RFC 5280 §4.1.2.5.1 has it until 2049. */
const time = (at: number): Buffer =>
  der(
    0x17,
    Buffer.from(
      `${new Date(at)
        .toISOString()
        .replaceAll(/[-:T]|\.\d+/g, '')
        .slice(2)}`,
    ),
  );

/** What is signed (RFC 5280 §4.1.2): version 3, both names the same, and the host as a DNS name. */
function certified(publicKey: Buffer, now: number): Buffer {
  const name = sequence(der(0x31, sequence(ids.commonName, der(0x0c, Buffer.from(host)))));
  const names = sequence(ids.subjectAltName, der(0x04, sequence(der(0x82, Buffer.from(host)))));
  return sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1]), randomBytes(8)),
    sequence(ids.ecdsaWithSha256),
    name,
    sequence(time(now - dayMs), time(now + 365 * dayMs)),
    name,
    publicKey,
    der(0xa3, sequence(names)),
  );
}

/** A certificate that no carrier has a reason to trust, made for one run: self-signed, and for another host (SEC-24). */
export function makeWrongCertificate(now: number): Identity {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const body = certified(publicKey.export({ type: 'spki', format: 'der' }), now);
  const signature = der(0x03, Buffer.from([0]), sign('sha256', body, privateKey));
  const text = sequence(body, sequence(ids.ecdsaWithSha256), signature).toString('base64');
  const lines = text.match(/.{1,64}/g) ?? [];
  return {
    cert: ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n'),
    key: String(privateKey.export({ type: 'pkcs8', format: 'pem' })),
  };
}
