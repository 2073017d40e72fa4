import { expect, test } from 'vitest';
import { MissingValue } from '../../model/suite.ts';
import { buildClient, rsaKey } from '../../testing/parts/keys.ts';
import { buildTarget } from '../../testing/parts/target.ts';
import { buildServices } from '../../testing/parts/services.ts';
import { createSkewOfOrigins } from '../../wire/send/skew.ts';
import { Interrupted } from '../clock/timeline.ts';
import { Unmet } from '../context/case-context.ts';
import { settleClock } from './clients.ts';

const target = buildTarget({
  clients: [buildClient({ keys: [rsaKey()], flags: { server_initiated: true } })],
  subscribers: [{ name: 'first', tags: ['consented'], subs: { main: '001010-a' } }],
});

/** Settles a Date that is 20 seconds ahead, with the outcome of each request in turn. */
async function settle(...outcomes: readonly (boolean | Error)[]) {
  const skew = createSkewOfOrigins();
  const now = Date.now();
  skew.observe('https://op.carrier.test', new Date(now + 20_000).toUTCString(), now, now);
  const left = [...outcomes];
  const asked: string[] = [];
  const isFreshAt = (time: number, edge: string): Promise<boolean> => {
    asked.push(`${edge} ${Math.round((time * 1000 - now) / 10_000)}`);
    const next = left.shift() ?? false;
    return next instanceof Error ? Promise.reject(next) : Promise.resolve(next);
  };
  const services = buildServices(target, { skew });
  await settleClock({ ...services, interface: { ...services.interface, isFreshAt } });
  return { asked, doubt: skew.doubt() };
}

test('what is accepted by Date is not asked a second time', async () =>
  expect(await settle(true)).toEqual({ asked: ['future 2'], doubt: undefined }));

test('what is refused by Date and accepted by ours shows that Date is off', async () => {
  const { asked, doubt } = await settle(false, true);
  expect(asked).toEqual(['future 2', 'future 0']);
  expect(doubt).toContain('off its own clock');
});

test('what is refused by both settles nothing', async () => expect((await settle(false, false)).doubt).toBeUndefined());

test.each([new Unmet('no answer'), new MissingValue('client.redirect_uri'), new Interrupted()])(
  'what cannot be asked settles nothing: %s',
  async (error) => {
    expect((await settle(error)).doubt).toBeUndefined();
    expect((await settle(false, error)).doubt).toBeUndefined();
  },
);

test('a fault of our own is thrown', () =>
  expect(settle(new TypeError('no such thing'))).rejects.toThrow('no such thing'));
