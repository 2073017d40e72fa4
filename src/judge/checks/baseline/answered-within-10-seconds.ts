import { defineCheck } from '../../check.ts';
import { answerOf } from '../deliveries-of.ts';
import { judgeTime } from '../../time-taken.ts';

/** SEC-22: an answer comes within 10 seconds of real time, whatever has to be parsed for it. */
export const answeredWithin10Seconds = defineCheck((seen) => {
  const answer = answerOf(seen);
  return answer === undefined ? [] : judgeTime(answer.took / 1000, answer, 10);
});
