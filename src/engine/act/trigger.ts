import type { TriggerObservation } from '../../judge/observation.ts';
import type { Trigger } from '../../suite/verbs/trigger.ts';
import type { Step } from '../../suite/suites.ts';
import { omitUndefined } from '../../lib/json.ts';
import { Interrupted } from '../clock/timeline.ts';
import { type CaseContext, Unmet } from '../context/case-context.ts';
import { otherSubscriber } from '../context/scope.ts';
import {
  type ChangeInProgress,
  forgetUndo,
  noteAction,
  registerUndo,
  recordChange,
  recordChangeTime,
  recordUndo,
} from '../drive/changes.ts';
import { driveAction, driverKind, requireDriver } from '../drive/drive.ts';
import type { DriveOrder, DriveOutcome } from '../drive/driver.ts';
import { afterSeconds, type Millis, toSeconds } from '../../lib/time.ts';

/** Notes a change that may have been made at this moment, and the events that it may raise. */
function noteChange(at: Millis, { note, order, whose }: ChangeInProgress, ctx: CaseContext): void {
  noteAction({ action: order.action, whose }, at, ctx);
  recordChangeTime(note, at, ctx);
}

/** Drives, and registers the undo, also if the driver failed but may have made the change. */
async function driveOrUndo(order: DriveOrder, whose: CaseContext, ctx: CaseContext): Promise<DriveOutcome> {
  const { action, step, of, given = {} } = order;
  const note = recordChange({ action, step, of, given, subscriber: whose.subscriber.name }, ctx);
  const changing: ChangeInProgress = { order, whose, note };
  noteAction({ action, whose }, ctx.now(), ctx);
  try {
    const driven = await driveAction(order, whose);
    if (driven.done) {
      if (driven.at !== undefined) noteChange(driven.at, changing, ctx);
      forgetUndo(changing, ctx);
      registerUndo(changing, ctx);
    } else recordUndo(changing, ctx);
    return driven;
  } catch (error) {
    if (error instanceof Unmet || error instanceof Interrupted) {
      noteChange(ctx.now(), changing, ctx);
      registerUndo(changing, ctx);
    }
    throw error;
  }
}

/** Longest time a driver may take for a step with a moment, in milliseconds, beyond `takesEffect` of the target file. */
const maxDriverTime = 60_000;

/** `runTrigger`: makes something happen at the carrier or on the phone. */
export async function runTrigger(act: Trigger, step: Step, ctx: CaseContext): Promise<TriggerObservation> {
  const { action, of, subscriber } = act;
  const driver = requireDriver(action, ctx);
  const scope = ctx.scope();
  const given = Object.fromEntries(act.with.map(([name, value]) => [name, value.evaluate(scope)]));
  const asked = ctx.now();
  const other =
    subscriber === undefined ? ctx.subscriber : otherSubscriber(ctx.services.target, subscriber, ctx.subscriber);
  if (other === undefined) throw new Unmet(`the target has no other subscriber ${subscriber}`);
  const driven = await driveOrUndo(
    { action, of, given, step: step.name },
    other === ctx.subscriber ? ctx : ctx.about(other),
    ctx,
  );
  const { done, summary, at = asked, message, status, body } = driven;
  if (!done && !act.ifPossible) throw new Unmet(`${action} was not possible: ${summary}`);
  const expected = done ? afterSeconds(asked, driver.takesEffect ?? 0) : asked;
  const took = at - expected;
  if (step.at !== undefined && took > maxDriverTime) {
    throw new Unmet(`the driver for ${action} took ${(took / 1000).toFixed(0)} s, so it was not done when it was due`);
  }
  return {
    kind: 'trigger',
    step: step.name,
    sentAt: toSeconds(at),
    done,
    summary: `${action} ${done ? 'done' : 'not possible'}${driverKind(driver).quoted ? `: ${summary}` : ''}`,
    ...omitUndefined({ message, status, body }),
  };
}
