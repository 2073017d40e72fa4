import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { askTrait, authorizeAs, changeSubscriber, receivedSets } from '../../carrier/testing/calls.ts';
import type { TestSetup } from '../../carrier/testing/setup.ts';
import { authReqId, openAccepted, type ProbeRow, postProbe, proveFaults, readRequestState } from '../testing/probes.ts';
import { anewConcurrencyFaults } from './anew-concurrency.ts';

/** Whether a race ends this way in any of four rounds. */
async function ever(race: () => Promise<boolean>): Promise<boolean> {
  for (let round = 0; round < 4; round++) {
    if (await race()) return true;
    await sleep(50);
  }
  return false;
}

async function twoAtOnce(setup: TestSetup, ...asks: readonly Parameters<typeof authorizeAs>[1][]) {
  const answers = await Promise.all(asks.map((ask) => authorizeAs(setup, ask)));
  return answers.map(({ status }) => status).toSorted((a, b) => a - b);
}

const requestRows: Readonly<Record<string, ProbeRow>> = {
  'key-of-the-sp-at-once': [(setup) => twoAtOnce(setup, {}, { client: 'second' }), [200, 200], [200, 400]],
  'one-request-of-a-user-at-once': [(setup) => twoAtOnce(setup, {}, {}), [200, 200], [200, 400]],
  'jti-taken-by-a-forgery-at-once': [
    async (setup) => {
      const forged = postProbe(setup, { jti: 'the-same' }, { key: 'second', header: { kid: 'conftestkey01' } });
      await sleep(10);
      return [(await postProbe(setup, { jti: 'the-same' })).status, (await forged).status];
    },
    [200, 400],
    [400, 400],
  ],
  'auth-req-id-of-the-same-moment': [
    (setup) =>
      ever(async () => {
        const answers = await Promise.all(Array.from({ length: 6 }, () => authorizeAs(setup, {})));
        return new Set(answers.map(authReqId)).size < answers.length;
      }),
    false,
    true,
  ],
  'timer-shared-by-two-at-once': [
    (setup) =>
      ever(async () => {
        const answers = await Promise.all([authorizeAs(setup, {}), authorizeAs(setup, {})]);
        const [first = '', second = ''] = answers.map(authReqId);
        await setup.admin('POST', `/requests/${first}/approve`);
        await setup.settle();
        await setup.move(310);
        return (await readRequestState(setup, second)) === 'pending';
      }),
    false,
    true,
  ],
};

const serviceRows: Readonly<Record<string, ProbeRow>> = {
  'tenure-of-the-query-at-once': [
    async (setup) => {
      await changeSubscriber(setup, 'swap-sim');
      const answers = await Promise.all([askTrait(setup), askTrait(setup, { subscriber: 'second' })]);
      return answers.map(({ body }) => (body['sim_tenure'] === 'true' ? 'true' : 'false')).toSorted();
    },
    ['false', 'true'],
    expect.not.arrayContaining(['false', 'true']),
  ],
  'approval-lost-beside-a-denial': [
    (setup) =>
      ever(async () => {
        const [denied, approved] = [await openAccepted(setup), await openAccepted(setup)];
        await Promise.all([
          setup.admin('POST', `/requests/${denied}/deny`),
          setup.admin('POST', `/requests/${approved}/approve`),
        ]);
        await setup.settle();
        return (await readRequestState(setup, approved)) !== 'completed';
      }),
    false,
    true,
  ],
  'jti-of-the-event-at-once': [
    (setup) =>
      ever(async () => {
        const names = ['first', 'second', 'third', 'fourth'];
        await Promise.all(names.map((name) => setup.admin('POST', `/subscribers/${name}/move-sim`, {})));
        await setup.settle();
        await setup.move(3700);
        const all = receivedSets(setup, 'main').map(({ jti }) => jti);
        return new Set(all).size < all.length;
      }),
    false,
    true,
  ],
};

proveFaults(anewConcurrencyFaults, { ...requestRows, ...serviceRows });
