import { defineCheck } from '../check.ts';
import { answerOf } from './deliveries-of.ts';

/** §2.3 expires_in: a carrier may grant a shorter life, never a longer one. */
export const grantedAtMostAsked = defineCheck((seen) => {
  const answer = answerOf(seen);
  const asked = answer?.claims?.['expires_in'];
  if (answer?.granted === undefined || typeof asked !== 'number' || answer.granted <= asked) return [];
  return [{ path: 'body.expires_in', expected: `at most ${asked} s`, actual: answer.granted }];
});
