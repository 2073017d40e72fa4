import { once } from 'node:events';
import { createServer } from 'node:http';
import { afterEach, describe, expect, test } from 'vitest';
import { openRawServer, type RawServer } from '../../testing/carriers/raw-server.ts';
import { createSender, type Sender } from './sender.ts';
import { longHeaderReason, maxBodyBytes } from '../read/collect-body.ts';

const open: (Pick<RawServer, 'close'> | Sender)[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()));
});

async function serve(onRequest: Parameters<typeof openRawServer>[0]): Promise<RawServer> {
  const server = await openRawServer(onRequest);
  open.push(server);
  return server;
}

function sender(requestTimeout = 5, connections = 4): Sender {
  const made = createSender({ requestTimeout, connections });
  open.push(made);
  return made;
}

const get = (url: string) => ({ method: 'GET', url, headers: [] });

describe('the request timeout', () => {
  const within = async (run: () => Promise<unknown>): Promise<number> => {
    const begun = performance.now();
    await run();
    return performance.now() - begun;
  };

  test.each<[string, Parameters<typeof openRawServer>[0]]>([
    ['a server that never answers', () => undefined],
    [
      'a header that trickles for ever',
      (socket) => {
        socket.write('HTTP/1.1 200 OK\r\n');
        const timer = setInterval(() => socket.write('x-more: 1\r\n'), 20);
        socket.on('close', () => clearInterval(timer));
      },
    ],
    [
      'a body that trickles for ever',
      (socket) => {
        socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n');
        const timer = setInterval(() => socket.write('1\r\nx\r\n'), 20);
        socket.on('close', () => clearInterval(timer));
      },
    ],
  ])('ends %s', async (_, onRequest) => {
    const server = await serve(onRequest);
    const { send } = sender(0.3);
    let sent: unknown;
    const took = await within(async () => {
      sent = await send(get(server.origin));
    });
    expect(sent).toEqual({ noResponse: { reason: 'timeout', detail: 'no response within 0.3 s' } });
    expect(took).toBeGreaterThan(280);
    expect(took).toBeLessThan(5000);
  });

  test('is each exchange’s own: a slow one does not shorten the next on the same connection', async () => {
    let responses = 0;
    const server = createServer((_, response) => {
      responses += 1;
      setTimeout(() => response.end(String(responses)), 200);
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    open.push({ close: () => Promise.resolve(void server.close()) });
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    const { send } = sender(0.35, 1);
    const both = await Promise.all([send(get(`http://127.0.0.1:${port}/`)), send(get(`http://127.0.0.1:${port}/`))]);
    expect(both.map((sent) => ('response' in sent ? sent.response.status : sent.noResponse.reason))).toEqual([
      200, 200,
    ]);
  });
});

describe('no response', () => {
  test('no process listens', async () => {
    const server = await openRawServer(() => undefined);
    await server.close();
    const sent = await sender().send(get(server.origin));
    const detail = `connect ECONNREFUSED 127.0.0.1:${server.port}`;
    expect(sent).toEqual({ noResponse: { reason: 'refused', detail } });
  });

  test('a host that does not exist', async () => {
    const sent = await sender().send(get('http://carrier.invalid/'));
    expect(sent).toMatchObject({ noResponse: { reason: 'unresolved' } });
  });

  test('a server that speaks no TLS', async () => {
    const plain = createServer((_, response) => response.end());
    await once(plain.listen(0, '127.0.0.1'), 'listening');
    open.push({ close: () => Promise.resolve(void plain.close()) });
    const address = plain.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    const sent = await sender().send(get(`https://127.0.0.1:${port}/`));
    expect(sent).toMatchObject({ noResponse: { reason: 'tls' } });
  });

  test.each<[string, 'reset' | 'protocol', Parameters<typeof openRawServer>[0]]>([
    ['the connection is reset', 'reset', (socket) => void socket.resetAndDestroy()],
    ['the connection is closed', 'reset', (socket) => void socket.end()],
    ['an interim response alone', 'reset', (socket) => void socket.end('HTTP/1.1 100 x\r\n\r\n')],
    ['something that is not HTTP', 'protocol', (socket) => void socket.end('SSH-2.0-carrier\r\n\r\n')],
    ['a status that is no number', 'protocol', (socket) => void socket.end('HTTP/1.1 abc OK\r\n\r\n')],
    [
      'a body cut by a reset',
      'reset',
      (socket) => {
        socket.write('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf');
        setTimeout(() => socket.resetAndDestroy(), 20);
      },
    ],
    [
      'a body shorter than its content-length',
      'reset',
      (socket) => void socket.end('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf'),
    ],
  ])('%s: %s', async (_, reason, onRequest) => {
    const server = await serve(onRequest);
    const sent = await sender().send({ method: 'POST', url: server.origin, headers: [], body: '{}' });
    expect(sent).toMatchObject({ noResponse: { reason } });
    await new Promise((resolve) => setTimeout(resolve, 60));
    const requests = server.heard.filter((text) => text !== '');
    expect(requests).toHaveLength(1);
  });

  const headed = (bytes: number): string =>
    `HTTP/1.1 200 OK\r\nx-long: ${'x'.repeat(bytes)}\r\ncontent-length: 0\r\n\r\n`;

  test.each([
    ['a request', {}],
    ['a written request', { writing: 'host-twice' }],
  ])('a header of 120 KB comes back for %s, and of a longer one the limit is ours', async (_, parts) => {
    const [long, tooLong] = [
      await serve((socket) => void socket.end(headed(120 * 1024))),
      await serve((socket) => void socket.end(headed(129 * 1024))),
    ];
    const { send } = sender();
    expect(await send({ ...get(long.origin), ...parts })).toMatchObject({ response: { status: 200 } });
    expect(await send({ ...get(tooLong.origin), ...parts })).toEqual({
      noResponse: { reason: 'protocol', detail: longHeaderReason.response, overLimit: true },
    });
  });

  test('a flood is cut off at 8 MiB and says so', async () => {
    let given = 0;
    let closed: () => void = () => undefined;
    const gone = new Promise<void>((resolve) => {
      closed = resolve;
    });
    const server = await serve((socket) => {
      socket.on('close', closed);
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1000000000\r\n\r\n');
      const block = Buffer.alloc(64 * 1024, 'x');
      const more = (): void => {
        while (!socket.destroyed && given < 1e9) {
          given += block.length;
          if (!socket.write(block)) return;
        }
      };
      socket.on('drain', more);
      more();
    });
    const sent = await sender().send(get(server.origin));
    expect('response' in sent && sent.response.status).toBe(200);
    expect('response' in sent && sent.response.bytes).toBeGreaterThan(8 * 1024 * 1024);
    await gone;
    expect(given).toBeLessThan(64 * 1024 * 1024);
  });
});

describe('what is sent', () => {
  const response = 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\nconnection: close\r\n\r\n';

  test('method, target, header lines in case, order and duplicates, and the body', async () => {
    const server = await serve((socket) => void socket.end(response));
    await sender().send({
      method: 'POST',
      url: `${server.origin}/a/b%2Fc?x=1&x=%20#not-sent`,
      headers: [
        ['Content-Type', 'application/json'],
        ['X-Twice', 'one'],
        ['x-TWICE', 'two'],
      ],
      body: '{"é":1}',
    });
    const [heard = ''] = server.heard;
    const [head = '', body] = heard.split('\r\n\r\n');
    expect(head.split('\r\n')).toEqual([
      'POST /a/b%2Fc?x=1&x=%20 HTTP/1.1',
      `host: 127.0.0.1:${server.port}`,
      'connection: keep-alive',
      'Content-Type: application/json',
      'X-Twice: one',
      'x-TWICE: two',
      'user-agent: carrierspec',
      'content-length: 8',
    ]);
    expect(Buffer.from(body ?? '', 'latin1').toString('utf8')).toBe('{"é":1}');
  });

  test('a User-Agent that is given takes the place of ours', async () => {
    const server = await serve((socket) => void socket.end(response));
    await sender().send({ method: 'GET', url: server.origin, headers: [['User-Agent', 'other/1']] });
    expect(server.heard[0]?.match(/^user-agent: .*$/gim)).toEqual(['User-Agent: other/1']);
  });

  test('an empty body is a body of no bytes', async () => {
    const server = await serve((socket) => void socket.end(response));
    await sender().send({ method: 'POST', url: server.origin, headers: [], body: '' });
    expect(server.heard[0]).toContain('\r\ncontent-length: 0\r\n');
  });
});

describe('what came', () => {
  test('status and header lines with their case, order, repetitions and Latin-1 bytes', async () => {
    const lines = [
      'X-B: 1',
      'x-a: 2',
      'X-b: 3',
      'Set-Cookie: a=1',
      'set-cookie: b=2',
      'x-u: \u00fc',
      'Content-Length: 2',
    ];
    const response = Buffer.from(`HTTP/1.1 418 Odd\r\n${lines.join('\r\n')}\r\n\r\nhi`, 'latin1');
    const server = await serve((socket) => void socket.end(response));
    const sent = await sender().send(get(server.origin));
    const headers = lines.map((line) => line.split(': '));
    expect(sent).toEqual({ response: { status: 418, headers, body: Buffer.from('hi'), bytes: 2 } });
  });

  test('a redirect is a response like any other', async () => {
    const elsewhere = await serve((socket) => void socket.end());
    const server = await serve(
      (socket) => void socket.end(`HTTP/1.1 307 Go\r\nLocation: ${elsewhere.origin}/\r\ncontent-length: 0\r\n\r\n`),
    );
    const sent = await sender().send(get(server.origin));
    expect(sent).toMatchObject({
      response: {
        status: 307,
        headers: [
          ['Location', `${elsewhere.origin}/`],
          ['content-length', '0'],
        ],
      },
    });
    expect(elsewhere.heard).toEqual([]);
    expect(server.heard).toHaveLength(1);
  });

  test.each([
    ['hints', ['HTTP/1.1 103 Early\r\nlink: </a>\r\n\r\n']],
    ['100, though the request does not expect it', ['HTTP/1.1 100 Continue\r\n\r\n']],
    ['100 twice and hints', ['HTTP/1.1 100 x\r\nx-b: 1\r\n\r\nHTTP/1.1 100 \r\n\r\nHTTP/1.1 103 x\r\n\r\n']],
    ['100 by itself, and again', ['HTTP/1.1 100 Continue\r\n\r\n', 'HTTP/1.1 100 Continue\r\n\r\n']],
  ])('an interim response is not the response: %s', async (_, before) => {
    const server = await serve((socket) => {
      void (async () => {
        for (const piece of before) {
          socket.write(piece);
          await new Promise((resolve) => setTimeout(resolve, 30));
        }
        socket.write('HTTP/1.1 200 OK\r\nx-a: 1\r\ncontent-length: 2\r\n\r\nok');
      })();
    });
    const sent = await sender().send(get(server.origin));
    expect(sent).toEqual({
      response: {
        status: 200,
        headers: [
          ['x-a', '1'],
          ['content-length', '2'],
        ],
        body: Buffer.from('ok'),
        bytes: 2,
      },
    });
  });

  test('a body is kept up to the limit, and counted beyond it', async () => {
    const extra = 12_345;
    const body = Buffer.alloc(maxBodyBytes + extra, 'a');
    body.write('begin', 0);
    const server = await serve((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n`);
      socket.end(body);
    });
    const sent = await sender().send(get(server.origin));
    if (!('response' in sent)) throw new Error(sent.noResponse.detail);
    expect(sent.response.bytes).toBe(maxBodyBytes + extra);
    expect(sent.response.body.length).toBe(maxBodyBytes);
    expect(sent.response.body.equals(body.subarray(0, maxBodyBytes))).toBe(true);
  });

  test.each([
    ['8 MB', 0],
    ['8 MB and a byte', 1],
  ])('a body of %s is counted', async (_, extra) => {
    const body = Buffer.alloc(8 * 1024 * 1024 + extra, 'a');
    const server = await serve((socket) => {
      socket.on('error', () => undefined);
      socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n`);
      socket.end(body);
    });
    const sent = await sender().send(get(server.origin));
    expect('response' in sent && sent.response.bytes).toBe(body.length);
  });

  test('a body of exactly the limit is whole', async () => {
    const server = await serve((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${maxBodyBytes}\r\n\r\n`);
      socket.end(Buffer.alloc(maxBodyBytes, 'b'));
    });
    const sent = await sender().send(get(server.origin));
    expect('response' in sent && [sent.response.body.length, sent.response.bytes]).toEqual([
      maxBodyBytes,
      maxBodyBytes,
    ]);
  });

  test('compressed bytes are left as they came', async () => {
    const server = await serve(
      (socket) => void socket.end('HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: 3\r\n\r\nabc'),
    );
    const sent = await sender().send(get(server.origin));
    expect('response' in sent && sent.response.body.toString()).toBe('abc');
  });
});
