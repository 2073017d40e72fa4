import { defineCheck } from '../../../judge/check.ts';
import { memberOf } from './words.ts';

/** The registry of SEC-44: OpenID Connect, OAuth 2.0, CIBA, and the extensions seen in public clients. */
export const registeredErrors: ReadonlySet<string> = new Set([
  // OpenID Connect Core §3.1.2.6
  'interaction_required',
  'login_required',
  'account_selection_required',
  'consent_required',
  'invalid_request_uri',
  'invalid_request_object',
  'request_not_supported',
  'request_uri_not_supported',
  'registration_not_supported',
  // RFC 6749 §4.1.2.1, §5.2
  'invalid_request',
  'unauthorized_client',
  'access_denied',
  'unsupported_response_type',
  'invalid_scope',
  'server_error',
  'temporarily_unavailable',
  'invalid_client',
  'invalid_grant',
  'unsupported_grant_type',
  // CIBA Core §13, §12
  'unknown_user_id',
  'expired_login_hint_token',
  'expired_token',
  'transaction_failed',
  'invalid_binding_message',
  // Extensions: public clients, and §7 of the interface
  'user_not_found',
  'authentication_timed_out',
  'network_failure',
  'device_unavailable',
  'user_unsupported',
  'invalid_login_hint',
  'invalid_login_hint_token',
  'request_denied',
  'device_authentication_failure',
  'invalid_client_assertion',
]);

/** §2.5, §2.6, A29: error is a non-empty string; one outside the registry is softer. */
export const errorCodeKnown = defineCheck((observation) => {
  if (observation.kind !== 'response' && observation.kind !== 'callback' && observation.kind !== 'await') return [];
  if (observation.kind === 'await' && observation.count === 0) return [];
  const error = memberOf(observation.body, 'error');
  if (typeof error === 'string' && registeredErrors.has(error)) return [];
  const found = { path: 'body.error', expected: 'a standard OpenID Connect error code', actual: error ?? null };
  return [typeof error === 'string' && error !== '' ? { ...found, aspect: 'unregistered' } : found];
});
