import { defineCheck } from '../../../judge/check.ts';
import { deliveriesOf } from './deliveries-of.ts';
import { mediaType } from './words.ts';

/** §4.2: the callback's content-type is application/json; parameters and case are free. */
export const contentTypeApplicationJson = defineCheck((observation) =>
  deliveriesOf(observation).flatMap(({ headers }) => {
    const given = headers['content-type'];
    if (mediaType(given) === 'application/json') return [];
    return [{ path: 'headers.content-type', expected: 'application/json', actual: given ?? null }];
  }),
);
