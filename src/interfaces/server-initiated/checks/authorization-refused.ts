import { defineCheck } from '../../../judge/check.ts';
import type { ResponseObservation } from '../../../judge/observation.ts';
import { responseOf } from './deliveries-of.ts';
import { memberOf } from './words.ts';

/** The error an authorization endpoint redirects with, in query or fragment (OpenID Connect Core §3.1.2.6). */
function redirectedError({ headers }: ResponseObservation): string | undefined {
  const location = headers['location'] ?? '';
  const [, query = '', fragment = ''] = /^[^?#]*\??([^#]*)#?(.*)$/s.exec(location) ?? [];
  return new URLSearchParams(query).get('error') ?? new URLSearchParams(fragment).get('error') ?? undefined;
}

/** What a response type that is not served may be answered with (RFC 6749 §4.1.2.1). */
const refusals: ReadonlySet<string> = new Set(['unsupported_response_type', 'unauthorized_client', 'invalid_request']);

/** §2.3 response_type: another type than code ends in an OpenID Connect error. */
export const authorizationRefused = defineCheck((observation) => {
  const response = responseOf(observation);
  if (response?.status === undefined) return [];
  const error = redirectedError(response) ?? memberOf(response.body, 'error');
  if (error === undefined && response.status >= 400) return [];
  if (typeof error === 'string' && refusals.has(error)) return [];
  const expected = `an OpenID Connect error: ${[...refusals].join(', ')}`;
  return [{ expected, actual: error ?? `${response.summary}, without error in the redirect` }];
});

/** §2.3 response_type: code is served. */
export const authorizationNotRefused = defineCheck((observation) => {
  const response = responseOf(observation);
  const error = response === undefined ? undefined : redirectedError(response);
  return error === undefined ? [] : [{ expected: 'no error', actual: error }];
});
