import { createScheduler } from '../../engine/clock/scheduler.ts';
import { createRealClock, createTimeline } from '../../engine/clock/timeline.ts';
import type { RunServices } from '../../engine/context/case-context.ts';
import { createCircuits } from '../../engine/context/circuit.ts';
import { createProgramScheduler } from '../../engine/drive/exec-driver.ts';
import { newRunState } from '../../engine/context/run-state.ts';
import { createReceiverLock } from '../../engine/receive/lock.ts';
import { allowedUris } from '../../engine/context/scope.ts';
import { serverInitiated } from '../../interfaces/server-initiated/interface.ts';
import { createInvariantJudge } from '../../judge/invariants.ts';
import { createRuleBook } from '../../judge/rule-book.ts';
import type { Target } from '../../model/target.ts';
import { createKeyRing } from '../../wire/build/keys.ts';
import { createBodyReader } from '../../wire/read/read-body.ts';
import { createCorrelator } from '../../wire/receive/correlator.ts';
import { createDestinations } from '../../wire/receive/destinations.ts';
import { createRecorder } from '../../wire/record/recorder.ts';
import { createRunSecrets } from '../../wire/record/run-secrets.ts';
import { createSender } from '../../wire/send/sender.ts';
import { createSkewOfOrigins } from '../../wire/send/skew.ts';

/** Real parts in real time, without a carrier; nothing is sent until a test sends it. */
export function buildServices(target: Target, parts: Partial<RunServices> = {}): RunServices {
  const timeline = createTimeline(createRealClock());
  const rules = createRuleBook([]);
  const receiver = 'http://127.0.0.1:8443';
  return {
    target,
    endpoints: { issuer: target.issuer ?? '', urls: target.endpoints },
    receiver,
    suites: { bases: {} },
    rules,
    interface: serverInitiated,
    invariants: createInvariantJudge({ invariants: [], checks: {}, rules }),
    timeline,
    locks: createScheduler({ timeline }),
    exchanges: createScheduler({ timeline, capacityOf: () => 1 }),
    programs: createProgramScheduler(timeline, 1),
    sender: createSender({ requestTimeout: 1, connections: 1 }),
    circuits: createCircuits(() => undefined),
    keys: createKeyRing(),
    skew: createSkewOfOrigins(),
    correlator: createCorrelator(serverInitiated.correlation.order),
    bodies: createBodyReader(serverInitiated.messages.meant),
    recorder: createRecorder(),
    secrets: createRunSecrets(),
    lock: createReceiverLock(target),
    carrierKeys: { signed: () => Promise.resolve(false) },
    registry: { events: new Map() },
    destinations: createDestinations(allowedUris(target, receiver)),
    progress: () => undefined,
    onInternalError: (cause) => {
      throw cause;
    },
    random: (bytes) => 'ab'.repeat(bytes),
    isDrawn: (value) => value.includes('ab'.repeat(8)),
    state: newRunState(),
    ...parts,
  };
}
