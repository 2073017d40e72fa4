import { findAction } from '../../model/action.ts';
import { isJsonObject } from '../../model/json.ts';
import type { Difference, HttpAct } from '../../model/suite.ts';
import { waitsToTheEnd } from '../act/act-await.ts';
import { restAfterEvents } from '../case/hold-case.ts';
import { mayBeDropped } from '../act/repeat.ts';
import { longestWatch } from '../world/watched-life.ts';
import { askedLife, endOf, fateOf, grantedLife, isAnswered, type Request, watchedUntil } from './planned-request.ts';
import { momentOf, openWalk, type PlannedAsk, type PlannedWorld, type Walk } from './planned-walk.ts';
import type { Act } from '../../suite/verbs/table.ts';
import type { Case, Step } from '../../suite/suites.ts';

/** How long a case will take, in seconds, as far as that can be known without running it. */
export interface PlannedTime {
  /** It holds its lanes that long: until its last step, or 61 minutes after the last event it raised (§6). */
  readonly held: number;
  /** Until its verdict: watched for late callbacks, without its lanes. */
  readonly total: number;
  readonly prompt: readonly PlannedAsk[];
}

/** Seconds somebody needs to take up a phone and do what is asked. */
export const personTakes = 30;
/** Seconds between the attempts of a delivery that is not confirmed (§4.8). */
const retriesAfter = 60;
/** Seconds an access token lives: what carriers grant who are not asked for anything else (§2.6 has no number). */
const usualTokenLife = 1800;

function ask(action: string, step: Step, walk: Walk): void {
  if (walk.world.target.drivers[action]?.kind !== 'ask') return;
  walk.prompt.push({ at: walk.now, action, step: step.name });
  walk.now += personTakes;
}

/** The life that the object of a step asks for; one that is sent again asks for what it asked for before. */
function lifeAskedBy(difference: Difference, { scope, traces, world }: Walk): unknown {
  if (difference.again === undefined) return askedLife(world.base, difference, scope);
  const claims = traces.get(difference.again)?.['claims'];
  return isJsonObject(claims) ? claims['expires_in'] : undefined;
}

/** A request that may be dropped is approved once it is accepted, and the engine waits for tokens (`probeDrop`). */
function walkProbe(step: Step, walk: Walk): void {
  const { drivers, deliveryTimeout } = walk.world.target;
  if (!mayBeDropped(step) || drivers['approve'] === undefined) return;
  // Nobody is asked at a carrier that refuses, so it is no errand; it takes its time all the same.
  if (drivers['approve'].kind === 'ask') walk.now += personTakes * (step.times ?? 1);
  walk.now += deliveryTimeout;
}

function walkAuthorize({ difference }: Act & { verb: 'authorize' }, step: Step, walk: Walk): void {
  const asked = lifeAskedBy(difference, walk);
  const life = grantedLife(asked);
  const times = step.together === true || step.times === undefined ? 1 : step.times;
  const request = { step: step.name, at: walk.now, fate: fateOf(step), asked, life, dropped: mayBeDropped(step) };
  for (let time = 0; time < times; time += 1) walk.requests.push({ ...request, result: undefined, taken: 0 });
  walk.traces.set(step.name, {
    sentAt: walk.now,
    receivedAt: walk.now,
    granted: life,
    claims: { iat: walk.now, exp: walk.now + 240, expires_in: asked },
    body: { expires_in: life },
  });
  walkProbe(step, walk);
}

/** A request object that is signed now may be sent later. */
function walkSign({ base, difference }: Act & { verb: 'sign' }, step: Step, walk: Walk): void {
  const claims = base === 'request-object' ? walk.world.base.claims : [];
  const asked = askedLife({ claims }, difference, walk.scope);
  walk.traces.set(step.name, { sentAt: walk.now, claims: { expires_in: asked } });
}

/** The steps that an HTTP request speaks of. */
function namedBy({ path, json, text, ...request }: HttpAct): ReadonlySet<string | undefined> {
  const maps = [request.parameters, request.form, request.query, request.headers];
  const templates = [path, json, text, ...maps.flatMap((map) => map?.map(([, value]) => value))];
  return new Set(templates.flatMap((template) => template?.paths.map(([root]) => root)));
}

/** Of a request that is cancelled no callback may come any more. */
function walkHttp({ request }: Act & { verb: 'http' }, step: Step, walk: Walk): void {
  if (request.to !== 'cancel' || fateOf(step) === 'refused') return;
  const steps = namedBy(request);
  for (const one of walk.requests) if (steps.has(one.step) && one.result === undefined) one.dropped = true;
}

const requestOf = (of: string | undefined, { requests }: Walk): Request | undefined =>
  of === undefined ? requests.at(-1) : requests.findLast(({ step }) => step === of);

function walkTrigger(act: Act & { verb: 'trigger' }, step: Step, walk: Walk): void {
  ask(act.action, step, walk);
  const action = findAction(act.action);
  const request = action?.ofRequest === true ? requestOf(act.of, walk) : undefined;
  const alive = request !== undefined && request.fate !== 'refused' && walk.now < request.at + request.life;
  const decides = !act.ifPossible && (act.action === 'approve' || act.action === 'deny');
  if (alive && decides) request.result ??= walk.now;
  if (action?.raisesEvents === true) {
    walk.raisedAt = walk.now;
    walk.eventsTaken = 0;
  }
}

/** When the next callback of a request comes, if one does: its result, or the word that it timed out. */
function nextCallback(request: Request | undefined, now: number): number | undefined {
  if (request === undefined || request.fate === 'refused') return undefined;
  request.taken += 1;
  return request.taken === 1 ? Math.max(now, endOf(request)) : now + retriesAfter;
}

/** Events come at once after the change; each further attempt a minute later. */
function nextEvent(walk: Walk): number | undefined {
  if (walk.raisedAt === undefined) return undefined;
  walk.eventsTaken += 1;
  return Math.max(walk.now, walk.raisedAt + (walk.eventsTaken - 1) * retriesAfter);
}

function walkAwait(act: Act & { verb: 'await' }, step: Step, walk: Walk): void {
  const { now, world } = walk;
  const until = Math.max(now, momentOf(act.until, walk) ?? now + world.target.deliveryTimeout);
  const request = act.what === 'callback' ? requestOf(act.of, walk) : undefined;
  const comes = act.what === 'events' ? nextEvent(walk) : nextCallback(request, now);
  const mayBeSilent = comes === undefined || (request !== undefined && !isAnswered(request));
  walk.now = waitsToTheEnd(step) || mayBeSilent ? until : Math.min(until, comes);
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
  else if (act.verb === 'sign') walkSign(act, step, walk);
  else if (act.verb === 'http') walkHttp(act, step, walk);
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
    const pending = request.fate !== 'refused' && walk.now < endOf(request);
    if (pending && request.life > longestWatch && walk.world.target.drivers['deny'] !== undefined) {
      request.result = walk.now;
    }
  }
  if (walk.raisedAt !== undefined) walk.now = Math.max(walk.now, walk.raisedAt + restAfterEvents / 1000);
}

/** Walks through a case as it goes at the carrier that conforms and takes the longest, and answers at once. */
export function planTime(given: Case, world: PlannedWorld): PlannedTime {
  const walk = openWalk(given, world);
  for (const step of given.steps) walkStep(step, walk);
  leave(walk);
  const held = walk.now;
  const watched = given.watched === false ? [] : walk.requests.map(watchedUntil);
  return { held, total: Math.max(held, ...watched), prompt: walk.prompt };
}

const nowhere: PlannedWorld = { target: { deliveryTimeout: 30, drivers: {} }, base: { header: [], claims: [] } };

/** Seconds until its verdict, where no target is at hand. */
export const plannedSeconds = (given: Case): number => planTime(given, nowhere).total;
