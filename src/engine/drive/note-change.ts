import type { AnswerSeen } from '../../judge/observation.ts';
import { findAction } from '../../model/action.ts';
import type { Json } from '../../model/json.ts';
import type { Ties } from '../../wire/correlate.ts';
import type { CaseRoom, Undo } from '../world/case-room.ts';
import type { Change } from '../world/aside.ts';
import { watchedLife } from '../world/watched-life.ts';
import type { World } from '../world/world.ts';

/** Says that a request object goes out, and what came of it: it may outlive a run that is killed. */
export async function noteRequest(
  { life, ties }: { readonly life: Json | undefined; readonly ties: Ties },
  send: () => Promise<AnswerSeen>,
  room: CaseRoom,
  { keep, random, timeline }: World,
): Promise<AnswerSeen> {
  if (keep === undefined) return send();
  const request = { id: random(8), case: room.case.id, subscriber: room.subscriber.name };
  keep({ what: 'sent', sent: { ...request, ties, until: timeline.now() + watchedLife(life) * 1000 } });
  const answer = await send();
  // Without an answer nobody knows whether it is pending.
  if (answer.outcome === 'accepted') keep({ what: 'accepted', accepted: { ...request, step: answer.step, answer } });
  else if (answer.outcome !== 'no-answer') keep({ what: 'refused', id: request.id });
  return answer;
}

/** Says what is about to be changed before it is done: a run that is killed meanwhile knows when it goes on. Gives its id. */
export function noteChange(
  { action, of, given, step, subscriber }: Omit<Change, 'id' | 'case' | 'at'>,
  room: CaseRoom,
  { keep, random, timeline }: World,
): string | undefined {
  const found = findAction(action);
  if (keep === undefined || (found?.undo === undefined && found?.raisesEvents !== true)) return undefined;
  const id = random(8);
  const at = timeline.now();
  keep({ what: 'change', change: { id, case: room.case.id, step, action, subscriber, of, given, at } });
  return id;
}

/** Says when a change was made, where that took its time. */
export function noteChanged(note: string | undefined, at: number, { keep }: World): void {
  if (note !== undefined) keep?.({ what: 'changed', id: note, at });
}

/** Says that a change has been taken back, or was never made: nobody is to take it back once more. */
export function noteUndone({ note }: Pick<Undo, 'note'>, { keep, timeline }: World): void {
  if (note !== undefined) keep?.({ what: 'undone', id: note, at: timeline.now() });
}
