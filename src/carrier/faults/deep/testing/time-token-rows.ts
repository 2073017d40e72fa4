import { askTrait, askUserinfo, happen, setsOf, traitProof, userinfoOf } from '../../../testing/calls.ts';
import { inner, type Setup, text } from '../../../testing/setup.ts';
import { acted, idTokenOf, type SequenceRow } from './sequences.ts';

const from = (moment: string) => ({ startAt: Date.parse(moment) });

/** What user info says to a token at moments so many seconds apart. */
async function opensAfter(setup: Setup, ...seconds: readonly number[]): Promise<number[]> {
  const token = text((await acted(setup, 'approve')).body, 'access_token');
  const statuses: number[] = [];
  for (const by of seconds) {
    await setup.move(by);
    statuses.push((await askUserinfo(setup, token)).status);
  }
  return statuses;
}

async function tenureAfter(setup: Setup, hours: number): Promise<unknown> {
  await happen(setup, 'swap-sim');
  await setup.move(hours * 3600);
  return (await askTrait(setup)).body['sim_tenure'];
}

/** The faults of time-tokens.ts. */
export const tokenTimes: Readonly<Record<string, SequenceRow>> = {
  'token-dies-at-midnight': [(setup) => opensAfter(setup, 900), [200], [401], from('2026-05-05T23:50:00Z')],
  'token-of-the-leap-day-expired': [(setup) => opensAfter(setup, 1), [200], [401], from('2028-02-29T12:00:00Z')],
  'token-exp-of-32-bits': [(setup) => opensAfter(setup, 1), [200], [401], from('2038-01-19T03:10:00Z')],
  'token-good-again-the-next-day': [
    (setup) => opensAfter(setup, 2400, 80_000),
    [401, 401],
    [401, 200],
    from('2026-05-05T12:00:00Z'),
  ],
  'auth-time-of-the-week-year': [
    async (setup) => Number(idTokenOf(await acted(setup, 'approve'))['auth_time']) - setup.now(),
    0,
    365 * 86_400,
    from('2025-12-30T12:00:00Z'),
  ],
  'event-iat-an-hour-off-in-summer': [
    async (setup) => {
      await happen(setup, 'move-sim');
      return Number(setsOf(setup, 'main')[0]?.['iat']) - setup.now();
    },
    0,
    3600,
    from('2026-07-01T12:00:00Z'),
  ],
  'duplicates-by-the-clock-hour': [
    async (setup) => {
      await happen(setup, 'move-sim');
      await setup.move(1200);
      await happen(setup, 'move-sim');
      return setsOf(setup, 'main').length;
    },
    1,
    2,
    from('2026-05-05T12:50:00Z'),
  ],
  'retries-end-with-the-hour': [
    async (setup) => {
      setup.eventReplies.push({ status: 500 });
      await happen(setup, 'move-sim');
      for (let minute = 0; minute < 5; minute++) await setup.move(60);
      return setsOf(setup, 'main').length;
    },
    4,
    3,
    from('2026-05-05T12:58:30Z'),
  ],
  'proof-kept-by-the-minute': [
    async (setup) => {
      const members = { client_id: 'ccid-conftestclient01', sub: setup.sub('first'), usertrait: 'sim_tenure' };
      const token = traitProof(setup, {}, JSON.stringify(members));
      const first = await askTrait(setup, { token });
      await setup.move(15);
      return [first.status, (await askTrait(setup, { token })).status];
    },
    [200, 401],
    [200, 200],
    from('2026-05-05T12:00:50Z'),
  ],
  'tenure-by-the-clock-on-the-wall': [
    (setup) => tenureAfter(setup, 23.5),
    'true',
    'false',
    from('2026-03-07T20:00:00Z'),
  ],
  'tenure-of-the-calendar-day': [(setup) => tenureAfter(setup, 18), 'true', 'false', from('2026-05-05T19:00:00Z')],
  'age-in-years-of-365-days': [
    async (setup) => {
      await happen(setup, 'edit', { body: { birthdate: { value: '2008-01-03' } } });
      const ask = { client: 'privileged', scope: 'openid is_adult_18' } as const;
      return inner(await userinfoOf(setup, ask), 'is_adult18')['value'];
    },
    false,
    true,
  ],
};
