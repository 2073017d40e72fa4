import { defineCheck } from '../../../judge/check.ts';
import { responseOf } from './deliveries-of.ts';
import { judgeTime } from '../../../judge/time-taken.ts';

/** §4.1: later errors come by callback, so the answer does not wait for the user. */
export const answeredWithin30Seconds = defineCheck((observation) => {
  const response = responseOf(observation);
  return response === undefined ? [] : judgeTime(response.receivedAt - response.sentAt, response, 30);
});
