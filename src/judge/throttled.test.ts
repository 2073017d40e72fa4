import { expect, test } from 'vitest';
import type { Json } from '../lib/json.ts';
import { isThrottled } from './classify.ts';

const loaded: Json = { error: 'temporarily_unavailable' };

test.each<[boolean, number, Readonly<Record<string, string>>, Json]>([
  [true, 429, {}, {}],
  [true, 503, { 'retry-after': '1' }, {}],
  [true, 503, {}, loaded],
  [false, 503, {}, {}],
  [false, 400, {}, loaded],
  [false, 403, { 'retry-after': '1' }, loaded],
  [false, 200, {}, loaded],
])('%s: %d %j %j (C8.17)', (expected, status, headers, body) =>
  expect(isThrottled({ status, headers, body })).toBe(expected),
);
