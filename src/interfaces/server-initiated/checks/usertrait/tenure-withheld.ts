import { isJsonObject } from '../../../../model/json.ts';
import { defineCheck } from '../../../../judge/check.ts';
import { responseOf } from '../deliveries-of.ts';
import { isDisclosed, isSuccess, tenureOf } from './tenure-of.ts';

/** §4.7: where nothing may be told, a refusal and the value error both tell nothing. */
export const tenureWithheld = defineCheck((observation) => {
  const response = responseOf(observation);
  if (response === undefined) return [];
  const tenure = tenureOf(response);
  const isRefused = response.status !== undefined && response.status >= 400 && response.status < 500;
  if (!isDisclosed(tenure) && (isRefused || (isSuccess(response) && tenure === 'error'))) return [];
  const actual = tenure === undefined ? response.summary : `${response.summary}, sim_tenure ${JSON.stringify(tenure)}`;
  return [{ expected: 'a 4xx answer or the value error, and no tenure', actual }];
});

/** §1.5, §7: what the carrier cannot tell is error, or an error in JSON whose shape is not shown (A6). */
export const tenureUndetermined = defineCheck((observation) => {
  const response = responseOf(observation);
  if (response === undefined) return [];
  const tenure = tenureOf(response);
  const isError = response.status !== undefined && response.status >= 400 && isJsonObject(response.body);
  if (!isDisclosed(tenure) && (isError || (isSuccess(response) && tenure === 'error'))) return [];
  const actual = tenure === undefined ? response.summary : `${response.summary}, sim_tenure ${JSON.stringify(tenure)}`;
  return [{ expected: 'the value error, or an error answer in JSON', actual }];
});

/** §4.7: who is refused learns nothing. */
export const tenureOnlyInSuccess = defineCheck((observation) => {
  const response = responseOf(observation);
  if (response === undefined || isSuccess(response)) return [];
  const tenure = tenureOf(response);
  if (!isDisclosed(tenure)) return [];
  return [{ path: 'body.sim_tenure', expected: 'no tenure in a refusal', actual: tenure ?? null }];
});
