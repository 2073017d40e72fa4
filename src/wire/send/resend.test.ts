import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { createSender } from './sender.ts';

/** Serves one request on each connection; it reads the second, breaks the connection, and answers the copy with this status. */
async function sendTwice(status: number, method: string) {
  let seen = 0;
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      seen += 1;
      if (seen === 2) request.socket.resetAndDestroy();
      else response.writeHead(seen === 1 ? 200 : status).end('{}');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const sender = createSender({ requestTimeout: 5, connections: 1 });
  const request = { method, url: `http://127.0.0.1:${port}/`, headers: [], ...(method === 'POST' && { body: 'x' }) };
  try {
    await sender.send(request);
    return { sent: await sender.send(request), seen };
  } finally {
    await sender.close();
    server.close();
  }
}

test('a refused copy of a POST says nothing: the carrier may have taken the first one', async () => {
  const { sent, seen } = await sendTwice(400, 'POST');
  const detail = 'the connection broke, and the same request was refused when it was sent again';
  expect(seen).toBe(3);
  expect(sent).toEqual({ noResponse: { reason: 'reset', detail } });
});

test.each([
  ['an accepted copy of a POST', 'POST', 200],
  ['a refused copy of a GET', 'GET', 404],
])('%s is the response', async (_, method, status) => {
  const { sent } = await sendTwice(status, method);
  expect(sent).toMatchObject({ response: { status } });
});
