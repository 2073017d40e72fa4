import { findAction } from '../../model/action.ts';
import { isJsonObject } from '../../lib/json.ts';
import type { Act } from '../../suite/verbs/table.ts';
import type { Case, Suites } from '../../suite/suites.ts';
import type { Difference, HttpAct } from '../../model/suite.ts';
import type { Step } from '../../suite/suites.ts';
import type { Target } from '../../model/target.ts';
import type { Moment, Scope } from '../../model/template.ts';
import { waitsToTheEnd } from '../act/await.ts';
import { mayBeDropped } from '../act/repeat.ts';
import { coolDownAfterEvents, longestWindow } from '../context/inbox.ts';
import { isAttended } from '../drive/drive.ts';
import {
  askedLife,
  endOf,
  ifKnown,
  isLeftOpen,
  isRefused,
  type PlannedRequest,
  plannedWindow,
} from './planned-requests.ts';

/** Something that a person is asked to do, seconds after the case began. */
export interface PlannedAsk {
  readonly at: number;
  readonly action: string;
  readonly step: string;
}

/** How long a case will take, in seconds, as far as that can be known without running it. */
export interface PlannedTime {
  /** It holds its locks that long: until its last step, or 61 minutes after the last event it raised (§6). */
  readonly held: number;
  /** Until its verdict: observed for late callbacks, without its locks. */
  readonly total: number;
  readonly prompt: readonly PlannedAsk[];
}

/** What planned times rest on. */
export interface PlannedWorld {
  readonly target: Target;
  readonly suites: Pick<Suites, 'base'>;
}

/** A case on its way, at the conforming carrier that takes the longest and responds at once. Seconds. */
interface Walk {
  readonly world: PlannedWorld;
  readonly scope: Scope;
  readonly traces: Map<string, Readonly<Record<string, unknown>>>;
  readonly requests: PlannedRequest[];
  readonly prompt: PlannedAsk[];
  raisedAt: number | undefined;
  eventsTaken: number;
  now: number;
}

/** Seconds a person needs to take up a phone and do what is asked. */
const personTakes = 30;
/** Seconds between the attempts of a delivery that is not confirmed (§4.8). */
const retriesAfter = 60;
/** Seconds a request lives whose object does not say. */
const usualLife = 300;
/** Seconds an access token lives that a carrier grants without being asked for a life (§2.6 has no number). */
const usualTokenLife = 1800;

function startWalk(given: Case, world: PlannedWorld): Walk {
  const traces: Walk['traces'] = new Map();
  const scope: Scope = {
    now: () => walk.now,
    random: (bytes) => '0'.repeat(bytes),
    root: (name) => {
      if (name !== 'each') return traces.get(name);
      return Object.fromEntries(given.each.map(([key, value]) => [key, ifKnown(() => value.evaluate(scope))]));
    },
  };
  const empty = { requests: [], prompt: [], raisedAt: undefined, eventsTaken: 0, now: 0 };
  const walk: Walk = { world, scope, traces, ...empty };
  return walk;
}

const momentOf = (moment: Moment | undefined, { scope }: Walk): number | undefined =>
  ifKnown(() => moment?.evaluate(scope));

function ask(action: string, { name: step }: Step, walk: Walk): void {
  if (!isAttended(walk.world.target.drivers[action])) return;
  walk.prompt.push({ at: walk.now, action, step });
  walk.now += personTakes;
}

/** The life that the object of a step asks for; one that is sent again asks for what it asked for before. */
function lifeAskedBy(difference: Difference, { scope, traces, world }: Walk): unknown {
  if (difference.again === undefined) return askedLife(world.suites.base, difference, scope);
  const claims = traces.get(difference.again)?.['claims'];
  return isJsonObject(claims) ? claims['expires_in'] : undefined;
}

function walkAuthorize({ difference }: Act & { verb: 'authorize' }, step: Step, walk: Walk): void {
  const { now: at, world, requests } = walk;
  const { drivers, deliveryTimeout } = world.target;
  const { name, times = 1, together = false } = step;
  const asked = lifeAskedBy(difference, walk);
  const life = typeof asked === 'number' && asked > 0 ? asked : usualLife;
  const silent = mayBeDropped(step) || isLeftOpen(step);
  const request = { step: name, at, asked, life, refused: isRefused(step), silent, result: undefined, taken: 0 };
  for (let time = 0; time < (together ? 1 : times); time += 1) requests.push({ ...request });
  const claims = { iat: at, exp: at + 240, expires_in: asked };
  walk.traces.set(name, { sentAt: at, receivedAt: at, granted: life, claims, body: { expires_in: life } });
  if (!mayBeDropped(step) || drivers['approve'] === undefined) return;
  // A request that may be dropped is approved if it is accepted, and the run waits for tokens. Where the carrier refuses there
  // is no manual task, but there may be one.
  walk.now += deliveryTimeout + (isAttended(drivers['approve']) ? personTakes * times : 0);
}

/** A request object that is signed now may be sent later. */
function walkSign({ base, difference }: Act & { verb: 'sign' }, { name }: Step, walk: Walk): void {
  const claims = base === 'request-object' ? walk.world.suites.base.claims : [];
  const asked = askedLife({ claims }, difference, walk.scope);
  walk.traces.set(name, { sentAt: walk.now, claims: { expires_in: asked } });
}

/** The steps that the templates of an HTTP request name. */
function namedBy({ path, json, text, ...request }: HttpAct): ReadonlySet<string | undefined> {
  const maps = [request.parameters, request.form, request.query, request.headers];
  const templates = [path, json, text, ...maps.flatMap((map) => map?.map(([, value]) => value))];
  return new Set(templates.flatMap((template) => template?.paths.map(([root]) => root)));
}

/** Of a request that is cancelled no callback may come any more. */
function walkHttp({ request }: Act & { verb: 'http' }, step: Step, { requests }: Walk): void {
  if (request.to !== 'cancel' || isRefused(step)) return;
  const steps = namedBy(request);
  for (const one of requests) if (steps.has(one.step) && one.result === undefined) one.silent = true;
}

const requestOf = (of: string | undefined, { requests }: Walk): PlannedRequest | undefined =>
  of === undefined ? requests.at(-1) : requests.findLast(({ step }) => step === of);

function walkTrigger(act: Act & { verb: 'trigger' }, step: Step, walk: Walk): void {
  ask(act.action, step, walk);
  const action = findAction(act.action);
  const request = action?.ofRequest === true ? requestOf(act.of, walk) : undefined;
  const isAlive = request !== undefined && !request.refused && walk.now < request.at + request.life;
  const decides = !act.ifPossible && (act.action === 'approve' || act.action === 'deny');
  if (isAlive && decides) request.result ??= walk.now;
  if (action?.raisesEvents !== true) return;
  walk.raisedAt = walk.now;
  walk.eventsTaken = 0;
}

/** When the next callback of a request comes, if one does: its result, or the word that it timed out. */
function nextCallback(request: PlannedRequest | undefined, now: number): number | undefined {
  if (request === undefined || request.refused) return undefined;
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
  const { now: sentAt, world } = walk;
  const until = Math.max(sentAt, momentOf(act.until, walk) ?? sentAt + world.target.deliveryTimeout);
  const request = act.what === 'callback' ? requestOf(act.of, walk) : undefined;
  const comes = act.what === 'events' ? nextEvent(walk) : nextCallback(request, sentAt);
  const isLast = waitsToTheEnd(step) || comes === undefined || request?.silent === true;
  walk.now = isLast ? until : Math.min(until, comes);
  const receivedAt = Math.min(until, comes ?? until);
  walk.traces.set(step.name, { sentAt, until, receivedAt, body: { expires_in: usualTokenLife } });
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

/** What the engine does when the steps are over: undoes, denies long-lived requests, cools down. */
function tearDown({ steps }: Case, walk: Walk): void {
  const later = new Set<string>();
  for (const step of steps.toReversed()) {
    if (step.act.verb !== 'trigger') continue;
    const { action, with: given } = step.act;
    const undo = findAction(action)?.undo;
    // An action that is its own undo, and is done with something of its own, may be the way back itself.
    const isBack = undo === action && given.length > 0;
    if (undo !== undefined && !isBack && !later.has(undo)) ask(undo, step, walk);
    later.add(action);
  }
  for (const request of walk.requests) {
    const isPending = !request.refused && walk.now < endOf(request);
    const isLong = request.life > longestWindow && walk.world.target.drivers['deny'] !== undefined;
    if (isPending && isLong) request.result = walk.now;
  }
  if (walk.raisedAt !== undefined) walk.now = Math.max(walk.now, walk.raisedAt + coolDownAfterEvents / 1000);
}

/** How long a case takes at the conforming carrier that takes the longest. */
export function planTime(given: Case, world: PlannedWorld): PlannedTime {
  const walk = startWalk(given, world);
  for (const step of given.steps) walkStep(step, walk);
  tearDown(given, walk);
  const { now: held, prompt, requests } = walk;
  const observed = given.watched === false ? [] : requests.map(plannedWindow);
  return { held, total: Math.max(held, ...observed), prompt };
}
