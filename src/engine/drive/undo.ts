import { findAction, type Undoing, undoOf } from '../../model/action.ts';
import { Interrupted } from '../clock/timeline.ts';
import { type CaseContext, type Undo, Unmet } from '../context/case-context.ts';
import { drive } from './drive.ts';
import type { Drive } from './driver.ts';
import { recordUndone } from './record-change.ts';

/** A change that a step makes. */
export interface Changing {
  readonly order: Drive;
  /** The context with the subscriber that is changed. */
  readonly whose: CaseContext;
  /** Id of its recovery record. */
  readonly note: string | undefined;
}

/** Where a change by an action can be seen. */
export function lockOf(action: string, { client, subscriber }: Pick<CaseContext, 'client' | 'subscriber'>): string {
  const locks = { subscriber: `subscriber:${subscriber.name}`, client: `client:${client.name}`, keys: 'keys' };
  return locks[findAction(action)?.mutates ?? 'subscriber'];
}

/** The driver works, and says that undoing is not possible, or that there is nothing to undo. */
export class NotPossible extends Unmet {}

/** Undoes a change by its own driver. Throws Unmet where that cannot be. */
export async function driveBack(
  { action, given, missing }: Undoing,
  { step, of }: Pick<Undo, 'step' | 'of'>,
  whose: CaseContext,
): Promise<void> {
  if (missing !== undefined) throw new NotPossible(`the target file has no ${missing} of ${whose.subscriber.name}`);
  const { done, summary } = await drive({ action, of, given, step: `undo of ${step}` }, whose);
  if (!done) throw new NotPossible(`${action} was not possible: ${summary}`);
}

/** Remembers what undoes a change when the case ends. */
export function undoLater({ order, whose, note }: Changing, { state }: CaseContext): void {
  const { action, step, of, given = {} } = order;
  const undoing = undoOf(action, given, whose.subscriber);
  if (undoing === undefined) return;
  state.undo = [...state.undo, { undoing, step, of, whose, lock: lockOf(action, whose), note }];
}

/** Forgets what the case itself has undone. */
export function forgetUndone({ order, whose }: Changing, ctx: CaseContext): void {
  const lock = lockOf(order.action, whose);
  const isUndone = (undo: Undo): boolean => undo.undoing.action === order.action && undo.lock === lock;
  for (const undo of ctx.state.undo.filter(isUndone)) recordUndone(undo, ctx);
  ctx.state.undo = ctx.state.undo.filter((undo) => !isUndone(undo));
}

async function undoOne(undo: Undo, ctx: CaseContext): Promise<void> {
  const { undoing, whose } = undo;
  const { state } = ctx;
  if (findAction(undoing.action)?.raisesEvents === true) state.eventsRaised.set(whose.subscriber.name, ctx.now());
  await driveBack(undoing, undo, whose.within(ctx.world));
  state.undo = state.undo.filter((one) => one !== undo);
  recordUndone(undo, ctx);
}

/** A change that stays, and why. */
export interface NotUndone {
  readonly undo: Undo;
  readonly error: unknown;
}

/** Undoes what a case has changed, the last first. Gives what could not be undone. Throws Interrupted. */
export async function undoAll(ctx: CaseContext): Promise<readonly NotUndone[]> {
  const left: NotUndone[] = [];
  for (const undo of ctx.state.undo.toReversed()) {
    try {
      await undoOne(undo, ctx);
    } catch (error) {
      if (error instanceof Interrupted) throw error;
      left.push({ undo, error });
    }
  }
  return left;
}
