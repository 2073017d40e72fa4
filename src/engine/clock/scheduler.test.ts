import { setImmediate as yieldOnce } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createLocks, type Locks, type Want } from './scheduler.ts';
import { createRealClock } from './real-clock.ts';
import { createTimeline, Interrupted, type Timeline } from './timeline.ts';

const label = { case: 'a-case', for: 'its lane' };
const shared = (lock: string): Want => ({ lock, exclusive: false });
const exclusive = (lock: string): Want => ({ lock, exclusive: true });

function open(): {
  timeline: Timeline;
  locks: Locks;
  take: (name: string, ...wants: Want[]) => void;
  log: string[];
  back: Map<string, () => void>;
} {
  const timeline = createTimeline(createRealClock());
  const locks = createLocks(timeline);
  const log: string[] = [];
  const back = new Map<string, () => void>();
  return {
    timeline,
    locks,
    log,
    back,
    take: (name, ...wants) => {
      timeline.enter();
      locks.take(wants, label).then(
        (giveBack) => {
          log.push(name);
          back.set(name, giveBack);
        },
        (error: unknown) => log.push(`${name} ${error instanceof Interrupted ? 'interrupted' : 'failed'}`),
      );
    },
  };
}

const settled = async (): Promise<void> => {
  for (let turns = 0; turns < 3; turns += 1) await yieldOnce();
};

describe('lanes', () => {
  test('are shared by as many as want to share', async () => {
    const { take, log } = open();
    for (const name of ['a', 'b', 'c']) take(name, shared('x'), shared('y'));
    await settled();
    expect(log).toEqual(['a', 'b', 'c']);
  });

  test('alone waits for all who share, and those who share wait for it', async () => {
    const { take, log, back } = open();
    take('a', shared('x'));
    take('b', shared('x'));
    take('exclusive', exclusive('x'));
    take('c', shared('x'));
    await settled();
    expect(log).toEqual(['a', 'b']);
    back.get('a')?.();
    await settled();
    expect(log).toEqual(['a', 'b']);
    back.get('b')?.();
    await settled();
    expect(log).toEqual(['a', 'b', 'exclusive']);
    back.get('exclusive')?.();
    await settled();
    expect(log).toEqual(['a', 'b', 'exclusive', 'c']);
  });

  test('other lanes are not held up', async () => {
    const { take, log } = open();
    take('a', exclusive('x'));
    take('waits', shared('x'));
    take('b', exclusive('y'));
    await settled();
    expect(log).toEqual(['a', 'b']);
  });

  test('several at once: all or none, so that two never hold what the other needs', async () => {
    const { take, log, back } = open();
    take('xy', exclusive('x'), exclusive('y'));
    take('yx', exclusive('y'), exclusive('x'));
    take('z', exclusive('z'), shared('x'));
    await settled();
    expect(log).toEqual(['xy']);
    back.get('xy')?.();
    await settled();
    expect(log).toEqual(['xy', 'yx']);
    back.get('yx')?.();
    await settled();
    expect(log).toEqual(['xy', 'yx', 'z']);
  });

  test('nobody starves: those who share keep coming, and alone still gets its turn', async () => {
    const { take, log, back } = open();
    take('s0', shared('x'));
    take('exclusive', exclusive('x'));
    for (let count = 1; count <= 5; count += 1) {
      take(`s${count}`, shared('x'));
      await settled();
    }
    expect(log).toEqual(['s0']);
    back.get('s0')?.();
    await settled();
    expect(log).toEqual(['s0', 'exclusive']);
    back.get('exclusive')?.();
    await settled();
    expect(log).toEqual(['s0', 'exclusive', 's1', 's2', 's3', 's4', 's5']);
  });

  test('an interrupt ends the waits; who has a lane keeps it', async () => {
    const { take, log, back, timeline } = open();
    take('a', exclusive('x'));
    take('b', exclusive('x'));
    take('c', shared('x'));
    await settled();
    timeline.interrupt();
    await settled();
    expect(log).toEqual(['a', 'b interrupted', 'c interrupted']);
    back.get('a')?.();
    await settled();
    expect(log).toHaveLength(3);
  });

  test('a lane that is given back is free for the next who asks', async () => {
    const { take, log, back } = open();
    take('a', exclusive('x'));
    await settled();
    back.get('a')?.();
    take('b', exclusive('x'));
    await settled();
    expect(log).toEqual(['a', 'b']);
  });

  test('any crowd: never two who exclude each other, everyone served, in order of arrival on each lane', async () => {
    const want = fc.record({ lock: fc.constantFrom('x', 'y', 'z'), exclusive: fc.boolean() });
    const wants = fc.uniqueArray(want, { minLength: 1, maxLength: 3, selector: ({ lock }) => lock });
    const crowd = fc.array(fc.record({ wants, stay: fc.nat(4) }), { minLength: 1, maxLength: 25 });
    const property = fc.asyncProperty(crowd, async (all) => {
      const timeline = createTimeline(createRealClock());
      const locks = createLocks(timeline);
      const inside = new Set<number>();
      const order: number[] = [];
      await Promise.all(
        all.map(async ({ wants: given, stay }, index) => {
          timeline.enter();
          const giveBack = await locks.take(given, label);
          for (const other of inside) {
            for (const mine of given) {
              const theirs = all[other]?.wants.find(({ lock }) => lock === mine.lock);
              if (theirs !== undefined) expect([mine.exclusive, theirs.exclusive]).toEqual([false, false]);
            }
          }
          inside.add(index);
          order.push(index);
          for (let turns = stay; turns > 0; turns -= 1) await yieldOnce();
          inside.delete(index);
          giveBack();
          timeline.leave();
        }),
      );
      for (const lock of ['x', 'y', 'z']) {
        const served = order.filter((index) => all[index]?.wants.some((one) => one.lock === lock));
        expect(served).toEqual(served.toSorted((a, b) => a - b));
      }
      expect(order).toHaveLength(all.length);
    });
    await fc.assert(property, { numRuns: 100 });
  });
});
