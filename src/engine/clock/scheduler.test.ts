import { setImmediate as yieldOnce } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type CaseBounds, createCasePlaces, casePlaces } from '../case/locks.ts';
import { createScheduler, type Pace, type Scheduler, type LockRequest } from './scheduler.ts';
import { createRealClock, createTimeline, Interrupted, type Timeline } from './timeline.ts';

const label = { case: 'a-case', for: 'its locks' };
const shared = (lock: string): LockRequest => ({ lock, exclusive: false });
const exclusive = (lock: string): LockRequest => ({ lock, exclusive: true });

function open(): {
  timeline: Timeline;
  locks: Scheduler;
  take: (name: string, ...wants: LockRequest[]) => void;
  log: string[];
  back: Map<string, () => void>;
} {
  const timeline = createTimeline(createRealClock());
  const locks = createScheduler({ timeline });
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

describe('locks', () => {
  test('an interrupt ends the waits; what has a lock keeps it', async () => {
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

  test('any crowd: never two that exclude each other, all served, in order of arrival on each lock', async () => {
    const want = fc.record({ lock: fc.constantFrom('x', 'y', 'z'), exclusive: fc.boolean() });
    const wants = fc.uniqueArray(want, { minLength: 1, maxLength: 3, selector: ({ lock }) => lock });
    const crowd = fc.array(fc.record({ wants, stay: fc.nat(4) }), { minLength: 1, maxLength: 25 });
    const property = fc.asyncProperty(crowd, async (all) => {
      const timeline = createTimeline(createRealClock());
      const locks = createScheduler({ timeline });
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

/** Resource with a capacity. */
function openCounted(capacity: number, pace?: Pace) {
  const { pass } = createScheduler({ timeline: createTimeline(createRealClock()), capacityOf: () => capacity, pace });
  return { pass: <T>(task: () => Promise<T>, order?: number) => pass([shared('x')], task, order) };
}

describe('a counted resource', () => {
  test('lets so many in at a time, in the order they came', async () => {
    const { pass } = openCounted(3);
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
    const { pass } = openCounted(1);
    const order: string[] = [];
    const enter = (name: string) => pass(() => Promise.resolve(void order.push(name)));
    const first = enter('first').then(() => enter('late'));
    await Promise.all([first, enter('second'), enter('third')]);
    expect(order).toEqual(['first', 'second', 'third', 'late']);
  });

  test('a task that fails gives its place to the next, and its error to its caller', async () => {
    const { pass } = openCounted(1);
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

describe('a counted resource with a pace', () => {
  test('lets a second’s worth through at once, and the rest one by one', async () => {
    const begun = performance.now();
    const gate = openCounted(100, { rate: 20, now: () => performance.now() });
    const passed = await Promise.all(
      Array.from({ length: 30 }, () => gate.pass(() => Promise.resolve(performance.now() - begun))),
    );
    expect(passed[20]).toBeGreaterThan(40);
    expect(passed[29]).toBeGreaterThan(450);
  });

  test('a case that has begun goes on before others begin', async () => {
    let at = 0;
    const gate = openCounted(100, { rate: 50, now: () => at });
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

  test('slower than one a second is possible, a pause is not saved up, and one that fails gives its place back', async () => {
    let at = 0;
    const gate = openCounted(1, { rate: 0.5, now: () => at });
    at += 100_000;
    await expect(gate.pass(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
    const second = gate.pass(() => Promise.resolve('gone'));
    const late = new Promise<string>((done) => setTimeout(done, 100, 'waits'));
    expect(await Promise.race([second, late])).toBe('waits');
    at += 2000;
    // The next entry checks the clock again.
    void gate.pass(() => Promise.resolve('later'), 5);
    expect(await second).toBe('gone');
  });
});

/** Numbers of those admitted at once, one for each subscriber name, and the order of the others as places become free. */
async function enterAll(
  names: readonly string[],
  bounds?: CaseBounds,
): Promise<{ atOnce: number; order: readonly string[] }> {
  const timeline = createTimeline(createRealClock());
  const places = createCasePlaces(timeline, bounds);
  const order: string[] = [];
  const leaves: (() => void)[] = [];
  const all = names.map(async (name) => {
    timeline.enter();
    const leave = await places.take(casePlaces(name), label);
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
  test('four of one subscriber', async () => {
    const { atOnce, order } = await enterAll(times(200, 'first'));
    expect({ atOnce, all: order.length }).toEqual({ atOnce: 4, all: 200 });
  });

  test('or as many as the target file says', async () =>
    expect((await enterAll(times(20, 'first'), { ofOne: 3 })).atOnce).toBe(3));

  test('what waits for a subscriber takes no place that another could have', async () => {
    const { atOnce, order } = await enterAll([...times(100, 'first'), ...times(10, 'second')], { all: 7 });
    expect(atOnce).toBe(7);
    expect(order.slice(4, 7)).toEqual(times(3, 'second'));
  });

  test('250 in all, and as many as are said', async () => {
    const names = Array.from({ length: 300 }, (_, at) => `person-${at % 100}`);
    expect((await enterAll(names)).atOnce).toBe(250);
    const one = await enterAll(names, { all: 1 });
    expect(one.atOnce).toBe(1);
    expect(one.order).toEqual(names);
  });

  test('what waits is interrupted, and is not let in later', async () => {
    const timeline = createTimeline(createRealClock());
    const places = createCasePlaces(timeline, { all: 1 });
    timeline.enter();
    const leave = await places.take(casePlaces('first'), label);
    timeline.enter();
    const waits = places.take(casePlaces('first'), label);
    timeline.interrupt();
    await expect(waits).rejects.toBeInstanceOf(Interrupted);
    leave();
    await expect(places.take(casePlaces('first'), label)).resolves.toBeTypeOf('function');
  });
});
