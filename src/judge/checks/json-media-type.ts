import { defineCheck } from '../check.ts';
import { answerOf } from './deliveries-of.ts';
import { mediaType } from './words.ts';

/** §2.4: the answer's media type is JSON; parameters and case are free. */
export const jsonMediaType = defineCheck((seen) => {
  const answer = answerOf(seen);
  if (answer?.status === undefined) return [];
  const given = answer.headers['content-type'];
  if (/^application\/(?:[\w.-]+\+)?json$/.test(mediaType(given))) return [];
  return [{ path: 'headers.content-type', expected: 'application/json', actual: given ?? null }];
});
