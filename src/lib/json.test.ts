import { describe, expect, test } from 'vitest';
import { parseBody, sameJson, valueAt } from './json.ts';

describe('paths', () => {
  const root = { body: { list: [{ a: 0 }, null], 'a.b': 1 }, none: undefined };

  test.each<[string, unknown]>([
    ['body.list.0.a', 0],
    ['body.list.1', null],
    ['body.list.2', undefined],
    ['body.list.length', undefined],
    ['body.list.x', undefined],
    ['body.toString', undefined],
    ['body.list.1.a', undefined],
    ['none', undefined],
    ['', undefined],
  ])('%s', (path, expected) => {
    expect(valueAt(root, path)).toBe(expected);
  });
});

describe('equal JSON', () => {
  test.each<[boolean, unknown, unknown]>([
    [true, { a: 1, b: [1, { c: null }] }, { b: [1, { c: null }], a: 1 }],
    [true, [], []],
    [true, 'é', 'é'],
    [false, [1, 2], [2, 1]],
    [false, [1], [1, 2]],
    [false, { a: 1 }, { a: 1, b: 2 }],
    [false, { a: 1, b: 2 }, { a: 1 }],
    [false, { a: undefined }, { b: undefined }],
    [false, { toString: 1 }, { other: 1 }],
    [false, 1, '1'],
    [false, null, undefined],
    [false, null, {}],
    [false, {}, []],
    [false, 0, false],
  ])('%s: %j and %j', (same, a, b) => {
    expect(sameJson(a, b)).toBe(same);
  });
});

test.each<[string, unknown]>([
  ['{"error":null,"access_token":"null"}', { access_token: 'null' }],
  ['{"a":{"b":null,"c":[null,{"d":null}]},"e":false,"f":0,"g":""}', { a: { c: [null, {}] }, e: false, f: 0, g: '' }],
  ['null', null],
  ['nul', undefined],
])('of the body %s a null member is absent', (text, expected) => {
  expect(parseBody(text)).toEqual(expected);
});
