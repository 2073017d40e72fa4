import { expect, test } from 'vitest';
import { parseJson, parseOwnJson } from './json.ts';

const nested = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`;

test('a text nested too deep is not parsed', () => {
  expect(parseJson(nested(100))).toBeDefined();
  expect(parseJson(nested(101))).toBeUndefined();
  expect(parseJson(nested(50_000))).toBeUndefined();
  expect(parseJson(`{"a":${nested(100)}}`)).toBeUndefined();
  expect(parseOwnJson(nested(150))).toBeDefined();
});

test('brackets side by side and in strings do not nest', () => {
  const text = JSON.stringify({ a: Array.from({ length: 300 }, () => []), b: '[{'.repeat(300), c: '\\"['.repeat(300) });
  expect(parseJson(text)).toEqual(JSON.parse(text));
});

test('what is no JSON is nothing', () => {
  for (const text of ['', '{', '{a:1}', '\ufeff{}', 'NaN', '{"a":1}x']) expect(parseJson(text)).toBeUndefined();
  expect(parseJson('null')).toBeNull();
});
