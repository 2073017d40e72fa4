import { createRuleTallies, type RuleTallies } from '../judge/tally.ts';
import type { CaseResult, Result } from '../model/result.ts';
import { footerOf, headerOf } from './frame.ts';
import { createGate } from './gate.ts';
import { createJournal, type Journal } from './journal.ts';
import { openWorld } from './open-world.ts';
import { type Planned, planRun } from './plan.ts';
import { runCase } from './run-case.ts';
import type { RunOptions, Stop } from './run-options.ts';
import { rulesOf } from './select.ts';
import { Interrupted, type Timeline } from './timeline.ts';
import type { World } from './world.ts';

/** Cases that are open at the same time; it bounds memory, not speed: exchanges are bounded by `jobs`. */
const openCases = 500;

function unfinished({ case: given }: Planned, reason: string, verdict: 'not-run' | 'not-applicable'): CaseResult {
  const { id, title, suite, area, position, rules } = given;
  return {
    id,
    title,
    suite,
    area,
    position,
    rules,
    verdict,
    reason,
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

async function runOne(planned: Planned, order: number, world: World, stop: Stop): Promise<CaseResult> {
  if (!('cast' in planned)) return unfinished(planned, planned.reason, planned.verdict);
  if (stop.reason !== undefined) return unfinished(planned, stop.reason, 'not-run');
  world.timeline.enter();
  try {
    return await runCase(planned, order, world);
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
        const result = await runOne(planned, index, world, stop);
        finishCase(index, result, planned, finish);
        if (options.bail && result.verdict === 'fail' && stop.reason === undefined) {
          stop.reason = `stopped after the first failure, ${result.id} (--bail)`;
          world.timeline.interrupt();
        }
      }),
    ),
  );
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
