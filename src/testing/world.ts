import { createProgramGate } from '../engine/clock/program-gate.ts';
import { createGate } from '../engine/clock/gate.ts';
import { createLocks } from '../engine/clock/scheduler.ts';
import { createRealClock } from '../engine/clock/real-clock.ts';
import { createTimeline } from '../engine/clock/timeline.ts';
import type { World } from '../engine/context/world.ts';
import { createInvariantJudge } from '../judge/invariants.ts';
import { createRuleBook } from '../judge/rule-book.ts';
import type { Target } from '../model/target.ts';
import { createCorrelator } from '../wire/correlate.ts';
import { createKeyRing } from '../wire/keys.ts';
import { createSender } from '../wire/send.ts';
import { createSkewMeter } from '../wire/skew.ts';

/** A world of real parts in real time, without a carrier; nothing is sent until something asks for it. */
export function buildWorld(target: Target, parts: Partial<World> = {}): World {
  const timeline = createTimeline(createRealClock());
  const rules = createRuleBook([]);
  return {
    target,
    endpoints: { issuer: target.issuer ?? '', urls: target.endpoints },
    receiver: 'http://127.0.0.1:8443',
    base: { header: [], claims: [] },
    assertion: undefined,
    usertrait: undefined,
    rules,
    checks: {},
    invariants: createInvariantJudge({ invariants: [], checks: {}, rules }),
    timeline,
    locks: createLocks(timeline),
    gate: createGate(1),
    programs: createProgramGate(1),
    sender: createSender({ requestTimeout: 1, connections: 1 }),
    keys: createKeyRing(),
    skew: createSkewMeter(),
    correlator: createCorrelator(),
    desk: { events: new Map(), canaries: new Map() },
    unsolicited: [],
    stopping: { left: [], until: undefined },
    held: { count: 0 },
    onInternalError: (cause) => {
      throw cause;
    },
    random: (bytes) => 'ab'.repeat(bytes),
    counts: { exchanges: 0, deliveries: 0 },
    ...parts,
  };
}
