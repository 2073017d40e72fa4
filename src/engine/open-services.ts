import { CarrierspecError } from '../model/problem.ts';
import { createInvariantJudge } from '../judge/invariants.ts';
import { createRuleBook } from '../judge/rule-book.ts';
import { omitUndefined } from '../lib/json.ts';
import type { Target } from '../model/target.ts';
import { createKeyRing } from '../wire/build/keys.ts';
import { longHeaderReason } from '../wire/read/collect-body.ts';
import { createBodyReader } from '../wire/read/read-body.ts';
import { createCorrelator } from '../wire/receive/correlator.ts';
import { createDestinations } from '../wire/receive/destinations.ts';
import { maxReceiverConnections } from '../wire/receive/connections.ts';
import { createLagMeter } from '../wire/receive/lag.ts';
import {
  listenError,
  createReceiver,
  type Receiver,
  type ReceiverOptions,
  readWrongCertificate,
} from '../wire/receive/receiver.ts';
import { targetPublicValues, createRunSecrets, type RunSecrets } from '../wire/record/run-secrets.ts';
import { createRecorder } from '../wire/record/recorder.ts';
import { createSender, type Sender } from '../wire/send/sender.ts';
import { boundByFiles } from '../wire/shortage.ts';
import { createSkewOfOrigins } from '../wire/send/skew.ts';
import { createCasePlaces } from './case/locks.ts';
import { createFlowingClock } from './clock/flowing-clock.ts';
import { createOpenHours, localTimeOfDay } from './clock/open-hours.ts';
import { createScheduler } from './clock/scheduler.ts';
import { type Clock, createRealClock, createTimeline, type Timeline } from './clock/timeline.ts';
import { createVirtualClock } from './clock/virtual-clock.ts';
import type { RunServices } from './context/case-context.ts';
import { newRunState, type RunState } from './context/run-state.ts';
import { createCircuits } from './context/circuit.ts';
import { createRandomDraws } from './context/random-draws.ts';
import { allEndpointUrls } from './context/endpoints.ts';
import { allowedUris } from './context/scope.ts';
import { numberQuestions } from './context/act-count.ts';
import { queueQuestions } from './context/operator.ts';
import { type Disturbances, watchMachine } from './disturbances.ts';
import { discover, listedAlgorithms } from './discover.ts';
import { createClockClient } from './drive/clock-client.ts';
import { withoutAttendedDrivers } from './drive/drive.ts';
import { createProgramScheduler } from './drive/exec-driver.ts';
import { contradictions, requireNoProblems } from './plan/check-target.ts';
import { casesOfOne } from './plan/order.ts';
import { planTime } from './plan/planned-time.ts';
import { requireReachable } from './preflight/receiver.ts';
import { createCarrierKeys, createReceiverLock } from './receive/lock.ts';
import { onDelivery } from './receive/recipients.ts';
import {
  type RunOptions,
  type RunStop,
  createRefusalStop,
  createSilenceStop,
  stopWithoutClock,
  stopWithoutTime,
  createToldEffect,
} from './run-options.ts';

interface ServiceGround {
  readonly options: RunOptions;
  readonly target: Target;
  readonly stop: RunStop;
  readonly sender: Sender;
  readonly state: RunState;
  /** Concurrent connections to the receiver. */
  readonly connections: number;
  /** Aborted when the services are closed: pending clock requests are void then. */
  readonly closed: AbortController;
}

/** Stops the run because of a fault that is not the carrier's. */
function failRun(cause: unknown, { stop }: ServiceGround, timeline: Timeline): void {
  stop.cause ??= cause;
  stop.reason ??= 'carrierspec had to stop';
  timeline.interrupt();
}

async function openTimeline(ground: ServiceGround, realClock: Clock): Promise<Timeline> {
  const { target, sender, state, options } = ground;
  if (target.clock === undefined) return createTimeline(realClock);
  const client = createClockClient(target.clock, sender);
  const { now: start } = await client.read();
  const create = target.clock.flows === true ? createFlowingClock : createVirtualClock;
  const timeline = createTimeline(
    create({
      client,
      start,
      held: () => state.held,
      onAdvance: (to) => options.progress({ kind: 'advanced', to }),
      onFailure: (cause) => {
        // A run that has been stopped or closed needs the clock no more.
        if (timeline.stopped.aborted || ground.closed.signal.aborted) return;
        if (cause instanceof CarrierspecError) stopWithoutClock(cause, ground.stop, timeline);
        else failRun(cause, ground, timeline);
      },
    }),
  );
  return timeline;
}

type ReceiverHandlers = Pick<ReceiverOptions, 'now' | 'lag' | 'connections' | 'onFull' | 'onLongHeader' | 'onDelivery'>;

async function openReceiver(receiver: Target['receiver'], inwards: ReceiverHandlers): Promise<Receiver> {
  const { host, port, tls, clientAuthorities } = receiver;
  try {
    return await createReceiver({ host, port, tls, clientAuthorities, ...inwards });
  } catch (cause) {
    throw listenError({ host, port }, cause);
  }
}

/** Opens the receiver and, if the target file names one, a second one with a wrong certificate. Closing the first closes both. */
async function openReceivers(receiver: Target['receiver'], inwards: ReceiverHandlers): Promise<Receiver> {
  const right = await openReceiver(receiver, inwards);
  const { wrongCertificate } = receiver;
  if (wrongCertificate === undefined) return right;
  try {
    const wrong = await openReceiver({ ...wrongCertificate, tls: readWrongCertificate() }, inwards);
    return { ...right, close: async () => void (await Promise.all([right.close(), wrong.close()])) };
  } catch (error) {
    await right.close();
    throw error;
  }
}

type ServiceParts = Pick<RunServices, 'endpoints' | 'skew' | 'timeline' | 'receiver' | 'lag' | 'disturbances'>;

/** Collects the credentials to redact: those of the clients, the proxy and the caller. Public values are exempt in every role. */
function collectSecrets({ options, target }: ServiceGround, { endpoints, receiver }: ServiceParts): RunSecrets {
  const { clients, proxy } = target;
  const { issuer, urls } = endpoints;
  const found = [issuer, ...Object.values(urls), receiver, ...options.interface.words];
  const secrets = createRunSecrets([...targetPublicValues(target), ...found]);
  for (const { secret } of clients) if (secret !== undefined) secrets.keep('client secret', secret);
  if (proxy !== undefined) secrets.keep('password', decodeURIComponent(new URL(proxy).password));
  for (const [what, secret] of options.secrets ?? []) if (!secrets.isStated(secret)) secrets.keep(what, secret);
  return secrets;
}

function createRunJudge(
  { options, state }: ServiceGround,
  { rules, disturbances }: Pick<RunServices, 'rules' | 'disturbances'>,
): RunServices['invariants'] {
  const toldEffect = createToldEffect(options);
  return createInvariantJudge({
    invariants: options.selected.invariants,
    checks: options.interface.checks,
    rules,
    keepEvidence: true,
    blocked: () => disturbances?.lostTime(),
    onViolation: ({ id: invariant }, finding) => {
      const id = finding.seenIn ?? invariant;
      const event = { kind: 'finding', id, invariant, finding, ...toldEffect(finding, invariant) } as const;
      if (options.keepGoing === false && state.plainAcceptedFrom.size === 0) state.heldFindings.push(event);
      else options.progress(event);
    },
  });
}

/** Opens the hours of a run in real time; on a virtual clock no day passes. */
function openHours({ options, target }: ServiceGround, timeline: Timeline): Pick<RunServices, 'hours' | 'reaches'> {
  const { hours, progress, suites, interface: certified } = options;
  if (hours === undefined || timeline.kind === 'virtual') return {};
  const onPause = (text: string): void => progress({ kind: 'note', text });
  return {
    hours: createOpenHours(hours, { timeline, timeOfDay: localTimeOfDay, onPause }),
    reaches: (given) => planTime(given, { target, suites, interface: certified }).reaches,
  };
}

function buildServices(ground: ServiceGround, found: ServiceParts): RunServices {
  const { options, target, sender, state } = ground;
  const { suites, jobs, operator, open } = options;
  const { timeline } = found;
  const rules = createRuleBook(suites.rules);
  // On a virtual clock no time passes, so there is no rate to keep.
  const rate = timeline.kind === 'real' ? target.rateLimit : undefined;
  const pace = rate === undefined ? undefined : { rate, now: () => performance.now() };
  return {
    ...found,
    target,
    suites,
    rules,
    interface: options.interface,
    invariants: createRunJudge(ground, { ...found, rules }),
    ...omitUndefined({
      operator:
        operator &&
        queueQuestions(numberQuestions(operator, state.acts), (waiting) =>
          options.progress({ kind: 'tasks', waiting }),
        ),
    }),
    locks: createScheduler({ timeline }),
    places: createCasePlaces(timeline, { all: open, ofOne: casesOfOne({ target, interface: options.interface }) }),
    exchanges: createScheduler({ timeline, capacityOf: () => jobs, pace }),
    programs: createProgramScheduler(timeline, jobs),
    sender,
    circuits: createCircuits(createSilenceStop(ground, timeline)),
    keys: createKeyRing(),
    correlator: createCorrelator(options.interface.correlation.order),
    bodies: createBodyReader(options.interface.messages.meant),
    recorder: createRecorder(),
    secrets: collectSecrets(ground, found),
    lock: createReceiverLock(target),
    carrierKeys: createCarrierKeys(
      sender,
      options.interface.keyEndpoints.flatMap((name) => found.endpoints.urls[name] ?? []),
      timeline.now,
    ),
    registry: { events: new Map() },
    destinations: createDestinations(allowedUris(target, found.receiver)),
    progress: options.progress,
    onInternalError: (cause) => failRun(cause, ground, timeline),
    ...omitUndefined({
      hold: options.hold,
      outlives: options.outlives === true ? (true as const) : undefined,
      onFirstRefused: createRefusalStop(ground, timeline),
    }),
    ...openHours(ground, timeline),
    ...createRandomDraws(),
    state,
  };
}

type OnDelivery = ReceiverOptions['onDelivery'];

const fullReceiverNote = 'our receiver closed connections because this process may open few files (ulimit -n)';

async function discoverEndpoints(
  { target, sender, options, state }: ServiceGround,
  { skew, now }: Pick<RunServices, 'skew'> & Pick<Clock, 'now'>,
): Promise<RunServices['endpoints']> {
  const asking = { sender, skew, now, interface: options.interface };
  const { configuration, ...endpoints } = await discover(target, asking);
  // The issuer of a configuration may be no URL.
  if (configuration !== undefined && target.discovery !== undefined)
    state.respondedFrom.add(new URL(target.discovery).origin);
  requireNoProblems(
    target,
    contradictions(target, { urls: allEndpointUrls(endpoints), configuration }, options.interface),
  );
  return { ...endpoints, algorithms: listedAlgorithms(configuration, options.interface.signingAlgorithms) };
}

function watchDisturbances({ options, stop }: ServiceGround, timeline: Timeline): Disturbances {
  const { kind, now } = timeline;
  const clocks = {
    now,
    steady: () => performance.now(),
    // On a virtual clock the wall clock is ignored.
    ahead: kind === 'real' ? () => Date.now() - now() : () => 0,
  };
  return watchMachine(clocks, {
    onNote: (text) => options.progress({ kind: 'note', text, disturbs: true }),
    onLostTime: (words) => stopWithoutTime(words, stop, timeline),
  });
}

async function openServiceParts(ground: ServiceGround): Promise<OpenServices> {
  const { options, target, sender, connections } = ground;
  const skew = createSkewOfOrigins();
  const realClock = createRealClock();
  const endpoints = await discoverEndpoints(ground, { skew, now: realClock.now });
  const timeline = await openTimeline(ground, realClock);
  const lag = timeline.kind === 'real' ? createLagMeter() : undefined;
  const disturbances = watchDisturbances(ground, timeline);
  // Until the run listens, deliveries get a 503 or go to the check that the receiver can be reached.
  let take: OnDelivery = () => Promise.resolve({ status: 503 });
  const receiver = await openReceivers(target.receiver, {
    now: timeline.now,
    connections,
    ...(connections < maxReceiverConnections && { onFull: () => disturbances.note(fullReceiverNote) }),
    onLongHeader: () => disturbances.note(longHeaderReason.delivery),
    lag: lag?.current ?? timeline.blur,
    onDelivery: (inbound) => take(inbound),
  });
  const close = async (): Promise<void> => {
    ground.closed.abort();
    lag?.close();
    disturbances.close();
    await Promise.all([receiver.close(), sender.close()]);
  };
  const publicUrl = target.receiver.url ?? receiver.origin;
  const found = { endpoints, skew, timeline, receiver: publicUrl, disturbances };
  const services = buildServices(ground, { ...found, ...omitUndefined({ lag }) });
  if (options.preflight === true) {
    const listen = (taking: OnDelivery): void => {
      take = taking;
    };
    const { requestEndpoint } = options.interface;
    const start = { endpoints, requestEndpoint, sender, receiver: publicUrl, listen };
    await requireReachable(target, start).catch(async (error: unknown) => {
      await close();
      throw error;
    });
  }
  take = (inbound) => onDelivery(inbound, services);
  return { services, close };
}

interface OpenServices {
  readonly services: RunServices;
  readonly close: () => Promise<void>;
}

/** Discovers the carrier, opens the receiver and builds the run's services. Throws DiscoveryError, or a CarrierspecError if the receiver cannot listen. */
export async function openServices(given: RunOptions, stop: RunStop): Promise<OpenServices> {
  const { jobs, connections, note } = boundByFiles(
    { jobs: given.jobs, connections: maxReceiverConnections },
    given.outlives === true ? 1 : 2,
  );
  const options = { ...given, jobs };
  if (note !== undefined) options.progress({ kind: 'note', text: note });
  const target = withoutAttendedDrivers(options.target, options.operator);
  const { tls, proxy } = target;
  const requestTimeout = Math.max(target.requestTimeout, options.interface.timing.slowestResponse);
  const sender = createSender({ requestTimeout, connections: jobs, tls, proxy });
  try {
    return await openServiceParts({
      options,
      target,
      stop,
      sender,
      connections,
      state: newRunState(),
      closed: new AbortController(),
    });
  } catch (error) {
    await sender.close();
    throw error;
  }
}
