import { defineCheck } from '../../check.ts';
import { answerOf } from '../deliveries-of.ts';

/** RFC 6749 §5.1, RFC 9111 §5.2.2.5: among the directives is no-store. */
export const cacheControlNoStore = defineCheck((seen) => {
  const answer = answerOf(seen);
  if (answer?.status === undefined) return [];
  const given = answer.headers['cache-control'];
  const directives = (given ?? '').split(',').map((directive) => directive.trim().toLowerCase());
  if (directives.includes('no-store')) return [];
  return [{ path: 'headers.cache-control', expected: 'no-store', actual: given ?? null }];
});
