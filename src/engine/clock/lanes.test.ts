import { setImmediate as yieldOnce } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createLanes, type Lanes, type Want } from './lanes.ts';
import { createRealClock } from './real-clock.ts';
import { createTimeline, Interrupted, type Timeline } from './timeline.ts';

const label = { case: 'a-case', for: 'its lane' };
const shared = (lane: string): Want => ({ lane, alone: false });
const alone = (lane: string): Want => ({ lane, alone: true });

function open(): {
  timeline: Timeline;
  lanes: Lanes;
  take: (name: string, ...wants: Want[]) => void;
  log: string[];
  back: Map<string, () => void>;
} {
  const timeline = createTimeline(createRealClock());
  const lanes = createLanes(timeline);
  const log: string[] = [];
  const back = new Map<string, () => void>();
  return {
    timeline,
    lanes,
    log,
    back,
    take: (name, ...wants) => {
      timeline.enter();
      lanes.take(wants, label).then(
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
    take('alone', alone('x'));
    take('c', shared('x'));
    await settled();
    expect(log).toEqual(['a', 'b']);
    back.get('a')?.();
    await settled();
    expect(log).toEqual(['a', 'b']);
    back.get('b')?.();
    await settled();
    expect(log).toEqual(['a', 'b', 'alone']);
    back.get('alone')?.();
    await settled();
    expect(log).toEqual(['a', 'b', 'alone', 'c']);
  });

  test('other lanes are not held up', async () => {
    const { take, log } = open();
    take('a', alone('x'));
    take('waits', shared('x'));
    take('b', alone('y'));
    await settled();
    expect(log).toEqual(['a', 'b']);
  });

  test('several at once: all or none, so that two never hold what the other needs', async () => {
    const { take, log, back } = open();
    take('xy', alone('x'), alone('y'));
    take('yx', alone('y'), alone('x'));
    take('z', alone('z'), shared('x'));
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
    take('alone', alone('x'));
    for (let count = 1; count <= 5; count += 1) {
      take(`s${count}`, shared('x'));
      await settled();
    }
    expect(log).toEqual(['s0']);
    back.get('s0')?.();
    await settled();
    expect(log).toEqual(['s0', 'alone']);
    back.get('alone')?.();
    await settled();
    expect(log).toEqual(['s0', 'alone', 's1', 's2', 's3', 's4', 's5']);
  });

  test('an interrupt ends the waits; who has a lane keeps it', async () => {
    const { take, log, back, timeline } = open();
    take('a', alone('x'));
    take('b', alone('x'));
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
    take('a', alone('x'));
    await settled();
    back.get('a')?.();
    take('b', alone('x'));
    await settled();
    expect(log).toEqual(['a', 'b']);
  });

  test('any crowd: never two who exclude each other, everyone served, in order of arrival on each lane', async () => {
    const want = fc.record({ lane: fc.constantFrom('x', 'y', 'z'), alone: fc.boolean() });
    const wants = fc.uniqueArray(want, { minLength: 1, maxLength: 3, selector: ({ lane }) => lane });
    const crowd = fc.array(fc.record({ wants, stay: fc.nat(4) }), { minLength: 1, maxLength: 25 });
    const property = fc.asyncProperty(crowd, async (all) => {
      const timeline = createTimeline(createRealClock());
      const lanes = createLanes(timeline);
      const inside = new Set<number>();
      const order: number[] = [];
      await Promise.all(
        all.map(async ({ wants: given, stay }, index) => {
          timeline.enter();
          const giveBack = await lanes.take(given, label);
          for (const other of inside) {
            for (const mine of given) {
              const theirs = all[other]?.wants.find(({ lane }) => lane === mine.lane);
              if (theirs !== undefined) expect([mine.alone, theirs.alone]).toEqual([false, false]);
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
      for (const lane of ['x', 'y', 'z']) {
        const served = order.filter((index) => all[index]?.wants.some((one) => one.lane === lane));
        expect(served).toEqual(served.toSorted((a, b) => a - b));
      }
      expect(order).toHaveLength(all.length);
    });
    await fc.assert(property, { numRuns: 100 });
  });
});
