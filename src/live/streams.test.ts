import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { openEvents } from '../testing/pages/live-page.ts';
import { createFeed } from './feed.ts';
import { createStreams, heartbeat } from './streams.ts';

test('a page where nothing happens gets a sign of life each heartbeat', async () => {
  let now = 1000;
  const desk = { now, people: 1, questions: [], ended: [] };
  const streams = createStreams({
    feed: createFeed(() => now),
    desk: () => desk,
    deskVersion: () => 1,
    now: () => now,
    onPeople: () => undefined,
  });
  const server = createServer((_, response) => void streams.open(response, { person: 'ann', seq: 0 }));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  const events = await openEvents(`http://127.0.0.1:${address.port}/`, '');
  await expect.poll(() => events.last('state')).not.toBeNull();
  expect(events.last('ping')).toBeNull();
  now += heartbeat;
  await expect.poll(() => events.last('ping'), { timeout: 5000 }).toBe(now);
  events.close();
  await streams.close();
  server.close();
});
