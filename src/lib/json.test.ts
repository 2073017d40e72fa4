import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isJsonObject, type Json, parseBody, parseJson, equalsJson, valueAt, replaceLoneSurrogates } from './json.ts';

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
  ])('%s', (path, expected) => expect(valueAt(root, path)).toBe(expected));
});

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
])('equal JSON: %s: %j and %j', (same, a, b) => expect(equalsJson(a, b)).toBe(same));

test.each<[string, unknown]>([
  ['{"error":null,"access_token":"null"}', { access_token: 'null' }],
  ['{"a":{"b":null,"c":[null,{"d":null}]},"e":false,"f":0,"g":""}', { a: { c: [null, {}] }, e: false, f: 0, g: '' }],
  ['null', null],
  ['nul', undefined],
])('of the body %s a null member is absent', (text, expected) => expect(parseBody(text)).toEqual(expected));

describe('well-formed text', () => {
  /** Every string in a value, member names included. */
  function textsIn(value: Json): readonly string[] {
    if (typeof value === 'string') return [value];
    if (Array.isArray(value)) return value.flatMap(textsIn);
    if (!isJsonObject(value)) return [];
    return Object.entries(value).flatMap(([name, member]) => [name, ...textsIn(member)]);
  }

  /** Texts that may contain lone surrogates. */
  const units = fc.string({
    unit: fc.integer({ min: 0xd7_f0, max: 0xe0_10 }).map((unit) => String.fromCharCode(unit)),
  });
  const texts = fc.oneof(fc.string(), units);
  const { value: jsons } = fc.letrec<{ value: Json }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      texts,
      fc.constantFrom<Json>(null, true, 0),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(texts, tie('value'), { maxKeys: 4, noNullPrototype: true }),
    ),
  }));

  test('replaces lone surrogates, in names too, and nothing else', () => {
    fc.assert(
      fc.property(jsons, (value) => {
        const clean = replaceLoneSurrogates(value);
        expect(textsIn(clean).every((text) => text.isWellFormed())).toBe(true);
        expect(replaceLoneSurrogates(clean)).toEqual(clean);
        if (textsIn(value).every((text) => text.isWellFormed())) expect(clean).toEqual(value);
      }),
    );
  });

  test('is the result of parsing, however the JSON text writes a lone surrogate', () => {
    fc.assert(
      fc.property(jsons, (value) => {
        // JSON.stringify escapes a lone surrogate.
        const escaped = JSON.stringify(value);
        expect(parseJson(escaped)).toEqual(replaceLoneSurrogates(value));
        expect(
          parseJson(
            escaped.replaceAll(/(?<!\\)\\u(d[89a-f][\da-f]{2})/g, (_, digits: string) =>
              String.fromCharCode(Number.parseInt(digits, 16)),
            ),
          ),
        ).toEqual(replaceLoneSurrogates(value));
      }),
    );
  });

  test.each<[string, Json]>([
    [String.raw`"\ud83d\ude00"`, '\u{1F600}'],
    [String.raw`"\ude00\ud83d"`, '\u{FFFD}\u{FFFD}'],
    [String.raw`{"\ud800":{"\uDFFF":["\uD800"]}}`, { '\u{FFFD}': { '\u{FFFD}': ['\u{FFFD}'] } }],
    [String.raw`"\\ud800"`, String.raw`\ud800`],
    ['"\u{FFFD}"', '\u{FFFD}'],
  ])('%s', (text, value) => expect(parseJson(text)).toEqual(value));

  test('a member __proto__ stays one', () => {
    const value = parseJson(String.raw`{"__proto__":{"a":"\ud800"}}`);
    expect(isJsonObject(value) && Object.keys(value)).toEqual(['__proto__']);
    expect(JSON.stringify(value)).toBe('{"__proto__":{"a":"\u{FFFD}"}}');
  });
});
