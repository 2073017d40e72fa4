import { describe, expect, test } from 'vitest';
import type { Policy } from '../../carrier/policy.ts';
import { measured } from '../../testing/measure-reference.ts';

/** What the policy says of each limit. */
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

const carriers: readonly (readonly [string, Partial<Policy>])[] = [
  ['strict', {}],
  ['short windows', { jtiWindow: 60, eventDuplicateWindow: 600 }],
  ['long windows', { jtiWindow: 1800, eventDuplicateWindow: 7200 }],
  ['windows on a rung', { jtiWindow: 130, eventDuplicateWindow: 1920 }],
  ['short texts', { contextMin: 2, contextMax: 100, correlationIdMax: 36, notificationTokenMax: 64 }],
  ['long texts', { contextMin: 24, contextMax: 4000, correlationIdMax: 1024, notificationTokenMax: 4096 }],
  ['young', { iatMaxAge: 60, iatMaxAhead: 0, expMaxAhead: 241 }],
  ['old', { iatMaxAge: 86_400, iatMaxAhead: 200, expMaxAhead: 3600 }],
  ['impatient', { maxExpiresIn: 600, iatMaxAge: 301, jtiWindow: 299 }],
  ['patient', { maxExpiresIn: 1_000_000, iatMaxAge: 299, jtiWindow: 301, eventDuplicateWindow: 3599 }],
];

describe('ten carriers, each measured as it is configured', () => {
  test.each(carriers)('%s', { timeout: 120_000 }, async (_, variants) => {
    const found = await measured({ variants });
    for (const [name, key] of Object.entries(configured)) {
      const expected: unknown = { ...strict, ...variants }[key];
      const { state, value = Number.NaN, uncertainty = 0, words } = found[name] ?? { state: 'unmeasured', words: name };
      expect({ name, words, state }).toEqual({ name, words, state: 'limit' });
      expect(Math.abs(value - Number(expected)), `${words}; configured: ${expected}`).toBeLessThanOrEqual(uncertainty);
    }
  });
});
