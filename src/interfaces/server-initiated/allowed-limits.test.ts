import { expect, test } from 'vitest';
import { limitStanding } from '../../model/allowed-limit.ts';
import type { LimitUnit, LimitValue } from '../../model/limit.ts';
import { loadLimits } from '../../suite/load-limits.ts';
import { allowedLimits, findAllowedLimit } from './allowed-limits.ts';
import { serverInitiated } from './interface.ts';

const { limits } = loadLimits({ dir: 'suites', tampers: new Set(), difference: serverInitiated.difference }).limits;

test('each limit that is measured has what the interface says of it, in its unit and under a clause of its rule', () => {
  expect(limits.map(({ name }) => name)).toEqual(Object.keys(allowedLimits));
  for (const { name, unit, method } of limits) {
    const allowed = findAllowedLimit(name);
    expect([name, allowed?.unit]).toEqual([name, unit]);
    expect([name, allowed?.smallest === true]).toEqual([name, method.kind === 'bisect' && method.to < method.from]);
    expect(serverInitiated.clauses.map(([number]) => number)).toContain(/^[\d.]+/.exec(allowed?.clause ?? '')?.[0]);
  }
});

test('a value is stated exactly where a level binds', () => {
  for (const [name, { from, to, level }] of Object.entries(allowedLimits)) {
    expect([name, from === undefined && to === undefined]).toEqual([name, level === 'informational']);
    expect((from ?? 0) <= (to ?? Number.POSITIVE_INFINITY)).toBe(true);
  }
});

const measured = (state: LimitValue['state'], value: number, uncertainty = 0, unit: LimitUnit = 's'): LimitValue => ({
  state,
  value,
  uncertainty,
  unit,
  words: '',
});

test.each([
  ['context', measured('limit', 240), 'within'],
  ['context', measured('limit', 239), 'outside'],
  ['context', measured('limit', 241), 'outside'],
  ['context', measured('beyond', 8192), 'outside'],
  ['context-least', measured('limit', 8), 'within'],
  ['context-least', measured('limit', 7), 'outside'],
  ['context-least', measured('limit', 9), 'outside'],
  ['context-least', measured('beyond', 1), 'outside'],
  ['context-2-bytes-each', measured('limit', 120), 'within'],
  ['context-2-bytes-each', measured('limit', 240), 'within'],
  ['context-2-bytes-each', measured('limit', 241), 'outside'],
  ['correlation-id', measured('limit', 127), 'outside'],
  ['correlation-id', measured('limit', 128), 'within'],
  ['iat-age', measured('limit', 300, 1), 'within'],
  ['iat-age', measured('limit', 330), 'within'],
  ['iat-age', measured('limit', 331), 'outside'],
  ['iat-age', measured('limit', 340, 2), 'outside'],
  ['iat-age', measured('limit', 270), 'within'],
  ['iat-age', measured('limit', 269), 'outside'],
  ['exp-ahead', measured('limit', 330), 'within'],
  ['exp-ahead', measured('limit', 331), 'outside'],
  ['exp-ahead', measured('limit', 270), 'within'],
  ['exp-ahead', measured('limit', 269), 'outside'],
  ['notification-token', measured('limit', 1023), 'outside'],
  ['notification-token', measured('limit', 1024), 'within'],
  ['notification-token', measured('limit', 4096), 'within'],
  ['expires-in', measured('limit', 172_799), 'outside'],
  ['expires-in', measured('limit', 172_800), 'within'],
  ['expires-in', measured('beyond', 2_592_000), 'within'],
  ['expires-in', measured('beyond', 3600), 'unsure'],
  ['expires-in', measured('limit', 3600), 'outside'],
  ['event-deduplication', measured('limit', 3599), 'outside'],
  ['event-deduplication', measured('limit', 3600), 'within'],
  ['event-deduplication', measured('limit', 3601), 'outside'],
  ['jti-window', measured('limit', 299), 'outside'],
  ['jti-window', measured('limit', 300), 'within'],
  ['jti-window', measured('limit', 300, 10), 'within'],
  ['jti-window', measured('limit', 120, 10), 'outside'],
  ['state', measured('limit', 12), 'open'],
  ['context', { state: 'nothing', unit: 'characters', words: '' }, 'unmeasured'],
  ['context', { state: 'unmeasured', unit: 'characters', words: '' }, 'unmeasured'],
] as const)('%s: %j is %s', (name, value, standing) =>
  expect(limitStanding(value, findAllowedLimit(name))).toBe(standing),
);
