import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Json, JsonObject } from '../json.ts';
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
const unknownKey = 'kid names no registered key of the client';
const badToken = 'client_notification_token must be 1 to 1024 characters of a bearer token';
const shortContext = 'context is shorter than 8 characters';

const refused: readonly Refused[] = [
  ['strings-without-nul', uri, 'a claim holds NUL', () => ({ context: 'Approve\0order' })],
  ['claims-of-bounded-length', uri, 'a claim is too long', () => ({ x_long: 'x'.repeat(40_000) })],
  ['type-is-a-request-object', object, 'typ does not name a request object', () => ({}), { header: { typ: 7 } }],
  ['alg-fits-the-key', object, 'alg does not fit the registered key', () => ({}), { header: { alg: 'PS256' } }],
  ['alg-fits-the-key', object, 'alg does not fit the registered key', () => ({}), { header: { alg: 'none' } }],
  ['kid-selects-the-key', object, unknownKey, () => ({}), { header: { kid: '' } }],
  ['kid-selects-the-key', object, unknownKey, () => ({}), { header: { kid: ['conftestkey01'] } }],
  ['kid-selects-the-key', object, unknownKey, () => ({}), { header: { kid: '../../dev/null' } }],
  [
    'client-has-a-key',
    'invalid_client',
    'the client has registered no key',
    () => ({ client_id: 'ccid-conftestclient06' }),
  ],
  [
    'client-is-registered',
    'invalid_client',
    'client_id is not a registered client',
    () => ({ client_id: 'ccid-conftestclient07' }),
    { key: 'disabled' },
  ],
  ['iss-is-the-client', 'invalid_client', 'iss must equal client_id', () => ({ iss: 'ccid-conftestclient01 ' })],
  ['aud-is-the-issuer', object, 'aud must be the issuer', () => ({ aud: [`${setup.carrier.origin}/`] })],
  ['iat-is-an-integer', uri, 'iat must be an integer', (now) => ({ iat: now + 0.5 })],
  ['iat-within-5-minutes', uri, 'iat is more than 5 minutes ago', (now) => ({ iat: now - 301 })],
  ['iat-within-5-minutes', uri, 'iat is in the future', (now) => ({ iat: now + 61, exp: now + 200 })],
  ['exp-has-not-passed', uri, 'exp has passed', (now) => ({ exp: now })],
  ['exp-has-not-passed', uri, 'exp is not after iat', (now) => ({ iat: now + 50, exp: now + 40 })],
  ['exp-within-5-minutes', uri, 'exp is more than 5 minutes ahead', (now) => ({ exp: now + 301 })],
  ['not-before-has-come', uri, 'nbf is in the future', (now) => ({ nbf: now + 1 })],
  [
    'expires-in-is-an-integer',
    uri,
    'expires_in must be an integer',
    () => ({ expires_in: undefined }),
    { append: '"expires_in":3e2' },
  ],
  ['expires-in-within-48-hours', uri, 'expires_in is above 48 hours', () => ({ expires_in: 172_801 })],
  ['notification-token-is-b64token', uri, badToken, () => ({ client_notification_token: 'a\r\nx-evil: 1' })],
  ['notification-token-is-b64token', uri, badToken, () => ({ client_notification_token: 'x'.repeat(1025) })],
  ['context-8-to-240', uri, shortContext, () => ({ context: '%41%4' })],
  ['context-8-to-240', uri, 'context exceeds 240 characters', () => ({ context: '%41'.repeat(81) })],
  [
    'referred-binding-is-a-public-key',
    uri,
    'referred_binding must be a public JWK: RSA of 2048 bits or more, or EC P-256',
    () => ({ referred_binding: { kty: 'oct', k: 'AAAA' } }),
  ],
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

type Accepted = readonly [title: string, Difference, Signing?];
const accepted: readonly Accepted[] = [
  ['iat 5 minutes ago', (now) => ({ iat: now - 300, exp: now + 60 })],
  ['iat a minute ahead', (now) => ({ iat: now + 60 })],
  ['exp 5 minutes ahead', (now) => ({ exp: now + 300 })],
  ['nbf now', (now) => ({ nbf: now })],
  ['48 hours', () => ({ expires_in: 172_800 })],
  ['escaped slashes', () => ({ redirect_uri: undefined }), { append: '"redirect_uri":"https:\\/\\/sp.test\\/cb"' }],
  ['a token of 1024 characters', () => ({ client_notification_token: 'x'.repeat(1024) })],
  ['the token alphabet', () => ({ client_notification_token: 'aZ0-._~+/==' })],
  ['8 characters of context', () => ({ context: 'Approve1' })],
  ['240 emoji of context', () => ({ context: '😀'.repeat(240) })],
  ['240 characters of 80 escapes of context', () => ({ context: '%41'.repeat(80) })],
  ['128 characters of correlation_id', () => ({ correlation_id: '_-'.repeat(64) })],
  ['aud in a list', () => ({ aud: [setup.carrier.origin] })],
  ['typ in another case', () => ({}), { header: { typ: 'jwt' } }],
  ['typ of RFC 9101', () => ({}), { header: { typ: 'oauth-authz-req+jwt' } }],
  ['the first of two keys', () => ({ ...two, login_hint: setup.sub('first', 'two-keys') }), { key: 'rsa' }],
  ['the second of two keys', () => ({ ...two, login_hint: setup.sub('first', 'two-keys') }), { key: 'ec' }],
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
