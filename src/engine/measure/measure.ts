import type { Limit, LimitProbe, LimitResult } from '../../model/limit.ts';
import { MissingValue } from '../../model/suite.ts';
import { caseLocks } from '../case/locks.ts';
import { Interrupted, runInTimeline } from '../clock/timeline.ts';
import { type Assignment, type CaseContext, Unmet, type RunServices } from '../context/case-context.ts';
import { openContext } from '../context/open-context.ts';
import { openServices } from '../open-services.ts';
import { planRun } from '../plan/assign.ts';
import { createRunStop, type RunOptions } from '../run-options.ts';
import { searchEdge, computeWindow, concludeLimit, type LimitMeasurement, addCountedUnits } from './limit.ts';
import {
  compileProbeCase,
  climbEvents,
  eventCase,
  fillPending,
  bindProbe,
  constantTemplate,
  type ProbeOutcome,
  sendProbe,
} from './probe.ts';
import { dueMillis } from '../../lib/time.ts';

interface LimitMeasuring {
  readonly limit: Limit;
  readonly ctx: CaseContext;
  /** Slowest exchange so far, in milliseconds. */
  slowest: number;
}

async function timeProbe(measuring: LimitMeasuring, send: () => Promise<ProbeOutcome>): Promise<ProbeOutcome> {
  const probed = await send();
  measuring.slowest = Math.max(measuring.slowest, probed.took);
  return probed;
}

/** Uncertainty of a distance from the carrier's time, in seconds, by clocks and network; on a virtual clock no time passes. */
function clockBlur({ limit, ctx: { services }, slowest }: LimitMeasuring): number {
  if (!limit.clock || services.timeline.kind === 'virtual') return 0;
  return Math.ceil((slowest + (services.skew.current()?.uncertainty ?? 1000)) / 1000);
}

async function bisectLimit(
  measuring: LimitMeasuring,
  method: Limit['method'] & { kind: 'bisect' },
): Promise<LimitMeasurement> {
  const { limit, ctx } = measuring;
  let first: string | undefined;
  const edge = await searchEdge(method, async (value) => {
    const difference = bindProbe(method.difference, value, limit.position);
    const { held, response } = await timeProbe(measuring, () => sendProbe(difference, ctx));
    first ??= response;
    return { held: method.holds === 'response' ? response === first : held, response };
  });
  // Probes use whole seconds, and the carrier's second may begin anywhere in ours.
  return { ...edge, uncertainty: limit.clock ? 1 + clockBlur(measuring) : 0 };
}

/** Sends all requests first, then each again after its own time: the ladder takes as long as its longest rung. */
async function climbLadder(
  measuring: LimitMeasuring,
  method: Limit['method'] & { kind: 'repeat' },
): Promise<LimitMeasurement> {
  const { limit, ctx } = measuring;
  const { position } = limit;
  const firsts: { readonly rung: number; readonly first: ProbeOutcome }[] = [];
  for (const rung of method.rungs) {
    const first = await timeProbe(measuring, () => sendProbe(bindProbe({}, 0, position), ctx));
    if (!first.held) throw new Unmet(`a valid request was not accepted: ${first.response}`);
    firsts.push({ rung, first });
  }
  const probes: LimitProbe[] = [];
  for (const { rung, first } of firsts) {
    const due = dueMillis(first.sentAt + rung);
    if (due > ctx.now()) await ctx.wait({ due, for: `${rung} s` });
    const value = first.claims?.[method.claim] ?? null;
    const again = bindProbe({ claims: [[method.claim, constantTemplate(value, position)]] }, 0, position);
    const { held, response, sentAt } = await timeProbe(measuring, () => sendProbe(again, ctx));
    // A late probe has tried a time other than its rung.
    probes.push({ at: Math.round((sentAt - first.sentAt) * 10) / 10, held: !held, response });
  }
  return measuredWindow(probes, clockBlur(measuring));
}

function measuredWindow(probes: readonly LimitProbe[], blur: number): LimitMeasurement {
  const { state, value, uncertainty } = computeWindow(probes);
  if (state !== 'contradictory') return { state, value, uncertainty: uncertainty + blur, probes };
  return { state: 'unmeasured', reason: 'the rungs contradict each other: there is no one window', probes };
}

function takeMeasurement(measuring: LimitMeasuring, assignment: Assignment): Promise<LimitMeasurement> {
  const { method } = measuring.limit;
  switch (method.kind) {
    case 'bisect':
      return bisectLimit(measuring, method);
    case 'repeat':
      return climbLadder(measuring, method);
    case 'pending':
      return fillPending(method.to, measuring.ctx);
    case 'event':
      return climbEvents({ ...method, limit: measuring.limit }, assignment, measuring.ctx.services).then((probes) =>
        measuredWindow(probes, clockBlur(measuring)),
      );
  }
}

function explainUnmeasured(error: unknown): LimitMeasurement {
  if (error instanceof Interrupted) return { state: 'unmeasured', reason: 'interrupted', probes: [] };
  if (!(error instanceof Unmet) && !(error instanceof MissingValue)) throw error;
  return { state: 'unmeasured', reason: error.message, probes: [] };
}

async function measureLimit(limit: Limit, services: RunServices): Promise<LimitResult> {
  const { method, position } = limit;
  const { verbs } = services.interface;
  // Gives the probes their assignment and position.
  const given =
    method.kind === 'event'
      ? eventCase(limit, method, verbs)
      : { ...compileProbeCase(limit, [], verbs), exclusive: method.kind === 'pending', position };
  const [planned] = planRun({ cases: [given] }, services.target, services);
  if (planned === undefined || !('assignment' in planned)) {
    return concludeLimit(limit, {
      state: 'unmeasured',
      reason: planned?.reason ?? 'no client and subscriber to send it',
      probes: [],
    });
  }
  const { assignment } = planned;
  const label = { case: given.id, for: 'its locks' };
  // For events, each subscriber's case takes its own locks.
  const locks = method.kind === 'event' ? [] : caseLocks(given, assignment, services.target);
  const giveBack = await services.locks.take(locks, label);
  try {
    const ctx = openContext(services, { case: given, assignment });
    return concludeLimit(limit, await takeMeasurement({ limit, ctx, slowest: 0 }, assignment));
  } catch (error) {
    return concludeLimit(limit, explainUnmeasured(error));
  } finally {
    giveBack();
  }
}

/** Measures limits with services of its own: bisections in turn, ladders concurrently. Throws like `run`. */
export async function measureLimits(
  limits: readonly Limit[],
  options: RunOptions,
  onMeasured: (result: LimitResult) => void = () => undefined,
): Promise<{ readonly limits: readonly LimitResult[]; readonly begunAt: number }> {
  const stop = createRunStop();
  const selected = { cases: [], invariants: [], rules: new Set<string>() };
  const { services, close } = await openServices({ ...options, selected }, stop);
  const begunAt = services.timeline.now();
  const onAbort = (): void => services.timeline.interrupt();
  if (options.signal.aborted) onAbort();
  options.signal.addEventListener('abort', onAbort, { once: true });
  try {
    const found = new Map<string, LimitResult>();
    const one = async (limit: Limit): Promise<void> => {
      const result = await measureLimit(limit, services);
      found.set(limit.name, result);
      onMeasured(result);
    };
    const isLadder = ({ method }: Limit): boolean => method.kind === 'repeat' || method.kind === 'event';
    const bisections = limits.filter((limit) => !isLadder(limit));
    const ladders = limits.filter(isLadder);
    await Promise.all([
      runInTimeline(services.timeline, async () => {
        for (const limit of bisections) await one(limit);
      }),
      ...ladders.map((limit) => runInTimeline(services.timeline, () => one(limit))),
    ]);
    if (stop.cause !== undefined) throw stop.cause;
    const inOrder = limits.flatMap(({ name }) => found.get(name) ?? []);
    return { limits: addCountedUnits(inOrder, limits), begunAt };
  } finally {
    options.signal.removeEventListener('abort', onAbort);
    // If one failed, stop the others.
    services.timeline.interrupt();
    await close();
  }
}
