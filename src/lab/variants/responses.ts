import { combineEdits, defineVariants, type Edit } from '../edit/fault-table.ts';
import {
  changeCallbackHeaders,
  changeCallback,
  changeIdToken,
  changeEventToken,
  changeFailure,
  changeConfiguration,
  changeRefusal,
  changeRefusalBody,
  changeResponse,
  changeResponseBody,
  changeTokens,
} from '../edit/messages.ts';
import {
  withBuilders,
  withDiscovery,
  withPolicy,
  withTraits,
  withUserinfo,
} from '../../carrier/seams/definition-parts.ts';
import { asText, isJsonList, type Json, type JsonObject, stringMember } from '../../carrier/json.ts';

const furtherMember: JsonObject = { x_carrier: { build: 7 } };

/** Variants of responses and callbacks: §2.4 to §2.6, §4.2, §7. */
export const responseVariants = defineVariants({
  'granted-as-digits': ['expires_in of the 200 is digits in a string (§2.4, A2).', withPolicy({ grantedAs: 'digits' })],
  'more-members': [
    'Responses and callbacks have members that are described nowhere (§9.5: what is not recognized is ignored).',
    combineEdits(
      changeResponseBody(() => ({ ...furtherMember })),
      changeRefusalBody(() => ({ ...furtherMember })),
      changeTokens(() => ({ ...furtherMember })),
      changeFailure(() => ({ ...furtherMember })),
    ),
  ],
  'answers-without-charset': [
    'The content type of responses has no charset (RFC 8259 §11 defines none).',
    combineEdits(
      changeResponse(() => ({ headers: { 'content-type': 'application/json' } })),
      changeRefusal(({ headers }) => ({ headers: { ...headers, 'content-type': 'application/json' } })),
    ),
  ],
  'callbacks-with-charset': [
    'The content type of callbacks has a charset (§4.2 names the media type).',
    changeCallbackHeaders(() => ({ 'content-type': 'application/json; charset=UTF-8' })),
  ],
  'callbacks-with-no-store': [
    'Callbacks say no-store beside no-cache (§4.2, RFC 9111 §5.2).',
    changeCallbackHeaders(() => ({ 'cache-control': 'no-cache, no-store' })),
  ],
  'bearer-in-lower-case': [
    'The scheme of callbacks is written bearer (RFC 9110 §11.1: its case does not matter).',
    withPolicy({ callbackScheme: 'bearer' }),
  ],
  'refusals-without-description': [
    'Errors have no error_description (§2.5, §2.6: optional).',
    combineEdits(
      changeRefusalBody(() => ({ error_description: undefined })),
      changeFailure(() => ({ error_description: undefined })),
    ),
  ],
  'members-that-are-null': [
    'Members without a value are null, tokens beside an error and an error beside tokens among them (P5, C1.6).',
    combineEdits(
      changeResponse(({ body }) => ({ body: { correlation_id: null, error: null, error_description: null, ...body } })),
      changeRefusalBody((body) => ({ auth_req_id: null, expires_in: null, correlation_id: null, ...body })),
      changeTokens((body) => ({ error: null, error_description: null, state: null, scope: null, ...body })),
      changeFailure((body) => ({ access_token: null, id_token: null, refresh_token: null, state: null, ...body })),
    ),
  ],
  'correlation-id-empty': [
    'The 200 has an empty correlation_id if none was sent (§2.4).',
    changeResponse(({ body }) => ({ body: { correlation_id: '', ...body } })),
  ],
  'error-callback-without-correlation-id': [
    'A callback with an error leaves correlation_id out (§2.6).',
    changeFailure(() => ({ correlation_id: undefined })),
  ],
  'auth-req-id-of-200': [
    'auth_req_id has 200 characters after the prefix (§2.4).',
    withBuilders(({ authReqId }) => ({ authReqId: (wanted) => lengthenId(authReqId(wanted), 205) })),
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
    changeTokens(({ scope }) => ({ scope: asText(scope).split(' ').toReversed().join(' ') })),
  ],
  'id-token-aud-as-list': [
    'aud of the id token is a list of one (OIDC Core §2).',
    changeIdToken((claims) => ({
      aud: isJsonList(claims['aud'] ?? '') ? (claims['aud'] ?? '') : [claims['aud'] ?? ''],
    })),
  ],
  'id-token-for-two-audiences': [
    'aud of the id token names a service of the carrier beside the client, and azp is null (OIDC Core §3.1.3.7, C7.11).',
    changeIdToken((claims) => ({ aud: [firstAudience(claims['aud']), 'https://profile.carrier.test'], azp: null })),
  ],
  'id-token-with-azp': [
    'The id token names the client as azp as well, and has a jti (OIDC Core §2).',
    changeIdToken((claims) => ({ azp: firstAudience(claims['aud']), jti: `id-${asText(claims['at_hash'])}` })),
  ],
});

/** Repeats the id's own characters, so that ids with the same beginning stay distinct. */
function lengthenId(id: string, length: number): string {
  return `${id}${id.slice(5).repeat(7)}`.slice(0, length);
}

function firstAudience(aud: Json | undefined): Json {
  return (isJsonList(aud) ? aud[0] : aud) ?? null;
}

/** Null members that the plain carrier leaves out (P5). */
const nullMembers = (...names: readonly string[]): Record<string, null> =>
  Object.fromEntries(names.map((name) => [name, null]));

/** Like nulls, for the members that the body lacks. */
const nullMissingMembers =
  (...names: readonly string[]) =>
  (body: JsonObject): JsonObject => ({ ...nullMembers(...names.filter((name) => !(name in body))) });

const furtherMembers: JsonObject = { x_carrier: { build: 7, tags: ['a', 'b'] }, vendor: 'north' };

const changeTraitBodies = (change: (body: JsonObject) => JsonObject): Edit =>
  withTraits(({ response, refusal }) => ({
    response: (tenure) => withMembers(response(tenure), change),
    refusal: (reason) => withMembers(refusal(reason), change),
  }));

const withMembers = (body: JsonObject, change: (body: JsonObject) => JsonObject): JsonObject => ({
  ...body,
  ...change(body),
});

const addToAttributes = (members: JsonObject): Edit =>
  withUserinfo(({ attribute }) => ({
    attribute: (scope, call) => {
      const found = attribute(scope, call);
      return found === undefined ? undefined : { ...found, ...members };
    },
  }));

/** Null and further members of every body: P5, and §9.5. */
export const bodyVariants = defineVariants({
  'null-error-beside-tokens': [
    'error and error_description are null beside tokens (P5, C1.6).',
    changeTokens(() => nullMembers('error', 'error_description')),
  ],
  'null-tokens-beside-an-error': [
    'Tokens are null beside an error (P5, C1.6).',
    changeFailure(() => nullMembers('access_token', 'id_token', 'token_type', 'expires_in', 'scope', 'refresh_token')),
  ],
  'null-for-what-was-not-sent': [
    'correlation_id and state are null where none was sent (P5).',
    combineEdits(
      changeResponseBody(nullMissingMembers('correlation_id')),
      changeCallback(nullMissingMembers('correlation_id', 'state')),
    ),
  ],
  'null-error-in-the-200': [
    'error is null in the 200 (P5).',
    changeResponseBody(() => nullMembers('error', 'error_description')),
  ],
  'null-request-id-in-refusals': [
    'auth_req_id and expires_in are null in a refusal (P5).',
    changeRefusalBody(() => nullMembers('auth_req_id', 'expires_in')),
  ],
  'null-refresh-token': [
    'refresh_token is null (§2.6: not supported yet).',
    changeTokens(() => nullMembers('refresh_token')),
  ],
  'null-in-tenure': [
    'error is null beside sim_tenure (P5).',
    changeTraitBodies(nullMissingMembers('error', 'sim_tenure')),
  ],
  'null-in-configuration': [
    'The configuration has members that are null (P5).',
    changeConfiguration(() =>
      nullMembers('registration_endpoint', 'service_documentation', 'claims_locales_supported'),
    ),
  ],
  'null-in-event-tokens': [
    'txn and toe of an event token are null (P5).',
    changeEventToken(() => nullMembers('txn', 'toe')),
  ],
  'null-in-id-tokens': [
    'Claims of the id token that are not known are null (P5).',
    changeIdToken(nullMissingMembers('nonce', 'sid')),
  ],
  'more-in-the-200': [
    'The 200 has further members (§9.5).',
    changeResponseBody(() => ({ ...furtherMembers, interval: 5 })),
  ],
  'more-in-refusals': [
    'Refusals have further members (§9.5).',
    changeRefusalBody(() => ({ ...furtherMembers, error_uri: 'https://docs.carrier.example/errors' })),
  ],
  'more-in-callbacks': [
    'Callbacks with tokens have further members (§9.5).',
    changeTokens(() => ({ ...furtherMembers, issued_at: 7 })),
  ],
  'more-in-error-callbacks': [
    'Callbacks with an error have further members (§9.5).',
    changeFailure(() => ({ ...furtherMembers, error_uri: 'https://docs.carrier.example/errors' })),
  ],
  'more-in-id-tokens': [
    'The id token has further claims (OIDC Core §2).',
    changeIdToken(() => ({ ...furtherMembers, sid: 'f00d', ver: 2 })),
  ],
  'more-in-event-tokens': [
    'Event tokens have further claims (RFC 8417 §2.2).',
    changeEventToken((_, { now }) => ({ ...furtherMembers, txn: 'f00d', toe: Math.floor(now / 1000) })),
  ],
  'more-in-tenure': [
    'Responses to usertrait queries have further members (§9.5).',
    changeTraitBodies(() => furtherMembers),
  ],
  'more-in-configuration': [
    'The configuration has further members (OIDC Discovery §3).',
    changeConfiguration(() => ({ ...furtherMembers, claims_parameter_supported: false })),
  ],
  'more-in-keys': [
    'Published keys have further members, and there is one of a type of its own (RFC 7517 §4, §5).',
    withDiscovery(({ jwks }) => ({
      jwks: (keys) => [
        ...jwks(keys).map((key) => ({ ...key, key_ops: ['verify'], x_issued: 7 })),
        { kty: 'OKP', crv: 'Ed25519', kid: 'other-type', use: 'sig', x: 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' },
      ],
    })),
  ],
  'attributes-with-last-used': [
    'Attributes say when they were last used (§2.11: last_used_timestamp).',
    addToAttributes({ last_used_timestamp: '2026-01-01T00:00:00Z' }),
  ],
  'attributes-with-current': [
    'Attributes have current beside value (§2.11: current value).',
    withUserinfo(({ attribute }) => ({ attribute: (scope, call) => addCurrent(attribute(scope, call)) })),
  ],
  'error-description-empty': [
    'error_description is empty (§2.5: text).',
    combineEdits(
      changeRefusalBody(() => ({ error_description: '' })),
      changeFailure(() => ({ error_description: '' })),
    ),
  ],
  'error-description-of-another-language': [
    'error_description is in another language (§2.5: text; carriers are not consistent in it).',
    combineEdits(
      changeRefusalBody(() => ({ error_description: 'Solicitud rechazada: inténtelo más tarde, por favor 🙏' })),
      changeFailure(() => ({ error_description: 'El usuario no respondió a tiempo, o dijo «no» 🙅' })),
    ),
  ],
  'error-description-of-500': [
    'error_description is a long text with a link (§2.5: carriers are not consistent in it).',
    combineEdits(
      changeRefusalBody((body) => longDescription(body)),
      changeFailure((body) => longDescription(body)),
    ),
  ],
});

function addCurrent(attribute: JsonObject | undefined): JsonObject | undefined {
  const value: Json | undefined = attribute?.['value'];
  return attribute === undefined || value === undefined ? attribute : { ...attribute, current: value };
}

function longDescription(body: JsonObject): JsonObject {
  const text = stringMember(body, 'error_description') ?? '';
  return { error_description: `${text}. ${'See the developer portal for more. '.repeat(14)}`.slice(0, 500) };
}
