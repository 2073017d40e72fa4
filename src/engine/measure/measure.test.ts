import { describe, expect, test } from 'vitest';
import type { Policy } from '../../carrier/policy.ts';
import type { Target } from '../../model/target.ts';
import { measureReference, measuredByName } from '../../testing/carriers/measure-reference.ts';

/** Policy member that sets each limit. */
const configured: Readonly<Record<string, keyof Policy>> = {
  context: 'contextMax',
  'context-least': 'contextMin',
  'context-2-bytes-each': 'contextMax',
  'correlation-id': 'correlationIdMax',
  'notification-token': 'notificationTokenMax',
  'iat-age': 'iatMaxAge',
  'iat-ahead': 'iatMaxAhead',
  'exp-ahead': 'expMaxAhead',
  'expires-in': 'maxExpiresIn',
  'jti-window': 'jtiWindow',
  'event-deduplication': 'eventDuplicateWindow',
};

const strict: Partial<Record<keyof Policy, unknown>> = {
  contextMin: 8,
  contextMax: 240,
  correlationIdMax: 128,
  notificationTokenMax: 1024,
  iatMaxAge: 300,
  iatMaxAhead: 60,
  expMaxAhead: 300,
  maxExpiresIn: 172_800,
  jtiWindow: 300,
  eventDuplicateWindow: 3600,
};

const short: Partial<Policy> = { contextMin: 2, contextMax: 100, correlationIdMax: 36, notificationTokenMax: 64 };
const long: Partial<Policy> = { contextMin: 24, contextMax: 4000, correlationIdMax: 1024, notificationTokenMax: 4096 };

/** Each member has a value below and one above the strict one; windows are on a rung, and a second beside one. */
const carriers: readonly (readonly [string, Partial<Policy>])[] = [
  [
    'short texts, windows on a rung, and impatient',
    { ...short, jtiWindow: 130, eventDuplicateWindow: 1920, maxExpiresIn: 600, iatMaxAge: 301 },
  ],
  [
    'long windows and texts, and old',
    {
      ...long,
      claimMax: 5000,
      iatMaxAge: 86_400,
      iatMaxAhead: 200,
      expMaxAhead: 3600,
      jtiWindow: 1800,
      eventDuplicateWindow: 7200,
    },
  ],
  [
    'young, patient, with windows beside a rung',
    {
      iatMaxAge: 60,
      iatMaxAhead: 0,
      expMaxAhead: 241,
      jtiWindow: 299,
      eventDuplicateWindow: 3599,
      maxExpiresIn: 1_000_000,
    },
  ],
];

/** A claim is bounded as JSON text, including its two quotes. */
const stateOf = ({ claimMax = 32_768 }: Partial<Policy>): number => claimMax - 2;

test.each(carriers)(
  'three carriers, each measured as it is configured: %s',
  { timeout: 120_000 },
  async (_, variants) => {
    const only = measuredByName('state', 'state-2-bytes-each', ...Object.keys(configured));
    const found = await measureReference({ variants, only });
    expect(found['state']).toMatchObject({ state: 'limit', value: stateOf(variants), uncertainty: 0 });
    expect(found['state-2-bytes-each']?.words).toMatch(/: characters are counted$/);
    for (const [name, key] of Object.entries(configured)) {
      const expected: unknown = { ...strict, ...variants }[key];
      const { state, value = Number.NaN, uncertainty = 0, words } = found[name] ?? { state: 'unmeasured', words: name };
      expect({ name, words, state }).toEqual({ name, words, state: 'limit' });
      expect(Math.abs(value - Number(expected)), `${words}; configured: ${expected}`).toBeLessThanOrEqual(uncertainty);
    }
  },
);

const one = async (name: string, setting: Parameters<typeof measureReference>[0] = {}) =>
  (await measureReference({ ...setting, only: measuredByName(name) }))[name];

describe('what else a carrier may do', () => {
  test('a limit that is not there is said to be beyond what was tried', async () => {
    const found = await one('iat-age', { faults: ['iat-not-checked'] });
    expect(found).toMatchObject({ state: 'beyond', value: 604_800 });
    expect(found?.words).toBe('accepts iat 604800 s ± 1 s old, and no older was tried');
  });

  test('every probe and its answer is kept', async () => {
    const plain = await one('expires-in', { variants: { maxExpiresIn: 3600 } });
    expect(plain).toMatchObject({
      state: 'limit',
      value: 3600,
      uncertainty: 0,
      words: 'refuses expires_in above 3600 s',
    });
    const { probes = [] } = plain ?? {};
    expect(probes.slice(0, 2)).toEqual([
      { at: 60, held: true, response: 'accepted 200, and tokens came' },
      { at: 2_592_000, held: false, response: 'denied 400 invalid_request' },
    ]);
  });

  test.each([
    ['iat-age', 'stale-requests-dropped', 300],
    ['expires-in', 'long-lives-dropped', 172_800],
    ['jti-window', 'repeated-requests-dropped', 300],
    ['jti-window', 'jti-kept-an-hour', 3600],
  ])('%s of a carrier with %s, which accepts and drops', async (name, variant, expected) => {
    const { state, value = 0, uncertainty = 0, words } = (await one(name, { faults: [variant] })) ?? { state: '' };
    expect({ words, state }).toEqual({ words, state: 'limit' });
    expect(Math.abs(value - expected), words).toBeLessThanOrEqual(uncertainty);
  });

  test('a context that is held to its pattern has no limit for characters of 2 bytes', async () => {
    const found = await one('context-2-bytes-each', { faults: ['context-by-its-pattern'] });
    expect(found).toMatchObject({ state: 'nothing' });
  });

  test('without a driver for approve the answer alone decides', async () => {
    const change = (target: Target): Target => ({ ...target, drivers: {} });
    const found = await one('context', { change });
    expect(found).toMatchObject({ state: 'limit', value: 240 });
    expect(found?.probes[0]?.response).toBe('accepted 200');
  });

  test('what the target lacks is the reason why nothing was measured', async () => {
    const change = (target: Target): Target => ({ ...target, drivers: {} });
    expect(await one('event-deduplication', { change })).toMatchObject({
      state: 'unmeasured',
      words: 'not measured: needs a driver for move-sim',
      probes: [],
    });
  });

  test('a sound request that is refused measures nothing', async () => {
    const found = await one('context', { variants: { contextMax: 10 } });
    expect(found).toMatchObject({
      state: 'nothing',
      words: 'no limit to be found: denied 400 invalid_request already at 24 characters',
    });
    expect(found).not.toHaveProperty('value');
  });

  test('in real time a ladder waits, and its uncertainty holds what passed meanwhile', async () => {
    const only = measuredByName('jti-window').map((limit) => ({
      ...limit,
      method: { kind: 'repeat' as const, claim: 'jti', rungs: [1, 2, 4, 5] },
    }));
    const found = await measureReference({ clock: 'real', variants: { jtiWindow: 3 }, only });
    const { state, value = 0, uncertainty = 0, probes = [] } = found['jti-window'] ?? { state: '' };
    expect(state).toBe('limit');
    expect(Math.abs(value - 3)).toBeLessThanOrEqual(uncertainty);
    for (const [index, rung] of [1, 2, 4, 5].entries()) expect(probes[index]?.at).toBeGreaterThanOrEqual(rung);
  });

  test('an interrupted measurement says so', async () => {
    const controller = new AbortController();
    controller.abort();
    const found = await one('jti-window', { signal: controller.signal });
    expect(found).toMatchObject({ state: 'unmeasured', reason: 'interrupted' });
  });

  test('a carrier that never remembers a jti', async () => {
    const found = await one('jti-window', { faults: ['jti-never-kept'] });
    expect(found).toMatchObject({ state: 'nothing' });
  });
});

describe('requests that may wait for one subscriber', () => {
  test('are counted up to the first that is refused', async () => {
    expect(await one('pending', { variants: { maxPending: 3 } })).toMatchObject({
      state: 'limit',
      value: 3,
      words: 'lets 3 requests wait for one subscriber, and refuses the next',
    });
  });

  test('are beyond what is tried at a carrier that lets many wait', async () => {
    const found = await one('pending');
    expect(found).toMatchObject({ state: 'beyond', value: 64 });
    expect(found?.probes).toHaveLength(64);
  });

  test('are denied afterwards: what is measured next finds room', async () => {
    const found = await measureReference({
      variants: { maxPending: 1 },
      only: [...measuredByName('pending'), ...measuredByName('state')],
    });
    expect(found['pending']).toMatchObject({
      value: 1,
      words: 'lets 1 request wait for one subscriber, and refuses the next',
    });
    expect(found['state']).toMatchObject({ state: 'limit' });
  });
});
