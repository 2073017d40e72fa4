import { askTrait, askUserinfo, authorizeAs, changeSubscriber, readUserinfo } from '../../carrier/testing/calls.ts';
import { objectMember, type TestSetup, textMember } from '../../carrier/testing/setup.ts';
import {
  openAndDecide,
  readCard,
  callbackIdToken,
  openAccepted,
  type ProbeRow,
  readRequestState,
  proveFaults,
} from '../testing/probes.ts';
import { timeFaults } from './time.ts';

const from = (moment: string) => ({ startAt: Date.parse(moment) });

async function repeatedAfter(setup: TestSetup, seconds: number): Promise<number> {
  await setup.authorize({ jti: 'the-same-one' });
  await setup.move(seconds);
  return (await setup.authorize({ jti: 'the-same-one' })).status;
}

async function stateAfter(setup: TestSetup, seconds: number, expires_in = 300): Promise<string> {
  const id = await openAccepted(setup, { more: { expires_in } });
  await setup.move(seconds);
  return readRequestState(setup, id);
}

/** Authentication of the card this many seconds after an approval. */
async function authenticationAfter(setup: TestSetup, seconds: number, more = {}): Promise<unknown> {
  await openAndDecide(setup, 'approve');
  await setup.move(seconds);
  return (await readCard(setup, await openAccepted(setup, { more })))['authentication'];
}

const requestTimes: Readonly<Record<string, ProbeRow>> = {
  'jti-forgotten-at-midnight': [(setup) => repeatedAfter(setup, 60), 400, 200, from('2026-05-05T23:59:30Z')],
  'iat-age-within-the-day': [
    async (setup) => (await setup.authorize({ iat: setup.now() - 3000 })).status,
    400,
    200,
    from('2026-05-05T00:30:00Z'),
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
  'authentication-good-for-the-clock-hour': [
    (setup) => authenticationAfter(setup, 3300),
    'full',
    'reused',
    from('2026-05-05T12:01:00Z'),
  ],
  'hint-token-good-again-each-hour': [
    async (setup) => {
      const whose = { subscriber: 'second', client_id: 'ccid-conftestclient01', ttl: 600 };
      const token = textMember((await setup.admin('POST', '/login-hint-tokens', whose)).body, 'login_hint_token');
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

/** Statuses of userinfo for one token, at moments this many seconds apart. */
async function opensAfter(setup: TestSetup, ...seconds: readonly number[]): Promise<number[]> {
  const token = textMember((await openAndDecide(setup, 'approve')).body, 'access_token');
  const statuses: number[] = [];
  for (const by of seconds) {
    await setup.move(by);
    statuses.push((await askUserinfo(setup, token)).status);
  }
  return statuses;
}

async function tenureAfter(setup: TestSetup, hours: number): Promise<unknown> {
  await changeSubscriber(setup, 'swap-sim');
  await setup.move(hours * 3600);
  return (await askTrait(setup)).body['sim_tenure'];
}

const tokenTimes: Readonly<Record<string, ProbeRow>> = {
  'token-of-the-leap-day-expired': [(setup) => opensAfter(setup, 1), [200], [401], from('2028-02-29T12:00:00Z')],
  'token-exp-of-32-bits': [(setup) => opensAfter(setup, 1), [200], [401], from('2038-01-19T03:10:00Z')],
  'auth-time-of-the-week-year': [
    async (setup) => Number(callbackIdToken(await openAndDecide(setup, 'approve'))['auth_time']) - setup.now(),
    0,
    365 * 86_400,
    from('2025-12-30T12:00:00Z'),
  ],
  'tenure-by-the-clock-on-the-wall': [
    (setup) => tenureAfter(setup, 23.5),
    'true',
    'false',
    from('2026-03-07T20:00:00Z'),
  ],
  'age-in-years-of-365-days': [
    async (setup) => {
      await changeSubscriber(setup, 'edit', { body: { birthdate: { value: '2008-01-03' } } });
      const ask = { client: 'privileged', scope: 'openid is_adult_18' } as const;
      return objectMember(await readUserinfo(setup, ask), 'is_adult18')['value'];
    },
    false,
    true,
  ],
};

proveFaults(timeFaults, { ...requestTimes, ...tokenTimes });
