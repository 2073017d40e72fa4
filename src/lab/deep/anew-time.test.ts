import { askTrait, askUserinfo, changeSubscriber, readUserinfo, receivedSets } from '../../carrier/testing/calls.ts';
import { objectMember, textMember } from '../../carrier/testing/setup.ts';
import {
  openAccepted,
  openAndDecide,
  type ProbeRow,
  proveFaults,
  readCard,
  readRequestState,
  statusWith,
} from '../testing/probes.ts';
import { anewTimeFaults } from './anew-time.ts';

const from = (moment: string) => ({ startAt: Date.parse(moment) });

const rows: Readonly<Record<string, ProbeRow>> = {
  'no-events-while-the-carrier-is-serviced': [
    async (setup) => {
      await changeSubscriber(setup, 'move-sim');
      return receivedSets(setup, 'main').length;
    },
    1,
    0,
    from('2026-02-01T03:20:00Z'),
  ],
  'event-iat-in-summer-time': [
    async (setup) => {
      await changeSubscriber(setup, 'move-sim');
      return Number(receivedSets(setup, 'main')[0]?.['iat']) - setup.now();
    },
    0,
    3600,
    from('2026-07-01T12:00:00Z'),
  ],
  'clock-of-whole-minutes': [
    statusWith((setup) => ({ exp: setup.now() + 280 })),
    200,
    400,
    from('2026-02-02T12:00:50Z'),
  ],
  'tenure-stands-still-on-sunday': [
    async (setup) => {
      await changeSubscriber(setup, 'swap-sim');
      await setup.move(25 * 3600);
      return (await askTrait(setup)).body['sim_tenure'];
    },
    'false',
    'true',
    from('2026-01-31T22:00:00Z'),
  ],
  'age-by-the-day-of-the-year': [
    async (setup) => {
      const ask = { client: 'privileged', subscriber: 'third', scope: 'openid is_adult_18' } as const;
      return objectMember(await readUserinfo(setup, ask), 'is_adult18')['value'];
    },
    true,
    false,
    from('2026-04-01T12:00:00Z'),
  ],
  'login-guard-by-the-number-of-the-minute': [
    async (setup) => {
      await openAndDecide(setup, 'approve');
      await setup.move(100);
      return (await readCard(setup, await openAccepted(setup, { more: { prompt: 'login' } })))['authentication'];
    },
    'full',
    'reused',
    from('2026-02-02T12:00:05Z'),
  ],
  'token-life-slides-with-use': [
    async (setup) => {
      const token = textMember((await openAndDecide(setup, 'approve')).body, 'access_token');
      await setup.move(1200);
      const first = await askUserinfo(setup, token);
      await setup.move(1200);
      return [first.status, (await askUserinfo(setup, token)).status];
    },
    [200, 401],
    [200, 200],
  ],
  'life-counted-from-the-iat': [
    async (setup) => {
      const id = await openAccepted(setup, { more: { iat: setup.now() - 200, expires_in: 300 } });
      await setup.move(150);
      return readRequestState(setup, id);
    },
    'pending',
    'timed-out',
  ],
};

proveFaults(anewTimeFaults, rows);
