import { defineCheck } from '../../../judge/check.ts';
import { deliveriesOf } from './deliveries-of.ts';
import { claimText } from './words.ts';

/** A17: only what the pattern surely allows is judged. */
const surelyValid = /^[A-Za-z0-9%-]{8,240}$/;

/** §2.3 context: the id token carries it in clear text; a carrier that shows less may truncate it. */
export const idTokenContextIsTheText = defineCheck((observation) =>
  deliveriesOf(observation).flatMap(({ idToken, sent }) => {
    const wanted = claimText(sent.claims, 'context');
    if (idToken === undefined || wanted === undefined || !surelyValid.test(wanted)) return [];
    const given = idToken['context'];
    if (given === wanted) return [];
    const found = { path: 'idToken.context', expected: `context ${JSON.stringify(wanted)}`, actual: given ?? null };
    const beginning = typeof given === 'string' ? given.replace(/(?:\.{3}|…)$/, '') : '';
    const cut = beginning !== '' && wanted.startsWith(beginning);
    return [cut ? { ...found, aspect: 'truncated' } : found];
  }),
);
