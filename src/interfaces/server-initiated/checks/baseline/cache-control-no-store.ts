import { type CheckMismatch, defineCheck } from '../../../../judge/check.ts';
import type { ResponseObservation } from '../../../../judge/observation.ts';
import { responseOf } from '../deliveries-of.ts';
import { hasDirective } from '../words.ts';

function judge({ headers }: ResponseObservation): CheckMismatch[] {
  const given = headers['cache-control'];
  if (hasDirective(given, 'no-store')) return [];
  return [{ path: 'headers.cache-control', expected: 'no-store', actual: given ?? null }];
}

/** RFC 9111 §5.2.2.5: among the directives of an answer is no-store. */
export const cacheControlNoStore = defineCheck((observation) => {
  const response = responseOf(observation);
  return response?.status === undefined ? [] : judge(response);
});

/** RFC 6749 §5.1: the same of an answer with tokens or other sensitive content; a refusal has none. */
export const sensitiveResponseNotStored = defineCheck((observation) => {
  const response = responseOf(observation);
  return response?.outcome === 'accepted' ? judge(response) : [];
});
