import { isJsonType } from '../../../lib/media-type.ts';
import { defineCheck, type NamedCheck } from '../../../judge/check.ts';
import type { ResponseObservation } from '../../../judge/observation.ts';
import { isThrottled } from '../../../judge/classify.ts';
import { isJsonObject, readMember, equalsJson } from '../../../lib/json.ts';
import { correlationAspect, defineReceivedCheck, defineResponseCheck } from './define-check.ts';

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

const cibaErrorStatuses: ReadonlySet<number> = new Set([401, 403]);

/** RFC 6585 §5, RFC 9110 §15.5.14, §15.5.15: statuses of a front server that refuses a request for its size. */
const sizeRefusalStatuses: ReadonlySet<number> = new Set([413, 414, 431]);

/** Errors for a response type that is not served (RFC 6749 §4.1.2.1). */
const responseTypeErrors: ReadonlySet<string> = new Set([
  'unsupported_response_type',
  'unauthorized_client',
  'invalid_request',
]);

/** The error an authorization endpoint redirects with, in query or fragment (OpenID Connect Core §3.1.2.6). */
function readRedirectError({ headers }: ResponseObservation): string | undefined {
  const location = headers['location'] ?? '';
  const [, query = '', fragment = ''] = /^[^?#]*\??([^#]*)#?(.*)$/s.exec(location) ?? [];
  return new URLSearchParams(query).get('error') ?? new URLSearchParams(fragment).get('error') ?? undefined;
}

/** Checks of errors: form, code, and values of the request that they repeat (§2.5, §2.6, §7). */
export const refusalChecks: readonly NamedCheck[] = [
  /** §4.1, §2.5: HTTP 400 with a JSON object that has `error`; A20: 401 and 403 are softer (CFG-003, SEC-22). */
  defineReceivedCheck('refusal-form', (response) => {
    const { status, headers, body, summary } = response;
    if (isThrottled(response) || sizeRefusalStatuses.has(status)) return [];
    const hasError = typeof readMember(body, 'error') === 'string';
    const isError = isJsonType(headers['content-type']) && hasError;
    if (isError && status === 400) return [];
    const expected = 'HTTP 400, application/json, a body with error';
    const type = headers['content-type'] ?? 'no content-type';
    const actual = `${summary}, ${type}${hasError ? '' : ', no error in the body'}`;
    // A body that is no JSON object lacks the rest as well (C7.15).
    if (!isJsonObject(body)) return [{ path: 'body', expected, actual }];
    return [{ ...(isError && cibaErrorStatuses.has(status) ? { aspect: 'ciba-status' } : {}), expected, actual }];
  }),

  /** §2.5: a refusal echoes correlation_id; A20: softer if the carrier could not verify the object, free if it could not read it. */
  defineResponseCheck('correlation-id-echoed-on-refusal', ({ claims, readable, body }) => {
    const sent = claims?.['correlation_id'];
    if (typeof sent !== 'string' || sent === '' || readable === 'not at all') return [];
    const echoed = readMember(body, 'correlation_id');
    if (equalsJson(echoed, sent)) return [];
    const expected = `correlation_id is ${JSON.stringify(sent)}`;
    const mismatch = { ...correlationAspect(sent), path: 'body.correlation_id', expected, actual: echoed ?? null };
    return [readable === 'verified' || 'aspect' in mismatch ? mismatch : { ...mismatch, aspect: 'unreadable-object' }];
  }),

  /** §2.5, §2.6, A29: error is a non-empty string; one outside the registry is softer. */
  defineCheck('error-code-known', (observation) => {
    if (observation.kind !== 'response' && observation.kind !== 'callback' && observation.kind !== 'await') return [];
    if (observation.kind === 'await' && observation.count === 0) return [];
    const error = readMember(observation.body, 'error');
    if (typeof error === 'string' && registeredErrors.has(error)) return [];
    const found = { path: 'body.error', expected: 'a standard OpenID Connect error code', actual: error ?? null };
    return [typeof error === 'string' && error !== '' ? { ...found, aspect: 'unregistered' } : found];
  }),

  /** §2.3 response_type: another type than code ends in an OpenID Connect error. */
  defineReceivedCheck('authorization-refused', (response) => {
    const error = readRedirectError(response) ?? readMember(response.body, 'error');
    if (error === undefined && response.status >= 400) return [];
    if (typeof error === 'string' && responseTypeErrors.has(error)) return [];
    const expected = `an OpenID Connect error: ${[...responseTypeErrors].join(', ')}`;
    return [{ expected, actual: error ?? `${response.summary}, without error in the redirect` }];
  }),

  /** OIDC Core §3.1.2.1: an unregistered URI gets no error either, so that the endpoint is no open redirector. */
  defineReceivedCheck('not-redirected-to-the-uri-sent', ({ url, headers }) => {
    const asked = URL.canParse(url ?? '') ? new URL(url ?? '').searchParams.get('redirect_uri') : null;
    const location = headers['location'];
    if (asked === null || asked === '' || location?.startsWith(asked) !== true) return [];
    return [{ path: 'headers.location', expected: 'no redirect to a URI that is not registered', actual: location }];
  }),

  /** §2.3 response_type: code is served. */
  defineResponseCheck('authorization-not-refused', (response) => {
    const error = readRedirectError(response);
    return error === undefined ? [] : [{ expected: 'no error', actual: error }];
  }),
];
