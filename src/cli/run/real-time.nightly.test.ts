import { describe, expect, test } from 'vitest';
import { planAndRun, waitingCases } from '../../testing/program/timed-run.ts';

/** Action of a case and the expected callback. */
const acts = [
  'trigger: approve }, { await: callback, expect: completed',
  'trigger: deny }, { await: callback, expect: failed',
  'await: callback, expect: failed',
];

/** A case whose request is approved, denied or left to time out, one to three seconds after it was sent. */
const sending = (_: unknown, at: number): string => {
  const wait = 1 + (Math.floor(at / acts.length) % 3);
  const [act = '', times] = [acts[at % acts.length], at % acts.length === 2];
  const claims = times ? `claims: { expires_in: ${wait} }` : '';
  return `
  - id: sends-${at}
    title: It sends a request
    rule: REQ-014
    exclusive: ${at % 2 === 0}
    steps: [{ as: first, authorize: { ${claims} } }, { ${times ? '' : `at: first + ${wait}s, `}${act} }]
`;
};

/** Concurrent, because both wait. */
describe.concurrent('in real time', () => {
  test('sixty cases that wait on three subscribers take the longest chain of waits', async () => {
    const { plan, took } = await planAndRun(waitingCases(60));
    expect(plan).toMatchObject({ cases: 60, subscribers: 3, sum: 120 });
    expect(plan.longest).toBeLessThan(26);
    expect(took).toBeGreaterThan(plan.longest);
    expect(took).toBeLessThan(plan.longest * 1.02 + 5);
  }, 90_000);

  test('so do twenty that send requests, wait for callbacks, and are watched for two minutes after those', async () => {
    const { plan, took, deliveries } = await planAndRun(Array.from({ length: 20 }, sending).join(''));
    expect(plan).toMatchObject({ cases: 20, subscribers: 3 });
    expect(deliveries).toBe(20);
    expect(took).toBeGreaterThan(plan.longest);
    expect(took).toBeLessThan(plan.longest * 1.02 + 5);
  }, 240_000);
});
