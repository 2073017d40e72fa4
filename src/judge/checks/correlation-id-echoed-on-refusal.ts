import { defineCheck } from '../check.ts';
import { sameJson } from '../path.ts';
import { answerOf } from './deliveries-of.ts';
import { memberOf } from './words.ts';

/** §2.5: a refusal echoes correlation_id; A20: where the carrier could not read the object, softer; where there was none to read, nothing is asked. */
export const correlationIdEchoedOnRefusal = defineCheck((seen) => {
  const answer = answerOf(seen);
  const sent = answer?.claims?.['correlation_id'];
  if (answer === undefined || typeof sent !== 'string' || sent === '' || answer.readable === 'not at all') return [];
  const echoed = memberOf(answer.body, 'correlation_id');
  if (sameJson(echoed, sent)) return [];
  const mismatch = {
    path: 'body.correlation_id',
    expected: `correlation_id is ${JSON.stringify(sent)}`,
    actual: echoed ?? null,
  };
  return [answer.readable === 'verified' ? mismatch : { ...mismatch, aspect: 'unreadable-object' }];
});
