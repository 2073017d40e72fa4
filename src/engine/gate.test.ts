import { setImmediate as yieldOnce } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { createGate } from './gate.ts';

describe('a gate', () => {
  test('lets so many in at a time, in the order they came', async () => {
    const { pass } = createGate(3);
    const order: number[] = [];
    let inside = 0;
    let most = 0;
    const all = Array.from({ length: 20 }, (_, index) =>
      pass(async () => {
        order.push(index);
        inside += 1;
        most = Math.max(most, inside);
        for (let turns = (index * 7) % 5; turns >= 0; turns -= 1) await yieldOnce();
        inside -= 1;
        return index;
      }),
    );
    expect(await Promise.all(all)).toEqual(Array.from({ length: 20 }, (_, index) => index));
    expect(order).toEqual(Array.from({ length: 20 }, (_, index) => index));
    expect(most).toBe(3);
  });

  test('one that comes later does not slip in before those that wait', async () => {
    const { pass } = createGate(1);
    const order: string[] = [];
    const enter = (name: string) => pass(() => Promise.resolve(void order.push(name)));
    const first = enter('first').then(() => enter('late'));
    await Promise.all([first, enter('second'), enter('third')]);
    expect(order).toEqual(['first', 'second', 'third', 'late']);
  });

  test('a task that fails gives its place to the next, and its error to its caller', async () => {
    const { pass } = createGate(1);
    const failing = pass(() => Promise.reject(new Error('no')));
    const next = pass(() => Promise.resolve('in'));
    await expect(failing).rejects.toThrow(new Error('no'));
    expect(await next).toBe('in');
    const thrown = pass(() => {
      throw new RangeError('at once');
    });
    await expect(thrown).rejects.toThrow(new RangeError('at once'));
    expect(await pass(() => Promise.resolve('still open'))).toBe('still open');
  });
});
