import type { ResponseObservation } from '../../judge/observation.ts';
import { findAction } from '../../model/action.ts';
import type { Json } from '../../model/json.ts';
import type { CorrelationKeys } from '../../wire/correlate.ts';
import type { CaseContext, Undo } from '../context/case-context.ts';
import { observedLife } from '../context/observation-window.ts';
import type { Change } from '../context/recovery-record.ts';

/** A request object that is about to be sent. */
export interface Pending {
  /** The life that it asks for. */
  readonly life: Json | undefined;
  readonly correlationKeys: CorrelationKeys;
}

/** Records that a request object goes out, and what came of it: it may outlive a run that is killed. */
export async function recordRequest(
  { life, correlationKeys }: Pending,
  send: () => Promise<ResponseObservation>,
  ctx: CaseContext,
): Promise<ResponseObservation> {
  const { keep, random } = ctx.world;
  if (keep === undefined) return send();
  const request = { id: random(8), case: ctx.case.id, subscriber: ctx.subscriber.name };
  keep({ what: 'sent', sent: { ...request, correlationKeys, until: ctx.now() + observedLife(life) * 1000 } });
  const response = await send();
  // Without a response the request may be pending or not.
  if (response.outcome === 'accepted') {
    keep({ what: 'accepted', accepted: { ...request, step: response.step, response } });
  } else if (response.outcome !== 'no-answer') keep({ what: 'refused', id: request.id });
  return response;
}

/** Records a change before it is made: a run that is killed meanwhile knows of it when it is resumed. Gives the id of the record. */
export function recordChange(change: Omit<Change, 'id' | 'case' | 'at'>, ctx: CaseContext): string | undefined {
  const { keep, random } = ctx.world;
  const action = findAction(change.action);
  if (keep === undefined || (action?.undo === undefined && action?.raisesEvents !== true)) return undefined;
  const id = random(8);
  keep({ what: 'change', change: { ...change, id, case: ctx.case.id, at: ctx.now() } });
  return id;
}

/** Records when a change was made, where that took its time. */
export function recordChanged(note: string | undefined, at: number, { world }: CaseContext): void {
  if (note !== undefined) world.keep?.({ what: 'changed', id: note, at });
}

/** Records that a change was undone, or never made, so that it is not undone once more. */
export function recordUndone({ note }: Pick<Undo, 'note'>, { world, now }: CaseContext): void {
  if (note !== undefined) world.keep?.({ what: 'undone', id: note, at: now() });
}
