import { afterEach, describe, expect, test } from 'vitest';
import type { Target } from '../../model/target.ts';
import { type FrontClock, openFrontClock } from '../../testing/carriers/flowing-clock.ts';
import { openHandCarrier } from '../../testing/carriers/hand-carrier.ts';
import { runYamlCases } from '../../testing/parts/run-cases.ts';

const open: FrontClock[] = [];
afterEach(async () => {
  for (const admin of open.splice(0)) await admin.close();
});

const tokens = { access_token: 'a', auth_req_id: 'ccid-0000000001', expires_in: 3600, token_type: 'bearer' };

interface Setting {
  readonly steps: string;
  readonly after: number;
}

/** Runs against a hand-made carrier whose clock flows, over real sockets. */
async function run({ steps, after }: Setting) {
  const begun = performance.now();
  const prelude = await openHandCarrier(() => ({ callbacks: [{ after, body: tokens }], body: granted }));
  const origin = new URL(prelude.target.endpoints['server_initiated'] ?? '').origin;
  const admin = await openFrontClock(`${origin}/clock`, { unit: 'seconds', flows: true });
  open.push(admin);
  const change = (): Target => ({ ...prelude.target, clock: admin.clock });
  try {
    const ran = await runYamlCases(
      `  - { id: one, title: A case, rule: REQ-001, steps: [{ as: request, authorize: {}, expect: accepted }, ${steps}] }\n`,
      { change },
    );
    return { case: ran.cases['one'], admin, took: performance.now() - begun };
  } finally {
    await prelude.close();
  }
}

const granted = { auth_req_id: 'ccid-0000000001', expires_in: 300 };

describe('a carrier whose clock flows, counts in seconds and has names of its own', () => {
  test('a callback after a minute comes in seconds, and never is the clock set back', async () => {
    const {
      case: one,
      admin,
      took,
    } = await run({
      steps:
        '{ as: tokens, await: callback, until: request + 2m, expect: { outcome: completed }, record: { after: "{{ tokens.receivedAt - request.sentAt }}" } }',
      after: 60,
    });
    expect(one).toMatchObject({ verdict: 'pass' });
    const { after } = one?.recorded ?? {};
    expect(after).toBeGreaterThanOrEqual(59.9);
    expect(after).toBeLessThan(64);
    expect(admin.leaps.length).toBeGreaterThan(0);
    expect(admin.wentBack()).toBe(0);
    expect(took).toBeLessThan(60_000);
  }, 70_000);

  test('moments keep their distance, short and long', async () => {
    const { case: one } = await run({
      steps:
        '{ as: soon, at: request + 500ms, authorize: {}, expect: accepted }, ' +
        '{ as: later, at: soon + 200s, authorize: {}, expect: accepted, record: { short: "{{ soon.sentAt - request.sentAt }}", long: "{{ later.sentAt - soon.sentAt }}" } }',
      after: 10,
    });
    expect(one).toMatchObject({ verdict: 'pass' });
    const { short, long } = one?.recorded ?? {};
    expect(short).toBeGreaterThanOrEqual(0.499);
    expect(short).toBeLessThan(2.5);
    expect(long).toBeGreaterThanOrEqual(199.999);
    expect(long).toBeLessThan(203);
  }, 70_000);
});
