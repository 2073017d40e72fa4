import { defineCheck } from '../check.ts';

/** §2.3 prompt: the result comes somewhere: as a refusal at once, or by callback. */
export const requestHasAResult = defineCheck((seen) => {
  if (seen.kind !== 'await' || seen.count > 0 || seen.sent.outcome === 'denied') return [];
  return [{ expected: 'a refusal or a callback', actual: `${seen.sent.summary}, then ${seen.summary}` }];
});
