import { concludeJournal, type Measures, settledEntries } from '../journal/conclude.ts';
import { judgedSuites } from '../verdict/profiles.ts';
import { omitUndefined } from '../lib/json.ts';
import type { Result } from '../model/result.ts';
import { retrySlowSchemas } from '../suite/expectations/schema-check.ts';
import type { CaseSummary } from './case/case-result.ts';
import { describeRemains } from './case/tear-down.ts';
import type { Timeline } from './clock/timeline.ts';
import { confirmInvariants } from './confirm/confirm-invariants.ts';
import type { RunServices } from './context/case-context.ts';
import { measuredParts } from './measure/limit.ts';
import { openServices } from './open-services.ts';
import { settleClock } from './preflight/clients.ts';
import { beginRecord, type RunRecord } from './resume/run-record.ts';
import { createRuleBook } from '../judge/rule-book.ts';
import { requireSoundCases } from './recheck/case-flaws.ts';
import { requireSameSettings } from './resume/interrupted-run.ts';
import { coolDownRemaining } from './resume/resume.ts';
import { createConfirmServices, planWithin, reportHeld, runPlannedCases, stopUnrecorded } from './run-cases.ts';
import { createRunStop, noteRootAtEnd, rootOf, type RunOptions, type RunStop } from './run-options.ts';

/** Ends the run with the finished cases when the signal aborts. Returns the function that stops listening. */
function stopOnAbort(signal: AbortSignal, stop: RunStop, timeline: Timeline): () => void {
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
const reportInterval = 250;
const beatInterval = 1000;

/** Reports the pending waits and writes heartbeats, until the returned function is called. */
function reportWaiting(timeline: Timeline, progress: RunOptions['progress'], beat: () => void): () => void {
  const reports = setInterval(() => {
    const waiting = timeline
      .waiting()
      .flatMap(({ due, label, fixed }) =>
        due === undefined ? [] : [{ ...label, until: due, ...(fixed ? { fixed: true as const } : {}) }],
      )
      .toSorted((a, b) => a.until - b.until);
    progress({ kind: 'waiting', waiting, now: timeline.now() });
  }, reportInterval);
  const beats = setInterval(beat, beatInterval);
  return () => {
    clearInterval(reports);
    clearInterval(beats);
    beat();
  };
}

/** Measures of the run itself for the footer; `begun` in milliseconds of performance.now(). */
function runMeasures(
  summaries: readonly CaseSummary[],
  { services, options }: RunRecord,
  { stop, begun }: { readonly stop: RunStop; readonly begun: number },
): Measures {
  const { timeline, skew, lag, state } = services;
  return {
    endedAt: new Date(timeline.now()).toISOString(),
    interrupted: stop.interrupted,
    ...omitUndefined({
      stopped: stop.reason === undefined ? undefined : (true as const),
      root: stop.root && { ...stop.root.cause, accepted: rootOf(stop.root, state).accepted },
      skew: timeline.kind === 'real' ? skew.current() : undefined,
      doubt: timeline.kind === 'real' ? skew.doubt() : undefined,
      strangers: state.around.count === 0 ? undefined : state.around.count,
      receiverLag: lag === undefined ? undefined : Math.round(lag.worst()),
      left: options.outlives === true && state.left.length > 0 ? describeRemains(state.left) : undefined,
      gaps: options.resume?.gaps,
    }),
    ...measuredParts(options, summaries),
    wallMilliseconds: Math.round(performance.now() - begun),
    exchanges: state.exchanges,
    deliveries: state.deliveries,
  };
}

async function runRecorded(
  opened: RunServices,
  options: RunOptions,
  { stop, end, begun }: { readonly stop: RunStop; readonly end: () => Promise<void>; readonly begun: number },
): Promise<{ result: Result; close: () => void }> {
  const plan = await planWithin(options, opened);
  const record = await beginRecord(plan, opened, options);
  const { journal, services, left } = record;
  const stopReporting = reportWaiting(services.timeline, options.progress, () => {
    try {
      record.beat();
    } catch (error) {
      // The run ends if a heartbeat cannot be written.
      stopUnrecorded(error, stop, services.timeline);
    }
  });
  let cases: readonly CaseSummary[];
  let invariants: Result['invariants'];
  try {
    const cooledDown = coolDownRemaining(left, services);
    if (options.hold === undefined) await settleClock(services);
    const confirming = createConfirmServices(record);
    cases = await runPlannedCases(plan, { stop, confirming }, record);
    await noteRootAtEnd({ stop, state: services.state });
    if (stop.root === undefined) reportHeld(services);
    const judged = await services.invariants.conclude();
    invariants =
      stop.root !== undefined
        ? judged
        : await confirmInvariants(judged, plan, { confirming, invariants: options.selected.invariants });
    await cooledDown;
  } finally {
    stopReporting();
  }
  await end();
  if (stop.cause !== undefined) throw stop.cause;
  const { suites, nameable = suites, selected, target, expected, shard } = options;
  // A shard is never conformant: other shards judge the same rules.
  const part = shard && `shard ${shard.index} of ${shard.of}: carrierspec merge joins it with the others`;
  const { unsolicited } = services.state;
  const ended = { cases, invariants, unsolicited, incomplete: stop.root?.reason ?? stop.reason ?? part };
  const today = new Date().toISOString().slice(0, 10);
  const { header } = journal.result();
  const judging = { header, suites, selected, attestations: target.attestations, expected, nameable, today };
  if (stop.root !== undefined) journal.append(...settledEntries(journal.result(), rootOf(stop.root, services.state)));
  journal.append(...concludeJournal(ended, judging, runMeasures(cases, record, { stop, begun })));
  return { result: journal.result(), close: journal.close };
}

function judgeByProfile({ suites, nameable = suites, ...options }: RunOptions): RunOptions {
  const counting = { profile: options.profile, selection: options.selection.what };
  return { ...options, suites: judgedSuites(suites, counting), nameable: judgedSuites(nameable, counting) };
}

/** Runs the selected cases from start to end. Throws CarrierspecError if the carrier cannot be reached or the tool itself is broken. */
export async function run(given: RunOptions): Promise<{ result: Result; close: () => void }> {
  const begun = performance.now();
  retrySlowSchemas();
  const options = judgeByProfile(given);
  const { suites, selection, ...rest } = options;
  const now = { ...rest, suites: suites.digests, selection: selection.what };
  if (options.resume !== undefined) {
    requireSameSettings(options.resume.header, now);
    const rules = createRuleBook((options.nameable ?? suites).rules);
    requireSoundCases(options.resume, options.selected.cases, { rules, interface: options.interface });
  }
  const stop = createRunStop();
  const { services, close } = await openServices(options, stop);
  let closing: Promise<void> | undefined;
  const end = (): Promise<void> => (closing ??= close());
  const stopListening = stopOnAbort(options.signal, stop, services.timeline);
  try {
    return await runRecorded(services, options, { stop, end, begun });
  } finally {
    stopListening();
    await end();
  }
}
