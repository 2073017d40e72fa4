import { expect, test } from 'vitest';
import { createBodyCollector } from './collect-body.ts';

const collect = (...chunks: readonly Buffer[]) => {
  const collected = createBodyCollector();
  for (const chunk of chunks) collected.add(chunk);
  return collected;
};

test('nothing came', () => {
  const { body, bytes } = collect();
  expect([body().length, bytes()]).toEqual([0, 0]);
});

test('chunks of any size are one body, in their order', () => {
  const chunks = [1, 0, 1023, 1, 5000, 2].map((size, at) => Buffer.alloc(size, at));
  const { body, bytes } = collect(...chunks);
  expect(body().equals(Buffer.concat(chunks))).toBe(true);
  expect(bytes()).toBe(6027);
});

const most = 256 * 1024;

test.each([
  ['exactly the limit', most, most],
  ['one byte more', most + 1, most],
  ['ten times as much', 10 * most, most],
])('%s: the rest is counted and dropped', (_, whole, kept) => {
  const one = collect(Buffer.alloc(whole, 'a'));
  const many = collect(
    ...Array.from({ length: Math.ceil(whole / 1000) }, (_piece, at) =>
      Buffer.alloc(Math.min(1000, whole - at * 1000), 'a'),
    ),
  );
  for (const { body, bytes } of [one, many]) expect([body().length, bytes()]).toEqual([kept, whole]);
});

test('single bytes take one piece of memory, that is at most twice as long as what came', () => {
  const collected = collect(...Array.from({ length: 100_000 }, () => Buffer.from('a')));
  expect(collected.body().buffer.byteLength).toBeLessThanOrEqual(200_000);
  expect(collected.body().toString()).toBe('a'.repeat(100_000));
});
