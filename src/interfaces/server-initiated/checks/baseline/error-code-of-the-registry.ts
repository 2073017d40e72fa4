import { defineCheck } from '../../../../judge/check.ts';
import { registeredErrors } from '../error-code-known.ts';
import { memberOf } from '../words.ts';

/** SEC-44: the error member, where there is one, is a registered code. */
export const errorCodeOfTheRegistry = defineCheck((observation) => {
  const error = 'body' in observation ? memberOf(observation.body, 'error') : undefined;
  if (error === undefined || (typeof error === 'string' && registeredErrors.has(error))) return [];
  return [{ path: 'body.error', expected: 'a code of OpenID Connect, OAuth, CIBA or the platform', actual: error }];
});
