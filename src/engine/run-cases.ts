import { toContribution } from '../journal/contribution.ts';
import type { JournalEntry } from '../journal/entries.ts';
import type { CaseEvidence } from '../judge/evidence.ts';
import { omitUndefined } from '../lib/json.ts';
import { countNoun, groupBy, mapConcurrently } from '../lib/lists.ts';
import { floorMillis } from '../lib/time.ts';
import type { Finding } from '../model/finding.ts';
import type { PlannedLength } from '../model/progress.ts';
import type { CaseResult } from '../model/result.ts';
import { renderRuleRef } from '../model/rule.ts';
import { createCauseMarker } from '../verdict/causes.ts';
import { isSpared, settleCase, standsAnyway } from '../verdict/root-cause.ts';
import { confirmedVerdict } from '../verdict/standing.ts';
import { rememberCase } from './act/rest.ts';
import { type CaseSummary, senderOf, unfinishedResult } from './case/case-result.ts';
import { describeOurFault, runCase } from './case/run-case.ts';
import { localTimeOfDay } from './clock/open-hours.ts';
import { Quarantined } from './clock/scheduler.ts';
import { Interrupted } from './clock/timeline.ts';
import { confirmCase, rerunUnheard } from './confirm/confirm.ts';
import { createControls } from './confirm/controls.ts';
import { describeFailure } from './confirm/plain-case.ts';
import { type ConfirmServices, isSerious } from './confirm/plain-control.ts';
import { countAnswered } from './context/act-count.ts';
import type { JudgingServices, RunServices } from './context/case-context.ts';
import { type AssignedCase, isAssigned, type PlannedCase, planRun, timeCases } from './plan/assign.ts';
import { requiredFeatures } from './plan/check-target.ts';
import { casesOfOne, type PlannedHours, startOrder } from './plan/order.ts';
import { planTime } from './plan/planned-time.ts';
import { fitBudget, planLength } from './plan/schedule.ts';
import type { RunRecord } from './resume/run-record.ts';
import { bailOut, createToldEffect, findingEffect, type RunOptions, type RunStop, rootOf } from './run-options.ts';

/** Hours of a run that begins now. */
const hoursFromNow = ({ hours }: RunOptions): PlannedHours | undefined =>
  hours && { hours, begins: localTimeOfDay(floorMillis(Date.now())) };

/** Plans the run; cases beyond the budget do not run. */
export async function planWithin(
  options: RunOptions,
  services: Pick<RunServices, 'interface' | 'suites' | 'target'>,
): Promise<readonly PlannedCase[]> {
  const plan = planRun(options.selected, services.target, { interface: options.interface, all: options.suites.cases });
  const { budget } = options;
  if (budget === undefined) return plan;
  const frame = {
    seconds: budget.seconds,
    ofOne: casesOfOne(services),
    order: options.order,
    hours: hoursFromNow(options),
  };
  const fitting = new Set((await fitBudget(timeCases(plan, services), frame)).map(({ index }) => index));
  return plan.map((planned, index) =>
    isAssigned(planned) && !fitting.has(index)
      ? { case: planned.case, verdict: 'not-run', reason: `beyond the budget of ${budget.text}` }
      : planned,
  );
}

interface OrderedCase {
  readonly planned: PlannedCase;
  readonly order: number;
}

/** A case of a stopped run: what its controls and a second try could not confirm is open, except tokens that came (P21). */
function stripUnconfirmed(
  result: CaseResult,
  { reason = '', root: stopped }: RunStop,
  { again, services }: ConfirmServices,
): CaseResult {
  const root = stopped && rootOf(stopped, services.state);
  if (root !== undefined && !isSpared(result.client, root)) return settleCase(result, root);
  const isSure = !again || result.confirmation !== undefined;
  if (isSure || !result.findings.some(isSerious)) return result;
  const findings = result.findings.filter(standsAnyway);
  const why = result.reason ?? reason;
  return { ...result, verdict: confirmedVerdict(findings, why), findings, reason: why };
}

const needsPerson = ({ case: given }: AssignedCase, services: RunServices): boolean =>
  planTime(given, services).prompt.length > 0;

/** A slip of a person may have brought the tokens, so they are a finding as any other (P22). */
function withoutTokens(result: CaseResult): CaseResult {
  const findings = result.findings.map((finding) => {
    const { carries: _, ...kept } = finding;
    return kept;
  });
  return { ...result, findings };
}

/**
 * A case with a refused plain request: that is no finding unless the carrier accepted another one of the client meanwhile, because the
 * target file or the registration may be wrong (P14). With the embedded carrier both are right.
 */
function settleRefusal(result: CaseResult, { outlives, state }: Pick<RunServices, 'outlives' | 'state'>): CaseResult {
  if (outlives !== true) return result;
  const isExplained = (finding: Finding): boolean =>
    finding.root === true && !state.plainAcceptedFrom.has(senderOf(finding.message, result) ?? '');
  const [refused] = result.findings.filter(isExplained);
  const findings = result.findings.flatMap((one) => {
    const { root: _, ...kept } = one;
    return isExplained(one) ? [] : [kept];
  });
  if (refused === undefined) return { ...result, findings };
  const reason = result.reason ?? `step ${refused.step} was refused: ${describeFailure(result)}`;
  const { confirmation, ...rest } = result;
  const isKept = findings.some(({ level }) => level === 'required');
  return {
    ...rest,
    findings,
    reason,
    verdict: confirmedVerdict(findings, reason),
    ...omitUndefined({ unmet: result.unmet ?? refused.step, confirmation: isKept ? confirmation : undefined }),
  };
}

/** Adds the features that the case needs and the target file does not name, if something was found. */
function withAssumptions(result: CaseResult, { case: given }: AssignedCase, services: RunServices): CaseResult {
  if (result.findings.length === 0) return result;
  const { target, interface: certified } = services;
  const assumes = [...requiredFeatures([given], certified)].filter((word) => target.supports[word] === undefined);
  return assumes.length === 0 ? result : { ...result, assumes };
}

async function runPlanned(
  { planned, order }: OrderedCase,
  confirming: ConfirmServices,
  stop: RunStop,
): Promise<CaseResult> {
  const { services } = confirming;
  if (!isAssigned(planned)) return unfinishedResult(planned.case, planned.reason, planned.verdict, planned.leftOut);
  if (stop.reason !== undefined) return unfinishedResult(planned.case, stop.reason, 'not-run');
  services.timeline.enter();
  try {
    const result = await runCase(planned, order, services);
    if (result.verdict === 'not-run' && stop.reason !== undefined) return { ...result, reason: stop.reason };
    const heard = await rerunUnheard({ planned, order, result }, confirming);
    const found = await confirmCase({ planned, order, result: heard }, confirming);
    const confirmed = settleRefusal(needsPerson(planned, services) ? withoutTokens(found) : found, services);
    const settled = stop.reason === undefined ? confirmed : stripUnconfirmed(confirmed, stop, confirming);
    return withAssumptions(settled, planned, services);
  } catch (error) {
    if (error instanceof Quarantined) return unfinishedResult(planned.case, error.message, 'not-run');
    if (error instanceof Interrupted) return unfinishedResult(planned.case, stop.reason ?? error.message, 'not-run');
    return unfinishedResult(planned.case, describeOurFault(error), 'error');
  } finally {
    services.timeline.leave();
  }
}

/** Marks the findings that follow from others, of the case itself or of invariants. */
function markCauses(result: CaseResult, { tallies }: CaseEvidence, { rules }: JudgingServices): CaseResult {
  if (result.findings.length === 0) return result;
  const all = [...result.findings, ...tallies.flatMap(({ findings }) => findings)];
  const mark = createCauseMarker(
    all,
    rules.all.map(({ id }) => id),
  );
  return { ...result, findings: result.findings.map(mark) };
}

function finishCase(ended: CaseResult, { journal, seal, services, options }: RunRecord, stop: RunStop): CaseSummary {
  const { progress } = options;
  const toldEffect = createToldEffect(options);
  const evidence = services.invariants.takeEvidence(ended.id);
  const result = markCauses(ended, evidence, services);
  const isPart = options.shard !== undefined;
  const entry: JournalEntry = { kind: 'case', case: result, ...(isPart && { contributed: toContribution(evidence) }) };
  const secret = seal?.({ what: 'witness', evidence });
  if (secret === undefined) journal.append(entry);
  else journal.append({ kind: 'encrypted', text: { case: result.id, encrypted: secret } }, entry);
  const { messages: _, ...summary } = result;
  const { id, verdict, reason } = result;
  const isUndone = verdict === 'not-run' && stop.reason !== undefined && reason === stop.reason;
  // Report the first finding of each rule and aspect.
  for (const [finding] of groupBy(result.findings, renderRuleRef).values())
    if (finding !== undefined) progress({ kind: 'finding', id, finding, ...toldEffect(finding, id) });
  services.state.acts.end(id);
  progress({ kind: 'case-finished', id, verdict, ...omitUndefined({ reason }), ...(isUndone ? { undone: true } : {}) });
  return summary;
}

/** Cases with their position in the plan: those that do not run first, then the others in start order. */
function sortByStart(plan: readonly PlannedCase[], { services, options }: RunRecord): readonly OrderedCase[] {
  const way = { ofOne: casesOfOne(services), order: options.order };
  const all = plan.map((planned, order) => ({ planned, order }));
  const begun = startOrder(timeCases(plan, services), way).map(({ planned, index }) => ({ planned, order: index }));
  return [...all.filter(({ planned }) => !isAssigned(planned)), ...begun];
}

/** Builds what the run needs to confirm findings; the budget counts from now. */
export function createConfirmServices({ services, options }: RunRecord): ConfirmServices {
  const { budget, suites, confirm = true } = options;
  const until = services.timeline.now() + (budget?.seconds ?? Number.POSITIVE_INFINITY) * 1000;
  const left = (): number => (until - services.timeline.now()) / 1000;
  return { services, controls: createControls(suites.cases, services), left, again: confirm };
}

/** Tells what a run that was cut off has asked people already. */
function noteAnswered(answered: number, ahead: number, progress: RunOptions['progress']): void {
  if (answered === 0) return;
  const [are, they] = answered === 1 ? ['was', 'it is'] : ['were', 'they are'];
  const text = `--resume: ${answered} of ${countNoun(answered + ahead, 'manual task')} ${are} done before, and ${they} not asked again`;
  progress({ kind: 'note', text });
}

/**
 * Plans the rest of the run with the acts of people. Returns its length; undefined on a virtual clock, where waiting takes no time and
 * only acts are counted.
 */
async function planRest(
  plan: readonly PlannedCase[],
  { services, options }: RunRecord,
): Promise<PlannedLength | undefined> {
  const { resume, order, progress } = options;
  const left = timeCases(plan, services).filter(({ planned }) => resume?.cases.has(planned.case.id) !== true);
  const isVirtual = services.timeline.kind === 'virtual';
  const answered = countAnswered(resume?.cases.values() ?? []);
  if (isVirtual && answered === 0 && left.every(({ time }) => time.prompt.length === 0)) return undefined;
  const { length, acts } = await planLength(left, {
    ofOne: casesOfOne(services),
    order,
    hours: hoursFromNow(options),
  });
  noteAnswered(answered, acts.length, progress);
  services.state.acts.plan(acts, answered, progress);
  return isVirtual ? undefined : length;
}

/** Ends a run that can no longer be recorded: cases under way undo their changes. Returns the reason. */
export function stopUnrecorded(
  cause: unknown,
  stop: RunStop,
  timeline: Pick<RunServices['timeline'], 'interrupt'>,
): string {
  stop.cause ??= cause;
  stop.reason ??= 'the journal cannot be written';
  timeline.interrupt();
  return stop.reason;
}

/** Reports the findings of invariants that were held back. */
export function reportHeld({ state, progress }: Pick<RunServices, 'state' | 'progress'>): void {
  for (const event of state.heldFindings.splice(0)) progress(event);
}

/** `--bail`: stops at a case with a confirmed failure that makes the run red, or at an invariant that two cases broke. */
function bailAt({ id, findings }: CaseSummary, { services, options }: RunRecord, stop: RunStop): void {
  if (!options.bail) return;
  const { state, timeline, invariants } = services;
  const stoppable = { options, stop, state };
  const effectOf = findingEffect(options);
  if (findings.some((finding) => effectOf(finding, id) === 'breaks')) bailOut(id, stoppable, timeline);
  // Without an accepted plain request, a wrong target file may explain what a message breaks.
  const [broken] =
    state.plainAcceptedFrom.size === 0
      ? []
      : invariants.broken((finding, invariant) => effectOf(finding, invariant) === 'breaks');
  if (broken !== undefined) bailOut(`${broken.id} in ${broken.seenIn}`, stoppable, timeline);
}

/** Most cases that wait for their locks or run; a suite of usual size stays below. */
const maxWaitingCases = 5000;

/** Runs all cases concurrently. Returns their summaries in plan order. */
export async function runPlannedCases(
  plan: readonly PlannedCase[],
  { stop, confirming }: { readonly stop: RunStop; readonly confirming: ConfirmServices },
  record: RunRecord,
): Promise<readonly CaseSummary[]> {
  const { services, options } = record;
  const { progress, resume } = options;
  progress({ kind: 'started', cases: plan.length, ...omitUndefined({ planned: await planRest(plan, record) }) });
  for (const planned of plan) {
    const before = resume?.cases.get(planned.case.id);
    if (before !== undefined) rememberCase(planned.case, before, services);
  }
  const ended = await mapConcurrently(sortByStart(plan, record), maxWaitingCases, async ({ planned, order }) => {
    const before = resume?.cases.get(planned.case.id);
    if (before !== undefined) {
      progress({ kind: 'case-finished', id: before.id, verdict: before.verdict });
      return { order, summary: before };
    }
    const result = await runPlanned({ planned, order }, confirming, stop);
    let summary: CaseSummary;
    try {
      summary = finishCase(result, record, stop);
    } catch (error) {
      const reason = stopUnrecorded(error, stop, services.timeline);
      return { order, summary: unfinishedResult(planned.case, reason, 'not-run') };
    }
    if (services.state.plainAcceptedFrom.size > 0) reportHeld(services);
    bailAt(summary, record, stop);
    return { order, summary };
  });
  return ended.toSorted((a, b) => a.order - b.order).map(({ summary }) => summary);
}
