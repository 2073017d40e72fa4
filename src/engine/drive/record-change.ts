import type { ResponseObservation } from '../../judge/observation.ts';
import { findAction } from '../../model/action.ts';
import type { Json } from '../../model/json.ts';
import type { CorrelationKeys } from '../../wire/correlate.ts';
import type { CaseContext, Undo } from '../context/case-context.ts';
import type { Change } from '../context/recovery-record.ts';
import { watchedLife } from '../context/observation-window.ts';
import type { World } from '../context/world.ts';

/** Says that a request object goes out, and what came of it: it may outlive a run that is killed. */
export async function noteRequest(
  { life, correlationKeys }: { readonly life: Json | undefined; readonly correlationKeys: CorrelationKeys },
  send: () => Promise<ResponseObservation>,
  ctx: CaseContext,
  { keep, random, timeline }: World,
): Promise<ResponseObservation> {
  if (keep === undefined) return send();
  const request = { id: random(8), case: ctx.case.id, subscriber: ctx.subscriber.name };
  keep({ what: 'sent', sent: { ...request, correlationKeys, until: timeline.now() + watchedLife(life) * 1000 } });
  const response = await send();
  // Without an answer nobody knows whether it is pending.
  if (response.outcome === 'accepted')
    keep({ what: 'accepted', accepted: { ...request, step: response.step, response } });
  else if (response.outcome !== 'no-answer') keep({ what: 'refused', id: request.id });
  return response;
}

/** Says what is about to be changed before it is done: a run that is killed meanwhile knows when it goes on. Gives its id. */
export function noteChange(
  { action, of, given, step, subscriber }: Omit<Change, 'id' | 'case' | 'at'>,
  ctx: CaseContext,
  { keep, random, timeline }: World,
): string | undefined {
  const found = findAction(action);
  if (keep === undefined || (found?.undo === undefined && found?.raisesEvents !== true)) return undefined;
  const id = random(8);
  const at = timeline.now();
  keep({ what: 'change', change: { id, case: ctx.case.id, step, action, subscriber, of, given, at } });
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
