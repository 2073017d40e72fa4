import type { CaseResult, Result } from '../model/result.ts';
import { createSeal, type Seal } from '../wire/seal.ts';
import { describeOurFault, runCase } from './case/run-case.ts';
import { describeLeft } from './case/tear-down.ts';
import { type Summary, unfinished } from './case/case-result.ts';
import { Quarantined } from './clock/scheduler.ts';
import { Interrupted } from './clock/timeline.ts';
import { expectedOf, judgeRules } from './conclude.ts';
import { fixedOf, footerOf, headerOf } from './frame.ts';
import { createJournal, type Journal } from './journal.ts';
import { openWorld } from './open-world.ts';
import { type Planned, planRun } from './plan/assign.ts';
import { fitBudget, startOrder, timeCases } from './plan/schedule.ts';
import { restAfterKill } from './resume/after-kill.ts';
import { goOn, indexesOf, keepRecoveryRecords, noteTakenBack, nothing, encrypted } from './resume/go-on.ts';
import { archiveJournal } from './resume/put-aside.ts';
import { linesFor, requireSame } from './resume/resume.ts';
import type { RunOptions, Stop } from './run-options.ts';
import { tellProgress, watchSignal } from './tell-progress.ts';
import type { World } from './context/case-context.ts';
import { measuredIn } from './measure/limit.ts';

interface Finish {
  readonly journal: Journal;
  readonly options: RunOptions;
  /** What happened so far is kept for a run that goes on from here; absent where none can. */
  readonly seal: Seal | undefined;
}

function finishCase(index: number, result: CaseResult, world: World, { journal, options, seal }: Finish): Summary {
  const evidence = seal && encrypted(seal, { what: 'witness', evidence: world.invariants.takeEvidence(result.id) });
  journal.addCase(index, result, evidence);
  const { messages: _, ...summary } = result;
  const reason = result.reason === undefined ? {} : { reason: result.reason };
  options.progress({ kind: 'case-finished', id: result.id, verdict: result.verdict, ...reason });
  return summary;
}

async function runOne(planned: Planned, order: number, world: World, stop: Stop): Promise<CaseResult> {
  if (!('assignment' in planned)) return unfinished(planned.case, planned.reason, planned.verdict);
  if (stop.reason !== undefined) return unfinished(planned.case, stop.reason, 'not-run');
  world.timeline.enter();
  try {
    const result = await runCase(planned, order, world);
    return result.verdict === 'not-run' && stop.reason !== undefined ? { ...result, reason: stop.reason } : result;
  } catch (error) {
    if (error instanceof Quarantined) return unfinished(planned.case, error.message, 'not-run');
    if (error instanceof Interrupted) return unfinished(planned.case, stop.reason ?? error.message, 'not-run');
    return unfinished(planned.case, describeOurFault(error), 'error');
  } finally {
    world.timeline.leave();
  }
}

/** Places in the plan: what does not run first, then the cases in the order in which they are begun. */
function orderOf(plan: readonly Planned[], world: World): readonly number[] {
  const begun = startOrder(timeCases(plan, world)).map(({ index }) => index);
  return [...plan.keys()].filter((index) => !('assignment' in (plan[index] ?? {}))).concat(begun);
}

/** All cases side by side; their summaries in the order of the plan, whatever the order they began and ended in. */
async function runAll(plan: readonly Planned[], world: World, stop: Stop, finish: Finish): Promise<Summary[]> {
  const { options } = finish;
  const kept = options.resume?.cases;
  options.progress({ kind: 'started', cases: plan.length });
  const runAt = async (planned: Planned, index: number): Promise<readonly [number, Summary]> => {
    const before = kept?.get(planned.case.id);
    if (before !== undefined) {
      options.progress({ kind: 'case-finished', id: before.id, verdict: before.verdict });
      return [index, before];
    }
    const result = await runOne(planned, index, world, stop);
    const summary = finishCase(index, result, world, finish);
    if (options.bail && result.verdict === 'fail' && stop.reason === undefined) {
      stop.reason = `stopped after the first failure, ${result.id} (--bail)`;
      world.timeline.interrupt();
    }
    return [index, summary];
  };
  const order = orderOf(plan, world).flatMap((index) => {
    const planned = plan[index];
    return planned === undefined ? [] : [{ planned, index }];
  });
  const ended = await Promise.all(order.map(({ planned, index }) => runAt(planned, index)));
  return ended.toSorted(([a], [b]) => a - b).map(([, summary]) => summary);
}

/** The plan, without what does not fit into the budget. */
async function planWithin(options: RunOptions, world: World): Promise<readonly Planned[]> {
  const plan = planRun(options.selected, world.target, options.suites.cases);
  const { budget } = options;
  if (budget === undefined) return plan;
  const frame = { seconds: budget.seconds, ofOne: world.target.casesPerSubscriber };
  const fitting = new Set((await fitBudget(timeCases(plan, world), frame)).map(({ index }) => index));
  return plan.map((planned, index) =>
    'assignment' in planned && !fitting.has(index)
      ? { case: planned.case, verdict: 'not-run', reason: `beyond the budget of ${budget.text}` }
      : planned,
  );
}

function sparePrevious({ journal, progress }: RunOptions): void {
  const recoveryRecord = archiveJournal(journal);
  if (recoveryRecord === undefined) return;
  const text = `${recoveryRecord} is the journal of a run that --resume could have gone on with, after taking back what it had changed; to do so, rename it back`;
  progress({ kind: 'note', text });
}

/** A whole run. Throws CarrierspecError where the carrier cannot be reached or the tool itself is broken. */
export async function run(options: RunOptions): Promise<{ result: Result; close: () => void }> {
  const begun = performance.now();
  const { resume: kept } = options;
  if (kept !== undefined) requireSame(kept.header, fixedOf(options));
  const stop: Stop = { reason: undefined, interrupted: false, cause: undefined };
  const { world: opened, close } = await openWorld(options, stop);
  let closing: Promise<void> | undefined;
  const end = (): Promise<void> => (closing ??= close());
  const unwatch = watchSignal(options.signal, stop, opened.timeline);
  try {
    const plan = await planWithin(options, opened);
    const seal = options.resumable === true ? createSeal(opened.target.clients) : undefined;
    const before = seal === undefined ? nothing : await goOn(plan, opened, seal, options);
    const header = kept?.header ?? headerOf(options, opened);
    if (kept === undefined) sparePrevious(options);
    const journal = createJournal(options.journal, header, kept && linesFor(kept, indexesOf(plan)));
    const { world, beat } = keepRecoveryRecords(opened, journal, seal);
    noteTakenBack(before, world);
    const quiet = tellProgress(world.timeline, options.progress, beat);
    let summaries: readonly Summary[];
    try {
      const rests = restAfterKill(before, world);
      summaries = await runAll(plan, world, stop, { journal, options, seal });
      await rests;
    } finally {
      beat();
      quiet();
    }
    await end();
    if (stop.cause !== undefined) throw stop.cause;
    const invariants = world.invariants.conclude();
    const rules = judgeRules(plan, summaries, invariants, options);
    const partial = { header, cases: journal.cases, invariants, rules, unsolicited: world.state.unsolicited };
    const gaps = kept === undefined ? {} : { gaps: kept.gaps };
    const { left: remains } = world.state;
    const left = options.outlives === true && remains.length > 0 ? { left: describeLeft(remains) } : {};
    const ending = {
      stop,
      world,
      startedAt: begun,
      ...left,
      ...gaps,
      ...expectedOf(summaries, partial, options),
      ...measuredIn(options, summaries),
    };
    const footer = footerOf(partial, ending);
    journal.addEnd(partial, footer);
    return { result: { ...partial, footer }, close: journal.close };
  } finally {
    unwatch();
    await end();
  }
}
