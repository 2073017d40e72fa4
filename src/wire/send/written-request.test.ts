import { createServer, type Server } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import { writeRequest, requestWritingNames, sendWritten } from './written-request.ts';

const open: Server[] = [];
afterEach(() => {
  for (const server of open.splice(0)) server.close();
});

/** A server that records what it reads, and responds with 400. */
async function listen(): Promise<{ readonly url: string; readonly read: () => string }> {
  let text = '';
  const server = createServer((socket) => {
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      socket.end('HTTP/1.1 400 Bad Request\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}');
    });
    socket.on('error', () => undefined);
  });
  open.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = address === null || typeof address === 'string' ? 0 : address.port;
  return { url: `http://127.0.0.1:${port}/x`, read: () => text };
}

const headers = [['content-type', 'application/json']] as const;
const calling = { requestTimeout: 5, connections: 1 };

test.each([
  ['host-twice', /\r\nHost: 127\.0\.0\.1:\d+\r\n(?:.*\r\n)*Host: unregistered\.example\r\n/],
  ['length-twice', /\r\nContent-Length: 4\r\nContent-Length: 1\r\n/],
  ['length-list', /\r\nContent-Length: 4, 1\r\n/],
  ['length-negative', /\r\nContent-Length: -4\r\n/],
  ['length-and-chunks', /\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n/],
  ['coding-unknown', /\r\nTransfer-Encoding: chunked, unregistered\r\n/],
])('%s goes out as it is written', async (name, expected) => {
  const { url, read } = await listen();
  const sent = await sendWritten({ method: 'POST', url, headers, body: '{"a"' }, name, calling);
  expect(read()).toMatch(expected);
  expect(sent).toMatchObject({ response: { status: 400, bytes: 2 } });
});

test('a bomb is small, and large when it is inflated', () => {
  const { body, headers: lines } = writeRequest('gzip-bomb', { host: 'h', headers, body: Buffer.from('{}') });
  expect(body.length).toBeLessThan(100_000);
  expect(gunzipSync(body).length).toBe(16 * 1024 * 1024 + 2);
  expect(lines).toContainEqual(['Content-Encoding', 'gzip']);
});

describe('a body that is held back', () => {
  /** A server that records what it reads on each connection, never responds, and reports when one closes. */
  async function listenOnly() {
    let text = '';
    const begun = performance.now();
    const server = createServer((socket) => {
      socket.on('data', (chunk) => (text += chunk.toString('latin1')));
      socket.on('error', () => undefined);
    });
    const over = new Promise<number>((resolve) => {
      server.on('connection', (socket) => socket.once('close', () => resolve(performance.now() - begun)));
    });
    open.push(server);
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const address = server.address();
    const port = address === null || typeof address === 'string' ? 0 : address.port;
    return { url: `http://127.0.0.1:${port}/x`, over, bodyRead: () => text.split('\r\n\r\n')[1] };
  }
  const body = '{"a":"0123456789"}';

  test('stalls half way; the step goes on, and the connection is let go when the sender closes', async () => {
    const { url, over, bodyRead } = await listenOnly();
    const closing = new AbortController();
    const begun = performance.now();
    const order = { method: 'POST', url, headers, body };
    const sent = await sendWritten(order, 'body-stalled', { ...calling, closing: closing.signal });
    expect(sent).toEqual({ noResponse: { reason: 'timeout', detail: 'no response while its body was held back' } });
    expect(performance.now() - begun).toBeLessThan(4500);
    expect(bodyRead()).toBe(body.slice(0, 9));
    closing.abort();
    expect(await over).toBeLessThan(4500);
  });

  test('trickles, and is let go after 5 seconds before its last byte', async () => {
    const { url, over, bodyRead } = await listenOnly();
    await sendWritten({ method: 'POST', url, headers, body }, 'body-trickled', calling);
    expect(bodyRead()?.length).toBeGreaterThan(9);
    expect(await over).toBeGreaterThan(4500);
    expect(bodyRead()).toBe(body.slice(0, -1));
  });

  test('a response that comes all the same is one', async () => {
    const { url } = await listen();
    const sent = await sendWritten({ method: 'POST', url, headers, body }, 'body-stalled', calling);
    expect(sent).toMatchObject({ response: { status: 400 } });
  });
});

test('nobody there, a proxy in between, and a name that is none', async () => {
  const request = { method: 'POST', url: 'http://127.0.0.1:1/x', headers, body: '' };
  expect(await sendWritten(request, 'host-twice', calling)).toMatchObject({ noResponse: { reason: 'refused' } });
  const proxied = { ...calling, proxy: 'http://proxy.test' };
  expect(await sendWritten(request, 'host-twice', proxied)).toMatchObject({ noResponse: { reason: 'unresolved' } });
  expect(requestWritingNames).not.toContain('twice');
  expect(() => writeRequest('twice', { host: 'h', headers, body: Buffer.alloc(0) })).toThrow(TypeError);
});
