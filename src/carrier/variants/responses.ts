import { all, defineVariants } from '../faults/edit/define.ts';
import {
  calling,
  changedIdToken,
  failing,
  refusing,
  refusingWith,
  responding,
  respondingWith,
  succeeding,
} from '../faults/edit/messages.ts';
import { withBuilders, withPolicy } from '../faults/edit/parts.ts';
import { asText, isJsonList, type Json, type JsonObject } from '../json.ts';

const more: JsonObject = { x_carrier: { build: 7 } };

/** What a carrier may do otherwise when it responds and calls back: §2.4 to §2.6, §4.2, §7. */
export const responseVariants = defineVariants({
  'granted-as-digits': ['expires_in of the 200 is digits in a string (§2.4, A2).', withPolicy({ grantedAs: 'digits' })],
  'more-members': [
    'Responses and callbacks have members that are described nowhere (§9.5: what is not recognized is ignored).',
    all(
      respondingWith(() => ({ ...more })),
      refusingWith(() => ({ ...more })),
      succeeding(() => ({ ...more })),
      failing(() => ({ ...more })),
    ),
  ],
  'answers-without-charset': [
    'The content type of responses has no charset (RFC 8259 §11 defines none).',
    all(
      responding(() => ({ headers: { 'content-type': 'application/json' } })),
      refusing(({ headers }) => ({ headers: { ...headers, 'content-type': 'application/json' } })),
    ),
  ],
  'callbacks-with-charset': [
    'The content type of callbacks has a charset (§4.2 names the media type).',
    calling(() => ({ 'content-type': 'application/json; charset=UTF-8' })),
  ],
  'callbacks-with-no-store': [
    'Callbacks say no-store beside no-cache (§4.2, RFC 9111 §5.2).',
    calling(() => ({ 'cache-control': 'no-cache, no-store' })),
  ],
  'bearer-in-lower-case': [
    'The scheme of callbacks is written bearer (RFC 9110 §11.1: its case does not matter).',
    withPolicy({ callbackScheme: 'bearer' }),
  ],
  'refusals-without-description': [
    'Errors have no error_description (§2.5, §2.6: optional).',
    all(
      refusingWith(() => ({ error_description: undefined })),
      failing(() => ({ error_description: undefined })),
    ),
  ],
  'members-that-are-null': [
    'Members without a value are null, tokens beside an error and an error beside tokens among them (P5, C1.6).',
    all(
      responding(({ body }) => ({ body: { correlation_id: null, error: null, error_description: null, ...body } })),
      refusingWith((body) => ({ auth_req_id: null, expires_in: null, correlation_id: null, ...body })),
      succeeding((body) => ({ error: null, error_description: null, state: null, scope: null, ...body })),
      failing((body) => ({ access_token: null, id_token: null, refresh_token: null, state: null, ...body })),
    ),
  ],
  'correlation-id-empty': [
    'Where no correlation_id was sent, the 200 has an empty one (§2.4).',
    responding(({ body }) => ({ body: { correlation_id: '', ...body } })),
  ],
  'error-callback-without-correlation-id': [
    'A callback with an error leaves correlation_id out (§2.6).',
    failing(() => ({ correlation_id: undefined })),
  ],
  'auth-req-id-of-200': [
    'auth_req_id has 200 characters after the prefix (§2.4).',
    withBuilders(({ authReqId }) => ({ authReqId: (wanted) => lengthened(authReqId(wanted), 205) })),
  ],
  'auth-req-id-of-22': [
    'auth_req_id has 22 characters after the prefix (§2.4, CIBA Core §7.3).',
    withBuilders(({ authReqId }) => ({ authReqId: (wanted) => authReqId(wanted).slice(0, 27) })),
  ],
  'denied-as-access-denied': [
    'A denial is called access_denied (§7, A8).',
    withPolicy({ deniedError: 'access_denied' }),
  ],
  'timed-out-as-expired-token': [
    'A time-out is called expired_token (§7, CIBA Core §12).',
    withPolicy({ timedOutError: 'expired_token' }),
  ],
  'unknown-users-as-user-not-found': [
    'A subscriber who cannot be asked is user_not_found (§7).',
    withPolicy({
      unknownHintError: 'user_not_found',
      foreignHintError: 'user_not_found',
      unenrolledError: 'user_not_found',
      unconsentedError: 'user_not_found',
    }),
  ],
  'unknown-users-as-login-required': [
    'A subscriber who cannot be asked is login_required (§7).',
    withPolicy({
      unknownHintError: 'login_required',
      foreignHintError: 'login_required',
      unenrolledError: 'login_required',
      unconsentedError: 'login_required',
    }),
  ],
  'callbacks-retried': [
    'A callback that was not confirmed is sent again, three times (§4.2 says nothing of retries).',
    withPolicy({ callbackRetries: 3 }),
  ],
  'deliveries-some-seconds-late': [
    'Callbacks and events leave seven seconds after what they tell of (no time is stated).',
    withPolicy({ deliveryDelay: 7 }),
  ],
  'tokens-for-an-hour': ['Tokens live an hour (§2.6 expires_in).', withPolicy({ tokenLife: 3600 })],
  'scopes-in-another-order': [
    'scope of the callback lists the approved ones in its own order (RFC 6749 §3.3).',
    succeeding(({ scope }) => ({ scope: asText(scope).split(' ').toReversed().join(' ') })),
  ],
  'id-token-aud-as-list': [
    'aud of the id token is a list of one (OIDC Core §2).',
    changedIdToken((claims) => ({
      aud: isJsonList(claims['aud'] ?? '') ? (claims['aud'] ?? '') : [claims['aud'] ?? ''],
    })),
  ],
  'id-token-for-two-audiences': [
    'aud of the id token names a service of the carrier beside the client, and azp is null (OIDC Core §3.1.3.7, C7.11).',
    changedIdToken((claims) => ({ aud: [firstOf(claims['aud']), 'https://profile.carrier.test'], azp: null })),
  ],
  'id-token-with-azp': [
    'The id token names the client as azp as well, and has a jti (OIDC Core §2).',
    changedIdToken((claims) => ({ azp: firstOf(claims['aud']), jti: `id-${asText(claims['at_hash'])}` })),
  ],
});

/** Its own characters again, so that two of one beginning do not become one. */
function lengthened(id: string, length: number): string {
  return `${id}${id.slice(5).repeat(7)}`.slice(0, length);
}

function firstOf(aud: Json | undefined): Json {
  return (isJsonList(aud) ? aud[0] : aud) ?? null;
}
