import { findAction } from '../../model/action.ts';
import type { Act, Case, Step } from '../../model/suite.ts';
import { waitsToTheEnd } from '../act/act-await.ts';
import { restAfterEvents } from '../case/hold-case.ts';
import {
  momentOf,
  named,
  openWalk,
  type PlannedAsk,
  type PlannedWorld,
  readTemplate,
  type Request,
  type Walk,
} from './planned-walk.ts';
import { longestWatch, watchAfter, watchAfterResult } from '../world/watched-life.ts';

/** How long a case will take, in seconds, as far as that can be known without running it. */
export interface PlannedTime {
  /** It holds its lanes that long: until its last step, or 61 minutes after the last event it raised (§6). */
  readonly held: number;
  /** Until its verdict: watched for late callbacks, without its lanes. */
  readonly total: number;
  readonly asks: readonly PlannedAsk[];
}

/** Seconds somebody needs to take up a phone and do what is asked. */
export const personTakes = 30;
/** Seconds between the attempts of a delivery that is not confirmed (§4.8). */
const retriesAfter = 60;
/** Seconds a request lives whose object does not say. */
const usualLife = 300;
/** Seconds an access token lives: what carriers grant who are not asked for anything else (§2.6 has no number). */
const usualTokenLife = 1800;

const isRefusal = (status: number | string): boolean => (typeof status === 'number' ? status >= 400 : status === '4xx');

/** Expected to be refused, so that a carrier that conforms refuses it. */
const expectsRefusal = ({ expectations }: Step): boolean =>
  expectations.some(
    ({ outcome, error, status }) =>
      outcome === 'denied' ||
      outcome === 'denied-or-dropped' ||
      (outcome === undefined && (error !== undefined || status?.some(isRefusal) === true)),
  );

function ask(action: string, step: Step, walk: Walk): void {
  if (walk.world.target.drivers[action]?.kind !== 'ask') return;
  walk.asks.push({ at: walk.now, action, step: step.name });
  walk.now += personTakes;
}

function walkAuthorize({ difference }: Act & { verb: 'authorize' }, step: Step, walk: Walk): void {
  const { scope, world } = walk;
  const dropped = difference.drop?.includes('expires_in') === true;
  const written =
    named('expires_in', difference.claims) ?? (dropped ? undefined : named('expires_in', world.base.claims));
  const asked = readTemplate(written, scope);
  const life = typeof asked === 'number' && asked > 0 ? asked : usualLife;
  const refused = expectsRefusal(step);
  const times = step.together === true || step.times === undefined ? 1 : step.times;
  for (let time = 0; time < times; time += 1) {
    walk.requests.push({ step: step.name, at: walk.now, refused, life, result: undefined, taken: 0 });
  }
  walk.traces.set(step.name, {
    sentAt: walk.now,
    receivedAt: walk.now,
    granted: life,
    claims: { iat: walk.now, exp: walk.now + 240, expires_in: life },
    body: { expires_in: life },
  });
}

const requestOf = (of: string | undefined, { requests }: Walk): Request | undefined =>
  of === undefined ? requests.at(-1) : requests.findLast(({ step }) => step === of);

function walkTrigger(act: Act & { verb: 'trigger' }, step: Step, walk: Walk): void {
  ask(act.action, step, walk);
  const action = findAction(act.action);
  const request = action?.ofRequest === true ? requestOf(act.of, walk) : undefined;
  const alive = request !== undefined && !request.refused && walk.now < request.at + request.life;
  if (alive && (act.action === 'approve' || act.action === 'deny')) request.result ??= walk.now;
  if (action?.raisesEvents === true) {
    walk.raisedAt = walk.now;
    walk.eventsTaken = 0;
  }
}

/** When the next callback of a request comes: its result, or the word that it timed out. */
function nextCallback(request: Request | undefined, now: number): number | undefined {
  if (request === undefined || request.refused) return undefined;
  const first = request.result ?? request.at + request.life;
  request.taken += 1;
  return request.taken === 1 ? Math.max(now, first) : now + retriesAfter;
}

/** Events come at once after the change; each further attempt a minute later. */
function nextEvent(walk: Walk): number | undefined {
  if (walk.raisedAt === undefined) return undefined;
  walk.eventsTaken += 1;
  return Math.max(walk.now, walk.raisedAt + (walk.eventsTaken - 1) * retriesAfter);
}

function walkAwait(act: Act & { verb: 'await' }, step: Step, walk: Walk): void {
  const { now, world } = walk;
  const until = Math.max(now, momentOf(act.until, walk) ?? now + world.target.patience);
  const comes =
    act.what === 'callback'
      ? nextCallback(requestOf(act.of, walk), now)
      : act.what === 'events'
        ? nextEvent(walk)
        : undefined;
  walk.now = waitsToTheEnd(step) || comes === undefined ? until : Math.min(until, comes);
  walk.traces.set(step.name, {
    sentAt: now,
    until,
    receivedAt: Math.min(until, comes ?? until),
    body: { expires_in: usualTokenLife },
  });
}

function walkStep(step: Step, walk: Walk): void {
  walk.now = Math.max(walk.now, momentOf(step.at, walk) ?? walk.now);
  const { act } = step;
  walk.traces.set(step.name, { sentAt: walk.now, receivedAt: walk.now });
  if (act.verb === 'authorize') walkAuthorize(act, step, walk);
  else if (act.verb === 'trigger') walkTrigger(act, step, walk);
  else if (act.verb === 'await') walkAwait(act, step, walk);
  else if (act.verb === 'look') ask('look', step, walk);
}

/** What the engine does when the steps are over: takes back, ends long lives, rests. */
function leave(walk: Walk): void {
  const backLater = new Set<string>();
  for (const step of walk.given.steps.toReversed()) {
    if (step.act.verb !== 'trigger') continue;
    const { action, with: given } = step.act;
    const undo = findAction(action)?.undo;
    // What is done with something of its own may be the way back itself.
    const isBack = undo === action && given.length > 0;
    if (undo !== undefined && !isBack && !backLater.has(undo)) ask(undo, step, walk);
    backLater.add(action);
  }
  for (const request of walk.requests) {
    const pending = !request.refused && request.result === undefined && walk.now < request.at + request.life;
    if (pending && request.life > longestWatch && walk.world.target.drivers['deny'] !== undefined) {
      request.result = walk.now;
    }
  }
  if (walk.raisedAt !== undefined) walk.now = Math.max(walk.now, walk.raisedAt + restAfterEvents / 1000);
}

/** §3: a request that was let be ends by the callback that says it timed out. */
function watchedUntil({ at, refused, life, result }: Request): number {
  if (refused || (result === undefined && life > longestWatch)) return at + Math.min(life, longestWatch) + watchAfter;
  return (result ?? at + life) + watchAfterResult;
}

/** Walks through a case as it goes at a carrier that conforms, and answers at once. */
export function planTime(given: Case, world: PlannedWorld): PlannedTime {
  const walk = openWalk(given, world);
  for (const step of given.steps) walkStep(step, walk);
  leave(walk);
  const held = walk.now;
  const watched = given.watched === false ? [] : walk.requests.map(watchedUntil);
  return { held, total: Math.max(held, ...watched), asks: walk.asks };
}

const nowhere: PlannedWorld = { target: { patience: 30, drivers: {} }, base: { header: [], claims: [] } };

/** Seconds until its verdict, where no target is at hand. */
export const plannedSeconds = (given: Case): number => planTime(given, nowhere).total;
