import { defineCheck } from '../check.ts';
import { deliveriesOf } from './deliveries-of.ts';

/** §4.2: cache-control has the directive no-cache. */
export const cacheControlNoCache = defineCheck((seen) =>
  deliveriesOf(seen).flatMap(({ headers }) => {
    const given = headers['cache-control'];
    const directives = (given ?? '').split(',').map((directive) => directive.trim().toLowerCase());
    if (directives.includes('no-cache')) return [];
    return [{ path: 'headers.cache-control', expected: 'no-cache', actual: given ?? null }];
  }),
);
