import { createServer, type Server } from 'node:tls';
import { createServer as createPlain } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { selfSigned } from '../../carrier/testing/self-signed.ts';
import { isUnreached, shakeHands } from './handshake.ts';

const open: { close: () => void }[] = [];
afterEach(() => {
  for (const server of open.splice(0)) server.close();
});

async function listen(server: ReturnType<typeof createPlain> | Server): Promise<string> {
  open.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return `https://127.0.0.1:${address === null || typeof address === 'string' ? 0 : address.port}/jwks`;
}

const timeout = 5000;
const { cert, key } = selfSigned;
const old = { cert, key, minVersion: 'TLSv1', ciphers: 'DEFAULT@SECLEVEL=0' } as const;

test('an old version that the server still speaks', async () => {
  const url = await listen(createServer(old));
  expect(await shakeHands(url, { version: 'TLSv1.1', timeout })).toEqual({ connected: true, version: 'TLSv1.1' });
});

test('an old version that the server no longer speaks', async () => {
  const url = await listen(createServer({ cert, key, minVersion: 'TLSv1.2' }));
  const shaken = await shakeHands(url, { version: 'TLSv1.1', timeout });
  expect([shaken.connected, isUnreached(shaken)]).toEqual([false, false]);
  expect(await shakeHands(url, { version: 'TLSv1.2', timeout })).toEqual({ connected: true, version: 'TLSv1.2' });
});

test('without a version the certificate has to hold, and to name the host', async () => {
  const url = await listen(createServer({ cert, key }));
  expect(await shakeHands(url, { timeout })).toMatchObject({ connected: false, code: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
  expect(await shakeHands(url, { timeout, trust: { ca: cert } })).toMatchObject({
    code: 'ERR_TLS_CERT_ALTNAME_INVALID',
  });
});

test('what does not speak TLS', async () => {
  const url = await listen(createPlain((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')));
  expect(await shakeHands(url, { version: 'TLSv1.2', timeout })).toMatchObject({ connected: false });
});

test('what is not there says nothing', async () => {
  const url = await listen(createPlain());
  for (const server of open.splice(0)) server.close();
  expect(isUnreached(await shakeHands(url, { version: 'TLSv1', timeout }))).toBe(true);
});
