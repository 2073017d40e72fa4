import type { Judgeable } from '../mismatch.ts';
import type { AnswerSeen, CallbackSeen } from '../observation.ts';

/** The callbacks an observation consists of: one, or all that an await took. */
export function deliveriesOf(seen: Judgeable): readonly CallbackSeen[] {
  if (seen.kind === 'callback') return [seen];
  return seen.kind === 'await' ? seen.deliveries : [];
}

export function answerOf(seen: Judgeable): AnswerSeen | undefined {
  return seen.kind === 'answer' ? seen : undefined;
}
