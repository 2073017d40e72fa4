import https from 'node:https';
import { connect } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { selfSigned } from '../../carrier/testing/self-signed.ts';
import type { ReceiverResponse } from '../../model/suite.ts';
import { createReceiver, type Inbound, type Receiver } from './receiver.ts';

const open: Receiver[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((receiver) => receiver.close()));
});

async function receive(
  response: ReceiverResponse | (() => Promise<ReceiverResponse>) = { status: 200 },
  onLongHeader: () => void = () => undefined,
) {
  const inbound: Inbound[] = [];
  let clock = 1000;
  const receiver = await createReceiver({
    host: '127.0.0.1',
    port: 0,
    now: () => clock,
    onLongHeader,
    onDelivery: (delivery) => {
      inbound.push(delivery);
      return typeof response === 'function' ? response() : Promise.resolve(response);
    },
  });
  open.push(receiver);
  const port = Number(new URL(receiver.origin).port);
  return {
    receiver,
    inbound,
    setClock: (to: number) => {
      clock = to;
    },
    /** Sends raw bytes; resolves with everything that came back, or with how the connection ended. */
    say: (...parts: readonly (string | Buffer | number)[]) =>
      new Promise<string>((resolve) => {
        const socket = connect(port, '127.0.0.1');
        let heard = '';
        socket.on('data', (chunk) => {
          heard += chunk.toString('latin1');
        });
        socket.on('error', (error) => resolve('code' in error ? String(error.code) : error.message));
        socket.on('close', () => resolve(heard));
        const next = (rest: typeof parts): void => {
          const [part, ...later] = rest;
          if (part === undefined) return;
          if (typeof part === 'number') setTimeout(() => next(later), part);
          else socket.write(part, () => next(later));
        };
        next(parts);
      }),
  };
}

/** A POST as written on the wire; `connection: close` ends the exchange. */
const post = (target: string, lines: readonly string[], body: string): string =>
  [
    `POST ${target} HTTP/1.1`,
    'Host: sp.test',
    'Connection: close',
    ...lines,
    `Content-Length: ${body.length}`,
    '',
    body,
  ].join('\r\n');

describe('what is kept of a delivery', () => {
  test('header lines in order, with their case and repetitions', async () => {
    const { say, inbound } = await receive();
    const heard = await say(
      post('/si/notify', ['AUTHORIZATION: bearer a', 'authorization: bearer b', 'X-é: ü'.replace('é', 'E')], '{}'),
    );
    expect(heard.split('\r\n')[0]).toBe('HTTP/1.1 200 OK');
    expect(inbound.map(({ method, headers, body }) => ({ method, headers, body: body.toString() }))).toEqual([
      {
        method: 'POST',
        headers: [
          ['Host', 'sp.test'],
          ['Connection', 'close'],
          ['AUTHORIZATION', 'bearer a'],
          ['authorization', 'bearer b'],
          ['X-E', 'Ã¼'],
          ['Content-Length', '2'],
        ],
        body: '{}',
      },
    ]);
  });

  test.each([
    '/si/notify?error=request_denied&x=%20+%2F',
    '//si//notify/../notify',
    '/si/%6eotify;a=1',
    '/si/notify%',
    '/si/%zz',
    `/${'long/'.repeat(300)}`,
    '/?',
  ])('the request target byte for byte: %s', async (target) => {
    const { say, inbound } = await receive();
    await say(post(target, ['Content-Type: application/json'], '{}'));
    expect(inbound.map((one) => one.target)).toEqual([target]);
  });

  test.each([
    ['http://sp.test/si/notify?a=%20', '/si/notify?a=%20'],
    ['HTTPS://sp.test:8443', '/'],
    ['https://sp.test?a', '/?a'],
  ])('the absolute form %s is the target %s (RFC 9112 §3.2.2)', async (written, target) => {
    const { say, inbound } = await receive();
    await say(post(written, ['Content-Type: application/json'], '{}'));
    expect(inbound.map((one) => one.target)).toEqual([target]);
  });

  test.each<[string, string[]]>([
    ['none', []],
    ['empty', ['Content-Type: ']],
    ['not a media type', ['Content-Type: json']],
    ['only signs', ['Content-Type: ;;;']],
    ['another one', ['Content-Type: text/html; charset=iso-8859-1']],
    ['form', ['Content-Type: application/x-www-form-urlencoded']],
    ['twice', ['Content-Type: application/json', 'Content-Type: text/plain']],
    ['JSON', ['Content-Type: application/json']],
  ])('a body with a content type that is %s', async (_, lines) => {
    const { say, inbound } = await receive();
    await say(post('/si/notify', lines, '{not json'));
    expect(inbound.map(({ body }) => body.toString())).toEqual(['{not json']);
  });

  test('no body at all', async () => {
    const { say, inbound } = await receive();
    await say(
      'POST /si/notify HTTP/1.1\r\nHost: sp.test\r\nConnection: close\r\nContent-Type: application/json\r\n\r\n',
    );
    expect(inbound.map(({ body }) => body.length)).toEqual([0]);
  });

  test.each(['GET', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'HEAD', 'PROPFIND'])('the method %s', async (method) => {
    const { say, inbound } = await receive();
    await say(`${method} /si/notify HTTP/1.1\r\nHost: sp.test\r\nConnection: close\r\n\r\n`);
    expect(inbound.map((one) => one.method)).toEqual([method]);
  });

  test('a chunked body of any bytes', async () => {
    const { say, inbound } = await receive();
    const head = 'POST / HTTP/1.1\r\nHost: sp.test\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n';
    await say(head, Buffer.from([0x33, 0x0d, 0x0a, 0x00, 0xff, 0x0a, 0x0d, 0x0a]), '0\r\n\r\n');
    expect(inbound.map(({ body }) => [...body])).toEqual([[0x00, 0xff, 0x0a]]);
  });

  test('a body of 1 MB is a delivery too: what a carrier sends is never lost', async () => {
    const { say, inbound } = await receive();
    await say(post('/si/notify', ['Content-Type: application/json'], `{"x":"${'x'.repeat(1_000_000)}"}`));
    expect(inbound).toHaveLength(1);
    expect(inbound[0]?.body.subarray(0, 6).toString()).toBe('{"x":"');
  });

  test('the moment its header had arrived, not its body', async () => {
    const { say, inbound, setClock } = await receive();
    const slow = say('POST / HTTP/1.1\r\nHost: sp.test\r\nConnection: close\r\nContent-Length: 2\r\n\r\n', 120, '{}');
    setTimeout(() => setClock(5000), 60);
    await slow;
    expect(inbound.map(({ receivedAt }) => receivedAt)).toEqual([1000]);
  });
});

describe('what is answered', () => {
  const one = post('/si/notify', ['Content-Type: application/json'], '{}');

  test('status, headers and body as scripted', async () => {
    const { say } = await receive({
      status: 503,
      headers: { 'retry-after': '60', 'content-type': 'text/html' },
      body: '<p>',
    });
    const [head = '', body] = (await say(one)).split('\r\n\r\n');
    expect(head.split('\r\n')[0]).toBe('HTTP/1.1 503 Service Unavailable');
    expect(head).toContain('\r\nretry-after: 60\r\n');
    expect(head).toContain('\r\ncontent-type: text/html\r\n');
    expect(body).toBe('<p>');
  });

  test('without a body it is empty', async () => {
    const { say } = await receive({ status: 200 });
    const heard = await say(one);
    expect(heard).toContain('\r\ncontent-length: 0\r\n');
    expect(heard.endsWith('\r\n\r\n')).toBe(true);
  });

  test('a reset closes the connection without a byte', async () => {
    const { say, inbound } = await receive({ status: 200, reset: true });
    expect(await say(one)).toBe('ECONNRESET');
    expect(inbound).toHaveLength(1);
  });

  test('under TLS too', async () => {
    let asked = 0;
    const receiver = await createReceiver({
      host: '127.0.0.1',
      port: 0,
      tls: selfSigned,
      now: () => 0,
      onDelivery: () => {
        asked += 1;
        return Promise.resolve({ status: 200, reset: true });
      },
    });
    open.push(receiver);
    const heard = await new Promise<string>((resolve) => {
      const request = https.request(`${receiver.origin}/events`, { method: 'POST', rejectUnauthorized: false });
      request.on('response', ({ statusCode }) => resolve(`HTTP ${statusCode}`));
      request.on('error', (error) => resolve('code' in error ? String(error.code) : error.message));
      request.end('{}');
    });
    expect([heard, asked]).toEqual(['ECONNRESET', 1]);
  });

  test('a response is sent when it is decided, and the next delivery does not wait for it', async () => {
    let first = true;
    const { say } = await receive(async () => {
      if (!first) return { status: 200 };
      first = false;
      await new Promise((resolve) => setTimeout(resolve, 150));
      return { status: 204 };
    });
    const order: string[] = [];
    const status = async (): Promise<void> => void order.push((await say(one)).slice(9, 12));
    const slow = status();
    await new Promise((resolve) => setTimeout(resolve, 40));
    await Promise.all([slow, status()]);
    expect(order).toEqual(['200', '204']);
  });

  test('a sender that closes its connection before the response is told to be gone', async () => {
    const { receiver, inbound } = await receive(() => new Promise(() => undefined));
    const socket = connect(Number(new URL(receiver.origin).port), '127.0.0.1');
    socket.write(post('/notify', [], '{}'));
    await expect.poll(() => inbound[0]?.gone?.aborted).toBe(false);
    socket.destroy();
    await expect.poll(() => inbound[0]?.gone?.aborted).toBe(true);
  });

  test('what is no HTTP is answered with 400 and is no delivery', async () => {
    const { say, inbound } = await receive();
    expect((await say('garbage\r\n\r\n')).split('\r\n')[0]).toBe('HTTP/1.1 400 Bad Request');
    expect(inbound).toEqual([]);
  });

  test('a header of 120 KB is a delivery, and a longer one is told', async () => {
    let long = 0;
    const { say, inbound } = await receive(undefined, () => {
      long += 1;
    });
    const headed = (kilobytes: number): string => post('/x', [`X-Long: ${'x'.repeat(kilobytes * 1024)}`], '{}');
    expect((await say(headed(120))).split('\r\n')[0]).toBe('HTTP/1.1 200 OK');
    expect([inbound.length, long]).toEqual([1, 0]);
    await say(headed(129)).catch(() => '');
    expect([inbound.length, long]).toEqual([1, 1]);
  });

  test('closing ends connections that are still open', async () => {
    const { receiver, say } = await receive(() => new Promise(() => undefined));
    const heard = say(one);
    await new Promise((resolve) => setTimeout(resolve, 40));
    await receiver.close();
    open.splice(0);
    expect(['', 'ECONNRESET']).toContain(await heard);
  });
});
