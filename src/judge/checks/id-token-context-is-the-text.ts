import { defineCheck } from '../check.ts';
import { deliveriesOf } from './deliveries-of.ts';
import { claimText } from './words.ts';

/** §2.3 context: the id token carries it in clear text; a carrier that shows less may truncate it. */
export const idTokenContextIsTheText = defineCheck((seen) =>
  deliveriesOf(seen).flatMap(({ idToken, sent }) => {
    const wanted = claimText(sent.claims, 'context');
    if (idToken === undefined || wanted === undefined || idToken['context'] === wanted) return [];
    const given = idToken['context'];
    const found = { path: 'idToken.context', expected: `context ${JSON.stringify(wanted)}`, actual: given ?? null };
    const cut = typeof given === 'string' && given !== '' && wanted.startsWith(given.replace(/(?:\.{3}|…)$/, ''));
    return [cut ? { ...found, aspect: 'truncated' } : found];
  }),
);
