import { askTrait, askUserinfo, authorizeAs, happen, setsOf, userinfoOf } from '../../../testing/calls.ts';
import { inner, text } from '../../../testing/setup.ts';
import { act, acted, cardOf, flags, opening, type SequenceRow } from './sequences.ts';

const client_id = 'ccid-conftestclient01';
const ofTwoKeys = {
  client_id: 'ccid-conftestclient03',
  redirect_uri: 'https://sp.test/cb',
  jti: 'the-same-one',
  scope: 'openid',
};

/** The faults of state-accounts.ts. */
export const accountRows: Readonly<Record<string, SequenceRow>> = {
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
  'trait-consent-read-once': [
    async (setup) => {
      await askTrait(setup);
      await happen(setup, 'remove-consent', { body: { client_id } });
      return (await askTrait(setup)).status;
    },
    403,
    200,
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
  'email-level-kept-once-verified': [
    async (setup) => {
      const ask = { client: 'privileged', scope: 'openid email' } as const;
      await happen(setup, 'edit', { body: { attribute: 'email' } });
      await happen(setup, 'verify-email');
      const verified = inner(await userinfoOf(setup, ask), 'email')['verified'];
      await happen(setup, 'bounce-email');
      return [verified, inner(await userinfoOf(setup, ask), 'email')['verified']];
    },
    [2, 1],
    [2, 2],
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
  'link-never-back': [
    async (setup) => {
      await happen(setup, 'unlink', { body: { client_id } });
      await happen(setup, 'move-sim');
      await happen(setup, 'link', { body: { client_id } });
      await happen(setup, 'move-sim');
      return setsOf(setup, 'main').length;
    },
    1,
    0,
  ],
  'consent-revoked-once-in-a-life': [
    async (setup) => {
      for (let count = 0; count < 2; count++) {
        await happen(setup, 'remove-consent', { body: { client_id } });
        await happen(setup, 'consent', { body: { client_id } });
        await setup.move(7200);
      }
      return setsOf(setup, 'main').length;
    },
    2,
    1,
  ],
};
