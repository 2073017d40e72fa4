import { randomBytes } from 'node:crypto';
import { namedChecks } from '../judge/checks/table.ts';
import { createInvariantJudge } from '../judge/invariants.ts';
import { createRuleBook } from '../judge/rule-book.ts';
import type { Target } from '../model/target.ts';
import { createCorrelator } from '../wire/correlate.ts';
import { createKeyRing } from '../wire/keys.ts';
import { cannotListen, createReceiver, type Inbound, type Receiver, type ReceiverOptions } from '../wire/receive.ts';
import { createLagMeter } from '../wire/lag.ts';
import { createSender, type Sender } from '../wire/send.ts';
import { createSkewMeter } from '../wire/skew.ts';
import { createCaseGate } from './clock/case-gate.ts';
import { contradictions, stopFor } from './plan/check-supports.ts';
import { createClockClient } from './drive/clock-door.ts';
import { onDelivery } from './receive/deliver.ts';
import { discover } from './discover.ts';
import { createVirtualClock } from './clock/driven-clock.ts';
import { createProgramGate } from './clock/program-gate.ts';
import { closeWhenStopped, createGate, createPacedGate } from './clock/gate.ts';
import { createLocks } from './clock/lanes.ts';
import { attendedTarget, queueQuestions } from './world/operator.ts';
import { requireReachable } from './preflight/at-start.ts';
import { createRealClock } from './clock/real-clock.ts';
import type { RunOptions, Stop } from './run-options.ts';
import { createTimeline, type Timeline } from './clock/timeline.ts';
import type { World } from './world/world.ts';

async function openTimeline(target: Target, sender: Sender, held: () => number, hooks: ClockHooks): Promise<Timeline> {
  if (target.clock === undefined) return createTimeline(createRealClock());
  const door = createClockClient(target.clock, sender);
  const { now: start } = await door.read();
  return createTimeline(createVirtualClock({ door, start, held, ...hooks }));
}

interface ClockHooks {
  readonly onAdvance: (to: number) => void;
  readonly onFailure: (cause: unknown) => void;
}

/** Hexadecimal digits from the system's random source, fetched in bulk: every request needs several. */
function createRandom(): World['random'] {
  let pool = Buffer.alloc(0);
  return (bytes) => {
    if (pool.length < bytes) pool = randomBytes(Math.max(4096, bytes));
    const digits = pool.toString('hex', 0, bytes);
    pool = pool.subarray(bytes);
    return digits;
  };
}

type Inwards = Pick<ReceiverOptions, 'now' | 'lag' | 'onDelivery'>;

async function openReceiver({ host, port, tls }: Target['receiver'], inwards: Inwards): Promise<Receiver> {
  try {
    return await createReceiver({ host, port, tls, ...inwards });
  } catch (cause) {
    throw cannotListen({ host, port }, cause);
  }
}

/** Reaches the carrier, opens the receiver, and brings together what all cases share. Throws unreachable, and usage where the receiver cannot listen. */
export async function openWorld(
  options: RunOptions,
  stop: Stop,
): Promise<{ world: World; close: () => Promise<void> }> {
  const { suites, selected, jobs, operator } = options;
  const target = attendedTarget(options.target, operator);
  const { requestTimeout, tls, proxy, rateLimit } = target;
  const sender = createSender({ requestTimeout, connections: jobs, tls, proxy });
  try {
    const skew = createSkewMeter();
    const held = { count: 0 };
    const { configuration, ...endpoints } = await discover(target, { sender, skew, now: Date.now });
    stopFor(target, contradictions({ target, urls: endpoints.urls, configuration }));
    const fail = (cause: unknown): void => {
      stop.cause ??= cause;
      stop.reason ??= 'carrierspec had to stop';
      timeline.interrupt();
    };
    const timeline = await openTimeline(target, sender, () => held.count, {
      onAdvance: (to) => options.progress({ kind: 'jumped', to }),
      // Of a run that was stopped meanwhile nobody needs the clock any more.
      onFailure: (cause) => {
        if (!timeline.stopped.aborted) fail(cause);
      },
    });
    const rules = createRuleBook(suites.rules);
    let deliverTo: ((inbound: Inbound) => ReturnType<typeof onDelivery>) | undefined;
    const lag = timeline.kind === 'real' ? { lag: createLagMeter() } : {};
    const receiver = await openReceiver(target.receiver, {
      now: timeline.now,
      ...(lag.lag === undefined ? {} : { lag: lag.lag.current }),
      onDelivery: (inbound) => deliverTo?.(inbound) ?? Promise.resolve({ status: 503 }),
    });
    const world: World = {
      target,
      endpoints,
      receiver: target.receiver.url ?? receiver.origin,
      base: suites.base,
      assertion: suites.assertion,
      usertrait: suites.usertrait,
      rules,
      checks: namedChecks,
      invariants: createInvariantJudge({
        invariants: selected.invariants,
        checks: namedChecks,
        rules,
        keepWitnesses: true,
      }),
      ...(operator === undefined ? {} : { operator: queueQuestions(operator) }),
      timeline,
      locks: createLocks(timeline),
      open: createCaseGate(timeline, { all: options.open, ofOne: target.casesPerSubscriber }),
      // On a driven clock no second passes: there is no pace to keep.
      gate: closeWhenStopped(
        rateLimit === undefined || timeline.kind === 'virtual'
          ? createGate(jobs)
          : createPacedGate(jobs, { rate: rateLimit, now: () => performance.now() }),
        timeline,
      ),
      programs: createProgramGate(jobs),
      sender,
      keys: createKeyRing(),
      skew,
      ...lag,
      correlator: createCorrelator(),
      desk: { events: new Map(), canaries: new Map() },
      unsolicited: [],
      stopping: { left: [], until: undefined },
      held,
      onInternalError: fail,
      random: createRandom(),
      counts: { exchanges: 0, deliveries: 0 },
    };
    const close = async (): Promise<void> => {
      lag.lag?.close();
      await Promise.all([receiver.close(), sender.close()]);
    };
    if (options.preflight === true) {
      const listen = (take: (inbound: Inbound) => ReturnType<typeof onDelivery>): void => {
        deliverTo = take;
      };
      await requireReachable(target, { urls: endpoints.urls, sender, receiver: world.receiver, listen }).catch(
        async (error: unknown) => {
          await close();
          throw error;
        },
      );
    }
    deliverTo = (inbound) => onDelivery(inbound, world);
    return { world, close };
  } catch (error) {
    await sender.close();
    throw error;
  }
}
