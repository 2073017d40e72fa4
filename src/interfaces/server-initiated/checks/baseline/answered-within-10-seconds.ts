import { defineCheck } from '../../../../judge/check.ts';
import { responseOf } from '../deliveries-of.ts';
import { judgeTime } from '../../../../judge/time-taken.ts';

/** SEC-22: an answer comes within 10 seconds of real time, whatever has to be parsed for it. */
export const answeredWithin10Seconds = defineCheck((observation) => {
  const response = responseOf(observation);
  return response === undefined ? [] : judgeTime(response.took / 1000, response, 10);
});
