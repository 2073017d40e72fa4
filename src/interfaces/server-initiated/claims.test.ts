import { expect, test } from 'vitest';
import { predict } from '../../testing/parts/predict.ts';

const now = 1_767_225_600;
const carrier = { issuer: 'https://op.test', now, clients: [], subscribers: [], used: () => false } as const;

/** Whether a request with these times, in seconds from now, surely breaks a rule, surely keeps it, or leaves it open. */
function judged(rule: string, { iat = 0, exp = 240, life = 300 }): string {
  const claims = { iat: now + iat, exp: now + exp, expires_in: life };
  const { broken, open } = predict({ header: {}, claims }, carrier, () => 'required');
  if (broken.includes(rule)) return 'broken';
  return open.includes(rule) ? 'open' : 'kept';
}

/** A window of 5 minutes, with 5 seconds for clocks and transit. */
test.each<[string, Parameters<typeof judged>[1], string]>([
  ['REQ-009', { iat: -306 }, 'broken'],
  ['REQ-009', { iat: -305 }, 'open'],
  ['REQ-009', { iat: -295 }, 'open'],
  ['REQ-009', { iat: -294 }, 'kept'],
  ['REQ-009', { iat: 5 }, 'kept'],
  ['REQ-009', { iat: 6 }, 'open'],
  ['REQ-011', { exp: -6 }, 'broken'],
  ['REQ-011', { exp: -5 }, 'open'],
  ['REQ-011', { exp: 5 }, 'open'],
  ['REQ-011', { exp: 6 }, 'kept'],
  ['REQ-012', { iat: 100, exp: 294 }, 'kept'],
  ['REQ-012', { iat: 100, exp: 295 }, 'open'],
  ['REQ-012', { iat: 100, exp: 305 }, 'open'],
  ['REQ-012', { iat: 100, exp: 306 }, 'broken'],
  ['REQ-012', { iat: -60, exp: 240 }, 'kept'],
  ['REQ-012', { iat: -61, exp: 240 }, 'broken'],
  ['REQ-019', { life: 29 }, 'open'],
  ['REQ-019', { life: 30 }, 'kept'],
  ['REQ-019', { life: 300 }, 'kept'],
  ['REQ-019', { life: 301 }, 'open'],
  ['REQ-019', { life: 172_800 }, 'open'],
  ['REQ-019', { life: 172_801 }, 'broken'],
])('%s with %j is %s', (rule, times, expected) => {
  expect(judged(rule, times)).toBe(expected);
});
