import {
  askTrait,
  authorizeAs,
  changeSubscriber,
  clientAssertion,
  postForm,
  readUserinfo,
} from '../../carrier/testing/calls.ts';
import { type TestSetup, textMember } from '../../carrier/testing/setup.ts';
import { actOn, openAccepted, type ProbeRow, postProbe, proveFaults } from '../testing/probes.ts';
import { anewInformationFaults } from './anew-information.ts';

const client_id = 'ccid-conftestclient01';

/** Milliseconds of the fastest of five requests for this number. */
async function fastest(setup: TestSetup, login_hint: string): Promise<number> {
  const times: number[] = [];
  for (let count = 0; count < 5; count++) {
    const begun = performance.now();
    await postProbe(setup, { login_hint });
    times.push(performance.now() - begun);
  }
  return Math.min(...times);
}

const rows: Readonly<Record<string, ProbeRow>> = {
  'unenrolled-told-by-retry-after': [
    async (setup) => (await authorizeAs(setup, { subscriber: 'unenrolled' })).headers['retry-after'],
    undefined,
    '3600',
  ],
  'known-number-takes-longer': [
    async (setup) => (await fastest(setup, '+12175550101')) - (await fastest(setup, '+12175559999')) > 15,
    false,
    true,
  ],
  'stack-in-the-callback-of-a-lost-consent': [
    async (setup) => {
      const id = await openAccepted(setup);
      await changeSubscriber(setup, 'remove-consent', { body: { client_id } });
      await actOn(setup, id, 'approve');
      return textMember(setup.callbacks.at(-1)?.body, 'error_description').includes('/srv/');
    },
    false,
    true,
  ],
  'cancel-tells-within-a-sector': [
    async (setup) => {
      const auth_req_id = await openAccepted(setup);
      return (await postForm(setup, '/cancel', { ...clientAssertion(setup, 'privileged'), auth_req_id })).status;
    },
    404,
    403,
  ],
  'tenure-told-by-a-cache': [
    async (setup) => {
      const ask = { subscriber: 'unconsented' } as const;
      const before = (await askTrait(setup, ask)).headers['x-cache'];
      await changeSubscriber(setup, 'swap-sim', ask);
      return [before, (await askTrait(setup, ask)).headers['x-cache']];
    },
    [undefined, undefined],
    ['hit', 'miss'],
  ],
  'profile-of-the-account-with-long-access': [
    async (setup) => Object.keys(await readUserinfo(setup, { scope: 'openid offline_access' })).includes('email'),
    false,
    true,
  ],
  'auth-req-id-ends-with-the-context': [
    async (setup) => {
      const ids = [await openAccepted(setup), await openAccepted(setup, { subscriber: 'second' })];
      return new Set(ids.map((id) => id.slice(-12))).size;
    },
    2,
    1,
  ],
};

proveFaults(anewInformationFaults, rows);
