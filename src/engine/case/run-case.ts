import { truncateText } from '../../lib/truncation.ts';
import { standsAnyway } from '../../verdict/root-cause.ts';
import { confirmedVerdict, countedVerdict } from '../../verdict/standing.ts';
import { omitUndefined } from '../../lib/json.ts';
import type { Message } from '../../model/exchange.ts';
import type { CaseResult } from '../../model/result.ts';
import { MissingValue } from '../../model/suite.ts';
import { type Verdict, worstVerdict } from '../../model/rule.ts';
import { runStep } from '../act/run-step.ts';
import { runConcurrently, Interrupted } from '../clock/timeline.ts';
import { type CaseContext, type CaseWith, type RunServices, Unmet } from '../context/case-context.ts';
import { closeInboxes } from '../context/inbox.ts';
import { openContext, type ContextOpening, observationContext } from '../context/open-context.ts';
import { undoAll } from '../drive/changes.ts';
import { caseIdentity } from './case-result.ts';
import { awaitDenied, judgeLateDeliveries, listenForCase, observeLate } from './deliveries.ts';
import { caseLocks } from './locks.ts';
import { takeTurn } from './turn.ts';
import { denyPendingInboxes } from '../drive/drive.ts';
import { remainingChanges, coolDown, tearDownStopped, remainsOfCase } from './tear-down.ts';
import type { Disturbance } from '../disturbances.ts';
import { isShortage } from '../../wire/shortage.ts';
import type { Case, Step } from '../../suite/suites.ts';
import { plainRequest } from '../../wire/build/http-request.ts';
import { endpointUrl } from '../context/endpoints.ts';
import { performExchange, awaitTurn } from '../context/exchange.ts';

/** Reads the published keys again if no known key verifies a token, for the invariants. */
async function fetchMissingKeys(ctx: CaseContext): Promise<void> {
  const { invariants, state } = ctx.services;
  for (const to of invariants.lacks()) {
    if (state.readingKeys.has(to)) continue;
    state.readingKeys.add(to);
    try {
      const http = plainRequest(endpointUrl(to, ctx.services), { to, method: 'GET' }, ctx.scope());
      const order = { step: '', purpose: to, http, differences: [], endpoint: to, unrecorded: true } as const;
      const response = await awaitTurn(ctx, () => performExchange(order, ctx));
      invariants.onReading(response, observationContext(ctx, { sent: response, response }));
    } catch (error) {
      if (!(error instanceof Unmet)) throw error;
    } finally {
      state.readingKeys.delete(to);
    }
  }
}

/** Longest reason, in characters: it may quote a message. */
const maxReason = 2000;

type UnfinishedRun = Pick<CaseResult, 'followsFrom' | 'open'> & {
  readonly verdict: 'inconclusive' | 'error';
  readonly reason: string;
};

/** The rule that the carrier does not follow, if it left out what the case may do without. */
function explainMissing({ path, message }: MissingValue, { id, optional }: Case): UnfinishedRun {
  const ref = optional?.get(path);
  const followsFrom = ref && { ...ref, case: id };
  return { verdict: 'inconclusive', reason: message, ...omitUndefined({ followsFrom }) };
}

/** Why expectations of a case that ran to its end could not be judged; undefined if all were. */
function explainOpen({ open }: CaseContext['state'], given: Case): UnfinishedRun | undefined {
  const [first] = open;
  if (first === undefined) return undefined;
  return { ...explainMissing(first.missing, given), open: [...new Set(open.flatMap(({ rules }) => rules))] };
}

function explainUnfinished(error: unknown, given: Case): UnfinishedRun {
  if (error instanceof MissingValue) return explainMissing(error, given);
  if (error instanceof Unmet && error.brokenRule !== undefined)
    return { verdict: 'inconclusive', reason: error.message, followsFrom: { rule: error.brokenRule, case: given.id } };
  if (error instanceof Unmet || isShortage(error)) return { verdict: 'inconclusive', reason: error.message };
  return { verdict: 'error', reason: describeOurFault(error) };
}

export const describeOurFault = (error: unknown): string =>
  `carrierspec itself failed: ${error instanceof Error ? `${error.name}: ${error.message}` : String(error)}`;

/** Groups steps that run together: a parallel step joins the group of the step before it. */
function groupParallelSteps(steps: readonly Step[]): readonly (readonly Step[])[] {
  const stretches: Step[][] = [];
  for (const step of steps) {
    if (step.parallel === true && stretches.length > 0) stretches.at(-1)?.push(step);
    else stretches.push([step]);
  }
  return stretches;
}

async function runSteps(ctx: CaseContext): Promise<UnfinishedRun | undefined> {
  const { timeline } = ctx.services;
  try {
    for (const steps of groupParallelSteps(ctx.case.steps)) {
      if (timeline.stopped.aborted) throw new Interrupted();
      const [first] = steps;
      if (steps.length === 1 && first !== undefined) await runStep(first, ctx);
      else
        await runConcurrently(
          timeline,
          steps.map((step) => () => runStep(step, ctx)),
        );
      await fetchMissingKeys(ctx);
    }
    return undefined;
  } catch (error) {
    if (error instanceof Interrupted) throw error;
    if (error instanceof Unmet) ctx.state.unmet = error.step;
    return explainUnfinished(error, ctx.case);
  }
}

/** Undoes the changes of the case. Quarantines what cannot be undone, so that no other case sees it. */
async function undoCaseChanges(ctx: CaseContext): Promise<UnfinishedRun | undefined> {
  let unfinished: UnfinishedRun | undefined;
  for (const { undo, error } of await undoAll(ctx)) {
    const why = ctx.redactor.text(explainUnfinished(error, ctx.case).reason);
    ctx.services.locks.quarantine(undo.lock, `what ${ctx.case.id} changed could not be undone: ${why}`);
    unfinished = { verdict: 'error', reason: `what the case changed could not be undone: ${why}` };
  }
  return unfinished;
}

function caseVerdict(
  { state, case: given, services }: CaseWith<'case' | 'state', 'rules'>,
  unfinished: UnfinishedRun | undefined,
): Verdict {
  const found: Verdict[] = state.findings.map(countedVerdict);
  if (unfinished !== undefined) found.push(unfinished.verdict);
  const isInformational = given.rules.some((ref) => services.rules.levelOf(ref) === 'informational');
  if (isInformational && Object.keys(state.recorded).length > 0) found.push('informational');
  return worstVerdict(found) ?? 'pass';
}

const messageMoment = (message: Message): number => (message.kind === 'exchange' ? message.sentAt : message.receivedAt);

/** Sorts messages by time. At the same moment of a virtual clock, exchanges precede deliveries, and these are in step order. */
function sortMessages(messages: readonly Message[], { steps }: Case): Message[] {
  const places = new Map(steps.map(({ name }, at) => [name, at]));
  const placeOf = ({ kind, step = '' }: Message): number => (kind === 'delivery' ? 1 + (places.get(step) ?? 0) : 0);
  const targetOf = (message: Message): string => (message.kind === 'delivery' ? message.target : '');
  return messages.toSorted(
    (a, b) => messageMoment(a) - messageMoment(b) || placeOf(a) - placeOf(b) || targetOf(a).localeCompare(targetOf(b)),
  );
}

const countPassing = (messages: readonly Message[]): number =>
  messages.filter((one) => one.kind === 'exchange' && one.passing === true).length;

type CaseEnd = Pick<CaseResult, 'verdict' | 'reason' | 'findings' | 'recorded' | 'unmet' | 'followsFrom' | 'open'>;

/** Runs a case from its first step to the last moment at which a late delivery may come. */
async function runToEnd(ctx: CaseContext, releaseLocks: () => void): Promise<CaseEnd> {
  const { watched, alone } = ctx.case;
  const stopListening = listenForCase(ctx);
  let unfinished: UnfinishedRun | undefined;
  try {
    unfinished = await runSteps(ctx);
    unfinished = (await undoCaseChanges(ctx)) ?? unfinished;
    if (alone === true) ctx.services.state.left.push(...remainsOfCase(ctx));
    else {
      // For the cases after this one.
      await denyPendingInboxes(ctx);
      await coolDown(ctx);
    }
  } finally {
    stopListening();
    releaseLocks();
  }
  if (alone !== true) await (watched !== false && !ctx.state.refused ? observeLate(ctx) : awaitDenied(ctx));
  await fetchMissingKeys(ctx);
  judgeLateDeliveries(ctx);
  ctx.services.state.left.push(...remainingChanges(ctx));
  const { findings, recorded, unmet, incomplete } = ctx.state;
  if (incomplete !== undefined) unfinished ??= { verdict: 'inconclusive', reason: incomplete };
  unfinished ??= explainOpen(ctx.state, ctx.case);
  const verdict = caseVerdict(ctx, unfinished);
  if (unfinished === undefined) return { verdict, findings, recorded };
  const { reason, followsFrom, open } = unfinished;
  return {
    verdict,
    reason: ctx.redactor.text(truncateText(reason, maxReason)),
    ...omitUndefined({ unmet, followsFrom, open }),
    findings,
    recorded,
  };
}

/** Result of a case that our own machine may have disturbed: it has no verdict and no findings. `--resume` runs a stopped one. */
const disturbedOutcome = ({ words, repeat }: Pick<Disturbance, 'words' | 'repeat'>): CaseEnd => ({
  verdict: repeat === 'never' ? 'not-run' : 'inconclusive',
  reason: `while the case was under way, ${words}`,
  findings: [],
  recorded: {},
});

type RunnableCase = Pick<ContextOpening, 'case' | 'assignment' | 'attempt'>;

/** Runs one case to its verdict, once it has its locks and a place; a stopped one is not-run. Throws only Interrupted and Quarantined. */
export async function runCase(runnable: RunnableCase, order: number, services: RunServices): Promise<CaseResult> {
  const { case: given, assignment } = runnable;
  const { releaseLocks, releasePlace } = await takeTurn(
    {
      id: given.id,
      subscriber: assignment.subscriber.name,
      wants: caseLocks(given, assignment, services.target),
      reaches: () => services.reaches?.(given) ?? [],
    },
    services,
  );
  if (runnable.attempt === undefined) services.progress({ kind: 'case-started', id: given.id });
  try {
    const ctx = openContext(services, { ...runnable, order });
    const begun = performance.now();
    const ran = await runToEnd(ctx, releaseLocks).catch(async (error: unknown): Promise<CaseEnd> => {
      if (!(error instanceof Interrupted)) throw error;
      // A stopped case says nothing about the carrier but what stands at once. Its messages are kept, and it undoes what it can.
      services.state.left.push(...(await tearDownStopped(ctx)));
      const reason = error.message;
      const findings = ctx.state.findings.filter(standsAnyway);
      if (findings.length === 0) return { verdict: 'not-run', reason, findings, recorded: {} };
      return { verdict: confirmedVerdict(findings, reason), reason, findings, recorded: {} };
    });
    const disturbance =
      ran.verdict === 'error' || ran.verdict === 'not-run' ? undefined : services.disturbances?.since(begun);
    closeInboxes(ctx);
    const result: CaseResult = {
      ...caseIdentity(given),
      ...(disturbance === undefined ? ran : disturbedOutcome(disturbance)),
      client: ctx.client.name,
      subscriber: ctx.subscriber.name,
      startedAt: ctx.startedAt,
      endedAt: ctx.now(),
      messages: sortMessages(ctx.state.messages, given),
      ...omitUndefined({ passing: countPassing(ctx.state.messages) || undefined }),
      ...omitUndefined({ acts: ctx.state.acts.length === 0 ? undefined : ctx.state.acts }),
    };
    if (disturbance?.repeat === 'again' || ctx.state.again) services.state.disturbed.add(result);
    return result;
  } finally {
    releasePlace();
  }
}
