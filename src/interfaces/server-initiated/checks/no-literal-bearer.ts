import { defineCheck } from '../../../judge/check.ts';
import { deliveriesOf } from './deliveries-of.ts';

const literals: ReadonlySet<string> = new Set(['', 'null', 'undefined', 'none', 'nil']);

/** §4.2: without a client_notification_token nothing is stated, but a literal null is no credential. */
export const noLiteralBearer = defineCheck((observation) =>
  deliveriesOf(observation).flatMap(({ headers }) => {
    const given = headers['authorization'];
    if (given === undefined) return [];
    const credential = given.replace(/^bearer */i, '').trim();
    if (!literals.has(credential.toLowerCase())) return [];
    return [{ path: 'headers.authorization', expected: 'no literal in place of a token', actual: given }];
  }),
);
