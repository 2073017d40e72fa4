import type { CallbackSeen } from '../judge/observation.ts';
import { asFindings, verdictOf } from '../judge/rule-book.ts';
import { findAction } from '../model/action.ts';
import type { Message } from '../model/exchange.ts';
import type { CaseResult } from '../model/result.ts';
import type { Case, Outcome } from '../model/suite.ts';
import type { Subscriber, Target } from '../model/target.ts';
import { MissingValue } from '../model/template.ts';
import { type Verdict, worst } from '../model/verdict.ts';
import { type CaseRoom, type Cast, openRoom, Unmet } from './case-room.ts';
import type { Inbox } from './inbox.ts';
import type { Want } from './lanes.ts';
import { createMailbox, mailboxKey } from './mailbox.ts';
import { runStep } from './run-step.ts';
import { subscriberFor } from './scope.ts';
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

/** Outcomes after which no callback, or none with tokens, may come of a request any more. */
function comesTooLate({ answer, deliveries }: Inbox, outcome: Outcome | undefined): CallbackSeen | undefined {
  const tokens = deliveries.find((delivery) => delivery.tokens);
  if (outcome === 'denied') return answer?.outcome === 'denied' ? deliveries[0] : undefined;
  if (outcome !== 'denied-or-dropped') return undefined;
  return answer?.outcome === 'denied' ? deliveries[0] : tokens;
}

/** A refused request must stay refused, a dropped one dropped. */
function judgeLateDeliveries(room: CaseRoom, world: World): void {
  for (const inbox of room.inboxes) {
    const step = room.case.steps.find((one) => one.name === inbox.step);
    if (step === undefined || step.control) continue;
    for (const { rules, position, outcome } of step.expectations) {
      const late = comesTooLate(inbox, outcome);
      const known = room.findings.some((found) => found.code === 'outcome' && found.step === inbox.step);
      if (late === undefined || known) continue;
      const actual = late.tokens ? 'a callback with tokens' : 'a callback';
      const mismatch = { code: 'late-delivery' as const, expected: 'no callback', actual };
      const place = { step: inbox.step, message: late.message, position };
      const found = asFindings(mismatch, rules, place, world.rules);
      room.findings.push(...found.map((finding) => redactFinding(finding, room)));
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

/** Other subscribers whom the case does something to. */
function othersOf({ steps }: Case, { subscriber }: Cast, target: Target): Subscriber[] {
  const traits = steps.flatMap(({ act }) =>
    act.verb === 'trigger' && act.subscriber !== undefined ? [act.subscriber] : [],
  );
  return [...new Set(traits)].flatMap((trait) => subscriberFor(target, trait, subscriber) ?? []);
}

function lanesOf(given: Case, cast: Cast, target: Target): Want[] {
  const { client, subscriber } = cast;
  const others = new Set(othersOf(given, cast, target).map(({ name }) => name));
  others.delete(subscriber.name);
  return [
    ...[...others].map((name) => ({ lane: `subscriber:${name}`, alone: true })),
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

function newCanary({ random, receiver }: World): { path: string; url: string } {
  const path = `/canary/${random(8)}`;
  return { path, url: `${receiver}${path}` };
}

const hearsEvents = ({ steps }: Case): boolean =>
  steps.some(
    ({ act }) =>
      (act.verb === 'await' && act.what === 'events') ||
      (act.verb === 'trigger' && findAction(act.action)?.raisesEvents === true),
  );

/** The case takes what comes to its canary, and events about its subscribers, until it leaves. */
function attend(room: CaseRoom, { desk, target }: World): () => void {
  desk.canaries.set(room.canary.path, room);
  const subscribers = hearsEvents(room.case) ? [room.subscriber, ...othersOf(room.case, room, target)] : [];
  for (const { subs } of subscribers) {
    for (const [client, sub] of Object.entries(subs)) room.events.set(mailboxKey(client, sub), createMailbox());
  }
  for (const key of room.events.keys()) desk.events.set(key, room);
  return () => {
    desk.canaries.delete(room.canary.path);
    for (const key of room.events.keys()) if (desk.events.get(key) === room) desk.events.delete(key);
  };
}

/** §6: a carrier drops what it sent within 60 minutes, so the subscriber rests before the next case. */
const restAfterEvents = 61 * 60 * 1000;

async function rest({ case: { id }, eventsRaisedAt }: CaseRoom, { timeline }: World): Promise<void> {
  if (eventsRaisedAt === undefined) return;
  const due = eventsRaisedAt + restAfterEvents;
  if (due > timeline.now()) await timeline.park({ due, label: { case: id, for: 'the carrier to forget the events' } });
}

export interface Runnable {
  readonly case: Case;
  readonly cast: Cast;
}

/** Runs one case to its verdict. Throws only Interrupted. */
export async function runCase({ case: given, cast }: Runnable, order: number, world: World): Promise<CaseResult> {
  const giveBack = await world.lanes.take(lanesOf(given, cast, world.target), { case: given.id, for: 'its lane' });
  const room = openRoom(given, cast, { order, startedAt: world.timeline.now(), canary: newCanary(world) });
  const leaveDesk = attend(room, world);
  let unfinished: Unfinished | undefined;
  try {
    unfinished = await runSteps(room, world);
    unfinished = (await takeBack(room)) ?? unfinished;
    await rest(room, world);
  } finally {
    leaveDesk();
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
