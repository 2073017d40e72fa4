import { renderPlain, omitUndefined } from '../../lib/json.ts';
import type { HttpAct, TemplateMap, Moment, Scope } from '../../model/suite.ts';
import type { Target } from '../../model/target.ts';
import type { Case, Step, Suites } from '../../suite/suites.ts';
import type { Await } from '../../suite/verbs/await.ts';
import type { Http } from '../../suite/verbs/http.ts';
import { isTrigger, type Trigger } from '../../suite/verbs/trigger.ts';
import { findAction } from '../../model/action.ts';
import { clockMargin, effectiveLatency, deliveryWait } from '../../model/declaration.ts';
import { waitsToTheEnd } from '../act/await.ts';
import { findVerb } from '../act/verb.ts';
import type { RunnableInterface } from '../context/case-context.ts';
import { describeInputs } from '../drive/ask-driver.ts';
import { isAttendedDriver } from '../drive/drive.ts';
import {
  requestEnd,
  valueIfKnown,
  mayBeEither,
  mustBeRefused,
  mayBeDropped,
  type PlannedAsk,
  type PlannedRequest,
  plannedWindow,
  type Walk,
} from '../context/walk.ts';
import { toSeconds } from '../../lib/time.ts';

/** Planned duration of a case in seconds, as far as it can be known without running it. */
export interface PlannedTime {
  /** Time for which it holds its locks: until its last step, or the cool-down after its last event. */
  readonly held: number;
  /** Time until its verdict, including the watch for late callbacks without its locks. */
  readonly total: number;
  readonly prompt: readonly PlannedAsk[];
  /** Requests that a conforming carrier may accept: each is a push to a phone. */
  readonly pushes: number;
  /** Seconds after its beginning at which it reaches a phone or a person, in order. */
  readonly reaches: readonly number[];
}

const week = 7 * 24 * 3600;

/** Whether a case comes last in every order, since its wait would move all later ones. */
export const comesLast = ({ total }: Pick<PlannedTime, 'total'>): boolean => total > week;

export interface PlanServices {
  readonly target: Target;
  readonly suites: Pick<Suites, 'bases'>;
  readonly interface: RunnableInterface;
}

/** Seconds a person needs to pick up a phone and act. */
export const personSeconds = 30;
function startWalk(given: Case, services: PlanServices): Walk {
  const traces: Walk['traces'] = new Map();
  const scope: Scope = {
    now: () => walk.now,
    random: (bytes) => '0'.repeat(bytes),
    root: (name) => {
      if (name === 'target')
        return { latency: effectiveLatency(services.target), margin: clockMargin(services.target) };
      if (name !== 'each') return traces.get(name);
      return Object.fromEntries(given.each.map(([key, value]) => [key, valueIfKnown(() => value.evaluate(scope))]));
    },
  };
  const empty = { requests: [], prompt: [], pushes: 0, raisedAt: undefined, eventsTaken: 0, now: 0 };
  const walk: Walk = { ...services, scope, traces, ...empty, reaches: new Set() };
  return walk;
}

const evaluateMoment = (moment: Moment | undefined, { scope }: Walk): number | undefined =>
  valueIfKnown(() => moment && toSeconds(moment.evaluate(scope)));

/** A person is busy from now on. */
function reachPerson(walk: Walk): void {
  walk.reaches.add(walk.now);
  walk.now += personSeconds;
  walk.reaches.add(walk.now);
}

/** Plans a question to the operator, if the action's driver is a person. */
export function planAsk(
  { action, given = [] }: { readonly action: string; readonly given?: TemplateMap },
  { name: step }: Step,
  walk: Walk,
): void {
  const driver = walk.target.drivers[action];
  if (driver === undefined || !isAttendedDriver(driver)) return;
  const own = driver.kind === 'ask' ? driver.description?.source : undefined;
  const known = given.flatMap(([name, template]) => {
    const value = valueIfKnown(() => template.evaluate(walk.scope));
    return value === undefined ? [] : [[name, value] as const];
  });
  walk.prompt.push({
    at: walk.now,
    action,
    step,
    ...omitUndefined({ own: own === undefined ? undefined : renderPlain(own) }),
    given: describeInputs(Object.fromEntries(known)),
  });
  reachPerson(walk);
}

/** Plans a request: the life it asks for, and its life if accepted. */
export function planRequest({ asked, life }: Pick<PlannedRequest, 'asked' | 'life'>, step: Step, walk: Walk): void {
  const { now: at, requests } = walk;
  const { drivers } = walk.target;
  const { name, times = 1, together = false } = step;
  const silent = mayBeDropped(step) || mayBeEither(step);
  const request = { step: name, at, asked, life, refused: mustBeRefused(step), silent, result: undefined, taken: 0 };
  for (let time = 0; time < (together ? 1 : times); time += 1) requests.push({ ...request });
  if (!request.refused && !mayBeDropped(step)) {
    walk.pushes += times;
    walk.reaches.add(at);
  }
  if (!mayBeDropped(step) || drivers['approve'] === undefined) return;
  // If a request that may be dropped is accepted, the run approves it and waits for tokens. A refusal causes no manual task, but plan for
  // one.
  const isAsked = isAttendedDriver(drivers['approve']);
  if (isAsked) walk.reaches.add(at);
  walk.now += deliveryWait('callback', walk.target) + (isAsked ? personSeconds * times : 0);
}

/** Steps that the templates of an HTTP request name. */
function namedSteps({ path, json, text, ...request }: HttpAct): ReadonlySet<string | undefined> {
  const maps = [request.parameters, request.form, request.query, request.headers];
  const templates = [path, json, text, ...maps.flatMap((map) => map?.map(([, value]) => value))];
  return new Set(templates.flatMap((template) => template?.paths.map(([root]) => root)));
}

/** Plans an HTTP request; a cancelled request gets no more callbacks. */
export function planHttp({ request, endpoint }: Http, step: Step, { requests }: Walk): void {
  if (endpoint?.cancels === undefined || mustBeRefused(step)) return;
  const steps = namedSteps(request);
  for (const one of requests) if (steps.has(one.step) && one.result === undefined) one.silent = true;
}

const plannedRequest = (of: string | undefined, { requests }: Walk): PlannedRequest | undefined =>
  of === undefined ? requests.at(-1) : requests.findLast(({ step }) => step === of);

export function planTrigger(act: Trigger, step: Step, walk: Walk): void {
  planAsk({ action: act.action, given: act.with }, step, walk);
  // A delayed action has the moment of its effect.
  const effect = walk.target.drivers[act.action]?.takesEffect ?? 0;
  walk.now += effect;
  if (effect > 0) walk.traces.set(step.name, { sentAt: walk.now });
  const action = act.definition;
  const request = action?.ofRequest === true ? plannedRequest(act.of, walk) : undefined;
  const isAlive = request !== undefined && !request.refused && walk.now < request.at + request.life;
  const decides = !act.ifPossible && (act.action === 'approve' || act.action === 'deny');
  if (isAlive && decides) request.result ??= walk.now;
  if (action?.raisesEvents !== true) return;
  walk.raisedAt = walk.now;
  walk.eventsTaken = 0;
}

/** Time of a request's next callback: its result, or the notice of its timeout; undefined if none comes. */
function nextCallback(request: PlannedRequest | undefined, { now, interface: { timing } }: Walk): number | undefined {
  if (request === undefined || request.refused) return undefined;
  request.taken += 1;
  return request.taken === 1 ? Math.max(now, requestEnd(request)) : now + timing.retriesAfter;
}

/** Time of the next event: the first at once after the change, retries at intervals. */
function nextEvent(walk: Walk): number | undefined {
  if (walk.raisedAt === undefined) return undefined;
  walk.eventsTaken += 1;
  return Math.max(walk.now, walk.raisedAt + (walk.eventsTaken - 1) * walk.interface.timing.retriesAfter);
}

export function planAwait(act: Await, step: Step, walk: Walk): void {
  const { now: sentAt } = walk;
  const until = Math.max(sentAt, evaluateMoment(act.until, walk) ?? sentAt + deliveryWait(act.what, walk.target));
  const request = act.what === 'callback' ? plannedRequest(act.of, walk) : undefined;
  const comes = act.what === 'events' ? nextEvent(walk) : nextCallback(request, walk);
  const isLast = waitsToTheEnd(step) || comes === undefined || request?.silent === true;
  walk.now = isLast ? until : Math.min(until, comes);
  const receivedAt = Math.min(until, comes ?? until);
  walk.traces.set(step.name, { sentAt, until, receivedAt, body: walk.interface.messages.plannedCallback });
}

/** Plans the undo of a case's changes, the last first. Returns the time from which all of it shows. */
function planUndo({ steps }: Case, walk: Walk): number {
  const later = new Set<string>();
  let shown = 0;
  for (const step of steps.toReversed()) {
    if (!isTrigger(step.act)) continue;
    const { action, definition, with: given } = step.act;
    const undo = definition?.undo;
    // An action that is its own undo, and has inputs, may be the way back itself.
    const isBack = undo === action && given.length > 0;
    if (undo !== undefined && !isBack && !later.has(undo)) {
      planAsk({ action: undo }, step, walk);
      const shows = findAction(undo, walk.interface.actions)?.shows;
      if (shows !== undefined) shown = walk.now + effectiveLatency(walk.target)[shows];
      // The undo may raise events as well.
      if (findAction(undo, walk.interface.actions)?.raisesEvents === true) walk.raisedAt = walk.now;
    }
    later.add(action);
  }
  return shown;
}

/** Plans the end of a case: undo, denial of pending requests, cool-down. */
function planTearDown(given: Case, walk: Walk): void {
  const { longestWatch, coolDown } = walk.interface.timing;
  const { deny } = walk.target.drivers;
  const shown = planUndo(given, walk);
  for (const request of walk.requests) {
    const isPending = !request.refused && walk.now < requestEnd(request);
    const isDenied = deny !== undefined && request.life > (isAttendedDriver(deny) ? longestWatch : 0);
    if (!isPending || !isDenied) continue;
    request.result = walk.now;
    if (isAttendedDriver(deny)) walk.reaches.add(walk.now);
  }
  walk.now = Math.max(walk.now, shown);
  if (walk.raisedAt !== undefined) walk.now = Math.max(walk.now, walk.raisedAt + coolDown);
}

/** Plans the time of a case at the slowest conforming carrier. */
export function planTime(given: Case, services: PlanServices): PlannedTime {
  const walk = startWalk(given, services);
  for (const step of given.steps) {
    walk.now = Math.max(walk.now, evaluateMoment(step.at, walk) ?? walk.now);
    walk.traces.set(step.name, { sentAt: walk.now, receivedAt: walk.now });
    findVerb(step.act, services.interface.verbs).plan(step.act, step, walk);
  }
  planTearDown(given, walk);
  const { now: held, prompt, requests, pushes, reaches } = walk;
  const observed =
    given.watched === false ? [] : requests.map((request) => plannedWindow(request, services.interface.timing));
  return {
    held,
    total: Math.max(held, ...observed),
    prompt,
    pushes,
    reaches: [...reaches].toSorted((one, other) => one - other),
  };
}
