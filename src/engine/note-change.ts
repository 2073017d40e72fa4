import type { Seen } from '../judge/observation.ts';
import { findAction } from '../model/action.ts';
import type { CaseRoom } from './case-room.ts';
import type { Change } from './resume.ts';
import type { World } from './world.ts';

/** Says that a request was accepted: it outlives a run that is killed. */
export function noteRequest(answer: Seen, room: CaseRoom, { onRequest }: World): void {
  if (answer.kind !== 'answer' || answer.outcome !== 'accepted' || answer.granted === undefined) return;
  onRequest?.({ case: room.case.id, step: answer.step, subscriber: room.subscriber.name, answer });
}

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
