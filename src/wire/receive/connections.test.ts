import { createServer, type Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { boundConnections, type receiverTimeouts } from './connections.ts';

const most = 5;
const request = 'POST / HTTP/1.1\r\nHost: sp.test\r\nContent-Length: 2\r\n\r\n{}';

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** A server that responds on demand; its connections are bounded. */
async function serve(timeouts: Partial<typeof receiverTimeouts> = {}, bound: readonly number[] = [most]) {
  const held: (() => void)[] = [];
  let holds = false;
  const server: Server = createServer({ connectionsCheckingInterval: 50 }, (incoming, response) => {
    incoming.resume();
    const end = (): void => void response.end('ok');
    if (holds) held.push(end);
    else end();
  });
  Object.assign(server, timeouts);
  boundConnections(server, ...bound);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => {
    server.close();
    server.closeAllConnections();
  });
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    hold: (on: boolean) => {
      holds = on;
      if (!on) for (const end of held.splice(0)) end();
    },
    count: () => new Promise<number>((resolve) => server.getConnections((_, count) => resolve(count))),
    open: (localAddress = '127.0.0.1') =>
      new Promise<Socket>((resolve) => {
        const socket = connect({ port, host: '127.0.0.1', localAddress });
        socket.on('error', () => undefined);
        socket.resume();
        closing.push(() => socket.destroy());
        socket.once('connect', () => resolve(socket));
      }),
  };
}

function known<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('there is none');
  return value;
}

type Served = Awaited<ReturnType<typeof serve>>;

async function openMany({ open }: Served, many: number, from?: string): Promise<readonly Socket[]> {
  const sockets: Socket[] = [];
  for (let at = 0; at < many; at += 1) sockets.push(await open(from));
  return sockets;
}

/** Response of a connection within a moment; '' if it was closed. */
function ask(socket: Socket): Promise<string> {
  return new Promise((resolve) => {
    if (socket.destroyed) resolve('');
    socket.once('data', (bytes: Buffer) => resolve(bytes.toString().slice(9, 12)));
    socket.once('close', () => resolve(''));
    socket.write(request);
  });
}

const openOf = (sockets: readonly Socket[]): readonly boolean[] => sockets.map(({ destroyed }) => !destroyed);

test('no more than so many are open', async () => {
  const served = await serve();
  await openMany(served, most * 4);
  await pause(50);
  expect(await served.count()).toBe(most);
});

test('of a run 500 are open', async () => {
  const served = await serve({}, []);
  await openMany(served, 502);
  await expect.poll(() => served.count(), { timeout: 20_000 }).toBe(500);
});

test('nor when they come in one burst', async () => {
  const served = await serve();
  await Promise.all(Array.from({ length: 200 }, () => served.open()));
  await pause(50);
  expect(await served.count()).toBe(most);
});

test('the oldest that waits for a request is closed for the newest', async () => {
  const served = await serve();
  const sockets = await openMany(served, most + 2);
  await pause(50);
  expect(openOf(sockets)).toEqual([false, false, true, true, true, true, true]);
  expect(await ask(known(sockets[6]))).toBe('200');
});

test('one that brought a request is closed after those that brought none in their first second', async () => {
  const served = await serve();
  const [first, ...others] = await openMany(served, most);
  expect(await ask(known(first))).toBe('200');
  await pause(1050);
  await openMany(served, most - 1);
  await pause(50);
  expect(openOf([known(first), ...others])).toEqual([true, false, false, false, false]);
});

test('one that is owed a response is not closed', async () => {
  const served = await serve();
  served.hold(true);
  const sockets = await openMany(served, 2);
  const answers = sockets.map(ask);
  await pause(50);
  await openMany(served, most * 4);
  await pause(50);
  served.hold(false);
  expect(await Promise.all(answers)).toEqual(['200', '200']);
  expect(await served.count()).toBe(most);
});

test('where all are owed a response, the newest is closed', async () => {
  const served = await serve();
  served.hold(true);
  const sockets = await openMany(served, most);
  const answers = sockets.map(ask);
  await pause(50);
  const [more] = await openMany(served, 1);
  await pause(50);
  expect(openOf([known(more)])).toEqual([false]);
  served.hold(false);
  expect(await Promise.all(answers)).toEqual(sockets.map(() => '200'));
});

test('who opens many is closed, and another address is not', async () => {
  const served = await serve();
  const [carrier] = await openMany(served, 1, '127.0.0.2');
  await openMany(served, most * 10);
  await pause(50);
  expect(openOf([known(carrier)])).toEqual([true]);
  expect(await ask(known(carrier))).toBe('200');
});

test('a connection that was closed by itself leaves its place', async () => {
  const served = await serve();
  const sockets = await openMany(served, most);
  for (const socket of sockets) socket.destroy();
  await pause(50);
  const others = await openMany(served, most);
  await pause(50);
  expect(openOf(others)).toEqual(others.map(() => true));
});

test.each([
  ['a head that does not end', { headersTimeout: 200 }, 'POST / HTTP/1.1\r\n'],
  ['a body that does not end', { requestTimeout: 200, headersTimeout: 200 }, request.slice(0, -1)],
  ['nothing after a request', { keepAliveTimeout: 200 }, request],
  ['nothing at all', { headersTimeout: 200 }, ''],
])('%s is timed out', async (_, timeouts, text) => {
  const served = await serve(timeouts);
  const [socket] = await openMany(served, 1);
  await expect.poll(() => served.count()).toBe(1);
  socket?.write(text);
  const drip = setInterval(() => text !== '' && socket?.write(text === request ? '' : 'x'), 60);
  await expect.poll(() => served.count(), { timeout: 5000 }).toBe(0);
  clearInterval(drip);
});

test('a response that goes on is never closed for others, though nobody reads the request', async () => {
  const server = createServer((_incoming, response) => void response.writeHead(200).write('event: x\n\n'));
  boundConnections(server, most);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => {
    server.close();
    server.closeAllConnections();
  });
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const dial = (): Socket => {
    const socket = connect({ port, host: '127.0.0.1' }).on('error', () => undefined);
    closing.push(() => socket.destroy());
    return socket.resume();
  };
  const stream = dial();
  const begun = new Promise((resolve) => stream.once('data', resolve));
  stream.write('GET / HTTP/1.1\r\nHost: sp.test\r\n\r\n');
  await begun;
  const others = Array.from({ length: most * 4 }, dial);
  // An incomplete request gets no response.
  for (const socket of others) socket.write('POST / HTTP/1.1\r\nHost: sp.test\r\nContent-Length: 9\r\n');
  await expect.poll(() => others.filter(({ destroyed }) => !destroyed).length, { timeout: 5000 }).toBe(most - 1);
  expect(stream.destroyed).toBe(false);
});
