import type { Observation, ResponseObservation } from '../../judge/observation.ts';
import { isThrottled } from '../../judge/throttled.ts';
import { cutAt } from '../../lib/cut.ts';
import { textMemberOf } from '../../lib/json.ts';
import type { CaseContext } from '../context/case-context.ts';

/** Characters of an error_description that are shown. */
const longest = 200;

const refused: ReadonlySet<ResponseObservation['outcome']> = new Set(['denied', 'redirected', 'broken']);

/** The carrier answered, and did not accept. What is about its load says nothing of the request. */
export const isRefusal = (observation: Observation): observation is ResponseObservation =>
  observation.kind === 'response' && refused.has(observation.outcome) && !isThrottled(observation);

/** `denied 400 invalid_request, "redirect_uri is not registered"`: what came, with the words of the carrier. */
export function summaryWithDescription(observation: Observation): string {
  const given = observation.kind === 'response' ? textMemberOf(observation.body, 'error_description') : undefined;
  if (given === undefined || given === '') return observation.summary;
  return `${observation.summary}, ${JSON.stringify(cutAt(given, longest))}`;
}

/** The request had nothing different from the valid one. */
function isPlain({ message }: ResponseObservation, { state }: CaseContext): boolean {
  const sent = state.messages.findLast(({ id }) => id === message);
  return sent?.kind === 'exchange' && sent.purpose === 'request' && sent.differences.length === 0;
}

/** Notes of a request what the run must know of its client: whether its plain request was ever accepted. */
export function noteAccepted(observation: Observation, ctx: CaseContext): void {
  if (observation.kind !== 'response' || observation.outcome !== 'accepted' || observation.client === undefined) return;
  ctx.world.state.acceptedFrom.add(observation.client);
}

/** A control was refused: the case ends at once, and the run too where the client was never accepted. */
export function noteRefused(observation: Observation, ctx: CaseContext): void {
  if (!isRefusal(observation)) return;
  ctx.state.refused = true;
  const { client } = observation;
  // A response that is no refusal of the interface says nothing of the registration: a front server may have made it.
  if (observation.outcome !== 'denied' || client === undefined) return;
  if (ctx.world.state.acceptedFrom.has(client) || !isPlain(observation, ctx)) return;
  const summary = ctx.redactor.text(summaryWithDescription(observation));
  ctx.world.onFirstRefused?.({ client, case: ctx.case.id, summary });
}
