import { setImmediate as yieldOnce } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { createGate, createPacedGate } from './gate.ts';

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

describe('a gate with a pace', () => {
  test('lets a second’s worth through at once, and the rest one by one', async () => {
    const begun = performance.now();
    const gate = createPacedGate(100, { rate: 20, now: () => performance.now() });
    const passed = await Promise.all(
      Array.from({ length: 30 }, () => gate.pass(() => Promise.resolve(performance.now() - begun))),
    );
    expect(passed[20]).toBeGreaterThan(40);
    expect(passed[29]).toBeGreaterThan(450);
  });

  test('a case that has begun goes on before others begin', async () => {
    let at = 0;
    const gate = createPacedGate(100, { rate: 50, now: () => at });
    const went: number[] = [];
    const enter = (order: number): Promise<void> => gate.pass(() => Promise.resolve(void went.push(order)), order);
    const tasks = Array.from({ length: 60 }, (_, index) => enter(100 + index));
    const begunBefore = enter(1);
    await Promise.all(tasks.slice(0, 50));
    expect(went).toHaveLength(50);
    at += 500;
    await Promise.all([...tasks, begunBefore]);
    expect(went.indexOf(1)).toBe(50);
  });

  test('slower than one a second is possible, a rest is not saved up, and one that fails gives its place back', async () => {
    let at = 0;
    const gate = createPacedGate(1, { rate: 0.5, now: () => at });
    at += 100_000;
    await expect(gate.pass(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
    const second = gate.pass(() => Promise.resolve('gone'));
    const late = new Promise<string>((done) => setTimeout(done, 100, 'waits'));
    expect(await Promise.race([second, late])).toBe('waits');
    at += 2000;
    // Whoever comes looks at the clock again.
    void gate.pass(() => Promise.resolve('later'), 5);
    expect(await second).toBe('gone');
  });
});
