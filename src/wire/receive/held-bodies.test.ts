import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { createHeldBodies } from './receiver.ts';

const open = (): IncomingMessage => new IncomingMessage(new Socket());

test('as long as it is no more than so many bytes, all of it is held', () => {
  const [one, other] = [open(), open()];
  const bodies = createHeldBodies(100);
  for (const bytes of [10, 20, 50]) bodies.hold(one, bytes);
  bodies.hold(other, 50);
  expect([one.destroyed, other.destroyed]).toEqual([false, false]);
});

test('where it is more, the largest goes, whoever was last', () => {
  const [small, large, last] = [open(), open(), open()];
  const bodies = createHeldBodies(100);
  bodies.hold(small, 30);
  bodies.hold(large, 60);
  bodies.hold(last, 20);
  expect([small.destroyed, large.destroyed, last.destroyed]).toEqual([false, true, false]);
  bodies.hold(last, 70);
  expect([small.destroyed, last.destroyed]).toEqual([false, false]);
  bodies.hold(last, 71);
  expect([small.destroyed, last.destroyed]).toEqual([false, true]);
});

test('of equal ones the oldest goes', () => {
  const [one, other] = [open(), open()];
  const bodies = createHeldBodies(100);
  bodies.hold(one, 50);
  bodies.hold(other, 50);
  bodies.hold(open(), 1);
  expect([one.destroyed, other.destroyed]).toEqual([true, false]);
});

test('what has come whole, or no more comes, counts no more', () => {
  const bodies = createHeldBodies(100);
  for (let at = 0; at < 10; at += 1) {
    const request = open();
    bodies.hold(request, 100);
    expect(request.destroyed).toBe(false);
    bodies.release(request);
    bodies.release(request);
  }
});

test('of a run 16 MB are held', () => {
  const [one, other] = [open(), open()];
  const bodies = createHeldBodies();
  bodies.hold(one, 12 * 1024 * 1024);
  bodies.hold(other, 4 * 1024 * 1024);
  expect(one.destroyed).toBe(false);
  bodies.hold(other, 4 * 1024 * 1024 + 1);
  expect(one.destroyed).toBe(true);
});
