import { defineCheck } from '../../../judge/check.ts';
import { deliveriesOf } from './deliveries-of.ts';
import { memberOf, wordsOf } from './words.ts';

/** §2.6: scope is what the user approved, so nothing that was not asked for. */
export const scopeWithinRequest = defineCheck((observation) =>
  deliveriesOf(observation).flatMap(({ body, sent }) => {
    const asked = wordsOf(sent.claims?.['scope']);
    const extra = wordsOf(memberOf(body, 'scope')).filter((word) => !asked.includes(word));
    if (extra.length === 0) return [];
    return [{ path: 'body.scope', expected: `no scope but ${asked.join(' ')}`, actual: extra.join(' ') }];
  }),
);
