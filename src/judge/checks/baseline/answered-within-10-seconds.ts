import { defineCheck } from '../../check.ts';
import { answerOf } from '../deliveries-of.ts';

const most = 10_000;

/** SEC-22: an answer comes within 10 seconds of real time, whatever has to be parsed for it. */
export const answeredWithin10Seconds = defineCheck((seen) => {
  const answer = answerOf(seen);
  if (answer === undefined) return [];
  const took = answer.took - (answer.lag ?? 0) * 1000;
  if (took <= most) return [];
  return [{ expected: 'an answer within 10 s', actual: `${(took / 1000).toFixed(1)} s` }];
});
