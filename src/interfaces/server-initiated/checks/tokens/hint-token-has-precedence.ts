import { defineCheck } from '../../../../judge/check.ts';
import { deliveriesOf } from '../deliveries-of.ts';
import { claimText } from '../words.ts';

/** §2.3: of two hints the login_hint_token counts, so nothing comes of the user whom login_hint names. */
export const hintTokenHasPrecedence = defineCheck((observation) =>
  deliveriesOf(observation).flatMap(({ idToken, sent }) => {
    const hint = claimText(sent.claims, 'login_hint');
    const token = claimText(sent.claims, 'login_hint_token');
    if (hint === undefined || token === undefined || idToken?.['sub'] !== hint) return [];
    return [{ path: 'idToken.sub', expected: 'the user of login_hint_token', actual: `${hint}, the login_hint` }];
  }),
);
