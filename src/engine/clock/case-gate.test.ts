import { describe, expect, test } from 'vitest';
import { type Bounds, createCaseGate } from './case-gate.ts';
import { createRealClock } from './real-clock.ts';
import { createTimeline, Interrupted } from './timeline.ts';

const label = { case: 'one', for: 'its lane' };

/** How many of these get in at once, one for each name of a subscriber; and, one after the other having left, in which order. */
async function inside(
  names: readonly string[],
  bounds?: Bounds,
): Promise<{ atOnce: number; order: readonly string[] }> {
  const timeline = createTimeline(createRealClock());
  const gate = createCaseGate(timeline, bounds);
  const order: string[] = [];
  const leaves: (() => void)[] = [];
  const all = names.map(async (name) => {
    timeline.enter();
    const leave = await gate.enter(name, label);
    order.push(name);
    leaves.push(() => {
      leave();
      timeline.leave();
    });
  });
  await new Promise(setImmediate);
  const atOnce = leaves.length;
  for (let at = 0; at < names.length; at += 1) {
    leaves[at]?.();
    await new Promise(setImmediate);
  }
  await Promise.all(all);
  return { atOnce, order };
}

const times = (count: number, name: string): readonly string[] => Array.from({ length: count }, () => name);

describe('cases that are open at the same time', () => {
  test('sixty of one subscriber', async () => {
    const { atOnce, order } = await inside(times(200, 'first'));
    expect({ atOnce, all: order.length }).toEqual({ atOnce: 60, all: 200 });
  });

  test('or as many as the target file says', async () => {
    expect((await inside(times(20, 'first'), { ofOne: 3 })).atOnce).toBe(3);
  });

  test('who waits for a subscriber takes no place that another could have', async () => {
    const { atOnce, order } = await inside([...times(100, 'first'), ...times(10, 'second')], { all: 70 });
    expect(atOnce).toBe(70);
    expect(order.slice(60, 70)).toEqual(times(10, 'second'));
  });

  test('250 in all, and as many as are said', async () => {
    const names = Array.from({ length: 300 }, (_, at) => `person-${at % 10}`);
    expect((await inside(names)).atOnce).toBe(250);
    const one = await inside(names, { all: 1 });
    expect(one.atOnce).toBe(1);
    expect(one.order).toEqual(names);
  });

  test('who waits is interrupted, and is not let in later', async () => {
    const timeline = createTimeline(createRealClock());
    const gate = createCaseGate(timeline, { all: 1 });
    timeline.enter();
    const leave = await gate.enter('first', label);
    timeline.enter();
    const waits = gate.enter('first', label);
    timeline.interrupt();
    await expect(waits).rejects.toBeInstanceOf(Interrupted);
    leave();
    await expect(gate.enter('first', label)).resolves.toBeTypeOf('function');
  });
});
