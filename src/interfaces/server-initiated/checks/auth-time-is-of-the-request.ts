import { defineCheck } from '../../../judge/check.ts';
import { deliveriesOf } from './deliveries-of.ts';

/** §2.3, §8: an authentication less than 60 s old may satisfy prompt login. */
const guard = 60;

/** §2.3 prompt login: the user authenticated for this request. */
export const authTimeIsOfTheRequest = defineCheck((observation) =>
  deliveriesOf(observation).flatMap(({ idToken, sent }) => {
    const iat = sent.claims?.['iat'];
    const authTime = idToken?.['auth_time'];
    // What else the id token holds is not shown: only an auth_time that is there can be wrong.
    if (authTime === undefined || typeof iat !== 'number') return [];
    if (typeof authTime === 'number' && authTime >= iat - guard) return [];
    const expected = `auth_time not before ${iat - guard}, ${guard} s before the request was signed`;
    return [{ path: 'idToken.auth_time', expected, actual: authTime }];
  }),
);
