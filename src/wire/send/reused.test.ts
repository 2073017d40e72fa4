import { createServer, type ServerResponse } from 'node:http';
import { afterEach, expect, test } from 'vitest';
import { createSender } from './sender.ts';

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((close) => close()));
});

type Answer = (response: ServerResponse) => void;

/** A server that gives these answers in turn; the last one repeats. */
async function serve(...answers: readonly Answer[]) {
  let asked = 0;
  const server = createServer((request, response) => {
    request.resume();
    request.on('end', () => {
      const answer = answers[Math.min(asked, answers.length - 1)];
      asked += 1;
      answer?.(response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  const sender = createSender({ requestTimeout: 2, connections: 1 });
  open.push(
    async () => sender.close(),
    async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  );
  const url = `http://127.0.0.1:${address.port}/`;
  return { send: () => sender.send({ method: 'POST', url, headers: [], body: 'x' }), asked: () => asked };
}

const answer: Answer = (response) => response.end('ok');
const reset: Answer = ({ socket }) => socket?.resetAndDestroy();
const close: Answer = ({ socket }) => socket?.end();
const half: Answer = (response) => {
  response.writeHead(200, { 'content-length': 9 });
  response.write('x', () => reset(response));
};

test.each<[string, Answer]>([
  ['resets', reset],
  ['closes', close],
])('what is sent over a connection that the server %s is sent once again', async (_, lose) => {
  const { send, asked } = await serve(answer, lose, answer);
  await send();
  expect(await send()).toMatchObject({ response: { status: 200 } });
  expect(asked()).toBe(3);
});

test('a reset of the new connection stands', async () => {
  const { send, asked } = await serve(answer, reset);
  await send();
  expect(await send()).toMatchObject({ noResponse: { reason: 'reset' } });
  expect(asked()).toBe(3);
});

test('where a byte of the response came nothing is sent again', async () => {
  const { send, asked } = await serve(answer, half, answer);
  await send();
  expect(await send()).toMatchObject({ noResponse: { reason: 'reset' } });
  expect(asked()).toBe(2);
});

test('a reset of a connection that carried nothing before is no idle connection', async () => {
  const { send, asked } = await serve(reset);
  expect(await send()).toMatchObject({ noResponse: { reason: 'reset' } });
  expect(asked()).toBe(1);
});
