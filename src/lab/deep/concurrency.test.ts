import { setTimeout as sleep } from 'node:timers/promises';
import { askUserinfo, authorizeAs, changeSubscriber, receivedSets } from '../../carrier/testing/calls.ts';
import { type TestSetup, textMember } from '../../carrier/testing/setup.ts';
import { concurrencyFaults } from './concurrency.ts';
import {
  actOn,
  openAndDecide,
  postCancel,
  readCard,
  setFlags,
  authReqId,
  openAccepted,
  type ProbeRow,
  readSubscriberName,
  proveFaults,
} from '../testing/probes.ts';

const requestRaces: Readonly<Record<string, ProbeRow>> = {
  'same-object-twice-at-once': [
    async (setup) => {
      const body = { request: setup.sign(setup.claims({ jti: undefined })) };
      const answers = await Promise.all([setup.post(body), setup.post(body)]);
      return [...answers, await setup.post(body)].map(({ status }) => status).toSorted((a, b) => a - b);
    },
    [200, 400, 400],
    [200, 200, 400],
  ],
  'pending-counted-before-the-key': [
    async (setup) => {
      const answers = await Promise.all(Array.from({ length: 6 }, () => authorizeAs(setup, {})));
      return answers.filter(({ status }) => status === 200).length;
    },
    3,
    6,
    { variants: { maxPending: 3 } },
  ],
  'answer-echo-of-the-request-at-once': [
    async (setup) => {
      const ask = (id: string) => setup.authorize({ correlation_id: id });
      const answers = await Promise.all([ask('one'), ask('two')]);
      return new Set(answers.map(({ body }) => body['correlation_id'])).size;
    },
    2,
    1,
  ],
  'user-of-the-request-at-once': [
    async (setup) => {
      const answers = await Promise.all([authorizeAs(setup, {}), authorizeAs(setup, { subscriber: 'second' })]);
      return Promise.all(answers.map((answer) => readSubscriberName(setup, authReqId(answer)))).then(
        (all) => new Set(all).size,
      );
    },
    2,
    1,
  ],
  'push-overwritten-by-one-at-once': [
    async (setup) => {
      const answers = await Promise.all([authorizeAs(setup, {}), authorizeAs(setup, {})]);
      const cards = await Promise.all(answers.map((answer) => readCard(setup, authReqId(answer))));
      return cards.filter(({ shown }) => shown === true).length;
    },
    2,
    1,
  ],
};

/** Whether a race ends this way in any of four rounds. */
async function ever(setup: TestSetup, race: (setup: TestSetup) => Promise<boolean>): Promise<boolean> {
  let seen = false;
  for (let round = 0; round < 4 && !seen; round++) {
    setup.callbacks.length = 0;
    seen = await race(setup);
    await sleep(50);
  }
  return seen;
}

async function callbacksOf(setup: TestSetup, ...acts: readonly ('approve' | 'deny')[]): Promise<number> {
  const id = await openAccepted(setup);
  await Promise.all(acts.map((how) => setup.admin('POST', `/requests/${id}/${how}`)));
  await setup.settle();
  return setup.callbacks.length;
}

const outcomeRaces: Readonly<Record<string, ProbeRow>> = {
  'approval-right-after-denial': [
    (setup) => ever(setup, async () => (await callbacksOf(setup, 'deny', 'approve')) > 1),
    false,
    true,
  ],
  'approval-lost-while-a-cancel-runs': [
    (setup) =>
      ever(setup, async () => {
        const id = await openAccepted(setup);
        const cancelled = postCancel(setup, id);
        await sleep(15);
        const approved = await actOn(setup, id, 'approve');
        await cancelled;
        await setup.settle();
        return approved.status === 200 && setup.callbacks.length === 0;
      }),
    false,
    true,
  ],
  'approval-of-the-last-second-and-time-out': [
    async (setup) => {
      const id = await openAccepted(setup);
      await setup.move(299.5);
      await actOn(setup, id, 'approve');
      await setup.move(10);
      return setup.callbacks.map(({ body }) => body['error']);
    },
    [undefined],
    [undefined, 'authentication_timed_out'],
  ],
  'tokens-of-the-approval-at-once': [
    (setup) =>
      ever(setup, async () => {
        const ids = [await openAccepted(setup), await openAccepted(setup, { subscriber: 'second' })];
        await Promise.all(ids.map((id) => setup.admin('POST', `/requests/${id}/approve`)));
        await setup.settle();
        return new Set(setup.callbacks.map(({ body }) => body['access_token'])).size === 1;
      }),
    false,
    true,
  ],
  'correlation-id-of-the-connection': [
    async (setup) => {
      await setup.authorize({ correlation_id: 'of-the-first' });
      const echoed: unknown[] = [];
      // A client may alternate between two connections.
      for (let count = 0; count < 6; count++) {
        echoed.push((await setup.authorize({ correlation_id: undefined })).body['correlation_id']);
      }
      return echoed.includes('of-the-first');
    },
    false,
    true,
  ],
  'events-confirmed-in-batches': [
    async (setup) => {
      for (const client of ['second', 'privileged'] as const)
        await setFlags(setup, { event_subscription: false }, client);
      setup.eventReplies.push({ status: 200 }, { status: 500 }, { status: 200 });
      await changeSubscriber(setup, 'move-sim');
      await changeSubscriber(setup, 'move-sim', { subscriber: 'second' });
      await setup.move(60);
      return receivedSets(setup, 'main').length;
    },
    3,
    2,
  ],
  'user-info-of-the-call-at-once': [
    async (setup) => {
      const tokens = [
        await openAndDecide(setup, 'approve'),
        await openAndDecide(setup, 'approve', { subscriber: 'second' }),
      ];
      const answers = await Promise.all(tokens.map(({ body }) => askUserinfo(setup, textMember(body, 'access_token'))));
      return new Set(answers.map(({ body }) => body['sub'])).size;
    },
    2,
    1,
  ],
};

proveFaults(concurrencyFaults, { ...requestRaces, ...outcomeRaces });
