import { expect, test } from 'vitest';
import type { Subscriber } from '../../model/target.ts';
import { buildClient } from '../../testing/parts/keys.ts';
import { buildScenario } from '../../testing/parts/suite.ts';
import { buildTarget } from '../../testing/parts/target.ts';
import { caseLocks } from './locks.ts';

const subscriber = (name: string, tags: readonly string[]): Subscriber => ({
  name,
  tags,
  subs: { main: `sub-${name}` },
});

test('a case shares its own subscriber, and has to itself the others that it names', () => {
  const [first, second] = [subscriber('first', ['consented']), subscriber('second', ['unenrolled'])];
  const given = buildScenario('a', {
    subscriber: 'unenrolled',
    requires: ['subscriber:unenrolled', 'subscriber:consented'],
  });
  const assignment = { client: buildClient({ name: 'main' }), second: undefined, subscriber: second };
  expect(caseLocks(given, assignment, buildTarget({ subscribers: [first, second] }))).toEqual([
    { lock: 'client:main', exclusive: false },
    { lock: 'subscriber:second', exclusive: false },
    { lock: 'subscriber:first', exclusive: true },
  ]);
});
