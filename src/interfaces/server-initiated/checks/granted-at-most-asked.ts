import { defineCheck } from '../../../judge/check.ts';
import { responseOf } from './deliveries-of.ts';

/** §2.3 expires_in: a carrier may grant a shorter life, never a longer one. */
export const grantedAtMostAsked = defineCheck((observation) => {
  const response = responseOf(observation);
  const asked = response?.claims?.['expires_in'];
  if (response?.granted === undefined || typeof asked !== 'number' || response.granted <= asked) return [];
  return [{ path: 'body.expires_in', expected: `at most ${asked} s`, actual: response.granted }];
});
