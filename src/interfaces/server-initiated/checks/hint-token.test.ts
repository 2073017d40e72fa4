import { expect, test } from 'vitest';
import type { Json } from '../../../lib/json.ts';
import { MissingValue } from '../../../model/suite.ts';
import { buildResponse, buildTokens } from '../../../testing/parts/observations.ts';
import type { Judgeable } from '../../../judge/observation.ts';
import { checkMessage } from '../../../testing/parts/named-checks.ts';

const part = (value: Json) => Buffer.from(JSON.stringify(value)).toString('base64url');
const issued = (...parts: readonly string[]): Judgeable => ({
  kind: 'trigger',
  step: 'hint',
  sentAt: 0,
  done: true,
  summary: 'done',
  body: { login_hint_token: parts.join('.') },
});
const header = { alg: 'RSA-OAEP-256', enc: 'A256GCM', kid: 'op1' };
const jwe = issued(part(header), 'a2V5', 'aXY', 'Y2lwaGVy', 'dGFn');
const bothHints = buildResponse({ claims: { login_hint: '001010-aa', login_hint_token: 'a.b.c.d.e' } });
const document = (cancel: string) =>
  buildResponse({
    body: {
      server_initiated_endpoint: 'https://op.carrier.test/bc-authorize',
      server_initiated_cancel_endpoint: cancel,
    },
  });

test.each<readonly [name: string, conforms: readonly Judgeable[]]>([
  ['hint-token-is-jwe', [jwe, issued(part({ alg: 'dir', enc: 'A256GCM' }), '', 'aXY', 'Y2lwaGVy', 'dGFn')]],
  ['hint-token-is-opaque', [jwe]],
  [
    'hint-token-has-precedence',
    [buildTokens(), bothHints, buildTokens({ sent: bothHints, idToken: { sub: '001010-bb' } })],
  ],
  ['cancel-endpoint-separate', [document('https://op.carrier.test/cancel'), document('https://other.carrier.test/c')]],
])('%s finds nothing where the carrier conforms', (name, conforms) => {
  for (const observation of conforms) expect(checkMessage(name, observation)).toEqual([]);
});

test('a signed JWT is no JWE, and shows its claims', () => {
  const jws = issued(part({ alg: 'RS256', typ: 'JWT' }), part({ sub: '001010-aa' }), 'c2ln');
  expect(checkMessage('hint-token-is-jwe', jws)).toEqual([
    { path: 'body.login_hint_token', expected: '5 parts between dots', actual: 3 },
    { path: 'body.login_hint_token header.enc', expected: 'the name of an algorithm', actual: null },
  ]);
  expect(checkMessage('hint-token-is-opaque', jws)).toEqual([
    { path: 'body.login_hint_token', expected: 'parts that only the carrier can read', actual: 'part 2 is JSON' },
  ]);
});

test('a header that names the subscriber is not opaque', () => {
  expect(
    checkMessage('hint-token-is-opaque', issued(part({ ...header, sub: '001010-aa' }), 'a', 'b', 'c', 'd')),
  ).toEqual([{ path: 'body.login_hint_token header.sub', expected: 'nothing of the decoded token', actual: 'sub' }]);
});

test('without a token there is nothing to judge', () => {
  expect(() => checkMessage('hint-token-is-jwe', buildResponse({ body: {} }))).toThrow(
    new MissingValue('body.login_hint_token'),
  );
});

test('tokens for the user of login_hint are against the precedence', () => {
  const callback = buildTokens({ sent: bothHints, idToken: { sub: '001010-aa' } });
  expect(checkMessage('hint-token-has-precedence', callback)).toEqual([
    { path: 'idToken.sub', expected: 'the user of login_hint_token', actual: '001010-aa, the login_hint' },
  ]);
});

test('the cancel endpoint is named, absolute, and another', () => {
  const path = 'body.server_initiated_cancel_endpoint';
  expect(checkMessage('cancel-endpoint-separate', buildResponse({ body: {} }))).toEqual([
    {
      aspect: 'published',
      path: 'body',
      expected: 'one of server_initiated_cancel_endpoint, cancel_endpoint',
      actual: null,
    },
  ]);
  expect(checkMessage('cancel-endpoint-separate', document('/cancel'))).toEqual([
    { path, expected: 'an absolute URL', actual: '/cancel' },
  ]);
  expect(checkMessage('cancel-endpoint-separate', document('https://op.carrier.test/bc-authorize/'))).toEqual([
    { path, expected: 'another URL than server_initiated_endpoint', actual: 'https://op.carrier.test/bc-authorize' },
  ]);
});
