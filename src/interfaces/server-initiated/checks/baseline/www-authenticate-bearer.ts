import { defineCheck } from '../../../../judge/check.ts';
import { responseOf } from '../deliveries-of.ts';

/** RFC 6750 §3: a refused call of a protected resource says how to authenticate. */
export const wwwAuthenticateBearer = defineCheck((observation) => {
  const response = responseOf(observation);
  if (response?.status === undefined) return [];
  const given = response.headers['www-authenticate'];
  if (given !== undefined && /(?:^|,\s*)bearer\b/i.test(given)) return [];
  return [{ path: 'headers.www-authenticate', expected: 'a Bearer challenge', actual: given ?? null }];
});
