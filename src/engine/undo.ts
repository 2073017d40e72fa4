import { findAction, type Undoing, undoOf } from '../model/action.ts';
import { type CaseRoom, Unmet } from './case-room.ts';
import { type Drive, drive, requireDriver } from './drive.ts';
import type { World } from './world.ts';

/** Which step changes something, and the room with whom it changes it for. */
export interface Changing {
  readonly step: string;
  readonly whose: CaseRoom;
}

/** Where a change by an action can be seen. */
export function laneOf(action: string, { client, subscriber }: Pick<CaseRoom, 'client' | 'subscriber'>): string {
  const lanes = { subscriber: `subscriber:${subscriber.name}`, client: `client:${client.name}`, keys: 'keys' };
  return lanes[findAction(action)?.mutates ?? 'subscriber'];
}

/** The driver works, and says that there is no way, or nothing to take back. */
export class NotPossible extends Unmet {}

/** Takes a change back by its own driver. Throws Unmet where that cannot be. */
export async function driveBack(
  { action, given, lacks }: Undoing,
  { step, of }: { readonly step: string; readonly of: string | undefined },
  whose: CaseRoom,
  world: World,
): Promise<void> {
  if (lacks !== undefined) throw new NotPossible(`the target file has no ${lacks} of ${whose.subscriber.name}`);
  const driver = requireDriver(action, world);
  const { done, summary } = await drive({ action, driver, of, given }, `undo of ${step}`, whose, world);
  if (!done) throw new NotPossible(`${action} was not possible: ${summary}`);
}

/** What takes it back, when the case ends. */
export function undoLater({ action, of, given }: Drive, { step, whose }: Changing, room: CaseRoom, world: World): void {
  const undo = undoOf(action, given, whose.subscriber);
  if (undo === undefined) return;
  const run = async (): Promise<void> => {
    if (findAction(undo.action)?.raisesEvents === true) room.eventsRaisedAt = world.timeline.now();
    await driveBack(undo, { step, of }, whose, world);
  };
  room.undo = [...room.undo, { action: undo.action, lane: laneOf(action, whose), run }];
}

/** The case has taken a change back by itself. */
export function forgetUndone({ action }: Drive, { whose }: Changing, room: CaseRoom): void {
  const lane = laneOf(action, whose);
  room.undo = room.undo.filter((undo) => undo.action !== action || undo.lane !== lane);
}
