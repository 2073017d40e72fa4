import { verdictOf } from '../../judge/rule-book.ts';
import type { Message } from '../../model/exchange.ts';
import type { CaseResult } from '../../model/result.ts';
import { MissingValue } from '../../model/template.ts';
import { type Verdict, worst } from '../../model/verdict.ts';
import { type CaseContext, type Assignment, openContext, Unmet } from '../world/case-room.ts';
import { attend, locksOf, newCanary, rest } from './hold-case.ts';
import { runStep } from '../act/run-step.ts';
import { Interrupted } from '../clock/timeline.ts';
import { identityOf } from './unfinished.ts';
import { takeBackAll } from '../drive/undo.ts';
import { judgeLateDeliveries, watch } from './watch-case.ts';
import { changesLeftBy, endLongLives, windUp } from './wind-up.ts';
import type { World } from '../world/world.ts';
import type { Case } from '../../suite/suites.ts';

type Unfinished = { readonly verdict: 'inconclusive' | 'error'; readonly reason: string };

function explain(error: unknown): Unfinished {
  if (error instanceof Unmet) return { verdict: 'inconclusive', reason: error.message };
  if (error instanceof MissingValue) return { verdict: 'inconclusive', reason: error.message };
  return { verdict: 'error', reason: describeOurFault(error) };
}

/** Why a case has no verdict where the carrier is not to blame. */
export function describeOurFault(error: unknown): string {
  return `carrierspec itself failed: ${error instanceof Error ? `${error.name}: ${error.message}` : String(error)}`;
}

async function runSteps(ctx: CaseContext, world: World): Promise<Unfinished | undefined> {
  try {
    for (const step of ctx.case.steps) {
      if (world.timeline.stopped.aborted) throw new Interrupted();
      await runStep(step, ctx, world);
    }
    return undefined;
  } catch (error) {
    if (error instanceof Interrupted) throw error;
    return explain(error);
  }
}

/** The last first. Where something cannot be taken back, no other case is to see it. */
async function takeBack(ctx: CaseContext, world: World): Promise<Unfinished | undefined> {
  let unfinished: Unfinished | undefined;
  for (const { undo, error } of await takeBackAll(ctx, world)) {
    const why = ctx.redactor.text(explain(error).reason);
    world.locks.quarantine(undo.lock, `what ${ctx.case.id} changed could not be taken back: ${why}`);
    unfinished = { verdict: 'error', reason: `what the case changed could not be taken back: ${why}` };
  }
  return unfinished;
}

function verdictFor(ctx: CaseContext, unfinished: Unfinished | undefined, { rules }: World): Verdict {
  const found: Verdict[] = ctx.findings.map(({ level }) => verdictOf[level]);
  if (unfinished !== undefined) found.push(unfinished.verdict);
  const observes = ctx.case.rules.some((ref) => rules.levelOf(ref) === 'informational');
  if (observes && Object.keys(ctx.recorded).length > 0) found.push('informational');
  return worst(found) ?? 'pass';
}

const happenedAt = (message: Message): number => (message.kind === 'exchange' ? message.sentAt : message.receivedAt);

/** By time; at one moment of a driven clock, what we sent before what came of it, and that in the order of the steps. */
function inOrder(messages: readonly Message[], { steps }: Case): Message[] {
  const places = new Map(steps.map(({ name }, at) => [name, at]));
  const placeOf = ({ kind, step = '' }: Message): number => (kind === 'delivery' ? 1 + (places.get(step) ?? 0) : 0);
  const targetOf = (message: Message): string => (message.kind === 'delivery' ? message.target : '');
  return messages.toSorted(
    (a, b) => happenedAt(a) - happenedAt(b) || placeOf(a) - placeOf(b) || targetOf(a).localeCompare(targetOf(b)),
  );
}

export interface Runnable {
  readonly case: Case;
  readonly assignment: Assignment;
}

/** Runs one case to its verdict, when it has its lanes and is let in; one that is stopped is not-run. Throws only Interrupted and Spoiled. */
export async function runCase(runnable: Runnable, order: number, world: World): Promise<CaseResult> {
  const { case: given, assignment } = runnable;
  const label = { case: given.id, for: 'its lane' };
  const giveBack = await world.locks.take(locksOf(given, assignment, world.target), label);
  const leave = await world.open?.enter(assignment.subscriber.name, label);
  try {
    return await runHeld(runnable, { order, giveBack }, world);
  } finally {
    leave?.();
  }
}

interface Holding {
  readonly order: number;
  readonly giveBack: () => void;
}

/** What is said of a case when it has ended. */
type Ended = Pick<CaseResult, 'verdict' | 'reason' | 'findings' | 'recorded'>;

/** From the first step to the last moment at which something of it may come. */
async function runToItsEnd(ctx: CaseContext, giveBack: () => void, world: World): Promise<Ended> {
  const { watched } = ctx.case;
  const leaveDesk = attend(ctx, world);
  let unfinished: Unfinished | undefined;
  try {
    unfinished = await runSteps(ctx, world);
    unfinished = (await takeBack(ctx, world)) ?? unfinished;
    if (watched !== false) await endLongLives(ctx, world);
    await rest(ctx, world.timeline);
  } finally {
    leaveDesk();
    giveBack();
  }
  if (watched !== false) await watch(ctx, world);
  judgeLateDeliveries(ctx, world);
  world.stopping.left.push(...changesLeftBy(ctx));
  const { findings, recorded } = ctx;
  const reason = unfinished === undefined ? {} : { reason: ctx.redactor.text(unfinished.reason) };
  return { verdict: verdictFor(ctx, unfinished, world), ...reason, findings, recorded };
}

/** A case that is stopped says nothing of the carrier. What was sent and what came is kept, and it leaves as little as it can. */
async function stopCase(ctx: CaseContext, world: World): Promise<Ended> {
  world.stopping.left.push(...(await windUp(ctx, world)));
  return { verdict: 'not-run', reason: new Interrupted().message, findings: [], recorded: {} };
}

async function runHeld({ case: given, assignment }: Runnable, holding: Holding, world: World): Promise<CaseResult> {
  const { order, giveBack } = holding;
  const ctx = openContext(given, assignment, { order, startedAt: world.timeline.now(), canary: newCanary(world) });
  const ended = await runToItsEnd(ctx, giveBack, world).catch((error: unknown) => {
    if (error instanceof Interrupted) return stopCase(ctx, world);
    throw error;
  });
  for (const inbox of ctx.inboxes) world.correlator.forget(inbox, inbox.correlationKeys);
  return {
    ...identityOf(given),
    ...ended,
    client: assignment.client.name,
    subscriber: assignment.subscriber.name,
    startedAt: ctx.startedAt,
    endedAt: world.timeline.now(),
    messages: inOrder(ctx.messages, given),
  };
}
