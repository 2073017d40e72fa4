import { type CheckMismatch, defineCheck } from '../../check.ts';
import type { AnswerSeen } from '../../observation.ts';
import { answerOf } from '../deliveries-of.ts';
import { hasDirective } from '../words.ts';

function judge({ headers }: AnswerSeen): CheckMismatch[] {
  const given = headers['cache-control'];
  if (hasDirective(given, 'no-store')) return [];
  return [{ path: 'headers.cache-control', expected: 'no-store', actual: given ?? null }];
}

/** RFC 9111 §5.2.2.5: among the directives of an answer is no-store. */
export const cacheControlNoStore = defineCheck((seen) => {
  const answer = answerOf(seen);
  return answer?.status === undefined ? [] : judge(answer);
});

/** RFC 6749 §5.1: the same of an answer with tokens or other sensitive content; a refusal has none. */
export const sensitiveAnswerNotStored = defineCheck((seen) => {
  const answer = answerOf(seen);
  return answer?.outcome === 'accepted' ? judge(answer) : [];
});
