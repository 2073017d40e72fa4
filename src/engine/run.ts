import { conclude, type Measures } from '../journal/conclude.ts';
import { suitesIn } from '../judge/profiles.ts';
import { defined } from '../lib/json.ts';
import type { InvariantResult, Result } from '../model/result.ts';
import type { Summary } from './case/case-result.ts';
import { describeLeft } from './case/tear-down.ts';
import type { Timeline } from './clock/timeline.ts';
import { confirmInvariants } from './confirm/confirm.ts';
import type { World } from './context/case-context.ts';
import { measuredIn } from './measure/limit.ts';
import { openWorld } from './open-world.ts';
import { settleClock } from './preflight/clients.ts';
import { beginRecord, type RunRecord } from './resume/record.ts';
import { requireSame } from './resume/interrupted-run.ts';
import { coolDownLeft } from './resume/resume.ts';
import { confirmingWith, planWithin, runCases, stopUnrecorded } from './run-cases.ts';
import type { RunOptions, Stop } from './run-options.ts';

/** Ends the run with the finished cases when the signal aborts. Returns the function that stops listening. */
function stopOnAbort(signal: AbortSignal, stop: Stop, timeline: Timeline): () => void {
  const onAbort = (): void => {
    stop.reason ??= 'interrupted';
    stop.interrupted = true;
    timeline.interrupt();
  };
  if (signal.aborted) onAbort();
  signal.addEventListener('abort', onAbort, { once: true });
  return () => signal.removeEventListener('abort', onAbort);
}

/** Milliseconds between two reports of the pending waits, and between two heartbeats in the journal. */
const reportEvery = 250;
const beatEvery = 1000;

/** Reports the pending waits and writes heartbeats, until the returned function is called. */
function reportWaiting(timeline: Timeline, progress: RunOptions['progress'], beat: () => void): () => void {
  const reports = setInterval(() => {
    const waiting = timeline
      .waiting()
      .flatMap(({ due, label }) => (due === undefined ? [] : [{ ...label, until: due }]))
      .toSorted((a, b) => a.until - b.until);
    progress({ kind: 'waiting', waiting, now: timeline.now() });
  }, reportEvery);
  const beats = setInterval(beat, beatEvery);
  return () => {
    clearInterval(reports);
    clearInterval(beats);
    beat();
  };
}

/** Measures of the run itself for the footer; `begun` in milliseconds of performance.now(). */
function measuresOf(
  summaries: readonly Summary[],
  { world, options }: RunRecord,
  { stop, begun }: { readonly stop: Stop; readonly begun: number },
): Measures {
  const { timeline, skew, lag, state } = world;
  return {
    endedAt: new Date(timeline.now()).toISOString(),
    interrupted: stop.interrupted,
    ...defined({
      stopped: stop.reason === undefined ? undefined : (true as const),
      root: stop.root,
      skew: timeline.kind === 'real' ? skew.current() : undefined,
      doubt: timeline.kind === 'real' ? skew.doubt() : undefined,
      strangers: state.around.count === 0 ? undefined : state.around.count,
      receiverLag: lag === undefined ? undefined : Math.round(lag.worst()),
      left: options.outlives === true && state.left.length > 0 ? describeLeft(state.left) : undefined,
      gaps: options.resume?.gaps,
    }),
    ...measuredIn(options, summaries),
    wallMilliseconds: Math.round(performance.now() - begun),
    exchanges: state.exchanges,
    deliveries: state.deliveries,
  };
}

/** A carrier that refuses plain requests fails no invariant: nothing else of it was seen. */
const withoutVerdict = (one: InvariantResult, reason = 'stopped'): InvariantResult =>
  one.verdict === 'fail' ? { ...one, verdict: 'inconclusive', reason, findings: [], violations: 0 } : one;

async function runRecorded(
  opened: World,
  options: RunOptions,
  { stop, end, begun }: { readonly stop: Stop; readonly end: () => Promise<void>; readonly begun: number },
): Promise<{ result: Result; close: () => void }> {
  const plan = await planWithin(options, opened);
  const record = await beginRecord(plan, opened, options);
  const { journal, world, left } = record;
  const stopReporting = reportWaiting(world.timeline, options.progress, () => {
    try {
      record.beat();
    } catch (error) {
      // The run ends if a heartbeat cannot be written.
      stopUnrecorded(error, stop, world.timeline);
    }
  });
  let cases: readonly Summary[];
  let invariants: Result['invariants'];
  try {
    const cooledDown = coolDownLeft(left, world);
    if (options.hold === undefined) await settleClock(world);
    const confirming = confirmingWith(record);
    cases = await runCases(plan, { stop, confirming }, record);
    const judged = world.invariants.conclude();
    invariants =
      stop.root !== undefined
        ? judged.map((one) => withoutVerdict(one, stop.reason))
        : await confirmInvariants(judged, plan, { confirming, invariants: options.selected.invariants });
    await cooledDown;
  } finally {
    stopReporting();
  }
  await end();
  if (stop.cause !== undefined) throw stop.cause;
  const { suites, nameable = suites, selected, target, expected, profile, shard } = options;
  // A shard is never conformant: other shards judge the same rules.
  const part = shard && `shard ${shard.index} of ${shard.of}: carrierspec merge joins it with the others`;
  const { unsolicited } = world.state;
  const ended = { cases, invariants, unsolicited, incomplete: stop.reason ?? part };
  const today = new Date().toISOString().slice(0, 10);
  const judging = { suites, selected, attestations: target.attestations, expected, nameable, today, profile };
  journal.append(...conclude(ended, judging, measuresOf(cases, record, { stop, begun })));
  return { result: journal.result(), close: journal.close };
}

const inProfile = ({ suites, nameable = suites, ...options }: RunOptions): RunOptions => ({
  ...options,
  suites: suitesIn(options.profile, suites),
  nameable: suitesIn(options.profile, nameable),
});

/** Runs the selected cases from start to end. Throws CarrierspecError if the carrier cannot be reached or the tool itself is broken. */
export async function run(given: RunOptions): Promise<{ result: Result; close: () => void }> {
  const begun = performance.now();
  const options = inProfile(given);
  const { suites, selection, ...rest } = options;
  const now = { ...rest, suites: suites.digests, selection: selection.what };
  if (options.resume !== undefined) requireSame(options.resume.header, now);
  const stop: Stop = { reason: undefined, interrupted: false, cause: undefined };
  const { world, close } = await openWorld(options, stop);
  let closing: Promise<void> | undefined;
  const end = (): Promise<void> => (closing ??= close());
  const stopListening = stopOnAbort(options.signal, stop, world.timeline);
  try {
    return await runRecorded(world, options, { stop, end, begun });
  } finally {
    stopListening();
    await end();
  }
}
