import { defineCheck } from '../../../judge/check.ts';
import { sameJson } from '../../../judge/path.ts';
import { deliveriesOf } from './deliveries-of.ts';
import { memberOf } from './words.ts';

/** §2.6: optional on errors; where it is there, it is the request's. */
export const correlationIdEqualWherePresent = defineCheck((observation) =>
  deliveriesOf(observation).flatMap(({ body, sent }) => {
    const given = memberOf(body, 'correlation_id');
    const wanted = sent.claims?.['correlation_id'];
    if (given === undefined || sameJson(given, wanted) || (wanted === undefined && given === '')) return [];
    const expected = wanted === undefined ? 'no correlation_id' : `correlation_id ${JSON.stringify(wanted)}`;
    return [{ path: 'body.correlation_id', expected, actual: given }];
  }),
);
