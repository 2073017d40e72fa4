import { setTimeout as sleep } from 'node:timers/promises';
import { askTrait, askUserinfo, happen, setsOf } from '../../../testing/calls.ts';
import { type Setup, text } from '../../../testing/setup.ts';
import { act, acted, cancel, flags, opening, type SequenceRow } from './sequences.ts';

/** Whether a race, run a few times, ever ends in this way. */
async function ever(setup: Setup, race: (setup: Setup) => Promise<boolean>): Promise<boolean> {
  let seen = false;
  for (let round = 0; round < 4 && !seen; round++) {
    setup.callbacks.length = 0;
    seen = await race(setup);
    await sleep(50);
  }
  return seen;
}

async function callbacksOf(setup: Setup, ...acts: readonly ('approve' | 'deny')[]): Promise<number> {
  const id = await opening(setup);
  await Promise.all(acts.map((how) => setup.admin('POST', `/requests/${id}/${how}`)));
  await setup.settle();
  return setup.callbacks.length;
}

/** The faults of concurrency-outcomes.ts. */
export const outcomeRaces: Readonly<Record<string, SequenceRow>> = {
  'approval-right-after-denial': [
    (setup) => ever(setup, async () => (await callbacksOf(setup, 'deny', 'approve')) > 1),
    false,
    true,
  ],
  'double-tap-approves-twice': [
    (setup) => ever(setup, async () => (await callbacksOf(setup, 'approve', 'approve')) > 1),
    false,
    true,
  ],
  'approval-lost-while-a-cancel-runs': [
    (setup) =>
      ever(setup, async () => {
        const id = await opening(setup);
        const cancelled = cancel(setup, id);
        await sleep(15);
        const approved = await act(setup, id, 'approve');
        await cancelled;
        await setup.settle();
        return approved.status === 200 && setup.callbacks.length === 0;
      }),
    false,
    true,
  ],
  'approval-of-the-last-second-and-time-out': [
    async (setup) => {
      const id = await opening(setup);
      await setup.move(299.5);
      await act(setup, id, 'approve');
      await setup.move(10);
      return setup.callbacks.map(({ body }) => body['error']);
    },
    [undefined],
    [undefined, 'authentication_timed_out'],
  ],
  'tokens-of-the-approval-at-once': [
    (setup) =>
      ever(setup, async () => {
        const ids = [await opening(setup), await opening(setup, { subscriber: 'second' })];
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
      // A client may have two connections, and take them in turn.
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
      for (const client of ['second', 'privileged'] as const) await flags(setup, { event_subscription: false }, client);
      setup.eventReplies.push({ status: 200 }, { status: 500 }, { status: 200 });
      await happen(setup, 'move-sim');
      await happen(setup, 'move-sim', { subscriber: 'second' });
      await setup.move(60);
      return setsOf(setup, 'main').length;
    },
    3,
    2,
  ],
  'tenure-of-the-query-at-once': [
    async (setup) => {
      await happen(setup, 'swap-sim');
      const answers = await Promise.all([askTrait(setup), askTrait(setup, { subscriber: 'second' })]);
      return new Set(answers.map(({ body }) => body['sim_tenure'])).size;
    },
    2,
    1,
  ],
  'user-info-of-the-call-at-once': [
    async (setup) => {
      const tokens = [await acted(setup, 'approve'), await acted(setup, 'approve', { subscriber: 'second' })];
      const answers = await Promise.all(tokens.map(({ body }) => askUserinfo(setup, text(body, 'access_token'))));
      return new Set(answers.map(({ body }) => body['sub'])).size;
    },
    2,
    1,
  ],
  'configuration-of-the-query-at-once': [
    async (setup) => {
      const at = `${setup.carrier.origin}/.well-known/openid_configuration?client_id=ccid-conftestclient01&mccmnc=`;
      const answers = await Promise.all(['001010', '001020'].map((code) => setup.send('GET', `${at}${code}`)));
      return new Set(answers.map(({ body }) => body['issuer'])).size;
    },
    2,
    1,
  ],
};
