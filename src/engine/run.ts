import { randomBytes } from 'node:crypto';
import { createInvariantJudge } from '../judge/invariants.ts';
import { createRuleBook } from '../judge/rule-book.ts';
import {
  concludeOutcome,
  countVerdicts,
  createRuleTallies,
  type RuleTallies,
  scores,
  scoresByArea,
} from '../judge/tally.ts';
import type { ProgressEvent } from '../model/progress.ts';
import type { CaseResult, Result, ResultFooter, ResultHeader } from '../model/result.ts';
import type { Level } from '../model/rule.ts';
import type { Suites } from '../model/suite.ts';
import type { Target } from '../model/target.ts';
import { createCorrelator } from '../wire/correlate.ts';
import { createKeyRing } from '../wire/keys.ts';
import { createReceiver, type Inbound } from '../wire/receive.ts';
import { createSender, type Sender } from '../wire/send.ts';
import { createSkewMeter } from '../wire/skew.ts';
import { createClockDoor } from './clock-door.ts';
import { namedChecks } from '../judge/checks/table.ts';
import { onDelivery } from './deliver.ts';
import { discover } from './discover.ts';
import { createDrivenClock } from './driven-clock.ts';
import { createGate } from './gate.ts';
import { createJournal, type Journal } from './journal.ts';
import { createLanes } from './lanes.ts';
import { type Planned, planRun } from './plan.ts';
import { createRealClock } from './real-clock.ts';
import { runCase } from './run-case.ts';
import { rulesOf, type Selected } from './select.ts';
import { createTimeline, Interrupted, type Timeline } from './timeline.ts';
import type { World } from './world.ts';

export interface RunOptions {
  readonly suites: Suites;
  readonly selected: Selected;
  readonly selection: { readonly what: readonly string[]; readonly level: Level };
  readonly target: Target;
  readonly journal: string;
  /** Exchanges under way at the same time. */
  readonly jobs: number;
  /** Stop at the first failure. */
  readonly bail: boolean;
  readonly progress: (event: ProgressEvent) => void;
  /** Aborted: end cleanly with what is finished. */
  readonly signal: AbortSignal;
  readonly tool: ResultHeader['tool'];
}

/** Cases that are open at the same time; it bounds memory, not speed: exchanges are bounded by `jobs`. */
const openCases = 500;

/** Why a run ended before its cases did. */
interface Stop {
  reason: string | undefined;
  interrupted: boolean;
  cause: unknown;
}

const clockNote: Readonly<Record<Timeline['kind'], string>> = {
  real: 'waits lasted as long as they say',
  driven: 'both clocks jumped over every wait',
};

async function openTimeline(target: Target, sender: Sender, held: () => number, hooks: ClockHooks): Promise<Timeline> {
  if (target.clock === undefined) return createTimeline(createRealClock());
  const door = createClockDoor(target.clock, sender);
  const { now: start } = await door.read();
  return createTimeline(createDrivenClock({ door, start, held, ...hooks }));
}

interface ClockHooks {
  readonly onJump: (to: number) => void;
  readonly onFailure: (cause: unknown) => void;
}

function unfinished({ case: given }: Planned, reason: string, verdict: 'not-run' | 'not-applicable'): CaseResult {
  const { id, title, suite, area, position, rules } = given;
  return {
    ...{ id, title, suite, area, position, rules, verdict, reason },
    findings: [],
    recorded: {},
    startedAt: 0,
    endedAt: 0,
    messages: [],
  };
}

interface Finish {
  readonly journal: Journal;
  readonly tallies: RuleTallies;
  readonly options: RunOptions;
}

function finishCase(index: number, result: CaseResult, planned: Planned, { journal, tallies, options }: Finish): void {
  journal.addCase(index, result);
  const { messages: _, ...kept } = result;
  tallies.addCase(kept, rulesOf(planned.case));
  const reason = result.reason === undefined ? {} : { reason: result.reason };
  options.progress({ kind: 'case-finished', id: result.id, verdict: result.verdict, ...reason });
}

async function runOne(planned: Planned, world: World, stop: Stop): Promise<CaseResult> {
  if (!('cast' in planned)) return unfinished(planned, planned.reason, planned.verdict);
  if (stop.reason !== undefined) return unfinished(planned, stop.reason, 'not-run');
  world.timeline.enter();
  try {
    return await runCase(planned.case, planned.cast, world);
  } catch (error) {
    if (error instanceof Interrupted) return unfinished(planned, stop.reason ?? error.message, 'not-run');
    throw error;
  } finally {
    world.timeline.leave();
  }
}

async function runAll(plan: readonly Planned[], world: World, stop: Stop, finish: Finish): Promise<void> {
  const { options } = finish;
  const open = createGate(openCases);
  options.progress({ kind: 'started', cases: plan.length });
  await Promise.all(
    plan.map((planned, index) =>
      open.pass(async () => {
        const result = await runOne(planned, world, stop);
        finishCase(index, result, planned, finish);
        if (options.bail && result.verdict === 'fail' && stop.reason === undefined) {
          stop.reason = `stopped after the first failure, ${result.id} (--bail)`;
          world.timeline.interrupt();
        }
      }),
    ),
  );
}

function footerOf(result: Omit<Result, 'footer'>, stop: Stop, world: World, startedAt: number): ResultFooter {
  const { rules } = result;
  const { outcome, reasons } = concludeOutcome(rules, stop.reason);
  const skew = world.timeline.kind === 'real' ? world.skew.current() : undefined;
  return {
    endedAt: new Date(world.timeline.now()).toISOString(),
    outcome,
    reasons,
    interrupted: stop.interrupted,
    ...(skew === undefined ? {} : { skew }),
    score: scores(rules),
    areas: scoresByArea(rules),
    counts: countVerdicts(rules),
    wallMilliseconds: Math.round(performance.now() - startedAt),
    ...world.counts,
  };
}

function headerOf(
  { suites, target, selection, tool }: RunOptions,
  world: Pick<World, 'timeline' | 'endpoints'>,
): ResultHeader {
  const { kind } = world.timeline;
  return {
    format: 'carrierspec-result',
    version: 1,
    run: randomBytes(8).toString('hex'),
    tool,
    suites: { ...suites.digests, files: suites.files },
    target: {
      name: target.name,
      file: target.file,
      issuer: world.endpoints.issuer,
      fingerprint: target.fingerprint,
    },
    clock: { kind, note: clockNote[kind] },
    startedAt: new Date(world.timeline.now()).toISOString(),
    selection: selection.what,
    level: selection.level,
  };
}

async function openWorld(options: RunOptions, stop: Stop): Promise<{ world: World; close: () => Promise<void> }> {
  const { target, suites, selected, jobs } = options;
  const sender = createSender({ deadline: target.deadline, connections: jobs });
  try {
    const skew = createSkewMeter();
    const held = { count: 0 };
    const endpoints = await discover(target, { sender, skew, now: Date.now });
    const fail = (cause: unknown): void => {
      stop.cause ??= cause;
      stop.reason ??= 'carrierspec had to stop';
      timeline.interrupt();
    };
    const timeline = await openTimeline(target, sender, () => held.count, {
      onJump: (to) => options.progress({ kind: 'jumped', to }),
      onFailure: fail,
    });
    const rules = createRuleBook(suites.rules);
    let deliverTo: ((inbound: Inbound) => ReturnType<typeof onDelivery>) | undefined;
    const receiver = await createReceiver({
      ...target.receiver,
      now: timeline.now,
      onDelivery: (inbound) => deliverTo?.(inbound) ?? Promise.resolve({ status: 503 }),
    });
    const world: World = {
      target,
      endpoints,
      receiver: target.receiver.url ?? receiver.origin,
      base: suites.base,
      rules,
      checks: namedChecks,
      invariants: createInvariantJudge({ invariants: selected.invariants, checks: namedChecks, rules }),
      timeline,
      lanes: createLanes(timeline),
      gate: createGate(jobs),
      sender,
      keys: createKeyRing(),
      skew,
      correlator: createCorrelator(),
      strays: [],
      held,
      onInternalError: fail,
      random: (bytes) => randomBytes(bytes).toString('hex'),
      counts: { exchanges: 0, deliveries: 0 },
    };
    deliverTo = (inbound) => onDelivery(inbound, world);
    const close = async (): Promise<void> => {
      await Promise.all([receiver.close(), sender.close()]);
    };
    return { world, close };
  } catch (error) {
    await sender.close();
    throw error;
  }
}

function watchSignal(signal: AbortSignal, stop: Stop, timeline: Timeline): () => void {
  const onAbort = (): void => {
    stop.reason ??= 'interrupted';
    stop.interrupted = true;
    timeline.interrupt();
  };
  if (signal.aborted) onAbort();
  signal.addEventListener('abort', onAbort, { once: true });
  return () => signal.removeEventListener('abort', onAbort);
}

/** How often a progress display hears what is waited for. */
const tellWaiting = 250;

function tellProgress(timeline: Timeline, progress: RunOptions['progress']): () => void {
  const timer = setInterval(() => {
    const waiting = timeline
      .parked()
      .flatMap(({ due, label }) => (due === undefined ? [] : [{ ...label, until: due }]))
      .toSorted((a, b) => a.until - b.until);
    progress({ kind: 'waiting', waiting, now: timeline.now() });
  }, tellWaiting);
  return () => clearInterval(timer);
}

/** A whole run. Throws CarrierspecError where the carrier cannot be reached or the tool itself is broken. */
export async function run(options: RunOptions): Promise<{ result: Result; close: () => void }> {
  const begun = performance.now();
  const stop: Stop = { reason: undefined, interrupted: false, cause: undefined };
  const { world, close } = await openWorld(options, stop);
  const header = headerOf(options, world);
  const journal = createJournal(options.journal, header);
  const tallies = createRuleTallies(options.suites.rules);
  const quiet = tellProgress(world.timeline, options.progress);
  const unwatch = watchSignal(options.signal, stop, world.timeline);
  try {
    const plan = planRun({ cases: options.selected.cases }, options.target);
    await runAll(plan, world, stop, { journal, tallies, options });
  } finally {
    quiet();
    unwatch();
    await close();
  }
  if (stop.cause !== undefined) throw stop.cause;
  const invariants = world.invariants.conclude();
  for (const invariant of invariants) tallies.addInvariant(invariant);
  const rules = tallies.conclude(options.selected.rules);
  const partial = { header, cases: journal.cases, invariants, rules, strays: world.strays };
  const footer = footerOf(partial, stop, world, begun);
  journal.addFooter(footer);
  return { result: { ...partial, footer }, close: journal.close };
}
