import { X509Certificate } from 'node:crypto';
import { connect } from 'node:tls';
import { expect, test } from 'vitest';
import { createReceiver, readWrongCertificate } from './receiver.ts';

test('a certificate that holds for nobody: self-signed, of another host, and of today', () => {
  const { cert } = readWrongCertificate();
  const read = new X509Certificate(cert);
  expect(read.subject).toBe('CN=wrong-certificate.invalid');
  expect(read.issuer).toBe(read.subject);
  expect(read.subjectAltName).toBe('DNS:wrong-certificate.invalid');
  expect(read.verify(read.publicKey)).toBe(true);
  expect(Date.parse(read.validFrom)).toBeLessThan(Date.now());
  expect(Date.parse(read.validTo)).toBeGreaterThan(Date.now());
});

test.each([
  ['is refused by whom verifies it', true, 'DEPTH_ZERO_SELF_SIGNED_CERT'],
  ['serves whom does not', false, undefined],
])('a receiver with it %s', async (_, rejectUnauthorized, expected) => {
  const tls = readWrongCertificate();
  const receiver = await createReceiver({
    host: '127.0.0.1',
    port: 0,
    tls,
    now: Date.now,
    onDelivery: () => Promise.resolve({ status: 200 }),
  });
  const { hostname, port } = new URL(receiver.origin);
  const code = await new Promise<string | undefined>((resolve) => {
    const socket = connect({ host: hostname, port: Number(port), rejectUnauthorized }, () => resolve(undefined));
    socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code));
    socket.once('secureConnect', () => socket.destroy());
  });
  expect(code).toBe(expected);
  await receiver.close();
});
