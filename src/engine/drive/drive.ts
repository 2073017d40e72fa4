import type { ResponseObservation } from '../../judge/observation.ts';
import { findAction } from '../../model/action.ts';
import type { Json } from '../../model/json.ts';
import type { Driver, HttpDriver } from '../../model/target.ts';
import { MissingValue, type Scope } from '../../model/template.ts';
import { driverRequest } from '../../wire/http-request.ts';
import { askToDo } from './ask-driver.ts';
import { type CaseContext, Unmet } from '../context/case-context.ts';
import { type Driven, learnCall } from './driver.ts';
import { exchange } from '../context/exchange.ts';
import { execDriver } from './exec-driver.ts';
import { createScope } from '../context/scope.ts';
import type { World } from '../context/world.ts';

/** The answer of the step a trigger or a look is about: the one named, or the last authorize. */
export function subjectOf(of: string | undefined, ctx: CaseContext): ResponseObservation | undefined {
  const name = of ?? ctx.lastAuthorize;
  const trace = name === undefined ? undefined : ctx.traces.get(name);
  return trace?.kind === 'response' ? trace : undefined;
}

/** An action, by whom it is made to happen, and about what. */
export interface Drive {
  readonly action: string;
  readonly driver: Driver;
  readonly of: string | undefined;
  readonly given: Readonly<Record<string, Json>>;
}

/** By one request, whose status says what came of it. */
async function driveHttp(
  { action, driver, scope }: Driving<HttpDriver>,
  step: string,
  ctx: CaseContext,
  world: World,
): Promise<Driven> {
  const { url, json = [], headers, env } = driver;
  learnCall({ headers, others: [url, ...json.map(([, value]) => value)], env }, scope, ctx.redactor);
  const http = driverRequest(driver, scope);
  const response = await exchange({ step, purpose: `driver ${action}`, http, differences: [] }, ctx, world);
  const { status, summary, message, body } = response;
  const came = {
    summary,
    message,
    ...(status === undefined ? {} : { status }),
    ...(body === undefined ? {} : { body }),
  };
  if (status !== undefined && driver.done.includes(status)) return { done: true, ...came };
  if (status !== undefined && driver.impossible.includes(status)) return { done: false, ...came };
  throw new Unmet(`the driver for ${action} did not work: ${summary}`);
}

interface Driving<D extends Driver> {
  readonly action: string;
  readonly driver: D;
  readonly scope: Scope;
}

function driveBy({ driver, given, action }: Drive, scope: Scope, { step, subject, ...at }: Place): Promise<Driven> {
  const order = { action, scope };
  switch (driver.kind) {
    case 'http':
      return driveHttp({ ...order, driver }, step, at.ctx, at.world);
    case 'exec':
      return execDriver({ ...order, driver }, at.ctx, at.world);
    case 'ask':
      return askToDo({ ...order, driver, step, subject }, given, at.ctx, at.world);
  }
}

interface Place {
  readonly step: string;
  readonly subject: ResponseObservation | undefined;
  readonly ctx: CaseContext;
  readonly world: World;
}

/** A request lives on while a program runs and while somebody takes up a phone: what came too late shows nothing. */
export function requireAlive(
  action: string,
  subject: ResponseObservation | undefined,
  { asked, at }: { asked: number; at: number },
): void {
  if (findAction(action)?.ofRequest !== true || subject?.granted === undefined) return;
  const end = (subject.sentAt + subject.granted) * 1000;
  if (asked >= end || at < end) return;
  const took = ((at - asked) / 1000).toFixed(1);
  throw new Unmet(`the driver for ${action} took ${took} s, and the request expired meanwhile`);
}

/** Makes an action happen through the target's driver. What it speaks of may not be there: then it is not possible. */
export async function drive(order: Drive, step: string, ctx: CaseContext, world: World): Promise<Driven> {
  const { action, driver, of, given } = order;
  const subject = subjectOf(of, ctx);
  const scope = createScope(ctx, world, { request: subject, with: given, env: driver.env });
  const asked = world.timeline.now();
  try {
    const driven = await driveBy(order, scope, { step, subject, ctx, world });
    if (driven.done && driven.at !== undefined) requireAlive(action, subject, { asked, at: driven.at });
    return driven;
  } catch (error) {
    if (error instanceof MissingValue) return { done: false, summary: error.message };
    throw error;
  }
}

export function requireDriver(action: string, world: World): Driver {
  const driver = world.target.drivers[action];
  if (driver === undefined) throw new Unmet(`the target has no driver for ${action}`);
  return driver;
}
