import { afterAll, describe, expect, test } from 'vitest';
import {
  type DeliveryDoor,
  runUnderFlood,
  startFloodedCarrier,
  unattributedReason,
} from '../../testing/floods/flooded-carrier.ts';

/** Before the receiver had a lock, each was taken for an event or a callback. */
const beside = [
  { flood: 'set-of-another-key', path: '/events' },
  { flood: 'set-of-odd-claims', path: '/events' },
  { flood: 'set-of-a-known-sub', path: '/events' },
  { flood: 'json-list', path: '/events' },
  { flood: 'callback-with-tokens', path: '/si/notify' },
  { flood: 'state-guesses', path: '/si/notify' },
  { flood: 'idle', path: '/si/notify' },
];

const what = [
  'another-sim-card',
  'without-endpoint',
  'confirmed-at-the-second-attempt',
  'short-notification-token/*',
  'state-on-denial/1-character',
];

/** Allowed verdicts of a case, by the lock of the receiver. */
const verdicts: Readonly<Record<DeliveryDoor, readonly string[]>> = {
  locked: ['pass', 'informational'],
  unlocked: ['pass', 'informational', `inconclusive: ${unattributedReason}`],
};

describe.concurrent.each<DeliveryDoor>(['locked', 'unlocked'])('strangers at a receiver that is %s', (door) => {
  const opened = startFloodedCarrier(door);
  afterAll(async () => (await opened).close());

  test('change no verdict to one against the carrier', async () => {
    const run = await runUnderFlood(await opened, what, beside);
    const seen = Array.from(run.cases.values(), ({ verdict, reason }) =>
      reason.includes(unattributedReason) ? `${verdict}: ${unattributedReason}` : `${verdict}${reason}`,
    );
    expect([...new Set(seen)].filter((one) => !verdicts[door].includes(one))).toEqual([]);
    expect(seen).toContain('pass');
    expect(run.code).toBe(seen.some((one) => one.startsWith('inconclusive')) ? 4 : 0);
    expect(run.strangers).toBeGreaterThan(50);
    expect(run.stderr.includes('no lock of the receiver protects /events and ')).toBe(door === 'unlocked');
    expect(run.mebibytes).toBeLessThan(300);
  });
});
