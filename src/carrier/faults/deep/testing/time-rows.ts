import { authorizeAs } from '../../../testing/calls.ts';
import { type Setup, text } from '../../../testing/setup.ts';
import { acted, cardOf, opening, type SequenceRow, stateOf } from './sequences.ts';

const from = (moment: string) => ({ startAt: Date.parse(moment) });

async function repeatedAfter(setup: Setup, seconds: number): Promise<number> {
  await setup.authorize({ jti: 'the-same-one' });
  await setup.move(seconds);
  return (await setup.authorize({ jti: 'the-same-one' })).status;
}

async function stateAfter(setup: Setup, seconds: number, expires_in = 300): Promise<string> {
  const id = await opening(setup, { more: { expires_in } });
  await setup.move(seconds);
  return stateOf(setup, id);
}

/** How the user is asked for proof, some time after an approval. */
async function authenticationAfter(setup: Setup, seconds: number, more = {}): Promise<unknown> {
  await acted(setup, 'approve');
  await setup.move(seconds);
  return (await cardOf(setup, await opening(setup, { more })))['authentication'];
}

/** The faults of time.ts. */
export const requestTimes: Readonly<Record<string, SequenceRow>> = {
  'jti-forgotten-at-five-minute-marks': [(setup) => repeatedAfter(setup, 2), 400, 200, from('2026-05-05T10:04:59Z')],
  'jti-forgotten-at-midnight': [(setup) => repeatedAfter(setup, 60), 400, 200, from('2026-05-05T23:59:30Z')],
  'iat-age-in-calendar-minutes': [
    async (setup) => (await setup.authorize({ iat: setup.now() - 350 })).status,
    400,
    200,
    from('2026-05-05T10:00:59Z'),
  ],
  'iat-age-within-the-day': [
    async (setup) => (await setup.authorize({ iat: setup.now() - 3000 })).status,
    400,
    200,
    from('2026-05-05T00:30:00Z'),
  ],
  'exp-ahead-within-the-hour': [
    async (setup) => (await setup.authorize({ exp: setup.now() + 1380 })).status,
    400,
    200,
    from('2026-05-05T12:57:00Z'),
  ],
  'time-out-at-full-minutes': [
    (setup) => stateAfter(setup, 585, 600),
    'pending',
    'timed-out',
    from('2026-05-05T12:00:30Z'),
  ],
  'time-out-lost-over-midnight': [
    (setup) => stateAfter(setup, 400),
    'timed-out',
    'pending',
    from('2026-05-05T23:58:00Z'),
  ],
  'time-out-an-hour-late-in-autumn': [
    (setup) => stateAfter(setup, 400),
    'timed-out',
    'pending',
    from('2026-11-01T06:58:00Z'),
  ],
  'requests-end-at-three-in-the-morning': [
    (setup) => stateAfter(setup, 180),
    'pending',
    'timed-out',
    from('2026-05-05T02:58:00Z'),
  ],
  'authentication-good-for-the-clock-hour': [
    (setup) => authenticationAfter(setup, 3300),
    'full',
    'reused',
    from('2026-05-05T12:01:00Z'),
  ],
  'login-reused-in-the-same-minute-of-any-hour': [
    (setup) => authenticationAfter(setup, 3600, { prompt: 'login' }),
    'full',
    'reused',
  ],
  'hint-token-good-again-each-hour': [
    async (setup) => {
      const whose = { subscriber: 'second', client_id: 'ccid-conftestclient01', ttl: 600 };
      const token = text((await setup.admin('POST', '/login-hint-tokens', whose)).body, 'login_hint_token');
      const statuses: number[] = [];
      for (const seconds of [900, 2800]) {
        await setup.move(seconds);
        statuses.push((await setup.authorize({ login_hint: undefined, login_hint_token: token })).status);
      }
      return statuses;
    },
    [400, 400],
    [400, 200],
  ],
  'pending-counted-by-the-clock-hour': [
    async (setup) => {
      const statuses: number[] = [];
      for (let count = 0; count < 6; count++) {
        if (count === 3) await setup.move(120);
        statuses.push((await authorizeAs(setup, {})).status);
      }
      return statuses;
    },
    [200, 200, 200, 400, 400, 400],
    [200, 200, 200, 200, 200, 200],
    { variants: { maxPending: 3 }, ...from('2026-05-05T12:59:00Z') },
  ],
};
