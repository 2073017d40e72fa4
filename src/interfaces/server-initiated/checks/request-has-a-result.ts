import { defineCheck } from '../../../judge/check.ts';

/** §2.3 prompt: the result comes somewhere: as a refusal at once, or by callback. */
export const requestHasAResult = defineCheck((observation) => {
  if (observation.kind !== 'await' || observation.count > 0 || observation.sent.outcome === 'denied') return [];
  return [{ expected: 'a refusal or a callback', actual: `${observation.sent.summary}, then ${observation.summary}` }];
});
