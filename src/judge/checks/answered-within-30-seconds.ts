import { defineCheck } from '../check.ts';
import { answerOf } from './deliveries-of.ts';
import { judgeTime } from '../time-taken.ts';

/** §4.1: later errors come by callback, so the answer does not wait for the user. */
export const answeredWithin30Seconds = defineCheck((seen) => {
  const answer = answerOf(seen);
  return answer === undefined ? [] : judgeTime(answer.receivedAt - answer.sentAt, answer, 30);
});
