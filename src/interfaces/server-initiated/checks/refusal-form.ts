import { defineCheck } from '../../../judge/check.ts';
import { responseOf } from './deliveries-of.ts';
import { mediaType, memberOf } from './words.ts';

const cibaStatuses: ReadonlySet<number> = new Set([401, 403]);

/**
 * §4.1, §2.5: a refusal is HTTP 400 with a JSON object that has `error`; A20: 401 and 403 so made are softer. A 429
 * refuses the haste, not the request, and is not spoken of (CFG-003).
 */
export const refusalForm = defineCheck((observation) => {
  const response = responseOf(observation);
  if (response?.status === undefined || response.status === 429) return [];
  const isJson = /^application\/(?:[\w.-]+\+)?json$/.test(mediaType(response.headers['content-type']));
  const hasError = typeof memberOf(response.body, 'error') === 'string';
  if (isJson && hasError && response.status === 400) return [];
  const expected = 'HTTP 400, application/json, a body with error';
  const type = response.headers['content-type'] ?? 'no content-type';
  const actual = `${response.summary}, ${type}${hasError ? '' : ', no error in the body'}`;
  if (isJson && hasError && cibaStatuses.has(response.status)) return [{ aspect: 'ciba-status', expected, actual }];
  return [{ expected, actual }];
});
