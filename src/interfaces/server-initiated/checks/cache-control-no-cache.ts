import { defineCheck } from '../../../judge/check.ts';
import { deliveriesOf } from './deliveries-of.ts';
import { hasDirective } from './words.ts';

/** §4.2: cache-control has the directive no-cache. */
export const cacheControlNoCache = defineCheck((observation) =>
  deliveriesOf(observation).flatMap(({ headers }) => {
    const given = headers['cache-control'];
    if (hasDirective(given, 'no-cache')) return [];
    return [{ path: 'headers.cache-control', expected: 'no-cache', actual: given ?? null }];
  }),
);
