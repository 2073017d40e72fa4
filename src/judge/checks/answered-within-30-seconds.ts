import { defineCheck } from '../check.ts';
import { answerOf } from './deliveries-of.ts';

const limit = 30;

/** §4.1: later errors come by callback, so the answer does not wait for the user. */
export const answeredWithin30Seconds = defineCheck((seen) => {
  const answer = answerOf(seen);
  if (answer === undefined) return [];
  const took = Math.round((answer.receivedAt - answer.sentAt - (answer.lag ?? 0)) * 10) / 10;
  return took <= limit ? [] : [{ expected: `an answer within ${limit} s`, actual: `${took} s` }];
});
