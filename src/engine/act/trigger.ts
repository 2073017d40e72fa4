import type { TriggerObservation } from '../../judge/observation.ts';
import type { Trigger } from '../../suite/verbs/trigger.ts';
import type { Step } from '../../suite/suites.ts';
import { defined } from '../../lib/json.ts';
import { Interrupted } from '../clock/timeline.ts';
import { type CaseContext, Unmet } from '../context/case-context.ts';
import { subscriberFor } from '../context/scope.ts';
import {
  type Changing,
  forgetUndone,
  noteEvents,
  undoLater,
  recordChange,
  recordChanged,
  recordUndone,
} from '../drive/changes.ts';
import { drive, kindOf, requireDriver } from '../drive/drive.ts';
import type { Drive, Driven } from '../drive/driver.ts';

/** Notes a change that may have been made at this moment, and the events that it may raise. */
function changedAt(at: number, { note, order, whose }: Changing, ctx: CaseContext): void {
  noteEvents({ action: order.action, whose }, at, ctx);
  recordChanged(note, at, ctx);
}

/** Drives, and registers the undo, also if the driver failed but may have made the change. */
async function driveOrUndo(order: Drive, whose: CaseContext, ctx: CaseContext): Promise<Driven> {
  const { action, step, of, given = {} } = order;
  const note = recordChange({ action, step, of, given, subscriber: whose.subscriber.name }, ctx);
  const changing: Changing = { order, whose, note };
  noteEvents({ action, whose }, ctx.now(), ctx);
  try {
    const driven = await drive(order, whose);
    if (driven.done) {
      if (driven.at !== undefined) changedAt(driven.at, changing, ctx);
      forgetUndone(changing, ctx);
      undoLater(changing, ctx);
    } else recordUndone(changing, ctx);
    return driven;
  } catch (error) {
    if (error instanceof Unmet || error instanceof Interrupted) {
      changedAt(ctx.now(), changing, ctx);
      undoLater(changing, ctx);
    }
    throw error;
  }
}

/** Longest time a driver may take for a step with a moment, in milliseconds, beyond `takesEffect` of the target file. */
const slowest = 60_000;

/** `trigger`: makes something happen at the carrier or on the phone. */
export async function trigger(act: Trigger, step: Step, ctx: CaseContext): Promise<TriggerObservation> {
  const { action, of, subscriber } = act;
  const driver = requireDriver(action, ctx);
  const scope = ctx.scope();
  const given = Object.fromEntries(act.with.map(([name, value]) => [name, value.evaluate(scope)]));
  const asked = ctx.now();
  const other = subscriber === undefined ? ctx.subscriber : subscriberFor(ctx.world.target, subscriber, ctx.subscriber);
  if (other === undefined) throw new Unmet(`the target has no other subscriber ${subscriber}`);
  const driven = await driveOrUndo(
    { action, of, given, step: step.name },
    other === ctx.subscriber ? ctx : ctx.about(other),
    ctx,
  );
  const { done, summary, at = asked, message, status, body } = driven;
  if (!done && !act.ifPossible) throw new Unmet(`${action} was not possible: ${summary}`);
  const took = at - asked - (done ? (driver.takesEffect ?? 0) * 1000 : 0);
  if (step.at !== undefined && took > slowest) {
    throw new Unmet(`the driver for ${action} took ${(took / 1000).toFixed(0)} s, so it was not done when it was due`);
  }
  return {
    kind: 'trigger',
    step: step.name,
    sentAt: at / 1000,
    done,
    summary: `${action} ${done ? 'done' : 'not possible'}${kindOf(driver).quoted ? `: ${summary}` : ''}`,
    ...defined({ message, status, body }),
  };
}
