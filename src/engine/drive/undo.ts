import { findAction, type Undoing, undoOf } from '../../model/action.ts';
import { Interrupted } from '../clock/timeline.ts';
import { type CaseContext, type Undo, Unmet } from '../context/case-context.ts';
import { type Drive, drive, requireDriver } from './drive.ts';
import { noteUndone } from './record-change.ts';
import type { World } from '../context/world.ts';

/** Which step changes something, and the room with whom it changes it for. */
export interface Changing {
  readonly step: string;
  readonly whose: CaseContext;
  /** Under which it was noted. */
  readonly note: string | undefined;
}

/** Where a change by an action can be seen. */
export function lockOf(action: string, { client, subscriber }: Pick<CaseContext, 'client' | 'subscriber'>): string {
  const locks = { subscriber: `subscriber:${subscriber.name}`, client: `client:${client.name}`, keys: 'keys' };
  return locks[findAction(action)?.mutates ?? 'subscriber'];
}

/** The driver works, and says that there is no way, or nothing to take back. */
export class NotPossible extends Unmet {}

/** Takes a change back by its own driver. Throws Unmet where that cannot be. */
export async function driveBack(
  { action, given, missing }: Undoing,
  { step, of }: { readonly step: string; readonly of: string | undefined },
  whose: CaseContext,
  world: World,
): Promise<void> {
  if (missing !== undefined) throw new NotPossible(`the target file has no ${missing} of ${whose.subscriber.name}`);
  const driver = requireDriver(action, world);
  const { done, summary } = await drive({ action, driver, of, given }, `undo of ${step}`, whose, world);
  if (!done) throw new NotPossible(`${action} was not possible: ${summary}`);
}

/** What takes it back, when the case ends. */
export function undoLater({ action, of, given }: Drive, { step, whose, note }: Changing, ctx: CaseContext): void {
  const undoing = undoOf(action, given, whose.subscriber);
  if (undoing === undefined) return;
  ctx.undo = [...ctx.undo, { undoing, step, of, whose, lock: lockOf(action, whose), note }];
}

/** The case has taken a change back by itself. */
export function forgetUndone({ action }: Drive, { whose }: Changing, ctx: CaseContext, world: World): void {
  const lock = lockOf(action, whose);
  const isUndone = (undo: Undo): boolean => undo.undoing.action === action && undo.lock === lock;
  for (const undo of ctx.undo.filter(isUndone)) noteUndone(undo, world);
  ctx.undo = ctx.undo.filter((undo) => !isUndone(undo));
}

async function takeBackOne(undo: Undo, ctx: CaseContext, world: World): Promise<void> {
  const { undoing, whose } = undo;
  if (findAction(undoing.action)?.raisesEvents === true) {
    ctx.eventsRaised.set(whose.subscriber.name, world.timeline.now());
  }
  await driveBack(undoing, undo, whose, world);
  ctx.undo = ctx.undo.filter((one) => one !== undo);
  noteUndone(undo, world);
}

/** A change that stays, and why. */
export interface NotTakenBack {
  readonly undo: Undo;
  readonly error: unknown;
}

/** Takes back what a case has changed, the last first. Gives what could not be. Throws Interrupted. */
export async function takeBackAll(ctx: CaseContext, world: World): Promise<readonly NotTakenBack[]> {
  const left: NotTakenBack[] = [];
  for (const undo of ctx.undo.toReversed()) {
    try {
      await takeBackOne(undo, ctx, world);
    } catch (error) {
      if (error instanceof Interrupted) throw error;
      left.push({ undo, error });
    }
  }
  return left;
}
