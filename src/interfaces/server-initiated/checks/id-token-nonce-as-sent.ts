import { defineCheck } from '../../../judge/check.ts';
import { sameJson } from '../../../judge/path.ts';
import { deliveriesOf } from './deliveries-of.ts';

/** §2.3 nonce: included in the id token; not invented where none was sent. */
export const idTokenNonceAsSent = defineCheck((observation) =>
  deliveriesOf(observation).flatMap(({ idToken, sent }) => {
    if (idToken === undefined) return [];
    const wanted = sent.claims?.['nonce'];
    const given = idToken['nonce'];
    if (wanted === undefined ? given === undefined : sameJson(wanted, given)) return [];
    const expected = wanted === undefined ? 'no nonce' : `nonce ${JSON.stringify(wanted)}`;
    return [{ path: 'idToken.nonce', expected, actual: given ?? null }];
  }),
);
