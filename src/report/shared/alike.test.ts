import { expect, test } from 'vitest';
import type { Finding } from '../../model/finding.ts';
import { buildFinding } from '../../testing/result.ts';
import { likenessOf } from './broken.ts';

const alike = (one: Partial<Finding>, other: Partial<Finding>): boolean =>
  likenessOf(buildFinding(one)) === likenessOf(buildFinding(other));

test('findings are alike where only a value differs', () => {
  const sub = { code: 'not-equal', path: 'set.sub', expected: 'a-1', actual: 'b-2' } as const;
  expect(alike(sub, { ...sub, expected: 'c "quoted" 3', actual: 'd' })).toBe(true);
  expect(alike(sub, { ...sub, path: 'set.iss' })).toBe(false);
  const gap = { code: 'spacing', path: 'deliveries.1', expected: '60 s', actual: 0 } as const;
  expect(alike(gap, { ...gap, path: 'deliveries.2', actual: 1 })).toBe(true);
});

test('another outcome, status or error code is another finding', () => {
  expect(alike({ actual: 'accepted 200' }, { actual: 'accepted 201' })).toBe(false);
  const status = { code: 'status', expected: [400], actual: 'denied 405' } as const;
  expect(alike(status, { ...status, actual: 'denied 406' })).toBe(false);
});
