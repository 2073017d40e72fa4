import type { Judgeable } from '../../../judge/mismatch.ts';
import type { ResponseObservation, CallbackObservation } from '../../../judge/observation.ts';

/** The callbacks an observation consists of: one, or all that an await took. */
export function deliveriesOf(observation: Judgeable): readonly CallbackObservation[] {
  if (observation.kind === 'callback') return [observation];
  return observation.kind === 'await' ? observation.deliveries : [];
}

export function responseOf(observation: Judgeable): ResponseObservation | undefined {
  return observation.kind === 'response' ? observation : undefined;
}
