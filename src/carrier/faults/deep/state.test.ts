import { askTrait, askUserinfo, authorizeAs, happen, setsOf } from '../../testing/calls.ts';
import { text } from '../../testing/setup.ts';
import { stateFaults } from './state.ts';
import {
  act,
  acted,
  cancel,
  cardOf,
  flags,
  idTokenOf,
  opening,
  type Row,
  stateOf,
  subscriberOf,
  proveFaults,
  verifiesByKeySet,
} from './testing/probes.ts';

const requestRows: Readonly<Record<string, Row>> = {
  'login-forgotten-after-denial': [
    async (setup) => {
      await acted(setup, 'deny');
      return (await cardOf(setup, await opening(setup, { more: { prompt: 'login' } })))['authentication'];
    },
    'full',
    'reused',
  ],
  'notification-uri-unchecked-after-cancel': [
    async (setup) => {
      await cancel(setup, await opening(setup));
      return (await setup.authorize({ notification_uri: `${setup.receiver}/elsewhere` })).status;
    },
    400,
    200,
  ],
  'redirect-uri-by-origin-while-one-waits': [
    async (setup) => {
      await opening(setup);
      return (await setup.authorize({ redirect_uri: 'https://sp.test/elsewhere' })).status;
    },
    400,
    200,
  ],
  'no-event-while-a-request-waits': [
    async (setup) => {
      await opening(setup);
      await happen(setup, 'move-sim');
      return setsOf(setup, 'main').length;
    },
    1,
    0,
  ],
  'user-shielded-after-three-denials': [
    async (setup) => {
      for (let count = 0; count < 3; count++) await acted(setup, 'deny');
      return (await cardOf(setup, await opening(setup)))['shown'];
    },
    true,
    false,
  ],
  'replay-overwrites-the-card': [
    async (setup) => {
      const id = await opening(setup, { more: { jti: 'the-same-one' } });
      const { status } = await setup.authorize({ jti: 'the-same-one', context: 'Pay-another-one' });
      return [status, (await cardOf(setup, id))['context']];
    },
    [400, 'Approve-order-4711'],
    [400, 'Pay-another-one'],
  ],
};

const flowRows: Readonly<Record<string, Row>> = {
  'cancel-takes-the-newest': [
    async (setup) => {
      const [first, second] = [await opening(setup), await opening(setup)];
      await cancel(setup, first);
      return [await stateOf(setup, first), await stateOf(setup, second)];
    },
    ['cancelled', 'pending'],
    ['pending', 'cancelled'],
  ],
  'auth-req-id-of-the-first-try': [
    async (setup) => {
      const more = { correlation_id: 'order-1' };
      const first = await acted(setup, 'deny', { more });
      const second = await acted(setup, 'approve', { more });
      return second.body['auth_req_id'] === first.body['auth_req_id'];
    },
    false,
    true,
  ],
  'tokens-kept-for-a-request-without-nonce': [
    async (setup) => {
      await acted(setup, 'approve', { more: { nonce: 'of-the-first' } });
      return idTokenOf(await acted(setup, 'approve', { more: { nonce: undefined } }))['nonce'];
    },
    undefined,
    'of-the-first',
  ],
  'hint-token-user-sticks': [
    async (setup) => {
      const whose = { subscriber: 'second', client_id: 'ccid-conftestclient01' };
      const token = text((await setup.admin('POST', '/login-hint-tokens', whose)).body, 'login_hint_token');
      await opening(setup, { more: { login_hint: undefined, login_hint_token: token } });
      return subscriberOf(setup, await opening(setup));
    },
    'first',
    'second',
  ],
  'old-number-still-reaches': [
    async (setup) => {
      const ask = { client: 'privileged', more: { login_hint: '+12175550101' } } as const;
      await opening(setup, ask);
      await happen(setup, 'change-number', { body: { phone: '+12175550999' } });
      return (await authorizeAs(setup, ask)).status;
    },
    400,
    200,
  ],
  'first-id-token-after-a-rotation': [
    async (setup) => {
      await acted(setup, 'approve');
      await setup.admin('POST', '/keys/rotate');
      return verifiesByKeySet(setup, text((await acted(setup, 'approve')).body, 'id_token'));
    },
    true,
    false,
  ],
};

const client_id = 'ccid-conftestclient01';
const ofTwoKeys = {
  client_id: 'ccid-conftestclient03',
  redirect_uri: 'https://sp.test/cb',
  jti: 'the-same-one',
  scope: 'openid',
};

const accountRows: Readonly<Record<string, Row>> = {
  'jti-memory-per-key-set': [
    async (setup) => {
      const claims = { ...ofTwoKeys, login_hint: setup.sub('first', 'two-keys') };
      const first = await setup.authorize(claims, { key: 'rsa' });
      await setup.admin('DELETE', '/clients/ccid-conftestclient03/keys/b');
      return [first.status, (await setup.authorize(claims, { key: 'rsa' })).status];
    },
    [200, 400],
    [200, 200],
  ],
  'consents-rolled-back-by-denial': [
    async (setup) => {
      const id = await opening(setup);
      await happen(setup, 'remove-consent', { body: { client_id } });
      await act(setup, id, 'deny');
      return [(await authorizeAs(setup, {})).status, (await askTrait(setup)).status];
    },
    [400, 403],
    [200, 200],
  ],
  'unticked-scope-counted-as-consent': [
    async (setup) => {
      await act(setup, await opening(setup, { scope: 'openid birthdate' }), 'approve', { scopes: ['openid'] });
      return (await cardOf(setup, await opening(setup, { scope: 'openid birthdate' })))['consentScreen'];
    },
    ['birthdate'],
    [],
  ],
  'silent-flag-read-once': [
    async (setup) => {
      const ask = { client: 'privileged', more: { prompt: 'none' } } as const;
      const first = await authorizeAs(setup, ask);
      await flags(setup, { silent_authorization_enabled: false }, 'privileged');
      return [first.status, (await authorizeAs(setup, ask)).status];
    },
    [200, 400],
    [200, 200],
  ],
  'tenure-kept-from-the-third-query-on': [
    async (setup) => {
      for (let count = 0; count < 3; count++) await askTrait(setup);
      await happen(setup, 'swap-sim');
      return (await askTrait(setup)).body['sim_tenure'];
    },
    'true',
    'false',
  ],
  'token-dead-after-two-rotations': [
    async (setup) => {
      const token = text((await acted(setup, 'approve')).body, 'access_token');
      const statuses: number[] = [];
      for (let count = 0; count < 2; count++) {
        await setup.admin('POST', '/keys/rotate');
        statuses.push((await askUserinfo(setup, token)).status);
      }
      return statuses;
    },
    [200, 200],
    [200, 401],
  ],
  'duplicates-forgotten-by-unsubscribing': [
    async (setup) => {
      await happen(setup, 'move-sim');
      await flags(setup, { event_subscription: false });
      await happen(setup, 'move-sim');
      await flags(setup, { event_subscription: true });
      await happen(setup, 'move-sim');
      return setsOf(setup, 'main').length;
    },
    1,
    2,
  ],
};

proveFaults(stateFaults, { ...requestRows, ...flowRows, ...accountRows });
