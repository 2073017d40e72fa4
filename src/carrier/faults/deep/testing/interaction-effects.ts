import { inner, type Setup, text } from '../../../testing/setup.ts';
import { ask, callbackOf, type Claims, ended, type How, type Row } from './probes.ts';
import { publicJwk } from './interaction-skipped.ts';

const idTokenHas =
  (name: string, more: Claims): Row[0] =>
  async (setup) =>
    (await ended(setup, more)).idToken[name];

const cardHas =
  (name: string, more: Claims, how: How = {}): Row[0] =>
  async (setup) =>
    (await ended(setup, more, how)).card[name];

const opened =
  (more: Claims): Row[0] =>
  async (setup) =>
    (await ended(setup, { options: 'local_redirect', ...more })).cardAfter['openedUri'];

const kindOfBinding = async (setup: Setup): Promise<unknown> => {
  const { accessToken } = await ended(setup, { referred_binding: publicJwk('ec') });
  return inner(inner(accessToken, 'cnf'), 'jwk')['kty'];
};

/** What has come five seconds after the granted life of a request. */
async function afterItsLife(setup: Setup, more: Claims): Promise<string> {
  const answer = await ask(setup, { expires_in: 300, ...more });
  await setup.move(305);
  return text(callbackOf(setup, answer)?.body, 'error');
}

/** By name of the fault: what is seen, without the fault and with it. */
export const effectRows: Readonly<Record<string, Row>> = {
  'nonce-equal-to-state-left-out': [idTokenHas('nonce', { nonce: 'same', state: 'same' }), 'same', undefined],
  'login-lost-with-consent-at-a1': [
    cardHas('authentication', { prompt: 'consent login', acr_values: 'a1' }),
    'full',
    'none',
  ],
  'a1-raised-by-offline-access': [idTokenHas('acr', { scope: 'openid offline_access', acr_values: 'a1' }), 'a1', 'a3'],
  'colours-lost-at-the-sign-in': [cardHas('colourMode', { options: 'dark', prompt: 'login' }), 'dark', 'system'],
  'local-redirect-only-with-state': [opened({ state: undefined }), 'https://sp.test/cb', null],
  'local-redirect-to-sites-only': [opened({ redirect_uri: 'sptest://cb' }), 'sptest://cb?state=st-0001', null],
  'options-dropped-where-colours-contradict': [
    opened({ options: 'light dark local_redirect' }),
    'https://sp.test/cb?state=st-0001',
    null,
  ],
  'consent-skipped-with-local-redirect': [
    cardHas('consentScreen', { scope: 'openid birthdate', options: 'local_redirect' }),
    ['birthdate'],
    [],
  ],
  'context-behind-four-scopes-not-shown': [
    cardHas('context', { scope: 'openid name email phone', prompt: 'consent' }),
    'Approve-order-4711',
    null,
  ],
  'context-lost-with-consent-at-a1': [
    idTokenHas('context', { prompt: 'consent', acr_values: 'a1' }),
    'Approve-order-4711',
    undefined,
  ],
  'nonce-lost-at-the-sign-in-without-state': [
    idTokenHas('nonce', { state: undefined, prompt: 'login' }),
    'n-0001',
    undefined,
  ],
  'state-lost-on-untracked-errors': [
    async (setup) => {
      const more = { correlation_id: undefined, client_notification_token: undefined };
      return (await ended(setup, more, { act: 'deny' })).body['state'];
    },
    'st-0001',
    undefined,
  ],
  'bearer-lost-with-local-redirect-at-a1': [
    async (setup) => {
      const { callback } = await ended(setup, {
        options: 'local_redirect',
        acr_values: 'a1',
        client_notification_token: 'sp-secret',
      });
      return callback?.headers.authorization;
    },
    'Bearer sp-secret',
    undefined,
  ],
  'late-time-out-of-a3-sign-ins': [
    (setup) => afterItsLife(setup, { prompt: 'login', acr_values: 'a3' }),
    'authentication_timed_out',
    '',
  ],
  'offline-access-cannot-be-unticked': [
    async (setup) => {
      const scope = 'openid name offline_access';
      return (await ended(setup, { scope }, { ticked: ['openid', 'name'] })).body['scope'];
    },
    'openid name',
    'openid name offline_access',
  ],
  'binding-of-another-type-ignored': [kindOfBinding, 'EC', 'RSA'],
  'query-state-fills-in': [
    async (setup) => (await ended(setup, { state: undefined }, { query: '?state=of-the-url' })).body['state'],
    undefined,
    'of-the-url',
  ],
  'beside-values-win-with-the-client-id': [
    async (setup) => {
      const beside = { client_id: 'ccid-conftestclient01', state: 'of-the-body' };
      return (await ended(setup, {}, { beside })).body['state'];
    },
    'st-0001',
    'of-the-body',
  ],
};
