import { setImmediate as yieldOnce } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createHandClock, type HandClock, type HandClockOptions } from '../../testing/hand-clock.ts';
import { createDrivenClock } from './driven-clock.ts';
import { createTimeline, Interrupted, type Timeline } from './timeline.ts';

const start = 1_767_225_600_000;
const label = { case: 'a-case', for: 'a moment' };

interface Rig {
  readonly timeline: Timeline;
  readonly carrier: HandClock;
  readonly jumps: number[];
  readonly failures: unknown[];
  readonly held: { count: number };
}

function openRig(options: Partial<HandClockOptions> = {}): Rig {
  const carrier = createHandClock({ start, slow: () => 1, ...options });
  const [jumps, failures, held]: [number[], unknown[], { count: number }] = [[], [], { count: 0 }];
  const timeline = createTimeline(
    createDrivenClock({
      door: carrier.door,
      start,
      held: () => held.count,
      onJump: (to) => void jumps.push(to - start),
      onFailure: (cause) => {
        failures.push(cause);
        timeline.interrupt();
      },
    }),
  );
  return { timeline, carrier, jumps, failures, held };
}

/** Something that runs on the timeline from beginning to end. */
async function activity<T>({ timeline }: Rig, act: () => Promise<T>): Promise<T> {
  timeline.enter();
  try {
    return await act();
  } finally {
    timeline.leave();
  }
}

const sleep = ({ timeline }: Rig, milliseconds: number): Promise<boolean> =>
  timeline.park({ due: timeline.now() + milliseconds, label });

/** Asks the carrier for a delivery after a while; true where it came before our patience ended. */
async function ask(rig: Rig, after: number, patience: number): Promise<boolean> {
  const { timeline, carrier } = rig;
  let came = false;
  let wake: () => void = () => undefined;
  carrier.schedule(carrier.now() + after, () =>
    activity(rig, async () => {
      await yieldOnce();
      came = true;
      wake();
    }),
  );
  const due = timeline.now() + patience;
  const arm = (given: () => void) => {
    wake = given;
    return () => {
      wake = () => undefined;
    };
  };
  while (!came) if (!(await timeline.park({ due, label, arm }))) return came;
  return true;
}

describe('jumps', () => {
  test('to the earliest moment of ours, one after the other, and both clocks stand alike', async () => {
    const rig = openRig();
    const seen: number[] = [];
    const wait = (milliseconds: number) =>
      activity(rig, async () => {
        expect(await sleep(rig, milliseconds)).toBe(false);
        seen.push(rig.timeline.now() - start);
        expect(rig.carrier.now()).toBe(rig.timeline.now());
      });
    await Promise.all([wait(60_000), wait(1), wait(3_600_000), wait(1)]);
    expect(seen).toEqual([1, 1, 60_000, 3_600_000]);
    expect(rig.jumps).toEqual([1, 60_000, 3_600_000]);
    expect(rig.carrier.moves.map((to) => to - start)).toEqual([1, 60_000, 3_600_000]);
  });

  test('to the carrier’s moment where that comes first', async () => {
    const rig = openRig();
    const came = await activity(rig, async () => [await ask(rig, 700, 30_000), rig.timeline.now() - start] as const);
    expect(came).toEqual([true, 700]);
    expect(rig.jumps).toEqual([700]);
  });

  test('a delivery of the very moment our patience ends has come', async () => {
    const rig = openRig();
    expect(await activity(rig, () => ask(rig, 30_000, 30_000))).toBe(true);
  });

  test('a delivery one millisecond later has not', async () => {
    const rig = openRig();
    expect(await activity(rig, () => ask(rig, 30_001, 30_000))).toBe(false);
    expect(rig.timeline.now() - start).toBe(30_000);
  });

  test('what is due at the carrier now is delivered now, again and again', async () => {
    const rig = openRig();
    const seen = await activity(rig, async () => {
      const moments: (readonly [boolean, number])[] = [];
      for (let count = 0; count < 4; count += 1) {
        moments.push([await ask(rig, 0, 30_000), rig.timeline.now() - start]);
      }
      return moments;
    });
    expect(seen).toEqual(Array.from({ length: 4 }, () => [true, 0]));
  });

  test('nobody waits: the clocks stand', async () => {
    const rig = openRig();
    await activity(rig, () => yieldOnce());
    await yieldOnce();
    expect([rig.carrier.reads(), rig.carrier.moves]).toEqual([0, []]);
  });

  test('only waits without a moment: the clocks stand', async () => {
    const rig = openRig();
    const wait = activity(rig, () => rig.timeline.park({ label })).catch((error: unknown) => error);
    for (let turns = 0; turns < 20; turns += 1) await yieldOnce();
    expect(rig.carrier.moves).toEqual([]);
    rig.timeline.interrupt();
    expect(await wait).toBeInstanceOf(Interrupted);
  });
});

describe('what is under way', () => {
  test('no jump while anything of ours runs', async () => {
    const rig = openRig();
    let running = true;
    const waiting = activity(rig, async () => {
      await sleep(rig, 1000);
      expect(running).toBe(false);
    });
    await activity(rig, async () => {
      await new Promise((resolve) => setTimeout(resolve, 40));
      running = false;
    });
    await waiting;
    expect(rig.jumps).toEqual([1000]);
  });

  test('no jump while the carrier is sending something', async () => {
    const rig = openRig({ slow: () => 20 });
    const order: string[] = [];
    rig.carrier.schedule(start + 500, () =>
      activity(rig, async () => {
        await yieldOnce();
        order.push(`delivered at ${rig.timeline.now() - start}`);
      }),
    );
    await activity(rig, async () => {
      await sleep(rig, 501);
      order.push('waited');
    });
    expect(order).toEqual(['delivered at 500', 'waited']);
  });

  test('a delivery that we hold back on purpose does not stop the clock', async () => {
    const rig = openRig();
    const order: string[] = [];
    rig.carrier.schedule(start + 100, () =>
      activity(rig, async () => {
        rig.held.count += 1;
        await sleep(rig, 60_000);
        rig.held.count -= 1;
        order.push(`answered at ${rig.timeline.now() - start}`);
      }),
    );
    await activity(rig, async () => {
      await sleep(rig, 30_000);
      order.push(`waited until ${rig.timeline.now() - start}`);
      await sleep(rig, 60_000);
      order.push(`waited until ${rig.timeline.now() - start}`);
    });
    expect(order).toEqual(['waited until 30000', 'answered at 60100', 'waited until 90000']);
  });

  test('a carrier that cannot tell gets a moment’s grace before each jump', async () => {
    const rig = openRig({ tellsInFlight: false });
    const begun = performance.now();
    expect(await activity(rig, () => ask(rig, 700, 30_000))).toBe(true);
    expect(rig.timeline.now() - start).toBe(700);
    expect(performance.now() - begun).toBeGreaterThanOrEqual(45);
  });
});

describe('trouble', () => {
  test('a door that fails ends the run with its cause', async () => {
    const cause = new Error('the door is shut');
    const failures: unknown[] = [];
    const timeline = createTimeline(
      createDrivenClock({
        door: { read: () => Promise.reject(cause), advance: () => Promise.reject(cause) },
        start,
        held: () => 0,
        onJump: () => undefined,
        onFailure: (given) => {
          failures.push(given);
          timeline.interrupt();
        },
      }),
    );
    timeline.enter();
    await expect(timeline.park({ due: start + 1, label })).rejects.toThrow(new Interrupted());
    expect(failures).toEqual([cause]);
  });

  test('a carrier that is for ever overdue does not keep our moments from coming', async () => {
    let now = start;
    const reading = () => Promise.resolve({ now, nextDue: start - 1, inFlight: 0 });
    const timeline = createTimeline(
      createDrivenClock({
        door: {
          read: reading,
          advance: (to) => {
            now = to;
            return reading();
          },
        },
        start,
        held: () => 0,
        onJump: () => undefined,
        onFailure: () => undefined,
      }),
    );
    timeline.enter();
    expect(await timeline.park({ due: start + 1000, label })).toBe(false);
    expect(timeline.now()).toBe(start + 1000);
  });
});

/** What one activity of the stress test does, step by step. */
type Op =
  | { readonly kind: 'sleep'; readonly for: number }
  | { readonly kind: 'ask'; readonly after: number; readonly patience: number }
  | { readonly kind: 'work'; readonly turns: number };

/** What must come of it, told without any clock: activities do not touch each other. */
function simulate(ops: readonly Op[]): readonly string[] {
  let now = 0;
  return ops.map((op) => {
    if (op.kind === 'sleep') now += op.for;
    if (op.kind === 'ask') now += Math.min(op.after, op.patience);
    return `${op.kind} ${op.kind === 'ask' && op.after <= op.patience ? 'came' : 'ended'} at ${now}`;
  });
}

async function perform(rig: Rig, ops: readonly Op[]): Promise<readonly string[]> {
  const log: string[] = [];
  await activity(rig, async () => {
    for (const op of ops) {
      let came = false;
      if (op.kind === 'sleep') await sleep(rig, op.for);
      else if (op.kind === 'ask') came = await ask(rig, op.after, op.patience);
      else for (let turns = 0; turns < op.turns; turns += 1) await yieldOnce();
      log.push(`${op.kind} ${came ? 'came' : 'ended'} at ${rig.timeline.now() - start}`);
    }
  });
  return log;
}

describe('many at once, with random waits', () => {
  const short = fc.integer({ min: 0, max: 5 });
  const long = fc.integer({ min: 0, max: 90_000 });
  const wait = fc.oneof(short, long);
  // With no patience at all nobody can say which of the two moments comes first.
  const patience = wait.map((milliseconds) => milliseconds + 1);
  const op: fc.Arbitrary<Op> = fc.oneof(
    fc.record({ kind: fc.constant('sleep' as const), for: wait }),
    fc.record({ kind: fc.constant('ask' as const), after: wait, patience }),
    fc.record({ kind: fc.constant('work' as const), turns: fc.integer({ min: 0, max: 6 }) }),
  );
  const programs = fc.array(fc.array(op, { minLength: 1, maxLength: 8 }), { minLength: 1, maxLength: 12 });

  test('each ends as it would alone, and nothing stalls', { timeout: 20_000 }, async () => {
    const property = fc.asyncProperty(
      programs,
      fc.array(fc.nat(3), { minLength: 1, maxLength: 40 }),
      async (all, pace) => {
        let turn = 0;
        const slow = (): number => pace[turn++ % pace.length] ?? 0;
        const rig = openRig({ slow });
        const logs = await Promise.all(all.map((ops) => perform(rig, ops)));
        expect(logs).toEqual(all.map(simulate));
        expect(rig.jumps).toEqual(rig.jumps.toSorted((a, b) => a - b));
        expect(rig.failures).toEqual([]);
      },
    );
    await fc.assert(property, { numRuns: 150, interruptAfterTimeLimit: 4000, endOnFailure: false });
  });

  test('two hundred activities at once', async () => {
    const rig = openRig({ slow: () => 1 });
    const all = Array.from({ length: 200 }, (_, index): Op[] => [
      { kind: 'sleep', for: (index * 7919) % 10_007 },
      { kind: 'ask', after: (index * 104_729) % 30_011, patience: 15_000 },
      { kind: 'sleep', for: index % 3 },
    ]);
    const logs = await Promise.all(all.map((ops) => perform(rig, ops)));
    expect(logs).toEqual(all.map(simulate));
  });
});
