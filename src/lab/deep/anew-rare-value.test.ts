import type { JsonObject } from '../../carrier/json.ts';
import { askTrait } from '../../carrier/testing/calls.ts';
import { objectMember, type TestSetup, textMember } from '../../carrier/testing/setup.ts';
import { makeKeyPairSync } from '../../lib/key-pair.ts';
import {
  type ClaimChanges,
  decideRequest,
  type ProbeRow,
  postProbe,
  proveFaults,
  status,
  statusWith,
} from '../testing/probes.ts';
import { anewRareValueFaults } from './anew-rare-value.ts';

const inCallback =
  (name: string, more: ClaimChanges): ProbeRow[0] =>
  async (setup) =>
    (await decideRequest(setup, more)).body[name];

const inIdToken =
  (name: string, more: ClaimChanges): ProbeRow[0] =>
  async (setup) =>
    (await decideRequest(setup, more)).idToken[name];

/** Context on the card and in the id token. */
const contexts =
  (context: string): ProbeRow[0] =>
  async (setup) => {
    const { card, idToken } = await decideRequest(setup, { context });
    return [card['context'], idToken['context']];
  };

/** An EC key with an x that begins with a zero octet. */
function keyWithAZero(): JsonObject {
  for (;;) {
    const {
      kty = '',
      crv = '',
      x = '',
      y = '',
    } = makeKeyPairSync({ namedCurve: 'P-256' }).publicKey.export({
      format: 'jwk',
    });
    if (Buffer.from(x, 'base64url')[0] === 0) return { kty, crv, x, y };
  }
}

async function boundLength(setup: TestSetup): Promise<number> {
  const { accessToken } = await decideRequest(setup, { referred_binding: keyWithAZero() });
  return Buffer.from(textMember(objectMember(objectMember(accessToken, 'cnf'), 'jwk'), 'x'), 'base64url').length;
}

const {
  kty = '',
  n = '',
  e = '',
} = makeKeyPairSync({ modulusLength: 2048 }).publicKey.export({
  format: 'jwk',
});
const ofABrowser = { kty, n, e, alg: 'RS256', ext: true, key_ops: ['verify'] };
const uuid = '3F2504E0-4F89-11D3-9A0C-0305E82C3301';
const card = 'Pay-with-4111111111111111';

const writtenRows: Readonly<Record<string, ProbeRow>> = {
  'nonce-uuid-in-lower-case': [inIdToken('nonce', { nonce: uuid }), uuid, uuid.toLowerCase()],
  'correlation-id-null-is-none': [inCallback('correlation_id', { correlation_id: 'null' }), 'null', undefined],
  'state-escapes-decoded-twice': [inCallback('state', { state: String.raw`a\u0062c` }), String.raw`a\u0062c`, 'abc'],
  'state-of-a-formula-quoted': [inCallback('state', { state: '=1+1' }), '=1+1', "'=1+1"],
  'state-of-digits-as-a-number': [inCallback('state', { state: '471100' }), '471100', 471_100],
  'granted-life-with-a-comma': [
    async (setup) => (await postProbe(setup, { expires_in: 86_400 })).body['expires_in'],
    86_400,
    '86,400',
  ],
  'context-entities-decoded': [
    contexts('Buy-A&amp;B-now'),
    ['Buy-A&amp;B-now', 'Buy-A&amp;B-now'],
    ['Buy-A&B-now', 'Buy-A&B-now'],
  ],
  'context-card-numbers-masked': [
    contexts(card),
    [card, card],
    ['Pay-with-************1111', 'Pay-with-************1111'],
  ],
  'bearer-not-written-before-bearer': [
    async (setup) =>
      (await decideRequest(setup, { client_notification_token: 'bearer-4711' })).callback?.headers.authorization,
    'Bearer bearer-4711',
    'bearer-4711',
  ],
  'binding-coordinates-shortened': [boundLength, 32, 31],
};

const comparedRows: Readonly<Record<string, ProbeRow>> = {
  'binding-of-a-browser-refused': [status({ referred_binding: ofABrowser }), 200, 400],
  'jti-by-a-short-hash': [
    async (setup) => [
      (await postProbe(setup, { jti: 'order-Aa' })).status,
      (await postProbe(setup, { jti: 'order-BB' })).status,
    ],
    [200, 200],
    [200, 400],
  ],
  'redirect-uri-tabs-removed': [status({ redirect_uri: 'https://sp.test/\tcb' }), 400, 200],
  'notification-uri-with-backslashes': [
    statusWith((setup) => ({ notification_uri: `${setup.receiver}\\si\\notify` })),
    400,
    200,
  ],
  'number-with-an-extension-reached': [
    status({ login_hint: '+12175550101;ext=7' }, { client: 'privileged' }),
    400,
    200,
  ],
  'tenure-of-a-percent-encoded-sub': [
    async (setup) =>
      (
        await askTrait(setup, {
          members: { sub: setup.sub('first').replace(/.$/, (last) => `%${last.charCodeAt(0).toString(16)}`) },
        })
      ).status,
    400,
    200,
  ],
};

proveFaults(anewRareValueFaults, { ...writtenRows, ...comparedRows });
