import { defineCheck } from '../../../judge/check.ts';
import { responseOf } from './deliveries-of.ts';
import { mediaType } from './words.ts';

/** §2.4: the answer's media type is JSON; parameters and case are free. */
export const jsonMediaType = defineCheck((observation) => {
  const response = responseOf(observation);
  if (response?.status === undefined) return [];
  const given = response.headers['content-type'];
  if (/^application\/(?:[\w.-]+\+)?json$/.test(mediaType(given))) return [];
  return [{ path: 'headers.content-type', expected: 'application/json', actual: given ?? null }];
});
