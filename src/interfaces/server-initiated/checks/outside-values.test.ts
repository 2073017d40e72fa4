import { expect, test } from 'vitest';
import type { Judgeable } from '../../../judge/observation.ts';
import type { JsonObject } from '../../../lib/json.ts';
import { buildAwait, buildLook, buildResponse, buildTokens } from '../../../testing/parts/observations.ts';
import { namedChecks } from './table.ts';

const plain = buildResponse().claims ?? {};
const other = 'the-one-outside';

function find(observation: Judgeable) {
  const found = namedChecks['outside-values-without-effect'];
  if (found?.over !== 'message') throw new Error('there is no such check of a message');
  return found.check(observation).map(({ path, actual }) => ({ path, actual }));
}

const sent = (outside: JsonObject, inside: JsonObject = {}) =>
  buildResponse({ outside, claims: { ...plain, ...inside } });
const tokens = (outside: JsonObject, parts: Parameters<typeof buildTokens>[0]) =>
  buildTokens({ ...parts, sent: sent(outside) });
const phone = (card: JsonObject, outside: JsonObject, inside: JsonObject = {}) => ({
  ...buildLook(card),
  sent: sent(outside, inside),
});

test.each<[string, Judgeable, string]>([
  ['nonce', buildAwait([tokens({ nonce: other }, { idToken: { nonce: other } })]), 'idToken.nonce'],
  ['scope', tokens({ scope: 'openid email' }, { body: { scope: 'openid email' } }), 'body.scope'],
  ['notification_uri', tokens({ notification_uri: 'https://sp.test/other' }, { target: '/other' }), 'target'],
  [
    'client_notification_token',
    tokens({ client_notification_token: other }, { headers: { authorization: `Bearer ${other}` } }),
    'headers.authorization',
  ],
  ['expires_in', { ...sent({ expires_in: 1717 }), granted: 1717 }, 'body.expires_in'],
  ['acr_values', tokens({ acr_values: 'a1' }, { idToken: { acr: 'a1' } }), 'idToken.acr'],
  ['acr_values on the phone', phone({ authentication: 'none' }, { acr_values: 'a1' }), 'card.authentication'],
  ['a colour', phone({ colourMode: 'light' }, { options: 'light' }, { options: 'dark' }), 'card.colourMode'],
  ['local_redirect', phone({ openedUri: 'https://sp.test/cb' }, { options: 'local_redirect' }), 'card.openedUri'],
  [
    'redirect_uri',
    phone({ openedUri: 'https://other.test/cb?state=x' }, { redirect_uri: 'https://other.test/cb' }),
    'card.openedUri',
  ],
])('a value from outside that takes the place of the signed one: %s', (_, observation, path) =>
  expect(find(observation)).toEqual([expect.objectContaining({ path })]),
);

test.each<[string, Judgeable]>([
  ['the signed values', tokens({ state: other, nonce: other, scope: 'openid email' }, {})],
  ['the same value outside', tokens({ state: 'st-0001' }, {})],
  [
    'the object opens the URI',
    phone({ openedUri: 'https://sp.test/cb' }, { options: 'local_redirect dark' }, { options: 'local_redirect' }),
  ],
  ['what no place shows', tokens({ sdk_version: '1.1' }, {})],
])('%s is no effect', (_, observation) => expect(find(observation)).toEqual([]));

test('the bearer credential is not told', () => {
  const observation = tokens({ client_notification_token: other }, { headers: { authorization: `Bearer ${other}` } });
  expect(JSON.stringify(find(observation))).not.toContain(other);
});
