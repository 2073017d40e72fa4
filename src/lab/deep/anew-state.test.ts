import { askTrait, askUserinfo, authorizeAs, changeSubscriber, receivedSets } from '../../carrier/testing/calls.ts';
import { objectMember, type TestSetup, textMember } from '../../carrier/testing/setup.ts';
import {
  actOn,
  callbackIdToken,
  openAccepted,
  openAndDecide,
  type ProbeRow,
  postCancel,
  proveFaults,
  readCard,
  readRequestState,
  verifiesByKeySet,
} from '../testing/probes.ts';
import { anewStateFaults } from './anew-state.ts';

const client_id = 'ccid-conftestclient01';

/** State of a request after this happens and the user approves it. */
const approvedAfter =
  (expires_in: number, happen: (setup: TestSetup) => Promise<unknown>): ProbeRow[0] =>
  async (setup) => {
    const id = await openAccepted(setup, { more: { expires_in } });
    await happen(setup);
    await actOn(setup, id, 'approve');
    return readRequestState(setup, id);
  };

const requestRows: Readonly<Record<string, ProbeRow>> = {
  'acr-of-the-oldest-waiting': [
    async (setup) => {
      await openAccepted(setup, { more: { acr_values: 'a1' } });
      return callbackIdToken(await openAndDecide(setup, 'approve', { more: { acr_values: 'a3' } }))['acr'];
    },
    'a3',
    'a1',
  ],
  'context-of-the-cancelled-request': [
    async (setup) => {
      await postCancel(setup, await openAccepted(setup));
      return (await readCard(setup, await openAccepted(setup, { more: { context: undefined } })))['context'];
    },
    null,
    'Approve-order-4711',
  ],
  'time-out-clears-the-phone': [
    approvedAfter(900, async (setup) => {
      await openAccepted(setup, { more: { expires_in: 60 } });
      await setup.move(90);
    }),
    'completed',
    'pending',
  ],
  'opened-app-clears-the-phone': [
    approvedAfter(300, async (setup) => {
      await setup.move(5);
      await changeSubscriber(setup, 'open-app');
    }),
    'completed',
    'pending',
  ],
  'a1-approval-counts-as-authentication': [
    async (setup) => {
      await openAndDecide(setup, 'approve', { more: { acr_values: 'a1' } });
      return (await readCard(setup, await openAccepted(setup)))['authentication'];
    },
    'full',
    'reused',
  ],
  'removed-scope-not-asked-again': [
    async (setup) => {
      await openAndDecide(setup, 'approve');
      await changeSubscriber(setup, 'remove-consent', { body: { client_id, scopes: ['email'] } });
      return (await readCard(setup, await openAccepted(setup, { scope: 'openid email' })))['consentScreen'];
    },
    ['email'],
    [],
  ],
};

const accountRows: Readonly<Record<string, ProbeRow>> = {
  'restored-key-stays-removed': [
    async (setup) => {
      const key = `/clients/${client_id}/keys/conftestkey01`;
      await setup.admin('DELETE', key);
      const gone = await authorizeAs(setup, {});
      await setup.admin('PUT', key);
      return [gone.status, (await authorizeAs(setup, {})).status];
    },
    [400, 200],
    [400, 400],
  ],
  'relinked-app-stays-unlinked': [
    async (setup) => {
      const statuses: number[] = [];
      for (const change of ['unlink', 'link']) {
        await changeSubscriber(setup, change, { body: { client_id } });
        statuses.push((await askTrait(setup)).status);
      }
      return statuses;
    },
    [403, 200],
    [403, 403],
  ],
  'no-events-after-a-change-of-number': [
    async (setup) => {
      await changeSubscriber(setup, 'change-number');
      await changeSubscriber(setup, 'move-sim');
      return receivedSets(setup, 'main').length;
    },
    1,
    0,
  ],
  'bounced-email-never-verified-again': [
    async (setup) => {
      const { body } = await openAndDecide(setup, 'approve', { client: 'privileged', scope: 'openid email' });
      const levels: unknown[] = [];
      for (const change of ['bounce-email', 'verify-email']) {
        await changeSubscriber(setup, change);
        const profile = await askUserinfo(setup, textMember(body, 'access_token'));
        levels.push(objectMember(profile.body, 'email')['verified']);
      }
      return levels;
    },
    [1, 2],
    [1, 1],
  ],
  'event-confirmed-late-is-no-duplicate': [
    async (setup) => {
      setup.eventReplies.push({ status: 503 }, { status: 503 }, { status: 503 }, { status: 200 });
      await changeSubscriber(setup, 'move-sim');
      await setup.move(60);
      const before = receivedSets(setup, 'main').length;
      await changeSubscriber(setup, 'move-sim');
      return receivedSets(setup, 'main').length - before;
    },
    0,
    1,
  ],
  'key-set-of-before-the-rotation': [
    async (setup) => {
      await setup.send('GET', `${setup.carrier.origin}/jwks`);
      await setup.admin('POST', '/keys/rotate');
      return verifiesByKeySet(setup, textMember((await openAndDecide(setup, 'approve')).body, 'id_token'));
    },
    true,
    false,
  ],
};

proveFaults(anewStateFaults, { ...requestRows, ...accountRows });
