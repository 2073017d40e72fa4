import { defineCheck } from '../../../judge/check.ts';
import { deliveriesOf } from './deliveries-of.ts';
import { claimText } from './words.ts';

/** §2.3 sub: it names the SP; the person is who login_hint says, where no login_hint_token takes precedence. */
export const idTokenNamesTheHintedSubscriber = defineCheck((observation) =>
  deliveriesOf(observation).flatMap(({ idToken, sent }) => {
    const hint = claimText(sent.claims, 'login_hint');
    if (sent.claims?.['login_hint_token'] !== undefined) return [];
    if (idToken === undefined || hint === undefined || !/^\d{5,6}-/.test(hint) || idToken['sub'] === hint) return [];
    return [{ path: 'idToken.sub', expected: `the login_hint ${hint}`, actual: idToken['sub'] ?? null }];
  }),
);
