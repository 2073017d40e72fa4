import { createRuleTallies } from '../judge/tally.ts';
import type { CaseResult, Result } from '../model/result.ts';
import { footerOf, headerOf } from './frame.ts';
import { createGate } from './gate.ts';
import { createJournal, type Journal } from './journal.ts';
import { openWorld } from './open-world.ts';
import { type Planned, planRun } from './plan.ts';
import { describeOurFault, runCase } from './run-case.ts';
import type { RunOptions, Stop } from './run-options.ts';
import { rulesOf } from './select.ts';
import { Interrupted, type Timeline } from './timeline.ts';
import type { World } from './world.ts';

/** Cases that are open at the same time: bounds memory, and how many pushes wait on one phone. Exchanges are bounded by `jobs`. */
const openCases = 250;

function unfinished({ case: given }: Planned, reason: string, verdict: Unfinished): CaseResult {
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

type Unfinished = 'not-run' | 'not-applicable' | 'error';

/** What stays in memory of a finished case; its messages are in the journal. */
type Summary = Omit<CaseResult, 'messages'>;

interface Finish {
  readonly journal: Journal;
  readonly options: RunOptions;
}

function finishCase(index: number, result: CaseResult, { journal, options }: Finish): Summary {
  journal.addCase(index, result);
  const { messages: _, ...summary } = result;
  const reason = result.reason === undefined ? {} : { reason: result.reason };
  options.progress({ kind: 'case-finished', id: result.id, verdict: result.verdict, ...reason });
  return summary;
}

async function runOne(planned: Planned, order: number, world: World, stop: Stop): Promise<CaseResult> {
  if (!('cast' in planned)) return unfinished(planned, planned.reason, planned.verdict);
  if (stop.reason !== undefined) return unfinished(planned, stop.reason, 'not-run');
  world.timeline.enter();
  try {
    return await runCase(planned, order, world);
  } catch (error) {
    if (error instanceof Interrupted) return unfinished(planned, stop.reason ?? error.message, 'not-run');
    return unfinished(planned, describeOurFault(error), 'error');
  } finally {
    world.timeline.leave();
  }
}

/** All cases side by side; their summaries in the order of the plan, whatever the order they ended in. */
function runAll(plan: readonly Planned[], world: World, stop: Stop, finish: Finish): Promise<Summary[]> {
  const { options } = finish;
  const open = createGate(openCases);
  options.progress({ kind: 'started', cases: plan.length });
  return Promise.all(
    plan.map((planned, index) =>
      open.pass(async () => {
        const result = await runOne(planned, index, world, stop);
        const summary = finishCase(index, result, finish);
        if (options.bail && result.verdict === 'fail' && stop.reason === undefined) {
          stop.reason = `stopped after the first failure, ${result.id} (--bail)`;
          world.timeline.interrupt();
        }
        return summary;
      }),
    ),
  );
}

function judgeRules(
  plan: readonly Planned[],
  summaries: readonly Summary[],
  invariants: Result['invariants'],
  { suites, selected, target }: RunOptions,
) {
  const tallies = createRuleTallies(suites.rules, target.attestations);
  for (const [index, summary] of summaries.entries()) {
    const planned = plan[index];
    if (planned !== undefined) tallies.addCase(summary, rulesOf(planned.case));
  }
  for (const invariant of invariants) tallies.addInvariant(invariant);
  return tallies.conclude(selected.rules);
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
  const quiet = tellProgress(world.timeline, options.progress);
  const unwatch = watchSignal(options.signal, stop, world.timeline);
  const plan = planRun(options.selected, world.target, options.suites.cases);
  let summaries: readonly Summary[];
  try {
    summaries = await runAll(plan, world, stop, { journal, options });
  } finally {
    quiet();
    unwatch();
    await close();
  }
  if (stop.cause !== undefined) throw stop.cause;
  const invariants = world.invariants.conclude();
  const rules = judgeRules(plan, summaries, invariants, options);
  const partial = { header, cases: journal.cases, invariants, rules, strays: world.strays };
  const footer = footerOf(partial, stop, world, begun);
  journal.addFooter(footer);
  return { result: { ...partial, footer }, close: journal.close };
}
