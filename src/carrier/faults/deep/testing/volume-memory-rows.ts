import {
  askTrait,
  askUserinfo,
  assertionOf,
  authorizeAs,
  codeFor,
  happen,
  postForm,
  setsOf,
  traitProof,
} from '../../../testing/calls.ts';
import { type Setup, text } from '../../../testing/setup.ts';
import { openings, users } from './many.ts';
import { acted, cardOf, opening, type SequenceRow, stateOf } from './sequences.ts';

async function repeatedAfter(setup: Setup, count: number): Promise<number> {
  await setup.authorize({ jti: 'the-same-one' });
  await openings(setup, count);
  return (await setup.authorize({ jti: 'the-same-one' })).status;
}

/** The faults of volume-memory.ts. */
export const memoryRows: Readonly<Record<string, SequenceRow>> = {
  'jti-memory-of-100': [(setup) => repeatedAfter(setup, 100), 400, 200],
  'jti-memory-emptied-at-500': [(setup) => repeatedAfter(setup, 500), 400, 200],
  'proof-memory-of-50': [
    async (setup) => {
      const members = { client_id: 'ccid-conftestclient01', sub: setup.sub('first'), usertrait: 'sim_tenure' };
      const token = traitProof(setup, {}, JSON.stringify(members));
      const first = await askTrait(setup, { token });
      for (let count = 0; count < 50; count++) await askTrait(setup);
      return [first.status, (await askTrait(setup, { token })).status];
    },
    [200, 401],
    [200, 200],
  ],
  'used-codes-of-the-last-20': [
    async (setup) => {
      const redeem = async (code: string): Promise<number> =>
        (
          await postForm(setup, '/token', {
            ...assertionOf(setup),
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
  'event-memory-of-ten': [
    async (setup) => {
      for (const subscriber of ['first', ...users.slice(0, 4), 'first'])
        await happen(setup, 'move-sim', { subscriber });
      return setsOf(setup, 'main').filter(({ sub }) => sub === setup.sub('first')).length;
    },
    1,
    2,
  ],
  'tokens-of-the-last-100': [
    async (setup) => {
      const token = text((await acted(setup, 'approve')).body, 'access_token');
      for (let count = 0; count < 100; count++) {
        await authorizeAs(setup, { client: 'privileged', more: { prompt: 'none' } });
      }
      return (await askUserinfo(setup, token)).status;
    },
    200,
    401,
  ],
  'card-slots-of-32': [
    async (setup) => {
      const id = await opening(setup);
      await openings(setup, 32, { context: 'Something-else' });
      return (await cardOf(setup, id))['context'];
    },
    'Approve-order-4711',
    'Something-else',
  ],
  'timers-for-50-requests': [
    async (setup) => {
      const id = await opening(setup);
      await openings(setup, 50);
      await setup.move(400);
      return stateOf(setup, id);
    },
    'timed-out',
    'pending',
  ],
  'tenure-guessed-under-load': [
    async (setup) => {
      await happen(setup, 'swap-sim');
      for (let count = 0; count < 30; count++) await askTrait(setup);
      return (await askTrait(setup)).body['sim_tenure'];
    },
    'true',
    'false',
  ],
};
