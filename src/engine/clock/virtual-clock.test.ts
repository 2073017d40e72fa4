import { setImmediate as yieldOnce } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { omitUndefined } from '../../lib/json.ts';
import { floorMillis, inWholeUnits, wholeMillis } from '../../lib/time.ts';
import {
  createHandClock,
  type HandClock,
  type HandClockOptions,
  readingOf,
} from '../../testing/carriers/hand-clock.ts';
import { createVirtualClock, type VirtualClockOptions } from './virtual-clock.ts';
import { createTimeline, Interrupted, type Timeline } from './timeline.ts';

const start = wholeMillis(1_767_225_600_000);
const label = { case: 'a-case', for: 'a moment' };

interface Setup {
  readonly timeline: Timeline;
  readonly carrier: HandClock;
  readonly advances: number[];
  readonly failures: unknown[];
  readonly held: { count: number };
}

function openSetup({
  longestInFlight,
  ...options
}: Partial<HandClockOptions> & Pick<VirtualClockOptions, 'longestInFlight'> = {}): Setup {
  const carrier = createHandClock({ start, slow: () => 1, ...options });
  const [advances, failures, held]: [number[], unknown[], { count: number }] = [[], [], { count: 0 }];
  const timeline = createTimeline(
    createVirtualClock({
      client: carrier.client,
      start,
      held: () => held.count,
      ...omitUndefined({ longestInFlight }),
      onAdvance: (to) => void advances.push(to - start),
      onFailure: (cause) => {
        failures.push(cause);
        timeline.interrupt();
      },
    }),
  );
  return { timeline, carrier, advances, failures, held };
}

/** Runs an activity on the timeline. */
async function activity<T>({ timeline }: Setup, act: () => Promise<T>): Promise<T> {
  timeline.enter();
  try {
    return await act();
  } finally {
    timeline.leave();
  }
}

const sleep = ({ timeline }: Setup, milliseconds: number): Promise<boolean> =>
  timeline.wait({ due: wholeMillis(timeline.now() + milliseconds), label });

/** Asks the carrier for a delivery after a while; returns true if it came within our patience. */
async function ask(setup: Setup, after: number, deliveryTimeout: number): Promise<boolean> {
  const { timeline, carrier } = setup;
  let came = false;
  let wake: () => void = () => undefined;
  carrier.schedule(carrier.now() + after, () =>
    activity(setup, async () => {
      await yieldOnce();
      came = true;
      wake();
    }),
  );
  const due = wholeMillis(timeline.now() + deliveryTimeout);
  const arm = (given: () => void) => {
    wake = given;
    return () => {
      wake = () => undefined;
    };
  };
  while (!came) if (!(await timeline.wait({ due, label, arm }))) return came;
  return true;
}

describe('advances', () => {
  test('a delivery of the very moment our patience ends has come', async () => {
    const setup = openSetup();
    expect(await activity(setup, () => ask(setup, 30_000, 30_000))).toBe(true);
  });

  test('a delivery one millisecond later has not', async () => {
    const setup = openSetup();
    expect(await activity(setup, () => ask(setup, 30_001, 30_000))).toBe(false);
    expect(setup.timeline.now() - start).toBe(30_000);
  });

  test('what is due at the carrier now is delivered now, again and again', async () => {
    const setup = openSetup();
    const observation = await activity(setup, async () => {
      const moments: (readonly [boolean, number])[] = [];
      for (let count = 0; count < 4; count += 1) {
        moments.push([await ask(setup, 0, 30_000), setup.timeline.now() - start]);
      }
      return moments;
    });
    expect(observation).toEqual(Array.from({ length: 4 }, () => [true, 0]));
  });

  test('nothing waits: the clocks stand', async () => {
    const setup = openSetup();
    await activity(setup, () => yieldOnce());
    await yieldOnce();
    expect([setup.carrier.reads(), setup.carrier.moves]).toEqual([0, []]);
  });

  test('only waits without a moment: the clocks stand', async () => {
    const setup = openSetup();
    const wait = activity(setup, () => setup.timeline.wait({ label })).catch((error: unknown) => error);
    for (let turns = 0; turns < 20; turns += 1) await yieldOnce();
    expect(setup.carrier.moves).toEqual([]);
    setup.timeline.interrupt();
    expect(await wait).toBeInstanceOf(Interrupted);
  });
});

describe('what is under way', () => {
  test('a delivery that we hold back on purpose does not stop the clock', async () => {
    const setup = openSetup();
    const order: string[] = [];
    setup.carrier.schedule(start + 100, () =>
      activity(setup, async () => {
        setup.held.count += 1;
        await sleep(setup, 60_000);
        setup.held.count -= 1;
        order.push(`answered at ${setup.timeline.now() - start}`);
      }),
    );
    await activity(setup, async () => {
      await sleep(setup, 30_000);
      order.push(`waited until ${setup.timeline.now() - start}`);
      await sleep(setup, 60_000);
      order.push(`waited until ${setup.timeline.now() - start}`);
    });
    expect(order).toEqual(['waited until 30000', 'answered at 60100', 'waited until 90000']);
  });

  test('a carrier that cannot tell gets a moment’s grace before each advance', async () => {
    const setup = openSetup({ tellsInFlight: false });
    const begun = performance.now();
    expect(await activity(setup, () => ask(setup, 700, 30_000))).toBe(true);
    expect(setup.timeline.now() - start).toBe(700);
    expect(performance.now() - begun).toBeGreaterThanOrEqual(45);
  });
});

describe('a clock that tells little', () => {
  test('is read again after the grace: what came then may have made something due', async () => {
    const setup = openSetup({ tellsInFlight: false });
    const came: number[] = [];
    const deliver = () =>
      activity(setup, async () => {
        await yieldOnce();
        came.push(setup.timeline.now() - start);
        if (came.length < 3) setup.carrier.schedule(setup.carrier.now() + 60_000, deliver);
      });
    setup.carrier.schedule(start + 700, deliver);
    await activity(setup, () => sleep(setup, 2_700_000));
    expect(came).toEqual([700, 60_700, 120_700]);
  });

  /** Waits for an hour at a clock in seconds that has one delivery due, and rounds down what it tells. */
  async function waitInSeconds(due: number, begins: (to: number) => boolean) {
    let [now, open] = [start + 400, true];
    const asked: number[] = [];
    const second = wholeMillis(1000);
    const seconds = (moment: number) => floorMillis(Math.floor(moment / 1000) * 1000);
    const reading = () => {
      const told = readingOf({ now: seconds(now), nextDue: open ? seconds(due) : null, inFlight: 0 });
      return Promise.resolve({ ...told, least: inWholeUnits(told.now, second) });
    };
    const timeline = createTimeline(
      createVirtualClock({
        client: {
          unit: second,
          read: () => {
            if (open && now >= due && begins(now)) open = false;
            return reading();
          },
          advance: (to) => {
            asked.push(to - start);
            now = Math.max(now, to);
            if (open && now >= due && begins(now)) open = false;
            return reading();
          },
        },
        start,
        held: () => 0,
        onAdvance: () => undefined,
        onFailure: () => undefined,
      }),
    );
    timeline.enter();
    expect(await timeline.wait({ due: wholeMillis(start + 3_600_500), label })).toBe(false);
    expect(timeline.now()).toBe(start + 3_601_000);
    return asked;
  }

  test('is moved a unit further where it rounds down what is due', async () =>
    expect(await waitInSeconds(start + 60_900, () => true)).toEqual([60_000, 60_000, 61_000, 3_601_000]));

  test('gets a moment of real time to begin what is due', async () => {
    const from = performance.now() + 100;
    expect(await waitInSeconds(start + 60_900, () => performance.now() > from)).toEqual([
      60_000, 60_000, 61_000, 3_601_000,
    ]);
    expect(performance.now()).toBeGreaterThan(from);
  });
});

describe('trouble', () => {
  test('a clock client that fails ends the run with its cause', async () => {
    const cause = new Error('the admin API is shut');
    const failures: unknown[] = [];
    const timeline = createTimeline(
      createVirtualClock({
        client: { unit: wholeMillis(1), read: () => Promise.reject(cause), advance: () => Promise.reject(cause) },
        start,
        held: () => 0,
        onAdvance: () => undefined,
        onFailure: (given) => {
          failures.push(given);
          timeline.interrupt();
        },
      }),
    );
    timeline.enter();
    await expect(timeline.wait({ due: wholeMillis(start + 1), label })).rejects.toThrow(new Interrupted());
    expect(failures).toEqual([cause]);
  });

  test('a carrier that never stops sending ends the run with what it says', async () => {
    const { timeline, failures } = openSetup({ stuck: 3, longestInFlight: 50 });
    timeline.enter();
    await expect(timeline.wait({ due: wholeMillis(start + 1), label })).rejects.toThrow(new Interrupted());
    expect(failures).toMatchObject([{ code: 'clock-unusable' }]);
    expect(String(failures[0])).toContain('(inFlight: 3, expected: 0)');
  });

  test('a carrier that always has something due 1 ms later ends the run', async () => {
    let now = start;
    const reading = () => Promise.resolve(readingOf({ now, nextDue: now + 1, inFlight: 0 }));
    const failures: unknown[] = [];
    const timeline: Timeline = createTimeline(
      createVirtualClock({
        client: {
          unit: wholeMillis(1),
          read: reading,
          advance: async (to) => {
            await yieldOnce();
            now = to;
            return reading();
          },
        },
        start,
        held: () => 0,
        onAdvance: () => undefined,
        onFailure: (cause) => {
          failures.push(cause);
          timeline.interrupt();
        },
        longestAdvancing: 50,
      }),
    );
    timeline.enter();
    await expect(timeline.wait({ due: wholeMillis(start + 86_400_000), label })).rejects.toThrow(new Interrupted());
    expect(failures).toMatchObject([{ code: 'clock-unusable' }]);
    expect(String(failures[0])).toMatch(/the next moment of the run is still 86\d{6} ms away/);
  });

  test('a carrier that is for ever overdue does not keep our moments from coming', async () => {
    let now = start;
    const reading = () => Promise.resolve(readingOf({ now, nextDue: start - 1, inFlight: 0 }));
    const timeline = createTimeline(
      createVirtualClock({
        client: {
          unit: wholeMillis(1),
          read: reading,
          advance: (to) => {
            now = to;
            return reading();
          },
        },
        start,
        held: () => 0,
        onAdvance: () => undefined,
        onFailure: () => undefined,
      }),
    );
    timeline.enter();
    expect(await timeline.wait({ due: wholeMillis(start + 1000), label })).toBe(false);
    expect(timeline.now()).toBe(start + 1000);
  });
});

/** Operation of one activity of the stress test. */
type Op =
  | { readonly kind: 'sleep'; readonly for: number }
  | { readonly kind: 'ask'; readonly after: number; readonly deliveryTimeout: number }
  | { readonly kind: 'work'; readonly turns: number };

/** Expected outcome, computed without a clock: activities do not affect each other. */
function simulate(ops: readonly Op[]): readonly string[] {
  let now = 0;
  return ops.map((op) => {
    if (op.kind === 'sleep') now += op.for;
    if (op.kind === 'ask') now += Math.min(op.after, op.deliveryTimeout);
    return `${op.kind} ${op.kind === 'ask' && op.after <= op.deliveryTimeout ? 'came' : 'ended'} at ${now}`;
  });
}

async function perform(setup: Setup, ops: readonly Op[]): Promise<readonly string[]> {
  const log: string[] = [];
  await activity(setup, async () => {
    for (const op of ops) {
      let came = false;
      if (op.kind === 'sleep') await sleep(setup, op.for);
      else if (op.kind === 'ask') came = await ask(setup, op.after, op.deliveryTimeout);
      else for (let turns = 0; turns < op.turns; turns += 1) await yieldOnce();
      log.push(`${op.kind} ${came ? 'came' : 'ended'} at ${setup.timeline.now() - start}`);
    }
  });
  return log;
}

describe('many at once, with random waits', () => {
  const short = fc.integer({ min: 0, max: 5 });
  const long = fc.integer({ min: 0, max: 90_000 });
  const wait = fc.oneof(short, long);
  // Without patience, the order of the two moments is undefined.
  const deliveryTimeout = wait.map((milliseconds) => milliseconds + 1);
  const op: fc.Arbitrary<Op> = fc.oneof(
    fc.record({ kind: fc.constant('sleep' as const), for: wait }),
    fc.record({ kind: fc.constant('ask' as const), after: wait, deliveryTimeout }),
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
        const setup = openSetup({ slow });
        const logs = await Promise.all(all.map((ops) => perform(setup, ops)));
        expect(logs).toEqual(all.map(simulate));
        expect(setup.advances).toEqual(setup.advances.toSorted((a, b) => a - b));
        expect(setup.failures).toEqual([]);
      },
    );
    await fc.assert(property, { numRuns: 150, interruptAfterTimeLimit: 4000, endOnFailure: false });
  });
});
