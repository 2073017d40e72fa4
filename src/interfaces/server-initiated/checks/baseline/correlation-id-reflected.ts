import { defineCheck } from '../../../../judge/check.ts';
import { sameJson } from '../../../../judge/path.ts';
import { responseOf } from '../deliveries-of.ts';
import { memberOf } from '../words.ts';

/** RFC 8259 §7: a correlation_id that comes back is the string that was sent. */
export const correlationIdReflected = defineCheck((observation) => {
  const response = responseOf(observation);
  const given = memberOf(response?.body, 'correlation_id');
  const sent = response?.claims?.['correlation_id'];
  if (given === undefined || sent === undefined || sameJson(given, sent)) return [];
  return [{ path: 'body.correlation_id', expected: JSON.stringify(sent), actual: given }];
});
