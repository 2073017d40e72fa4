import { isJsonObject } from '../../../../model/json.ts';
import { type CheckMismatch, defineCheck } from '../../../../judge/check.ts';
import { responseOf } from '../deliveries-of.ts';
import { mediaType, memberOf } from '../words.ts';
import { isSuccess } from './tenure-of.ts';

/** §4.7: success is HTTP 200 with JSON that has sim_tenure. */
export const tenureResponseForm = defineCheck((observation) => {
  const response = responseOf(observation);
  if (response?.status === undefined || !isSuccess(response)) return [];
  const found: CheckMismatch[] = [];
  if (response.status !== 200) found.push({ path: 'status', expected: 'HTTP 200', actual: response.status });
  const type = mediaType(response.headers['content-type']);
  if (type !== 'application/json') {
    found.push({ path: 'headers.content-type', expected: 'application/json', actual: type });
  }
  if (!isJsonObject(response.body) || memberOf(response.body, 'sim_tenure') === undefined) {
    found.push({ path: 'body', expected: 'a JSON object with sim_tenure', actual: response.body ?? response.text });
  }
  return found;
});

const values: ReadonlySet<unknown> = new Set(['true', 'false', 'error']);

/** §2.8, §7: a string; a JSON boolean only warns (A6). */
export const tenureValue = defineCheck((observation) => {
  const response = responseOf(observation);
  if (response === undefined || !isSuccess(response)) return [];
  const value = memberOf(response.body, 'sim_tenure');
  if (value === undefined || values.has(value)) return [];
  const mismatch: CheckMismatch = {
    path: 'body.sim_tenure',
    expected: 'the string true, false or error',
    actual: value,
  };
  return [typeof value === 'boolean' ? { aspect: 'boolean', ...mismatch } : mismatch];
});
