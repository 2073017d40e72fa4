import { textMemberOf } from '../lib/json.ts';
import type { ResponseObservation } from './observation.ts';

/**
 * Such a response is about the load of the carrier, and says nothing of the request: 429 (RFC 6585 §4), 503 with Retry-After
 * (RFC 9110 §15.6.4), and the code that RFC 6749 §4.1.2.1 has for a server under load.
 */
export const isThrottled = ({ status, headers, body }: ResponseObservation): boolean =>
  status === 429 ||
  (status === 503 && headers['retry-after'] !== undefined) ||
  textMemberOf(body, 'error') === 'temporarily_unavailable';
