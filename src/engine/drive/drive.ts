import type { DriverCallRecord as NotedCall, ResponseObservation } from '../../judge/observation.ts';
import { findAction } from '../../model/action.ts';
import type { HttpDriver, Driver, Target } from '../../model/target.ts';
import { type Scope, MissingValue } from '../../model/suite.ts';
import type { Step } from '../../suite/suites.ts';
import { driverRequest, SteeredDriverError } from '../../wire/send/driver-call.ts';
import type { HttpRequest } from '../../wire/build/http-request.ts';
import { type CaseContext, type CaseWith, type RequestInbox, Unmet } from '../context/case-context.ts';
import { performExchange } from '../context/exchange.ts';
import { requestLogName, findNamedSubscriber } from '../context/inbox.ts';
import type { Operator } from '../context/operator.ts';
import { askDriver } from './ask-driver.ts';
import {
  defineDriver,
  learnCallSecrets,
  type DriveOutcome,
  type DriveOrder,
  type ActiveDriverCall,
  type DriverImplementation,
  type PhoneContent,
} from './driver.ts';
import { execDriver } from './exec-driver.ts';
import { moduleDriver } from './module-driver.ts';
import { afterSeconds, dueMillis, elapsedMillis, toSeconds } from '../../lib/time.ts';

function prepareDriverRequest(driver: HttpDriver, scope: Scope, action: string): HttpRequest {
  try {
    return driverRequest(driver, scope);
  } catch (error) {
    if (error instanceof SteeredDriverError)
      throw new Unmet(`the driver for ${action} was not called: ${error.message}`);
    throw error;
  }
}

const httpDriver = defineDriver('http', {
  attended: false,
  quoted: false,
  run: async ({ action, step, driver, scope }, ctx) => {
    const { url, json = [], headers, env } = driver;
    learnCallSecrets({ headers, others: [url, ...json.map(([, value]) => value)], env }, scope, ctx.redactor);
    const http = prepareDriverRequest(driver, scope, action);
    const response = await performExchange(
      { step, purpose: `driver ${action}`, http, differences: [], ours: true },
      ctx,
    );
    const { status, summary, message, body } = response;
    const came = { summary, message, at: elapsedMillis(response.receivedAt), ...(body === undefined ? {} : { body }) };
    if (status !== undefined && driver.done.includes(status)) return { done: true, status, ...came };
    if (status !== undefined && driver.impossible.includes(status)) return { done: false, status, ...came };
    throw new Unmet(`the driver for ${action} did not work: ${summary}`);
  },
});

const driverImplementations: Readonly<Record<Driver['kind'], DriverImplementation>> = {
  http: httpDriver,
  exec: execDriver,
  module: moduleDriver,
  ask: askDriver,
};

export const driverKind = ({ kind }: Driver): DriverImplementation => driverImplementations[kind];

export const isAttendedDriver = (driver: Driver | undefined): boolean =>
  driver !== undefined && driverKind(driver).attended;

/** Removes attended drivers if there is no operator: cases that need them do not run, and none hangs. */
export function withoutAttendedDrivers(target: Target, operator: Operator | undefined): Target {
  const drivers = Object.entries(target.drivers);
  if (operator !== undefined || !drivers.some(([, driver]) => isAttendedDriver(driver))) return target;
  return {
    ...target,
    drivers: Object.fromEntries(drivers.filter(([, driver]) => !isAttendedDriver(driver))),
    unattended: drivers.filter(([, driver]) => isAttendedDriver(driver)).map(([action]) => action),
  };
}

/** Says why nothing performs an action here. */
export const describeMissingDriver = (action: string, { unattended = [] }: Pick<Target, 'unattended'>): string =>
  unattended.includes(action)
    ? `a person is asked for ${action} (ask: true), and no operator is here to be asked`
    : `the target has no driver for ${action}`;

export function requireDriver(action: string, { services }: CaseWith<never, 'target'>): Driver {
  const driver = services.target.drivers[action];
  if (driver === undefined) throw new Unmet(describeMissingDriver(action, services.target));
  return driver;
}

/** Response that a trigger or a look refers to: of the step named, or of the last that sent a request. */
export function referredResponse(
  of: string | undefined,
  { state }: Pick<CaseContext, 'state'>,
): ResponseObservation | undefined {
  const name = of ?? state.lastRequest;
  const trace = name === undefined ? undefined : state.traces.get(name);
  return trace?.kind === 'response' ? trace : undefined;
}

/** Throws Unmet if the request expired while a program or person acted: what was done too late shows nothing. */
function requireAlive({ action, definition, subject }: ActiveDriverCall<Driver>, asked: number, done: number): void {
  if (definition?.ofRequest !== true || subject?.granted === undefined) return;
  const end = dueMillis(subject.sentAt + subject.granted);
  if (asked >= end || done < end) return;
  const took = ((done - asked) / 1000).toFixed(1);
  throw new Unmet(`the driver for ${action} took ${took} s, and the request expired meanwhile`);
}

function createDriverCall(
  { action, step, of, given = {} }: DriveOrder,
  ctx: CaseWith<'scope' | 'state', 'interface' | 'target'>,
): ActiveDriverCall<Driver> {
  const driver = requireDriver(action, ctx);
  const subject = referredResponse(of, ctx);
  const scope = ctx.scope({ request: subject, with: given, env: driver.env });
  const definition = findAction(action, ctx.services.interface.actions);
  return { action, definition, step, given, driver, subject, scope };
}

/** Whether no phone has the request, because it was refused or unanswered: no driver is called about it. */
const lacksRequest = (
  { definition, subject }: ActiveDriverCall<Driver>,
  { services }: CaseWith<never, 'interface'>,
): boolean =>
  definition?.ofRequest === true &&
  subject !== undefined &&
  (subject.outcome !== 'accepted' || !services.interface.messages.hasRequestId(subject.body));

/** Waits until the action takes effect at the carrier, which is its moment. A stopped run does not wait. */
async function awaitEffect(
  driven: DriveOutcome,
  { action, driver }: ActiveDriverCall<Driver>,
  ctx: CaseWith<'now' | 'wait', 'state'>,
): Promise<DriveOutcome> {
  const { takesEffect } = driver;
  if (takesEffect === undefined || !driven.done || ctx.services.state.denyUntil !== undefined) return driven;
  const due = afterSeconds(driven.at ?? ctx.now(), takesEffect);
  if (due > ctx.now()) await ctx.wait({ due, for: `${action} to take effect` });
  return { ...driven, at: due };
}

/** Notes the start of a call, which separates its effects from those without a call. */
function noteCall({ action, definition, driver, given, subject }: ActiveDriverCall<Driver>, ctx: CaseContext) {
  const { services, client, subscriber, now } = ctx;
  const about = definition?.ofRequest === true ? subject : undefined;
  const call: NotedCall = {
    action,
    at: toSeconds(now()),
    given,
    client: about?.client ?? client.name,
    ...(driverKind(driver).attended ? { attended: true as const } : {}),
    ...(about === undefined ? {} : { request: requestLogName(about, services) }),
  };
  const named = about && findNamedSubscriber(about, services);
  return services.state.calls.begin(call, (named ?? subscriber).name);
}

/** Performs an action through the target's driver; it is not possible if its subject is missing. Throws Unmet. */
export async function driveAction(order: DriveOrder, ctx: CaseContext): Promise<DriveOutcome> {
  const call = createDriverCall(order, ctx);
  const asked = ctx.now();
  if (lacksRequest(call, ctx)) return { done: false, summary: `there is no request: ${call.subject?.summary}` };
  const endCall = noteCall(call, ctx);
  try {
    const made = await driverKind(call.driver).run(call, ctx);
    // A delivery caused by the call may arrive before the call ends, independent of the clock.
    endCall(made.done);
    const driven = await awaitEffect(made, call, ctx);
    if (driven.done && driven.at !== undefined) requireAlive(call, asked, driven.at);
    const { definition, subject } = call;
    if (driven.done && definition?.establishes !== undefined && subject !== undefined) {
      // The subscriber has decided: the case does not decide again when it ends.
      for (const inbox of ctx.state.inboxes) inbox.decided ||= inbox.response?.message === subject.message;
    }
    return driven;
  } catch (error) {
    endCall();
    if (error instanceof MissingValue) return { done: false, summary: error.message };
    throw error;
  }
}

/** Asks a person what the phone shows; undefined if the driver is not attended. */
export async function askPhoneContent(
  order: DriveOrder,
  step: Step,
  ctx: CaseContext,
): Promise<PhoneContent | undefined> {
  const call = createDriverCall(order, ctx);
  const asked = ctx.now();
  const { look } = driverKind(call.driver);
  if (look === undefined) return undefined;
  if (lacksRequest(call, ctx)) return { card: { shown: false }, at: asked };
  const seen = await look(call, step, ctx);
  if (seen.said !== undefined) requireAlive(call, asked, seen.at);
  return seen;
}

/** Request by its own response, because a repeated step has several. */
interface ResponseOfStep {
  readonly step: string;
  readonly response: ResponseObservation;
}

/** Denies a request. Returns undefined if there is no driver, or it fails. */
export async function denyRequest(
  { step, response }: ResponseOfStep,
  ctx: CaseContext,
): Promise<DriveOutcome | undefined> {
  if (ctx.services.target.drivers['deny'] === undefined) return undefined;
  ctx.state.traces.set(step, response);
  try {
    return await driveAction({ action: 'deny', of: step, step: `end of ${step}` }, ctx);
  } catch (error) {
    if (error instanceof Unmet) return undefined;
    throw error;
  }
}

/** Whether the request was accepted and has no result yet. */
export const isInboxPending = ({ response, deliveries }: RequestInbox): boolean =>
  response?.outcome === 'accepted' && deliveries.length === 0;

/** Denies a request. Returns false if that is impossible. */
export const denyInbox = async ({ step, response }: RequestInbox, ctx: CaseContext): Promise<boolean> =>
  response !== undefined && (await denyRequest({ step, response }, ctx))?.done === true;

/** Denies pending requests before the subscriber goes to another case; `kept` steps and the last `room` requests stay pending. */
export async function denyPendingInboxes(
  ctx: CaseContext,
  { kept = new Set(), room = 0 }: { readonly kept?: ReadonlySet<string>; readonly room?: number } = {},
): Promise<void> {
  const { target, interface: certified } = ctx.services;
  const longest = isAttendedDriver(target.drivers['deny']) ? certified.timing.longestWatch : 0;
  const waiting = ctx.state.inboxes.filter((inbox) => {
    const { sentAt = 0, granted = 0 } = inbox.response ?? {};
    const isOpen = isInboxPending(inbox) && !inbox.decided && dueMillis(sentAt + granted) > ctx.now();
    return isOpen && granted > longest && !kept.has(inbox.step);
  });
  for (const inbox of waiting.slice(0, Math.max(0, waiting.length - room))) await denyInbox(inbox, ctx);
}
