import { expect, test } from 'vitest';
import { virtualClock, realClock } from './clock.ts';
import { rememberReplays } from './records.ts';
import { openSetup, carrierStart, textMember } from '../testing/setup.ts';

test('a virtual clock runs what is due, by moment and then in the order it was scheduled', () => {
  const clock = virtualClock(1000);
  const seen: string[] = [];
  const note = (name: string) => () => void seen.push(`${name}@${clock.now()}`);
  clock.schedule(3000, note('c'));
  clock.schedule(2000, note('a'));
  clock.schedule(2000, () => {
    note('b')();
    clock.schedule(2500, note('from-b'));
    clock.schedule(1, note('overdue'));
  });
  const cancel = clock.schedule(2100, note('cancelled'));
  cancel();
  expect(clock.nextDue()).toBe(2000);
  expect(clock.moveTo(2999)).toBe(true);
  expect(seen).toEqual(['a@2000', 'b@2000', 'overdue@2000', 'from-b@2500']);
  expect([clock.now(), clock.nextDue()]).toEqual([2999, 3000]);
  expect(clock.moveTo(2998)).toBe(false);
  expect(clock.moveTo(3000)).toBe(true);
  expect(seen.at(-1)).toBe('c@3000');
  expect(clock.nextDue()).toBeNull();
});

test('a real clock fires by itself and cannot be moved', async () => {
  const clock = realClock();
  const fired = await new Promise<number>((resolve) => {
    const at = Date.now() + 20;
    clock.schedule(at, () => resolve(Date.now() - at));
    expect(clock.nextDue()).toBe(at);
  });
  expect(fired).toBeGreaterThanOrEqual(-2);
  expect([clock.nextDue(), clock.moveTo(Date.now() + 1000)]).toEqual([null, false]);
  clock.close();
});

test('a replay is remembered for the whole window', () => {
  const replays = rememberReplays();
  expect(replays.takeFirst('a', 0, 300)).toBe(true);
  expect(replays.takeFirst('b', 0, 300)).toBe(true);
  expect(replays.takeFirst('a', 300_000, 300)).toBe(false);
  expect(replays.takeFirst('a', 300_001, 300)).toBe(true);
  expect(replays.takeFirst('a', 600_001, 300)).toBe(false);
});

test('the admin API moves a virtual clock, forwards only', async () => {
  const setup = await openSetup();
  const reading = { kind: 'virtual', now: carrierStart, nextDue: null, inFlight: 0 };
  expect((await setup.admin('GET', '/clock')).body).toEqual(reading);
  await setup.authorize({ expires_in: 60 });
  expect((await setup.admin('GET', '/clock')).body).toEqual({ ...reading, nextDue: carrierStart + 60_000 });
  const { headers, body } = await setup.admin('POST', '/clock', { to: carrierStart + 60_000 });
  expect(headers['date']).toBe(new Date(carrierStart).toUTCString());
  expect(body).toEqual({ kind: 'virtual', now: carrierStart + 60_000, nextDue: carrierStart + 90_000, inFlight: 1 });
  await setup.settle();
  expect(setup.callbacks).toHaveLength(1);
  expect((await setup.admin('POST', '/clock', { to: carrierStart })).status).toBe(409);
  expect((await setup.admin('POST', '/clock', { to: 'later' })).status).toBe(400);
  await setup.close();
});

test('on a real clock everything works but the moving', async () => {
  const setup = await openSetup({ clock: 'real' });
  const { body } = await setup.authorize({ expires_in: 1 });
  const clock = await setup.admin('GET', '/clock');
  expect(clock.body['kind']).toBe('real');
  expect((await setup.admin('POST', '/clock', { to: Date.now() + 60_000 })).status).toBe(409);
  await expect.poll(() => setup.callbacks.length, { timeout: 3000 }).toBe(1);
  expect(setup.callbacks[0]?.body).toMatchObject({ error: 'authentication_timed_out' });
  expect((await setup.admin('POST', `/requests/${textMember(body, 'auth_req_id')}/deny`)).status).toBe(409);
  await setup.close();
});

test('close leaves nothing behind, with a callback in the air', async () => {
  const setup = await openSetup({ clock: 'real' });
  setup.replies.push({ status: 200, hold: true });
  const { body } = await setup.authorize();
  await setup.admin('POST', `/requests/${textMember(body, 'auth_req_id')}/approve`);
  await expect.poll(() => setup.callbacks.length).toBe(1);
  await setup.close();
  await expect(setup.admin('GET', '/clock')).rejects.toThrow(/ECONNREFUSED/);
});
