import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Json, JsonObject } from '../json.ts';
import { strictPipeline } from '../pipeline/server-initiated.ts';
import { type KeyName, openSetup, type TestSetup, signText, uniqueText } from '../testing/setup.ts';

let setup: TestSetup;
beforeAll(async () => {
  setup = await openSetup();
});
afterAll(() => setup.close());

type Differences = Record<string, Json | undefined>;
interface Signing {
  readonly key?: KeyName;
  readonly header?: Record<string, Json>;
  /** Raw JSON members appended to the claims. */
  readonly append?: string;
}
type Difference = (now: number) => Differences;
type Refused = readonly [check: string, error: string, description: string, Difference, Signing?];

const two = { client_id: 'ccid-conftestclient03' };
const uri = 'invalid_request';
const object = 'invalid_request_object';
const shape = 'context is shorter than 8 characters';
const stale = 'iat is more than 5 minutes ago';

const refused: readonly Refused[] = [
  ['strings-without-nul', uri, 'a claim holds NUL', () => ({ state: 'a\0b' })],
  ['strings-without-nul', uri, 'a claim holds NUL', () => ({ context: 'Approve\0order' })],
  ['type-is-a-request-object', object, 'typ does not name a request object', () => ({}), { header: { typ: 'at+jwt' } }],
  ['type-is-a-request-object', object, 'typ does not name a request object', () => ({}), { header: { typ: 7 } }],
  [
    'header-has-no-extension',
    object,
    'the header member crit is not supported',
    () => ({}),
    { header: { crit: ['x'] } },
  ],
  [
    'header-brings-no-key',
    object,
    'the header member jku is not supported',
    () => ({}),
    { header: { jku: 'https://a.test' } },
  ],
  [
    'no-request-object-within',
    object,
    'a request object holds neither request nor request_uri',
    () => ({ request_uri: 'https://a.test' }),
  ],
  ['claims-of-bounded-length', uri, 'a claim is too long', () => ({ x_long: 'x'.repeat(40_000) })],
  [
    'client-has-a-key',
    'invalid_client',
    'the client has registered no key',
    () => ({ client_id: 'ccid-conftestclient06' }),
  ],
  ['alg-fits-the-key', object, 'alg does not fit the registered key', () => ({}), { header: { alg: 'PS256' } }],
  ['alg-fits-the-key', object, 'alg does not fit the registered key', () => ({}), { header: { alg: 'none' } }],
  [
    'signature-verifies',
    object,
    'the signature does not verify',
    () => ({}),
    { key: 'second', header: { kid: 'conftestkey01' } },
  ],
  [
    'server-initiated-is-on',
    'unauthorized_client',
    'the client is not registered for server-initiated access',
    () => ({ client_id: 'ccid-conftestclient05' }),
    { key: 'plain' },
  ],
  ['iss-is-the-client', 'invalid_client', 'iss must equal client_id', () => ({ iss: 'ccid-conftestclient02' })],
  ['iss-is-the-client', 'invalid_client', 'iss must equal client_id', () => ({ iss: 'ccid-conftestclient01 ' })],
  ['iss-is-the-client', 'invalid_client', 'iss is required and must be a string', () => ({ iss: undefined })],
  ['iss-is-the-client', 'invalid_client', 'iss is required and must be a string', () => ({ iss: 7 })],
  ['sub-is-the-client', 'invalid_client', 'sub must equal client_id', () => ({ sub: '001010-0000' })],
  ['sub-is-the-client', 'invalid_client', 'sub is required and must be a string', () => ({ sub: undefined })],
  ['aud-is-the-issuer', object, 'aud is required', () => ({ aud: undefined })],
  ['aud-is-the-issuer', object, 'aud must be the issuer', () => ({ aud: 'https://other.test' })],
  ['aud-is-the-issuer', object, 'aud must be the issuer', () => ({ aud: `${setup.carrier.origin}/` })],
  ['aud-is-the-issuer', object, 'aud must be the issuer', () => ({ aud: `${setup.carrier.origin}/bc-authorize` })],
  ['aud-is-the-issuer', object, 'aud must be the issuer', () => ({ aud: [`${setup.carrier.origin}/`] })],
  ['iat-is-an-integer', uri, 'iat is required', () => ({ iat: undefined })],
  ['iat-is-an-integer', uri, 'iat must be an integer', (now) => ({ iat: String(now) })],
  ['iat-is-an-integer', uri, 'iat must be an integer', (now) => ({ iat: now + 0.5 })],
  ['iat-is-an-integer', uri, 'iat must be an integer', () => ({ iat: null })],
  ['iat-is-an-integer', uri, 'iat must be an integer', () => ({ iat: -1 })],
  ['iat-within-5-minutes', uri, stale, (now) => ({ iat: now - 301 })],
  ['iat-within-5-minutes', uri, 'iat is in the future', (now) => ({ iat: now + 61, exp: now + 200 })],
  ['iat-within-5-minutes', uri, 'iat is in the future', (now) => ({ iat: now * 1000 })],
  ['exp-is-an-integer', uri, 'exp is required', () => ({ exp: undefined })],
  ['exp-is-an-integer', uri, 'exp must be an integer', (now) => ({ exp: String(now + 60) })],
  ['exp-has-not-passed', uri, 'exp has passed', (now) => ({ exp: now })],
  ['exp-has-not-passed', uri, 'exp is not after iat', (now) => ({ iat: now + 50, exp: now + 40 })],
  ['exp-within-5-minutes', uri, 'exp is more than 5 minutes ahead', (now) => ({ exp: now + 301 })],
  ['not-before-has-come', uri, 'nbf is in the future', (now) => ({ nbf: now + 1 })],
  ['jti-is-a-string', uri, 'jti must be a string', () => ({ jti: 7 })],
  ['expires-in-is-an-integer', uri, 'expires_in is required', () => ({ expires_in: undefined })],
  ['expires-in-is-an-integer', uri, 'expires_in must be an integer', () => ({ expires_in: '300' })],
  ['expires-in-is-an-integer', uri, 'expires_in must be an integer', () => ({ expires_in: 300.5 })],
  [
    'expires-in-is-an-integer',
    uri,
    'expires_in must be an integer',
    () => ({ expires_in: undefined }),
    { append: '"expires_in":3e2' },
  ],
  ['expires-in-is-an-integer', uri, 'expires_in must be an integer', () => ({ expires_in: -1 })],
  ['expires-in-is-an-integer', uri, 'expires_in must be at least 1', () => ({ expires_in: 0 })],
  ['expires-in-within-48-hours', uri, 'expires_in is above 48 hours', () => ({ expires_in: 172_801 })],
  [
    'response-type-is-async-token',
    uri,
    'response_type is required and must be a string',
    () => ({ response_type: undefined }),
  ],
  [
    'response-type-is-async-token',
    'unsupported_response_type',
    'response_type must be async_token',
    () => ({ response_type: 'code' }),
  ],
  [
    'response-type-is-async-token',
    'unsupported_response_type',
    'response_type must be async_token',
    () => ({ response_type: '' }),
  ],
  [
    'redirect-uri-registered',
    uri,
    'redirect_uri is required and must be a string',
    () => ({ redirect_uri: undefined }),
  ],
  ...[
    'https://sp.test/cb/',
    'https://sp.test/CB',
    'https://sp.test:443/cb',
    'https://*.sp.test/cb',
    'http://sp.test/cb',
    'javascript:x',
  ].map(
    (redirect): Refused => [
      'redirect-uri-registered',
      uri,
      'redirect_uri is not registered for the client',
      () => ({ redirect_uri: redirect }),
    ],
  ),
  [
    'notification-uri-registered',
    uri,
    'notification_uri is required and must be a string',
    () => ({ notification_uri: '' }),
  ],
  [
    'notification-uri-registered',
    uri,
    'notification_uri is not registered for the client',
    () => ({ notification_uri: `${setup.receiver}/second/notify` }),
  ],
  [
    'notification-uri-registered',
    uri,
    'notification_uri is not registered for the client',
    () => ({ notification_uri: `${setup.receiver}/si/notify?x=1` }),
  ],
  ...['', 'a b', 'a\r\nx-evil: 1', 'x'.repeat(1025), '=='].map(
    (token): Refused => [
      'notification-token-is-b64token',
      uri,
      'client_notification_token must be 1 to 1024 characters of a bearer token',
      () => ({ client_notification_token: token }),
    ],
  ),
  ['scope-is-allowed', 'invalid_scope', 'scope is required and must name a scope', () => ({ scope: undefined })],
  ['scope-is-allowed', 'invalid_scope', 'scope is required and must name a scope', () => ({ scope: ' ' })],
  [
    'scope-is-allowed',
    'invalid_scope',
    'scope names one that the client may not ask for',
    () => ({ scope: 'openid picture' }),
  ],
  ['state-and-nonce-are-strings', uri, 'state must be a string', () => ({ state: 7 })],
  ['state-and-nonce-are-strings', uri, 'nonce must be a string', () => ({ nonce: null })],
  ['prompt-none-stands-alone', uri, 'prompt none must stand alone', () => ({ prompt: 'none login' })],
  ['options-is-a-list', uri, 'options must be a string', () => ({ options: ['light'] })],
  ...['a2', 'a9', 'A3', '', 'a1 a3', 'aal3'].map(
    (acr): Refused => ['acr-is-a1-or-a3', uri, 'acr_values must be a1 or a3', () => ({ acr_values: acr })],
  ),
  ['acr-is-a1-or-a3', uri, 'acr_values must be a string', () => ({ acr_values: ['a3'] })],
  ['context-without-control-characters', uri, 'context holds control characters', () => ({ context: '\n'.repeat(8) })],
  [
    'context-without-control-characters',
    uri,
    'context holds control characters',
    () => ({ context: 'Approve\norder' }),
  ],
  ['context-8-to-240', uri, shape, () => ({ context: 'Seven77' })],
  ['context-8-to-240', uri, shape, () => ({ context: '' })],
  ['context-8-to-240', uri, shape, () => ({ context: '%41%4' })],
  ['context-8-to-240', uri, 'context exceeds 240 characters', () => ({ context: 'x'.repeat(241) })],
  ['context-8-to-240', uri, 'context exceeds 240 characters', () => ({ context: '%41'.repeat(81) })],
  ...['x'.repeat(129), 'a b', 'a.b'].map(
    (id): Refused => [
      'correlation-id-pattern',
      uri,
      'correlation_id must be at most 128 letters, digits, hyphens and underscores',
      () => ({ correlation_id: id }),
    ],
  ),
  [
    'referred-binding-is-a-public-key',
    uri,
    'referred_binding must be a public JWK: RSA of 2048 bits or more, or EC P-256',
    () => ({ referred_binding: { kty: 'oct', k: 'AAAA' } }),
  ],
  [
    'one-login-hint',
    'invalid_login_hint_token',
    'login_hint_token is not valid',
    () => ({ login_hint_token: 'a.b.c.d.e' }),
  ],
  ['one-login-hint', uri, 'login_hint is required', () => ({ login_hint: undefined })],
  [
    'subscriber-has-the-app',
    'access_denied',
    'the subscriber cannot be asked',
    () => ({ login_hint: setup.sub('unenrolled') }),
  ],
  [
    'subscriber-consented-to-openid',
    'access_denied',
    'the subscriber cannot be asked',
    () => ({ login_hint: setup.sub('unconsented') }),
  ],
  ['prompt-none-is-allowed', 'interaction_required', 'the subscriber must be asked', () => ({ prompt: 'none' })],
  ['client-is-registered', uri, 'client_id is required and must be a string', () => ({ client_id: 7 })],
  [
    'client-is-registered',
    'invalid_client',
    'client_id is not a registered client',
    () => ({ client_id: 'ccid-0000000000000000' }),
  ],
  [
    'client-is-registered',
    'invalid_client',
    'client_id is not a registered client',
    () => ({ client_id: 'ccid-conftestclient07' }),
    { key: 'disabled' },
  ],
  ['kid-selects-the-key', object, 'kid names no registered key of the client', () => ({}), { header: { kid: '' } }],
  [
    'kid-selects-the-key',
    object,
    'kid names no registered key of the client',
    () => ({}),
    { header: { kid: ['conftestkey01'] } },
  ],
  [
    'kid-selects-the-key',
    object,
    'kid names no registered key of the client',
    () => ({}),
    { header: { kid: '../../dev/null' } },
  ],
  [
    'login-hint-names-a-subscriber',
    'access_denied',
    'the subscriber cannot be asked',
    () => ({ login_hint: '001010-00000000000000000000' }),
  ],
  [
    'login-hint-names-a-subscriber',
    'access_denied',
    'the subscriber cannot be asked',
    () => ({ login_hint: setup.sub('first', 'second') }),
  ],
  [
    'login-hint-names-a-subscriber',
    'access_denied',
    'the subscriber cannot be asked',
    () => ({ login_hint: '+12175550101' }),
  ],
  [
    'login-hint-names-a-subscriber',
    'access_denied',
    'the subscriber cannot be asked',
    () => ({ login_hint: '+12175559999' }),
  ],
  ['login-hint-names-a-subscriber', uri, 'login_hint is required and must be a string', () => ({ login_hint: '' })],
];

function request(differences: Differences, { append, ...signing }: Signing): string {
  const claims = setup.claims(differences);
  if (append === undefined) return setup.sign(claims, signing);
  const header = { typ: 'JWT', alg: 'RS256', kid: 'conftestkey01' };
  return signText(JSON.stringify(header), `${JSON.stringify(claims).slice(0, -1)},${append}}`, 'main');
}

test.each(refused.map((row) => ({ check: row[0], row })))('$check', async ({ row }) => {
  const [, error, description, difference, signing = {}] = row;
  const id = difference(setup.now())['correlation_id'] ?? uniqueText();
  const { status, headers, body } = await setup.post({
    request: request({ correlation_id: id, ...difference(setup.now()) }, signing),
  });
  const expected: JsonObject = { correlation_id: id, error, error_description: description };
  expect(body).toEqual(expected);
  expect(status).toBe(400);
  expect(headers['cache-control']).toBe('no-store');
});

test('every check on claims has a case here', () => {
  const { onObject, onClient, onClaims, onSubscriber, readClient, readKey, readSubscriber } = strictPipeline;
  const elsewhere = [
    'client-id-beside-is-the-same',
    'outside-values-agree',
    'jti-not-repeated',
    'few-requests-pending',
    'no-request-uri-beside',
  ];
  const names = [...onObject, ...onClient, ...onClaims, ...onSubscriber, readClient, readKey, readSubscriber]
    .map(({ name }) => name)
    .filter((name) => !elsewhere.includes(name));
  expect([...new Set(refused.map(([check]) => check))].toSorted()).toEqual(names.toSorted());
});

type Accepted = readonly [title: string, Difference, Signing?];
const accepted: readonly Accepted[] = [
  ['iat 5 minutes ago', (now) => ({ iat: now - 300, exp: now + 60 })],
  ['iat a minute ahead', (now) => ({ iat: now + 60 })],
  ['exp 5 minutes ahead', (now) => ({ exp: now + 300 })],
  ['nbf now', (now) => ({ nbf: now })],
  ['no jti', () => ({ jti: undefined })],
  ['48 hours', () => ({ expires_in: 172_800 })],
  ['a custom scheme', () => ({ redirect_uri: 'sptest://cb' })],
  ['escaped slashes', () => ({ redirect_uri: undefined }), { append: '"redirect_uri":"https:\\/\\/sp.test\\/cb"' }],
  ['a token of 1024 characters', () => ({ client_notification_token: 'x'.repeat(1024) })],
  ['the token alphabet', () => ({ client_notification_token: 'aZ0-._~+/==' })],
  ['no token', () => ({ client_notification_token: undefined })],
  ['all launch scopes', () => ({ scope: 'openid name email phone postal_code offline_access address birthdate' })],
  ['no openid', () => ({ scope: 'name' })],
  ['blanks in scope', () => ({ scope: ' openid  name ' })],
  ['an unknown prompt', () => ({ prompt: 'select_account' })],
  ['light and dark', () => ({ options: 'light dark' })],
  ['a1', () => ({ acr_values: 'a1' })],
  ['8 characters of context', () => ({ context: 'Approve1' })],
  ['240 characters of context', () => ({ context: 'x'.repeat(240) })],
  ['240 emoji of context', () => ({ context: '😀'.repeat(240) })],
  ['240 characters of 80 escapes of context', () => ({ context: '%41'.repeat(80) })],
  ['a lone percent in context', () => ({ context: 'Pay 100%! now' })],
  ['an empty correlation_id', () => ({ correlation_id: '' })],
  ['128 characters of correlation_id', () => ({ correlation_id: '_-'.repeat(64) })],
  ['an unknown claim', () => ({ x_conf: { a: [1] } })],
  ['sdk_version of any type', () => ({ sdk_version: 7 })],
  ['aud in a list', () => ({ aud: [setup.carrier.origin] })],
  ['typ in another case', () => ({}), { header: { typ: 'jwt' } }],
  ['typ of RFC 9101', () => ({}), { header: { typ: 'oauth-authz-req+jwt' } }],
  ['the first of two keys', () => ({ ...two, login_hint: setup.sub('first', 'two-keys') }), { key: 'rsa' }],
  ['the second of two keys', () => ({ ...two, login_hint: setup.sub('first', 'two-keys') }), { key: 'ec' }],
  [
    'a phone number with enum_enabled',
    () => ({ client_id: 'ccid-conftestclient04', login_hint: '+12175550103' }),
    { key: 'privileged' },
  ],
];

test.each(accepted.map((row) => ({ title: row[0], row })))('accepted: $title', async ({ row }) => {
  const [, difference, signing = {}] = row;
  const { status, body } = await setup.post({ request: request(difference(setup.now()), signing) });
  expect(body['error_description']).toBeUndefined();
  expect(status).toBe(200);
});

test('with two keys kid is required, and names the key that signed', async () => {
  const claims = setup.claims({ ...two, login_hint: setup.sub('first', 'two-keys') });
  const bare = signText('{"typ":"JWT","alg":"RS256"}', JSON.stringify(claims), 'rsa');
  expect((await setup.post({ request: bare })).body['error_description']).toBe(
    'kid is required: the client registered several keys',
  );
  const crossed = setup.sign(claims, { key: 'rsa', header: { kid: 'b' } });
  expect((await setup.post({ request: crossed })).body['error_description']).toBe(
    'alg does not fit the registered key',
  );
  const one = signText('{"alg":"RS256"}', JSON.stringify(setup.claims()), 'main');
  expect((await setup.post({ request: one })).status).toBe(200);
});
