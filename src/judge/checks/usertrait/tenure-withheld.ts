import { isJsonObject } from '../../../model/json.ts';
import { defineCheck } from '../../check.ts';
import { answerOf } from '../deliveries-of.ts';
import { isDisclosed, isSuccess, tenureOf } from './tenure-of.ts';

/** §4.7: where nothing may be told, a refusal and the value error both tell nothing. */
export const tenureWithheld = defineCheck((seen) => {
  const answer = answerOf(seen);
  if (answer === undefined) return [];
  const tenure = tenureOf(answer);
  const isRefused = answer.status !== undefined && answer.status >= 400 && answer.status < 500;
  if (!isDisclosed(tenure) && (isRefused || (isSuccess(answer) && tenure === 'error'))) return [];
  const actual = tenure === undefined ? answer.summary : `${answer.summary}, sim_tenure ${JSON.stringify(tenure)}`;
  return [{ expected: 'a 4xx answer or the value error, and no tenure', actual }];
});

/** §1.5, §7: what the carrier cannot tell is error, or an error in JSON whose shape is not shown (A6). */
export const tenureUndetermined = defineCheck((seen) => {
  const answer = answerOf(seen);
  if (answer === undefined) return [];
  const tenure = tenureOf(answer);
  const isError = answer.status !== undefined && answer.status >= 400 && isJsonObject(answer.body);
  if (!isDisclosed(tenure) && (isError || (isSuccess(answer) && tenure === 'error'))) return [];
  const actual = tenure === undefined ? answer.summary : `${answer.summary}, sim_tenure ${JSON.stringify(tenure)}`;
  return [{ expected: 'the value error, or an error answer in JSON', actual }];
});

/** §4.7: who is refused learns nothing. */
export const tenureOnlyInSuccess = defineCheck((seen) => {
  const answer = answerOf(seen);
  if (answer === undefined || isSuccess(answer)) return [];
  const tenure = tenureOf(answer);
  if (!isDisclosed(tenure)) return [];
  return [{ path: 'body.sim_tenure', expected: 'no tenure in a refusal', actual: tenure ?? null }];
});
