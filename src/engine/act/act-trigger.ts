import type { Observation, TriggerObservation } from '../../judge/observation.ts';
import { findAction } from '../../model/action.ts';
import { type CaseContext, Unmet } from '../world/case-room.ts';
import { type Drive, drive, requireDriver } from '../drive/drive.ts';
import type { Driven } from '../drive/driven.ts';
import { noteChange, noteChanged, noteUndone } from '../drive/note-change.ts';
import { createScope, subscriberFor } from '../world/scope.ts';
import { Interrupted } from '../clock/timeline.ts';
import { type Changing, forgetUndone, undoLater } from '../drive/undo.ts';
import type { World } from '../world/world.ts';
import type { Act } from '../../suite/verbs/table.ts';
import type { Step } from '../../suite/suites.ts';

/** The room with another subscriber in it, where the trigger names one. */
function subscriberOf({ subscriber }: TriggerAct, ctx: CaseContext, { target }: World): CaseContext {
  if (subscriber === undefined) return ctx;
  const found = subscriberFor(target, subscriber, ctx.subscriber);
  if (found === undefined) throw new Unmet(`the target has no other subscriber ${subscriber}`);
  return { ...ctx, subscriber: found };
}

/** Milliseconds a program or a person may take for what was due at a moment. */
const slowest = 60_000;

type TriggerAct = Act & { readonly verb: 'trigger' };

/** Drives; what may have been changed although it failed is taken back as well. */
async function driveOrTakeBack(
  order: Drive,
  { step, whose }: Omit<Changing, 'note'>,
  ctx: CaseContext,
  world: World,
): Promise<Driven> {
  const raises = findAction(order.action)?.raisesEvents === true;
  const note = noteChange({ ...order, step, subscriber: whose.subscriber.name }, ctx, world);
  const changing = { step, whose, note };
  const raise = (at: number): void => {
    if (raises) ctx.eventsRaised.set(whose.subscriber.name, at);
  };
  const changed = (at: number): void => {
    raise(at);
    noteChanged(note, at, world);
  };
  raise(world.timeline.now());
  try {
    const driven = await drive(order, step, whose, world);
    if (driven.done) {
      if (driven.at !== undefined) changed(driven.at);
      forgetUndone(order, changing, ctx, world);
      undoLater(order, changing, ctx);
    } else noteUndone(changing, world);
    return driven;
  } catch (error) {
    if (error instanceof Unmet || error instanceof Interrupted) {
      changed(world.timeline.now());
      undoLater(order, changing, ctx);
    }
    throw error;
  }
}

/** `trigger`: makes something happen at the carrier or on the phone. */
export async function trigger(act: TriggerAct, step: Step, ctx: CaseContext, world: World): Promise<Observation> {
  const driver = requireDriver(act.action, world);
  const scope = createScope(ctx, world);
  const given = Object.fromEntries(act.with.map(([name, value]) => [name, value.evaluate(scope)]));
  const whose = subscriberOf(act, ctx, world);
  const asked = world.timeline.now();
  const order: Drive = { action: act.action, driver, of: act.of, given };
  const driven = await driveOrTakeBack(order, { step: step.name, whose }, ctx, world);
  const { done, summary, at = asked } = driven;
  if (!done && !act.ifPossible) throw new Unmet(`${act.action} was not possible: ${summary}`);
  if (step.at !== undefined && at - asked > slowest) {
    throw new Unmet(
      `the driver for ${act.action} took ${((at - asked) / 1000).toFixed(0)} s, so it was not done when it was due`,
    );
  }
  const observation: TriggerObservation = {
    kind: 'trigger',
    step: step.name,
    sentAt: at / 1000,
    done,
    summary: `${act.action} ${done ? 'done' : 'not possible'}${driver.kind === 'http' ? '' : `: ${summary}`}`,
    ...(driven.message === undefined ? {} : { message: driven.message }),
    ...(driven.status === undefined ? {} : { status: driven.status }),
    ...(driven.body === undefined ? {} : { body: driven.body }),
  };
  return observation;
}
