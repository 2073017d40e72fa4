import type { Limit, LimitProbe, LimitResult } from '../../model/limit.ts';
import { MissingValue } from '../../model/suite.ts';
import { locksOf } from '../case/locks.ts';
import { Interrupted, inTimeline } from '../clock/timeline.ts';
import { type Assignment, type CaseContext, Unmet, type World } from '../context/case-context.ts';
import { openContext } from '../context/open-context.ts';
import { openWorld } from '../open-world.ts';
import { planRun } from '../plan/assign.ts';
import type { RunOptions, Stop } from '../run-options.ts';
import { findEdge, windowOf, conclude, type Measured, sayWhatIsCounted } from './limit.ts';
import { caseOf, climbEvents, eventCase, fillUp, bindProbe, constant, type Probed, sendProbe } from './probe.ts';

interface Measuring {
  readonly limit: Limit;
  readonly ctx: CaseContext;
  /** Slowest exchange so far, in milliseconds. */
  slowest: number;
}

async function tryOut(measuring: Measuring, send: () => Promise<Probed>): Promise<Probed> {
  const probed = await send();
  measuring.slowest = Math.max(measuring.slowest, probed.took);
  return probed;
}

/** Uncertainty of a distance from the carrier's time, in seconds, by clocks and network; on a virtual clock no time passes. */
function blurOf({ limit, ctx: { world }, slowest }: Measuring): number {
  if (!limit.clock || world.timeline.kind === 'virtual') return 0;
  return Math.ceil((slowest + (world.skew.current()?.uncertainty ?? 1000)) / 1000);
}

async function bisect(measuring: Measuring, method: Limit['method'] & { kind: 'bisect' }): Promise<Measured> {
  const { limit, ctx } = measuring;
  let first: string | undefined;
  const edge = await findEdge(method, async (value) => {
    const difference = bindProbe(method.difference, value, limit.position);
    const { held, response } = await tryOut(measuring, () => sendProbe(difference, ctx));
    first ??= response;
    return { held: method.holds === 'response' ? response === first : held, response };
  });
  // Probes use whole seconds, and the carrier's second may begin anywhere in ours.
  return { ...edge, uncertainty: limit.clock ? 1 + blurOf(measuring) : 0 };
}

/** Sends all requests first, then each again after its own time: the ladder takes as long as its longest rung. */
async function climb(measuring: Measuring, method: Limit['method'] & { kind: 'repeat' }): Promise<Measured> {
  const { limit, ctx } = measuring;
  const { position } = limit;
  const firsts: { readonly rung: number; readonly first: Probed }[] = [];
  for (const rung of method.rungs) {
    const first = await tryOut(measuring, () => sendProbe(bindProbe({}, 0, position), ctx));
    if (!first.held) throw new Unmet(`a valid request was not accepted: ${first.response}`);
    firsts.push({ rung, first });
  }
  const probes: LimitProbe[] = [];
  for (const { rung, first } of firsts) {
    const due = (first.sentAt + rung) * 1000;
    if (due > ctx.now()) await ctx.wait({ due, for: `${rung} s` });
    const value = first.claims?.[method.claim] ?? null;
    const again = bindProbe({ claims: [[method.claim, constant(value, position)]] }, 0, position);
    const { held, response, sentAt } = await tryOut(measuring, () => sendProbe(again, ctx));
    // A late probe has tried a time other than its rung.
    probes.push({ at: Math.round((sentAt - first.sentAt) * 10) / 10, held: !held, response });
  }
  return measuredWindow(probes, blurOf(measuring));
}

function measuredWindow(probes: readonly LimitProbe[], blur: number): Measured {
  const { state, value, uncertainty } = windowOf(probes);
  if (state !== 'contradictory') return { state, value, uncertainty: uncertainty + blur, probes };
  return { state: 'unmeasured', reason: 'the rungs contradict each other: there is no one window', probes };
}

function take(measuring: Measuring, assignment: Assignment): Promise<Measured> {
  const { method } = measuring.limit;
  switch (method.kind) {
    case 'bisect':
      return bisect(measuring, method);
    case 'repeat':
      return climb(measuring, method);
    case 'pending':
      return fillUp(method.to, measuring.ctx);
    case 'event':
      return climbEvents({ ...method, limit: measuring.limit }, assignment, measuring.ctx.world).then((probes) =>
        measuredWindow(probes, blurOf(measuring)),
      );
  }
}

function explain(error: unknown): Measured {
  if (error instanceof Interrupted) return { state: 'unmeasured', reason: 'interrupted', probes: [] };
  if (!(error instanceof Unmet) && !(error instanceof MissingValue)) throw error;
  return { state: 'unmeasured', reason: error.message, probes: [] };
}

async function measureOne(limit: Limit, world: World): Promise<LimitResult> {
  const { method, position } = limit;
  const { verbs } = world.interface;
  // Gives the probes their assignment and position.
  const given =
    method.kind === 'event'
      ? eventCase(limit, method, verbs)
      : { ...caseOf(limit, [], verbs), exclusive: method.kind === 'pending', position };
  const [planned] = planRun({ cases: [given] }, world.target, world);
  if (planned === undefined || !('assignment' in planned)) {
    return conclude(limit, {
      state: 'unmeasured',
      reason: planned?.reason ?? 'no client and subscriber to send it',
      probes: [],
    });
  }
  const { assignment } = planned;
  const label = { case: given.id, for: 'its locks' };
  // For events, each subscriber's case takes its own locks.
  const locks = method.kind === 'event' ? [] : locksOf(given, assignment, world.target);
  const giveBack = await world.locks.take(locks, label);
  try {
    const ctx = openContext(world, { case: given, assignment });
    return conclude(limit, await take({ limit, ctx, slowest: 0 }, assignment));
  } catch (error) {
    return conclude(limit, explain(error));
  } finally {
    giveBack();
  }
}

/** Measures limits in a world of its own: bisections in turn, ladders concurrently. Throws like `run`. */
export async function measure(
  limits: readonly Limit[],
  options: RunOptions,
  onMeasured: (result: LimitResult) => void = () => undefined,
): Promise<{ readonly limits: readonly LimitResult[]; readonly begunAt: number }> {
  const stop: Stop = { reason: undefined, interrupted: false, cause: undefined };
  const selected = { cases: [], invariants: [], rules: new Set<string>() };
  const { world, close } = await openWorld({ ...options, selected }, stop);
  const begunAt = world.timeline.now();
  const onAbort = (): void => world.timeline.interrupt();
  if (options.signal.aborted) onAbort();
  options.signal.addEventListener('abort', onAbort, { once: true });
  try {
    const found = new Map<string, LimitResult>();
    const one = async (limit: Limit): Promise<void> => {
      const result = await measureOne(limit, world);
      found.set(limit.name, result);
      onMeasured(result);
    };
    const isLadder = ({ method }: Limit): boolean => method.kind === 'repeat' || method.kind === 'event';
    const bisections = limits.filter((limit) => !isLadder(limit));
    const ladders = limits.filter(isLadder);
    await Promise.all([
      inTimeline(world.timeline, async () => {
        for (const limit of bisections) await one(limit);
      }),
      ...ladders.map((limit) => inTimeline(world.timeline, () => one(limit))),
    ]);
    if (stop.cause !== undefined) throw stop.cause;
    const inOrder = limits.flatMap(({ name }) => found.get(name) ?? []);
    return { limits: sayWhatIsCounted(inOrder, limits), begunAt };
  } finally {
    options.signal.removeEventListener('abort', onAbort);
    // If one failed, stop the others.
    world.timeline.interrupt();
    await close();
  }
}
