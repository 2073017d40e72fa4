import { authorizeAs, happen, setsOf } from '../../../testing/calls.ts';
import { text } from '../../../testing/setup.ts';
import {
  acted,
  cancel,
  cardOf,
  idTokenOf,
  opening,
  type SequenceRow,
  stateOf,
  subscriberOf,
  verifiesByKeySet,
} from './sequences.ts';

/** The faults of state.ts and state-phone.ts. */
export const requestRows: Readonly<Record<string, SequenceRow>> = {
  'login-forgotten-after-denial': [
    async (setup) => {
      await acted(setup, 'deny');
      return (await cardOf(setup, await opening(setup, { more: { prompt: 'login' } })))['authentication'];
    },
    'full',
    'reused',
  ],
  'consent-screen-shown-once': [
    async (setup) => {
      await acted(setup, 'deny', { scope: 'openid birthdate' });
      return (await cardOf(setup, await opening(setup, { scope: 'openid birthdate' })))['consentScreen'];
    },
    ['birthdate'],
    [],
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
  'scopes-bundled-while-one-waits': [
    async (setup) => {
      await opening(setup, { scope: 'openid email' });
      return (await acted(setup, 'approve', { scope: 'openid name' })).body['scope'];
    },
    'openid name',
    'openid email name',
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
  'life-halved-after-denial': [
    async (setup) => {
      await acted(setup, 'deny');
      const id = await opening(setup);
      await setup.move(200);
      return stateOf(setup, id);
    },
    'pending',
    'timed-out',
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

/** The faults of state-flow.ts, and the rest of state-phone.ts. */
export const flowRows: Readonly<Record<string, SequenceRow>> = {
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
  'same-correlation-id-same-answer': [
    async (setup) => {
      const more = { correlation_id: 'order-1' };
      return (await opening(setup, { more })) === (await opening(setup, { more, subscriber: 'second' }));
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
  'nonce-of-another-user-left-out': [
    async (setup) => {
      await acted(setup, 'approve', { more: { nonce: 'session-1' } });
      const second = await acted(setup, 'approve', { more: { nonce: 'session-1' }, subscriber: 'second' });
      return idTokenOf(second)['nonce'];
    },
    'session-1',
    undefined,
  ],
  'local-redirect-sticks-to-the-phone': [
    async (setup) => {
      await acted(setup, 'approve', { more: { options: 'local_redirect' } });
      const { body } = await acted(setup, 'approve');
      return (await cardOf(setup, text(body, 'auth_req_id')))['openedUri'];
    },
    null,
    'https://sp.test/cb?state=st-0001',
  ],
  'prompt-consent-once-for-the-same-scopes': [
    async (setup) => {
      const ask = { more: { prompt: 'consent' } };
      await acted(setup, 'approve', ask);
      return (await cardOf(setup, await opening(setup, ask)))['consentScreen'];
    },
    ['openid'],
    [],
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
  'event-key-under-a-new-kid': [
    async (setup) => {
      await happen(setup, 'move-sim');
      await setup.admin('POST', '/keys/rotate');
      await happen(setup, 'move-sim', { subscriber: 'second' });
      return verifiesByKeySet(setup, text(setup.events.at(-1)?.body, 'set'));
    },
    true,
    false,
  ],
};
