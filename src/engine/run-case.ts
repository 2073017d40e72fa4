import { verdictOf } from '../judge/rule-book.ts';
import { findAction } from '../model/action.ts';
import type { Message } from '../model/exchange.ts';
import type { CaseResult } from '../model/result.ts';
import type { Case } from '../model/suite.ts';
import { MissingValue } from '../model/template.ts';
import { type Verdict, worst } from '../model/verdict.ts';
import { type CaseRoom, type Cast, openRoom, Unmet } from './case-room.ts';
import type { Inbox } from './inbox.ts';
import type { Want } from './lanes.ts';
import { runStep } from './run-step.ts';
import { redactFinding } from './sighting.ts';
import { Interrupted } from './timeline.ts';
import type { World } from './world.ts';

/** Seconds after which a request that is still pending is no longer watched, and seconds watched after its end. */
const longestWatch = 600;
const watchAfter = 300;
const watchAfterResult = 120;

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

async function runSteps(room: CaseRoom, world: World): Promise<Unfinished | undefined> {
  try {
    for (const step of room.case.steps) await runStep(step, room, world);
    return undefined;
  } catch (error) {
    if (error instanceof Interrupted) throw error;
    return explain(error);
  }
}

async function takeBack(room: CaseRoom): Promise<Unfinished | undefined> {
  for (const undo of room.undo.toReversed()) {
    try {
      await undo();
    } catch (error) {
      if (error instanceof Interrupted) throw error;
      return { verdict: 'error', reason: `what the case changed could not be taken back: ${explain(error).reason}` };
    }
  }
  return undefined;
}

const seconds = (value: unknown): number =>
  typeof value === 'number' && value > 0 ? Math.min(value, longestWatch) : watchAfter;

/** Until when a request is watched: granted expires_in + 5 minutes, or two minutes after its result. */
function watchedUntil({ answer, deliveries }: Inbox): number {
  if (answer === undefined) return 0;
  const last = deliveries.at(-1);
  if (last !== undefined) return last.receivedAt + watchAfterResult;
  if (answer.outcome === 'no-answer') return 0;
  const life = answer.outcome === 'accepted' ? seconds(answer.granted) : seconds(answer.claims?.['expires_in']);
  return answer.sentAt + life + watchAfter;
}

/** After its steps a case is watched, without holding its lanes: for a second result, or one that must not come. */
async function watch(room: CaseRoom, world: World): Promise<void> {
  for (;;) {
    const until = Math.max(0, ...room.inboxes.map(watchedUntil)) * 1000;
    if (until <= world.timeline.now()) return;
    await world.timeline.park({
      due: until,
      label: { case: room.case.id, for: 'late callbacks' },
      arm: (wake) => {
        for (const { listeners } of room.inboxes) listeners.add(wake);
        return () => {
          for (const { listeners } of room.inboxes) listeners.delete(wake);
        };
      },
    });
  }
}

/** A refused request must stay refused: no callback may come of it. */
function judgeLateDeliveries(room: CaseRoom, world: World): void {
  for (const { step: name, answer, deliveries } of room.inboxes) {
    const step = room.case.steps.find((one) => one.name === name);
    const [late] = deliveries;
    if (step === undefined || late === undefined || answer?.outcome !== 'denied' || step.control) continue;
    for (const { rules, position, outcome } of step.expectations) {
      if (outcome !== 'denied' && outcome !== 'denied-or-dropped') continue;
      for (const ref of rules) {
        const finding = {
          ...ref,
          level: world.rules.levelOf(ref),
          code: 'late-delivery' as const,
          expected: 'no callback',
          actual: late.tokens ? 'a callback with tokens' : 'a callback',
          step: name,
          message: late.message,
          position,
        };
        room.findings.push(redactFinding(finding, room));
      }
    }
  }
}

function verdictFor(room: CaseRoom, unfinished: Unfinished | undefined, { rules }: World): Verdict {
  const found: Verdict[] = room.findings.map(({ level }) => verdictOf[level]);
  if (unfinished !== undefined) found.push(unfinished.verdict);
  const observes = room.case.rules.some((ref) => rules.levelOf(ref) === 'observed');
  if (observes && Object.keys(room.recorded).length > 0) found.push('recorded');
  return worst(found) ?? 'pass';
}

const changesClient = ({ steps }: Case): boolean =>
  steps.some(({ act }) => act.verb === 'trigger' && findAction(act.action)?.mutates === 'client');

function lanesOf(given: Case, { client, subscriber }: Cast): Want[] {
  return [
    { lane: `client:${client.name}`, alone: changesClient(given) },
    { lane: `subscriber:${subscriber.name}`, alone: given.alone },
  ];
}

const happenedAt = (message: Message): number => (message.kind === 'exchange' ? message.sentAt : message.receivedAt);

/** By time; at one moment of a driven clock, what we sent before what came of it. */
const inOrder = (messages: readonly Message[]): Message[] =>
  messages.toSorted(
    (a, b) => happenedAt(a) - happenedAt(b) || Number(a.kind === 'delivery') - Number(b.kind === 'delivery'),
  );

export interface Runnable {
  readonly case: Case;
  readonly cast: Cast;
}

/** Runs one case to its verdict. Throws only Interrupted. */
export async function runCase({ case: given, cast }: Runnable, order: number, world: World): Promise<CaseResult> {
  const giveBack = await world.lanes.take(lanesOf(given, cast), { case: given.id, for: 'its lane' });
  const room = openRoom(given, cast, { order, startedAt: world.timeline.now() });
  let unfinished: Unfinished | undefined;
  try {
    unfinished = await runSteps(room, world);
    unfinished = (await takeBack(room)) ?? unfinished;
  } finally {
    giveBack();
  }
  await watch(room, world);
  judgeLateDeliveries(room, world);
  for (const inbox of room.inboxes) world.correlator.forget(inbox, inbox.ties);
  const { id, title, suite, area, position, rules } = given;
  return {
    id,
    title,
    suite,
    area,
    position,
    rules,
    verdict: verdictFor(room, unfinished, world),
    ...(unfinished === undefined ? {} : { reason: room.redactor.text(unfinished.reason) }),
    findings: room.findings,
    recorded: room.recorded,
    startedAt: room.startedAt,
    endedAt: world.timeline.now(),
    messages: inOrder(room.messages),
  };
}
