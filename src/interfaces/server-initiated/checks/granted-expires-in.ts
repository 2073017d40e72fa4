import { defineCheck } from '../../../judge/check.ts';
import { responseOf } from './deliveries-of.ts';
import { memberOf } from './words.ts';

/** §2.4, A2: seconds as an integer above 0 or digits in a string; the published pattern, a slip, is softer. */
export const grantedExpiresIn = defineCheck((observation) => {
  const response = responseOf(observation);
  if (response === undefined) return [];
  const granted = memberOf(response.body, 'expires_in');
  if (typeof granted === 'number' && Number.isSafeInteger(granted) && granted > 0) return [];
  if (typeof granted === 'string' && /^[0-9]{1,10}$/.test(granted) && Number(granted) > 0) return [];
  const found = {
    path: 'body.expires_in',
    expected: 'an integer above 0, or up to 10 digits in a string',
    actual: granted ?? null,
  };
  const published = typeof granted === 'string' && /^ccid-[ 0-9]{2,10}$/.test(granted);
  return [published ? { ...found, aspect: 'published-pattern' } : found];
});
