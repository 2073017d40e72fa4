import {
  askTrait,
  clientAssertion,
  authorizeAs,
  codeFor,
  changeSubscriber,
  postForm,
  receivedSets,
} from '../../carrier/testing/calls.ts';
import type { HttpAnswer, TestSetup } from '../../carrier/testing/setup.ts';
import {
  actOn,
  openAndDecide,
  authReqId,
  openAccepted,
  type ProbeRow,
  readRequestState,
  proveFaults,
} from '../testing/probes.ts';
import { volumeFaults } from './volume.ts';

const users = ['second', 'third', 'fourth', 'proofed', 'self-declared', 'credit-checked', 'unchecked-owner'];

/** Sends this many requests, one user after the other. */
async function openings(setup: TestSetup, count: number, more = {}): Promise<HttpAnswer[]> {
  const answers: HttpAnswer[] = [];
  for (let at = 0; at < count; at++) {
    const subscriber = users[at % users.length] ?? 'second';
    answers.push(await authorizeAs(setup, { subscriber, more }));
  }
  return answers;
}

const accepted = (answers: readonly HttpAnswer[]): number => answers.filter(({ status }) => status === 200).length;

async function denials(setup: TestSetup, count: number): Promise<void> {
  for (const answer of await openings(setup, count)) await actOn(setup, authReqId(answer), 'deny');
}

const counterRows: Readonly<Record<string, ProbeRow>> = {
  'eleventh-card-drops-the-oldest': [
    async (setup) => {
      const id = await openAccepted(setup);
      for (let count = 0; count < 10; count++) await openAccepted(setup);
      return (await actOn(setup, id, 'approve')).status;
    },
    200,
    409,
  ],
  'pending-limit-per-scope': [
    async (setup) => {
      const answers: HttpAnswer[] = [];
      for (let at = 0; at < 120; at++) {
        answers.push(await authorizeAs(setup, { scope: at % 2 === 0 ? 'openid' : 'openid name' }));
      }
      return accepted(answers);
    },
    99,
    120,
  ],
  'pending-count-reset-by-an-approval': [
    async (setup) => {
      const answers: HttpAnswer[] = [];
      for (let at = 0; at < 98; at++) answers.push(await authorizeAs(setup, {}));
      await openAndDecide(setup, 'approve');
      for (let at = 0; at < 5; at++) answers.push(await authorizeAs(setup, {}));
      return accepted(answers);
    },
    99,
    103,
  ],
  'every-50th-callback-without-bearer': [
    async (setup) => {
      await denials(setup, 50);
      return setup.callbacks.filter(({ headers }) => headers.authorization !== undefined).length;
    },
    50,
    49,
  ],
  'auth-req-ids-of-a-pool-of-64': [async (setup) => new Set((await openings(setup, 70)).map(authReqId)).size, 70, 64],
  'signatures-sampled-after-100': [
    async (setup) => {
      await openings(setup, 100);
      const forged = { key: 'second', header: { kid: 'conftestkey01' } } as const;
      return [(await setup.authorize({}, forged)).status, (await setup.authorize({}, forged)).status];
    },
    [400, 400],
    [200, 200],
  ],
  'trusted-after-ten-approvals': [
    async (setup) => {
      for (let count = 0; count < 10; count++) await openAndDecide(setup, 'approve');
      const id = await openAccepted(setup);
      await setup.settle();
      return [await readRequestState(setup, id), setup.callbacks.length];
    },
    ['pending', 10],
    ['completed', 11],
  ],
  'retries-from-a-budget-of-ten': [
    async (setup) => {
      setup.eventReplies.push({ status: 500 });
      await changeSubscriber(setup, 'move-sim');
      for (let minute = 0; minute < 4; minute++) await setup.move(60);
      setup.events.length = 0;
      await changeSubscriber(setup, 'move-sim', { subscriber: 'second' });
      for (let minute = 0; minute < 4; minute++) await setup.move(60);
      return receivedSets(setup, 'main').length;
    },
    4,
    1,
  ],
};

async function repeatedAfter(setup: TestSetup, count: number): Promise<number> {
  await setup.authorize({ jti: 'the-same-one' });
  await openings(setup, count);
  return (await setup.authorize({ jti: 'the-same-one' })).status;
}

const memoryRows: Readonly<Record<string, ProbeRow>> = {
  'jti-memory-of-100': [(setup) => repeatedAfter(setup, 100), 400, 200],
  'used-codes-of-the-last-20': [
    async (setup) => {
      const redeem = async (code: string): Promise<number> =>
        (
          await postForm(setup, '/token', {
            ...clientAssertion(setup),
            grant_type: 'authorization_code',
            code,
            redirect_uri: 'https://sp.test/cb',
          })
        ).status;
      const code = await codeFor(setup);
      const first = await redeem(code);
      for (let count = 0; count < 20; count++) await redeem(await codeFor(setup));
      return [first, await redeem(code)];
    },
    [200, 400],
    [200, 200],
  ],
  'timers-for-50-requests': [
    async (setup) => {
      const id = await openAccepted(setup);
      await openings(setup, 50);
      await setup.move(400);
      return readRequestState(setup, id);
    },
    'timed-out',
    'pending',
  ],
  'tenure-guessed-under-load': [
    async (setup) => {
      await changeSubscriber(setup, 'swap-sim');
      for (let count = 0; count < 30; count++) await askTrait(setup);
      return (await askTrait(setup)).body['sim_tenure'];
    },
    'true',
    'false',
  ],
};

proveFaults(volumeFaults, { ...counterRows, ...memoryRows });
