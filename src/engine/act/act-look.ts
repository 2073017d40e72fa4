import type { ResponseObservation, LookObservation, Observation } from '../../judge/observation.ts';
import type { Json } from '../../model/json.ts';
import type { AskDriver, Driver } from '../../model/target.ts';
import { drive, requireAlive, requireDriver, subjectOf } from '../drive/drive.ts';
import { isMissing } from '../drive/ask-driver.ts';
import { type CaseContext, Unmet } from '../world/case-room.ts';
import { lookByAsking } from './look-by-asking.ts';
import { createScope } from '../world/scope.ts';
import type { World } from '../world/world.ts';
import type { Act } from '../../suite/verbs/table.ts';
import type { Step } from '../../suite/suites.ts';

/** What somebody who looks says of each expectation. */
async function lookBySomebody(
  driver: AskDriver,
  { step, subject }: { readonly step: Step; readonly subject: ResponseObservation | undefined },
  ctx: CaseContext,
  world: World,
): Promise<Pick<LookObservation, 'card' | 'said' | 'summary'>> {
  const summary = 'what the operator saw';
  if (isMissing('look', subject)) return { card: { shown: false }, summary };
  const asked = world.timeline.now();
  const scope = createScope(ctx, world, { request: subject, with: {}, env: driver.env });
  const { at, ...observation } = await lookByAsking(
    { action: 'look', step: step.name, driver, subject, scope },
    step,
    ctx,
    world,
  );
  requireAlive('look', subject, { asked, at });
  return { ...observation, summary };
}

/** What a driver tells of the phone. */
async function lookByDriver(
  driver: Driver,
  { act, step }: { readonly act: LookAct; readonly step: Step },
  ctx: CaseContext,
  world: World,
): Promise<Pick<LookObservation, 'card' | 'message' | 'summary'>> {
  const { done, body, message, summary } = await drive(
    { action: 'look', driver, of: act.of, given: {} },
    step.name,
    ctx,
    world,
  );
  if (done && body === undefined && driver.kind === 'exec') {
    throw new Unmet(`the driver for look printed no JSON object: ${summary}`);
  }
  const card: Json = done && body !== undefined ? cardOf(body) : { shown: false };
  return { card, summary: 'what the phone shows', ...(message === undefined ? {} : { message }) };
}

type LookAct = Act & { readonly verb: 'look' };

/** `look`: what the phone shows of a request. */
export async function look(act: LookAct, step: Step, ctx: CaseContext, world: World): Promise<Observation> {
  const sentAt = world.timeline.now() / 1000;
  const driver = requireDriver('look', world);
  const subject = subjectOf(act.of, ctx);
  const observation =
    driver.kind === 'ask'
      ? await lookBySomebody(driver, { step, subject }, ctx, world)
      : await lookByDriver(driver, { act, step }, ctx, world);
  return { kind: 'look', step: step.name, sentAt, ...observation, ...(subject === undefined ? {} : { sent: subject }) };
}

const cardOf = (body: Json): Json =>
  typeof body === 'object' && body !== null && 'card' in body ? (body['card'] ?? null) : body;
