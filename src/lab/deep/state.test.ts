import { askTrait, askUserinfo, authorizeAs, changeSubscriber, receivedSets } from '../../carrier/testing/calls.ts';
import { textMember } from '../../carrier/testing/setup.ts';
import { stateFaults } from './state.ts';
import {
  actOn,
  openAndDecide,
  postCancel,
  readCard,
  setFlags,
  callbackIdToken,
  openAccepted,
  type ProbeRow,
  readRequestState,
  readSubscriberName,
  proveFaults,
  verifiesByKeySet,
} from '../testing/probes.ts';

const requestRows: Readonly<Record<string, ProbeRow>> = {
  'login-forgotten-after-denial': [
    async (setup) => {
      await openAndDecide(setup, 'deny');
      return (await readCard(setup, await openAccepted(setup, { more: { prompt: 'login' } })))['authentication'];
    },
    'full',
    'reused',
  ],
  'notification-uri-unchecked-after-cancel': [
    async (setup) => {
      await postCancel(setup, await openAccepted(setup));
      return (await setup.authorize({ notification_uri: `${setup.receiver}/elsewhere` })).status;
    },
    400,
    200,
  ],
  'redirect-uri-by-origin-while-one-waits': [
    async (setup) => {
      await openAccepted(setup);
      return (await setup.authorize({ redirect_uri: 'https://sp.test/elsewhere' })).status;
    },
    400,
    200,
  ],
  'no-event-while-a-request-waits': [
    async (setup) => {
      await openAccepted(setup);
      await changeSubscriber(setup, 'move-sim');
      return receivedSets(setup, 'main').length;
    },
    1,
    0,
  ],
  'user-shielded-after-three-denials': [
    async (setup) => {
      for (let count = 0; count < 3; count++) await openAndDecide(setup, 'deny');
      return (await readCard(setup, await openAccepted(setup)))['shown'];
    },
    true,
    false,
  ],
  'replay-overwrites-the-card': [
    async (setup) => {
      const id = await openAccepted(setup, { more: { jti: 'the-same-one' } });
      const { status } = await setup.authorize({ jti: 'the-same-one', context: 'Pay-another-one' });
      return [status, (await readCard(setup, id))['context']];
    },
    [400, 'Approve-order-4711'],
    [400, 'Pay-another-one'],
  ],
};

const flowRows: Readonly<Record<string, ProbeRow>> = {
  'cancel-takes-the-newest': [
    async (setup) => {
      const [first, second] = [await openAccepted(setup), await openAccepted(setup)];
      await postCancel(setup, first);
      return [await readRequestState(setup, first), await readRequestState(setup, second)];
    },
    ['cancelled', 'pending'],
    ['pending', 'cancelled'],
  ],
  'auth-req-id-of-the-first-try': [
    async (setup) => {
      const more = { correlation_id: 'order-1' };
      const first = await openAndDecide(setup, 'deny', { more });
      const second = await openAndDecide(setup, 'approve', { more });
      return second.body['auth_req_id'] === first.body['auth_req_id'];
    },
    false,
    true,
  ],
  'tokens-kept-for-a-request-without-nonce': [
    async (setup) => {
      await openAndDecide(setup, 'approve', { more: { nonce: 'of-the-first' } });
      return callbackIdToken(await openAndDecide(setup, 'approve', { more: { nonce: undefined } }))['nonce'];
    },
    undefined,
    'of-the-first',
  ],
  'hint-token-user-sticks': [
    async (setup) => {
      const whose = { subscriber: 'second', client_id: 'ccid-conftestclient01' };
      const token = textMember((await setup.admin('POST', '/login-hint-tokens', whose)).body, 'login_hint_token');
      await openAccepted(setup, { more: { login_hint: undefined, login_hint_token: token } });
      return readSubscriberName(setup, await openAccepted(setup));
    },
    'first',
    'second',
  ],
  'old-number-still-reaches': [
    async (setup) => {
      const ask = { client: 'privileged', more: { login_hint: '+12175550101' } } as const;
      await openAccepted(setup, ask);
      await changeSubscriber(setup, 'change-number', { body: { phone: '+12175550999' } });
      return (await authorizeAs(setup, ask)).status;
    },
    400,
    200,
  ],
  'first-id-token-after-a-rotation': [
    async (setup) => {
      await openAndDecide(setup, 'approve');
      await setup.admin('POST', '/keys/rotate');
      return verifiesByKeySet(setup, textMember((await openAndDecide(setup, 'approve')).body, 'id_token'));
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

const accountRows: Readonly<Record<string, ProbeRow>> = {
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
      const id = await openAccepted(setup);
      await changeSubscriber(setup, 'remove-consent', { body: { client_id } });
      await actOn(setup, id, 'deny');
      return [(await authorizeAs(setup, {})).status, (await askTrait(setup)).status];
    },
    [400, 403],
    [200, 200],
  ],
  'unticked-scope-counted-as-consent': [
    async (setup) => {
      await actOn(setup, await openAccepted(setup, { scope: 'openid birthdate' }), 'approve', { scopes: ['openid'] });
      return (await readCard(setup, await openAccepted(setup, { scope: 'openid birthdate' })))['consentScreen'];
    },
    ['birthdate'],
    [],
  ],
  'silent-flag-read-once': [
    async (setup) => {
      const ask = { client: 'privileged', more: { prompt: 'none' } } as const;
      const first = await authorizeAs(setup, ask);
      await setFlags(setup, { silent_authorization_enabled: false }, 'privileged');
      return [first.status, (await authorizeAs(setup, ask)).status];
    },
    [200, 400],
    [200, 200],
  ],
  'tenure-kept-from-the-third-query-on': [
    async (setup) => {
      for (let count = 0; count < 3; count++) await askTrait(setup);
      await changeSubscriber(setup, 'swap-sim');
      return (await askTrait(setup)).body['sim_tenure'];
    },
    'true',
    'false',
  ],
  'token-dead-after-two-rotations': [
    async (setup) => {
      const token = textMember((await openAndDecide(setup, 'approve')).body, 'access_token');
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
      await changeSubscriber(setup, 'move-sim');
      await setFlags(setup, { event_subscription: false });
      await changeSubscriber(setup, 'move-sim');
      await setFlags(setup, { event_subscription: true });
      await changeSubscriber(setup, 'move-sim');
      return receivedSets(setup, 'main').length;
    },
    1,
    2,
  ],
};

proveFaults(stateFaults, { ...requestRows, ...flowRows, ...accountRows });
