import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:https';
import type { Server, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { TLSSocket } from 'node:tls';
import { afterEach, describe, expect, test } from 'vitest';
import type { TlsTrust } from '../../model/target.ts';
import { serveTunnels } from '../../testing/carriers/tunnel.ts';
import { createReceiver } from '../receive/receiver.ts';
import { createSender } from './sender.ts';
import type { SendResult } from './send-result.ts';

const pem = (name: string): string => readFileSync(`fixtures/broken-targets/00-valid/tls/${name}.pem`, 'utf8');
const identityOf = (name: string) => ({ cert: pem(name), key: pem(`${name}-key`) });
const ca = pem('ca');

const open: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((close) => close()));
});

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => sockets.add(socket));
  open.push(async () => {
    server.close();
    for (const socket of sockets) socket.destroy();
    await Promise.resolve();
  });
  const address = server.address();
  return typeof address === 'object' ? (address?.port ?? 0) : 0;
}

/** An https server that names its client. */
function openTls(options: Readonly<Record<string, unknown>> = {}): Promise<number> {
  return listen(
    createServer({ ...identityOf('server'), ...options }, (request, response) => {
      const { socket } = request;
      if (!(socket instanceof TLSSocket)) throw new TypeError('no TLS');
      const peer = socket.getPeerX509Certificate()?.subject;
      response.end(JSON.stringify({ peer, version: socket.getProtocol() }));
    }),
  );
}

async function ask(url: string, tls?: TlsTrust, proxy?: string, requestTimeout = 5): Promise<SendResult> {
  const sender = createSender({ requestTimeout, connections: 1, tls, proxy });
  open.push(() => sender.close());
  return sender.send({ method: 'GET', url, headers: [['x-a', 'b']] });
}

const bodyOf = (sent: SendResult): unknown =>
  'response' in sent ? JSON.parse(sent.response.body.toString('utf8')) : sent;

describe('TLS', () => {
  test('a certificate of an unknown authority gives no response, one of the given authority does', async () => {
    const url = `https://127.0.0.1:${await openTls()}/`;
    expect(await ask(url)).toMatchObject({ noResponse: { reason: 'tls' } });
    expect(bodyOf(await ask(url, { ca }))).toEqual({ version: 'TLSv1.3' });
  });

  test('a name that is not in the certificate gives no response', async () => {
    const server = createServer({ ...identityOf('server') }, (_, response) => response.end('{}'));
    const port = await listen(server);
    expect(bodyOf(await ask(`https://localhost:${port}/`, { ca }))).toEqual({});
    const sent = await ask(`https://127.0.0.2:${port}/`, { ca });
    expect('noResponse' in sent).toBe(true);
  });

  test('our certificate is shown to who asks for it', async () => {
    const url = `https://127.0.0.1:${await openTls({ requestCert: true, rejectUnauthorized: true, ca })}/`;
    expect(await ask(url, { ca })).toMatchObject({ noResponse: {} });
    expect(bodyOf(await ask(url, { ca, identity: identityOf('client') }))).toMatchObject({ peer: 'CN=client.test' });
  });

  test('an older version than the oldest allowed gives no response', async () => {
    const url = `https://127.0.0.1:${await openTls({ maxVersion: 'TLSv1.2' })}/`;
    expect(bodyOf(await ask(url, { ca }))).toEqual({ version: 'TLSv1.2' });
    expect(await ask(url, { ca, minVersion: 'TLSv1.3' })).toMatchObject({ noResponse: { reason: 'tls' } });
  });

  test('the receiver speaks it', async () => {
    const receiver = await createReceiver({
      host: '127.0.0.1',
      port: 0,
      tls: identityOf('server'),
      now: Date.now,
      onDelivery: ({ target }) => Promise.resolve({ status: 200, body: JSON.stringify({ target }) }),
    });
    open.push(() => receiver.close());
    expect(receiver.origin).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
    expect(bodyOf(await ask(`${receiver.origin}/si/notify`, { ca }))).toEqual({ target: '/si/notify' });
  });
});

describe('a proxy', () => {
  /** A proxy that tunnels for clients with the password, and records their requests. */
  async function openProxy(credentials?: string): Promise<{ readonly port: number; readonly asked: string[] }> {
    const asked: string[] = [];
    const server = createHttpServer((request, response) => {
      asked.push(`${request.method} ${request.url}`);
      response.writeHead(500).end();
    });
    serveTunnels(server, credentials, (host) => asked.push(`CONNECT ${host}`));
    return { port: await listen(server), asked };
  }

  test.each(['http', 'https'])('%s goes through its tunnel, with the password of the URL', async (scheme) => {
    const { port, asked } = await openProxy(`Basic ${Buffer.from('us:er:hush@hush').toString('base64')}`);
    const there =
      scheme === 'https' ? await openTls() : await listen(createHttpServer((_, response) => response.end('{"a":1}')));
    const url = `${scheme}://127.0.0.1:${there}/x?y=1`;
    const sent = await ask(url, { ca }, `http://us%3Aer:hush%40hush@127.0.0.1:${port}`);
    expect(sent).toMatchObject({ response: { status: 200 } });
    expect(asked).toEqual([`CONNECT 127.0.0.1:${there}`]);
  });

  test('one that refuses gives no response, and no message shows the password', async () => {
    const { port } = await openProxy('Basic other');
    const sent = await ask(`https://127.0.0.1:${await openTls()}/`, { ca }, `http://user:hush-hush@127.0.0.1:${port}`);
    expect(sent).toMatchObject({ noResponse: {} });
    expect(JSON.stringify(sent)).not.toContain('hush');
    expect(JSON.stringify(sent)).toContain('407');
  });

  test.each([
    ['hangs up at each tunnel', (socket: Duplex) => void socket.destroy()],
    ['never opens the tunnel', () => undefined],
  ])('one that %s gives no response, in time', async (_, answer) => {
    const server = createHttpServer().on('connect', (__, socket) => answer(socket));
    const sent = await ask('https://op.carrier.test/', {}, `http://127.0.0.1:${await listen(server)}`, 0.2);
    expect(sent).toMatchObject({ noResponse: { reason: 'timeout' } });
  });

  test('one that is not there gives no response', async () => {
    const gone = createHttpServer();
    const port = await listen(gone);
    gone.close();
    expect(await ask('https://op.carrier.test/', {}, `http://127.0.0.1:${port}`)).toMatchObject({
      noResponse: { reason: 'refused' },
    });
  });
});
