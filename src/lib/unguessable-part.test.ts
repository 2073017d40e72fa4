import { expect, test } from 'vitest';
import { drawUnguessable, unguessableParts } from './unguessable-part.ts';

test('a drawn part is found anywhere in a URI', () => {
  for (let at = 0; at < 200; at += 1) {
    const hex = drawUnguessable();
    expect(unguessableParts(`/main/${hex}/events`)).toEqual([hex]);
    expect(unguessableParts(`https://sp.example/cb?key=${hex}`)).toEqual([hex]);
    expect(unguessableParts(`/x/${hex.toUpperCase()}`)).toEqual([hex]);
  }
});

test.each([
  '/3f9c5d1e-8a7b-4c2d-9e6f-0a1b2c3d4e5f',
  '/dGhpcy1pcyBhIHNlY3JldA8x',
  '/cb?key=Zk3vQ9xT1mW8bL5nR2yU7c&x=1',
  '/Zk3-Q9xT1mW8_L5nR2yU7c',
])('%s cannot be guessed', (uri) => expect(unguessableParts(uri)).toHaveLength(1));

test.each([
  '/events',
  '/si/notify-alternate',
  '/notification-callback-endpoint-of-the-second-version-2024',
  '/0000000000000000000000000000000000',
  '/abcabcabcabcabcabcabcabc123123123',
  'https://3f9c5d1e8a7b4c2d9e6f0a1b.sp.example/events',
])('%s can be guessed', (uri) => expect(unguessableParts(uri)).toEqual([]));

test.each([
  ['22 characters', 'Zk3vQ9xT1mW8bL5nR2yU7c', 'Zk3vQ9xT1mW8bL5nR2yU7'],
  ['at most 3 other characters', 'Zk3-Q9xT-mW8_L5nR2yU7c', 'Zk3-Q9xT-mW8_L5nR2-U7c'],
  ['2 digits', 'ZkQxTmWbLnRyUcaB1dEfG2', 'ZkQxTmWbLnRyUcaB1dEfGh'],
  ['3 letters', '1234a5678b9012c3456789', '1234a5678b901234567890'],
  ['9 distinct characters', 'a1B2c3D4ea1B2c3D4ea1B2', 'a1B2c3D4a1B2c3D4a1B2c3'],
  ['a change of class at a quarter of its characters', 'abcdEFG123hijKLM4567nopq', 'abcdEFG123hijKLM4567nopqr'],
])('an unguessable part has %s: %s has, %s has not', (_, random, guessable) => {
  expect([unguessableParts(`/${random}`).length, unguessableParts(`/${guessable}`).length]).toEqual([1, 0]);
});
