import { findAction } from '../model/action.ts';
import type { CaseRoom } from './case-room.ts';
import type { Change } from './resume.ts';
import type { World } from './world.ts';

/** Says what is about to be changed before it is done: a run that is killed meanwhile knows when it goes on. */
export function noteChange(
  { action, of, given, step, subscriber }: Omit<Change, 'case' | 'at'>,
  room: CaseRoom,
  { onChange, timeline }: World,
): void {
  const found = findAction(action);
  if (found?.undo === undefined && found?.raisesEvents !== true) return;
  onChange?.({ case: room.case.id, step, action, subscriber, of, given, at: timeline.now() });
}
