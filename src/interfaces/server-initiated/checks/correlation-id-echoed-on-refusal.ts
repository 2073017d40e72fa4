import { defineCheck } from '../../../judge/check.ts';
import { sameJson } from '../../../judge/path.ts';
import { responseOf } from './deliveries-of.ts';
import { memberOf } from './words.ts';

/** §2.5: a refusal echoes correlation_id; A20: where the carrier could not read the object, softer; where there was none to read, nothing is asked. */
export const correlationIdEchoedOnRefusal = defineCheck((observation) => {
  const response = responseOf(observation);
  const sent = response?.claims?.['correlation_id'];
  if (response === undefined || typeof sent !== 'string' || sent === '' || response.readable === 'not at all')
    return [];
  const echoed = memberOf(response.body, 'correlation_id');
  if (sameJson(echoed, sent)) return [];
  const mismatch = {
    path: 'body.correlation_id',
    expected: `correlation_id is ${JSON.stringify(sent)}`,
    actual: echoed ?? null,
  };
  return [response.readable === 'verified' ? mismatch : { ...mismatch, aspect: 'unreadable-object' }];
});
