import { authorizeAs, happen, setsOf } from '../../../testing/calls.ts';
import type { Answer } from '../../../testing/setup.ts';
import { accepted, denials, openings } from './many.ts';
import { act, acted, cardOf, idOf, opening, type SequenceRow, stateOf } from './sequences.ts';

/** The faults of volume.ts. */
export const counterRows: Readonly<Record<string, SequenceRow>> = {
  'eleventh-card-drops-the-oldest': [
    async (setup) => {
      const id = await opening(setup);
      for (let count = 0; count < 10; count++) await opening(setup);
      return (await act(setup, id, 'approve')).status;
    },
    200,
    409,
  ],
  'pending-limit-per-scope': [
    async (setup) => {
      const answers: Answer[] = [];
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
      const answers: Answer[] = [];
      for (let at = 0; at < 98; at++) answers.push(await authorizeAs(setup, {}));
      await acted(setup, 'approve');
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
  'every-25th-callback-twice': [
    async (setup) => {
      await denials(setup, 25);
      return setup.callbacks.length;
    },
    25,
    26,
  ],
  'auth-req-ids-of-a-pool-of-64': [async (setup) => new Set((await openings(setup, 70)).map(idOf)).size, 70, 64],
  'signatures-sampled-after-100': [
    async (setup) => {
      await openings(setup, 100);
      const forged = { key: 'second', header: { kid: 'conftestkey01' } } as const;
      return [(await setup.authorize({}, forged)).status, (await setup.authorize({}, forged)).status];
    },
    [400, 400],
    [200, 200],
  ],
  'clock-of-the-sp-learned-after-20-refusals': [
    async (setup) => {
      const old = { iat: setup.now() - 400 };
      for (let count = 0; count < 20; count++) await setup.authorize(old);
      return (await setup.authorize(old)).status;
    },
    400,
    200,
  ],
  'every-16th-refusal-echoes-the-one-before': [
    async (setup) => {
      const wrong: number[] = [];
      for (let count = 1; count <= 20; count++) {
        const { body } = await setup.authorize({ aud: 'https://other.test', correlation_id: `number-${count}` });
        if (body['correlation_id'] !== `number-${count}`) wrong.push(count);
      }
      return wrong;
    },
    [],
    [16],
  ],
  'request-256-fails': [
    async (setup) => (await openings(setup, 260)).filter(({ status }) => status !== 200).map(({ status }) => status),
    [],
    [500],
  ],
  'trusted-after-ten-approvals': [
    async (setup) => {
      for (let count = 0; count < 10; count++) await acted(setup, 'approve');
      const id = await opening(setup);
      await setup.settle();
      return [await stateOf(setup, id), setup.callbacks.length];
    },
    ['pending', 10],
    ['completed', 11],
  ],
  'retries-from-a-budget-of-ten': [
    async (setup) => {
      setup.eventReplies.push({ status: 500 });
      await happen(setup, 'move-sim');
      for (let minute = 0; minute < 4; minute++) await setup.move(60);
      setup.events.length = 0;
      await happen(setup, 'move-sim', { subscriber: 'second' });
      for (let minute = 0; minute < 4; minute++) await setup.move(60);
      return setsOf(setup, 'main').length;
    },
    4,
    1,
  ],
  'no-consent-screen-after-20': [
    async (setup) => {
      const ask = { more: { prompt: 'consent' } };
      for (let count = 0; count < 20; count++) await acted(setup, 'deny', ask);
      return (await cardOf(setup, await opening(setup, ask)))['consentScreen'];
    },
    ['openid'],
    [],
  ],
};
