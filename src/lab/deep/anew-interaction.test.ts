import { askUserinfo, changeSubscriber, receivedSets } from '../../carrier/testing/calls.ts';
import { objectMember, privateJwk, type TestSetup, textMember } from '../../carrier/testing/setup.ts';
import {
  authReqId,
  type ClaimChanges,
  decideRequest,
  hintToken,
  type ProbeOptions,
  type ProbeRow,
  postProbe,
  proveFaults,
  readSubscriberName,
  setFlags,
  status,
  statusWith,
} from '../testing/probes.ts';
import { anewInteractionFaults } from './anew-interaction.ts';

const cardHas =
  (name: string, more: ClaimChanges, how: ProbeOptions = {}): ProbeRow[0] =>
  async (setup) =>
    (await decideRequest(setup, more, how)).card[name];

const hasIdToken =
  (more: ClaimChanges): ProbeRow[0] =>
  async (setup) =>
    'id_token' in (await decideRequest(setup, more)).body;

const requestRows: Readonly<Record<string, ProbeRow>> = {
  'local-redirect-calls-back-at-the-first-uri': [
    async (setup) => {
      const more = { options: 'local_redirect', notification_uri: `${setup.receiver}/si/notify-alternate` };
      return (await decideRequest(setup, more)).callback?.target;
    },
    '/si/notify-alternate',
    '/si/notify',
  ],
  'consent-read-only-as-the-first-word-with-a-context': [
    cardHas('consentScreen', { prompt: 'login consent' }),
    ['openid', 'name'],
    [],
  ],
  'no-id-token-at-a1-without-nonce': [hasIdToken({ acr_values: 'a1', nonce: undefined }), true, false],
  'profile-scopes-imply-openid': [hasIdToken({ scope: 'name email' }), false, true],
  'nonce-equal-to-state-left-out': [
    async (setup) => (await decideRequest(setup, { state: 'same', nonce: 'same' })).idToken['nonce'],
    'same',
    undefined,
  ],
  'token-ends-with-a-short-request': [
    async (setup) => {
      const { body } = await decideRequest(setup, { expires_in: 30 });
      await setup.move(40);
      return (await askUserinfo(setup, textMember(body, 'access_token'))).status;
    },
    200,
    401,
  ],
  'bound-to-the-first-of-two-keys': [
    async (setup) => {
      const how = { client: 'two-keys', key: 'ec' } as const;
      const { accessToken } = await decideRequest(setup, {}, { ...how, header: { kid: privateJwk('ec')['kid'] } });
      return objectMember(objectMember(accessToken, 'cnf'), 'jwk')['kty'];
    },
    'EC',
    'RSA',
  ],
  'longer-context-of-two-shown': [
    cardHas('context', {}, { beside: { context: 'Approve-order-4711-and-4712' } }),
    'Approve-order-4711',
    'Approve-order-4711-and-4712',
  ],
  'context-unmeasured-beside-an-sdk-version': [
    status({ context: 'A'.repeat(300) }, { beside: { sdk_version: '1.2' } }),
    400,
    200,
  ],
  'exp-measured-from-iat': [statusWith((setup) => ({ iat: setup.now() - 200, exp: setup.now() + 200 })), 200, 400],
  'denial-of-a-local-redirect-not-called-back': [
    async (setup) => (await decideRequest(setup, { options: 'local_redirect' }, { act: 'deny' })).body['error'],
    'request_denied',
    undefined,
  ],
  'consent-not-asked-again-with-a-hint-token': [
    async (setup) => {
      const more = { login_hint: undefined, login_hint_token: await hintToken(setup), prompt: 'consent' };
      return (await decideRequest(setup, more)).card['consentScreen'];
    },
    ['openid', 'name'],
    [],
  ],
  'number-wins-over-a-hint-token': [
    async (setup) => {
      const token = await hintToken(setup, { client_id: 'ccid-conftestclient04' });
      const more = { login_hint: '+12175550102', login_hint_token: token };
      return readSubscriberName(setup, authReqId(await postProbe(setup, more, { client: 'privileged' })));
    },
    'first',
    'second',
  ],
};

async function birthdateLevel(setup: TestSetup): Promise<unknown> {
  await changeSubscriber(setup, 'edit', { body: { attribute: 'address' } });
  const { body } = await decideRequest(setup, { scope: 'openid birthdate' }, { client: 'privileged' });
  const profile = await askUserinfo(setup, textMember(body, 'access_token'));
  return objectMember(profile.body, 'birthdate')['verified'];
}

const serviceRows: Readonly<Record<string, ProbeRow>> = {
  'edited-address-lowers-the-birthdate': [birthdateLevel, 2, 1],
  'event-sub-of-the-sector': [
    async (setup) => {
      await changeSubscriber(setup, 'move-sim');
      return receivedSets(setup, 'privileged')[0]?.['sub'] === setup.sub('first', 'privileged');
    },
    true,
    false,
  ],
  'sector-mates-unsubscribe-together': [
    async (setup) => {
      await setFlags(setup, { event_subscription: false }, 'privileged');
      await changeSubscriber(setup, 'move-sim');
      return receivedSets(setup, 'main').length;
    },
    1,
    0,
  ],
};

proveFaults(anewInteractionFaults, { ...requestRows, ...serviceRows });
