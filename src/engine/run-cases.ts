import { createCauseMarker } from '../judge/causes.ts';
import type { Evidence } from '../judge/evidence.ts';
import { contributionOf } from '../journal/contribution.ts';
import { inWindow, groupBy } from '../lib/lists.ts';

import { renderRuleRef } from '../model/rule.ts';
import type { JournalEntry } from '../journal/entries.ts';
import type { CaseResult } from '../model/result.ts';
import { confirmCase, runLater } from './confirm/confirm.ts';
import type { Confirming } from './confirm/plain-control.ts';
import { createControls } from './confirm/controls.ts';
import { describeOurFault, runCase } from './case/run-case.ts';
import { type Summary, unfinished } from './case/case-result.ts';
import { Quarantined } from './clock/scheduler.ts';
import { Interrupted } from './clock/timeline.ts';
import { defined } from '../lib/json.ts';
import type { PlannedLength } from '../model/progress.ts';
import { type Planned, planRun, runs, timeCases } from './plan/assign.ts';
import { fitBudget, planLength } from './plan/schedule.ts';
import { startOrder } from './plan/order.ts';
import { rememberCase } from './act/rest.ts';
import type { RunRecord } from './resume/record.ts';
import { bailOut, type RunOptions, type Stop } from './run-options.ts';
import type { World, JudgingServices } from './context/case-context.ts';

/** Plans the run; cases beyond the budget do not run. */
export async function planWithin(options: RunOptions, world: World): Promise<readonly Planned[]> {
  const plan = planRun(options.selected, world.target, { interface: options.interface, all: options.suites.cases });
  const { budget } = options;
  if (budget === undefined) return plan;
  const frame = { seconds: budget.seconds, ofOne: world.target.casesPerSubscriber, order: options.order };
  const fitting = new Set((await fitBudget(timeCases(plan, world), frame)).map(({ index }) => index));
  return plan.map((planned, index) =>
    runs(planned) && !fitting.has(index)
      ? { case: planned.case, verdict: 'not-run', reason: `beyond the budget of ${budget.text}` }
      : planned,
  );
}

interface OrderedCase {
  readonly planned: Planned;
  readonly order: number;
}

/** A case of a stopped run: an unconfirmed failure becomes inconclusive; a confirmed one or a root cause stands. */
function withoutVerdict(result: CaseResult, { reason = '', root }: Stop, { again }: Confirming): CaseResult {
  if (root !== undefined && result.verdict === 'inconclusive' && result.unmet !== undefined)
    return { ...result, reason };
  const isSure =
    !again || result.confirmation?.status === 'confirmed' || result.findings.some(({ root }) => root === true);
  if (isSure || result.verdict !== 'fail') return result;
  return { ...result, verdict: 'inconclusive', findings: [], reason: result.reason ?? reason };
}

async function runOne({ planned, order }: OrderedCase, confirming: Confirming, stop: Stop): Promise<CaseResult> {
  const { world } = confirming;
  if (!runs(planned)) return unfinished(planned.case, planned.reason, planned.verdict);
  if (stop.reason !== undefined) return unfinished(planned.case, stop.reason, 'not-run');
  world.timeline.enter();
  try {
    const result = await runCase(planned, order, world);
    if (result.verdict === 'not-run' && stop.reason !== undefined) return { ...result, reason: stop.reason };
    const heard = await runLater({ planned, order, result }, confirming);
    const confirmed = await confirmCase({ planned, order, result: heard }, confirming);
    return stop.reason === undefined ? confirmed : withoutVerdict(confirmed, stop, confirming);
  } catch (error) {
    if (error instanceof Quarantined) return unfinished(planned.case, error.message, 'not-run');
    if (error instanceof Interrupted) return unfinished(planned.case, stop.reason ?? error.message, 'not-run');
    return unfinished(planned.case, describeOurFault(error), 'error');
  } finally {
    world.timeline.leave();
  }
}

/** Marks the findings that follow from others, of the case itself or of invariants. */
function withCauses(result: CaseResult, { tallies }: Evidence, { rules }: JudgingServices): CaseResult {
  if (result.findings.length === 0) return result;
  const all = [...result.findings, ...tallies.flatMap(({ findings }) => findings)];
  const mark = createCauseMarker(
    all,
    rules.all.map(({ id }) => id),
  );
  return { ...result, findings: result.findings.map(mark) };
}

function finishCase(ended: CaseResult, { journal, seal, world, options }: RunRecord, stop: Stop): Summary {
  const { progress } = options;
  const evidence = world.invariants.takeEvidence(ended.id);
  const result = withCauses(ended, evidence, world);
  const isPart = options.shard !== undefined;
  const entry: JournalEntry = { kind: 'case', case: result, ...(isPart && { contributed: contributionOf(evidence) }) };
  const secret = seal?.({ what: 'witness', evidence });
  if (secret === undefined) journal.append(entry);
  else journal.append({ kind: 'encrypted', text: { case: result.id, encrypted: secret } }, entry);
  const { messages: _, ...summary } = result;
  const { id, verdict, reason } = result;
  const isUndone = verdict === 'not-run' && stop.reason !== undefined && reason === stop.reason;
  // Report the first finding of each rule and aspect.
  for (const [finding] of groupBy(result.findings, renderRuleRef).values())
    if (finding !== undefined) progress({ kind: 'finding', id, finding });
  progress({ kind: 'case-finished', id, verdict, ...defined({ reason }), ...(isUndone ? { undone: true } : {}) });
  return summary;
}

/** Cases with their position in the plan: those that do not run first, then the others in start order. */
function inStartOrder(plan: readonly Planned[], { world, options }: RunRecord): readonly OrderedCase[] {
  const way = { ofOne: world.target.casesPerSubscriber, order: options.order };
  const all = plan.map((planned, order) => ({ planned, order }));
  const begun = startOrder(timeCases(plan, world), way).map(({ planned, index }) => ({ planned, order: index }));
  return [...all.filter(({ planned }) => !runs(planned)), ...begun];
}

/** Builds what the run needs to confirm findings; the budget counts from now. */
export function confirmingWith({ world, options }: RunRecord): Confirming {
  const { budget, suites, confirm = true } = options;
  const until = world.timeline.now() + (budget?.seconds ?? Number.POSITIVE_INFINITY) * 1000;
  const left = (): number => (until - world.timeline.now()) / 1000;
  return { world, controls: createControls(suites.cases, world), left, again: confirm };
}

/** Planned length of the rest of the plan; undefined on a virtual clock, where waiting takes no time. */
async function plannedLength(
  plan: readonly Planned[],
  { world, options }: RunRecord,
): Promise<PlannedLength | undefined> {
  if (world.timeline.kind === 'virtual') return undefined;
  const left = timeCases(plan, world).filter(({ planned }) => options.resume?.cases.has(planned.case.id) !== true);
  return planLength(left, { ofOne: world.target.casesPerSubscriber, order: options.order });
}

/** Ends a run that can no longer be recorded: cases under way undo their changes. Returns the reason. */
export function stopUnrecorded(cause: unknown, stop: Stop, timeline: Pick<World['timeline'], 'interrupt'>): string {
  stop.cause ??= cause;
  stop.reason ??= 'the journal cannot be written';
  timeline.interrupt();
  return stop.reason;
}

/** Most cases that wait for their locks or run; a suite of usual size stays below. */
const openAtOnce = 5000;

/** Runs all cases concurrently. Returns their summaries in plan order. */
export async function runCases(
  plan: readonly Planned[],
  { stop, confirming }: { readonly stop: Stop; readonly confirming: Confirming },
  record: RunRecord,
): Promise<readonly Summary[]> {
  const { world, options } = record;
  const { progress, resume } = options;
  progress({ kind: 'started', cases: plan.length, ...defined({ planned: await plannedLength(plan, record) }) });
  for (const planned of plan) {
    const before = resume?.cases.get(planned.case.id);
    if (before !== undefined) rememberCase(planned.case, before, world);
  }
  const ended = await inWindow(inStartOrder(plan, record), openAtOnce, async ({ planned, order }) => {
    const before = resume?.cases.get(planned.case.id);
    if (before !== undefined) {
      progress({ kind: 'case-finished', id: before.id, verdict: before.verdict });
      return { order, summary: before };
    }
    const result = await runOne({ planned, order }, confirming, stop);
    let summary: Summary;
    try {
      summary = finishCase(result, record, stop);
    } catch (error) {
      const reason = stopUnrecorded(error, stop, world.timeline);
      return { order, summary: unfinished(planned.case, reason, 'not-run') };
    }
    if (summary.verdict === 'fail') bailOut(summary.id, { options, stop }, world.timeline);
    return { order, summary };
  });
  return ended.toSorted((a, b) => a.order - b.order).map(({ summary }) => summary);
}
