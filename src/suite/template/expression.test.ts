import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json } from '../../lib/json.ts';
import { MissingValue, type Scope } from '../../model/suite.ts';
import { compileExpression } from './expression.ts';
import { ExpressionMistake } from './names.ts';
import { templateFunctions } from './functions.ts';

/** The first has an unknown key type; the second is not a key. */
const keys: readonly Json[] = [
  { kty: 'XYZ', x: 'AA' },
  7,
  { kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' },
];

const roots: Readonly<Record<string, unknown>> = {
  first: { claims: { jti: 'abc', list: ['zero', { deep: true }], keys }, granted: 300, sentAt: 1000.5, nothing: null },
  clients: { 'two-keys': { client_id: 'ccid-2' } },
};
const scope: Scope = {
  now: () => 1_767_225_600,
  random: (bytes) => '0123456789abcdef'.repeat(bytes).slice(0, bytes * 2),
  root: (name) => roots[name],
};
const names = new Map([
  ['now', new Set<string>()],
  ['first', undefined],
  ['clients', undefined],
  ['absent', undefined],
]);

function value(source: string, moment = false): Json {
  return compileExpression(source, { names, moment }).evaluate(scope);
}

function mistake(source: string): string {
  try {
    compileExpression(source, { names, moment: false });
  } catch (error) {
    if (error instanceof ExpressionMistake) return `${error.index}: ${error.message}`;
    throw error;
  }
  return 'none';
}

describe('values', () => {
  test.each<[string, Json]>([
    ['now', 1_767_225_600],
    ['now - 5m30s', 1_767_225_270],
    ['now + 1d - 24h', 1_767_225_600],
    ['now + 250ms', 1_767_225_600.25],
    ['-5', -5],
    ['10 - -5', 15],
    ['300.5', 300.5],
    ["'it''s'", "it's"],
    ["''", ''],
    ['first.claims.jti', 'abc'],
    ['first.claims.list.0', 'zero'],
    ['first.claims.list.1', { deep: true }],
    ['first.nothing', null],
    ['clients.two-keys.client_id', 'ccid-2'],
    ['first.granted - 5s', 295],
    ['fresh()', '0123456789abcdef'],
    ["repeat('ab', 3)", 'ababab'],
    ["repeat('ab', 0)", ''],
    ['string(first.granted)', '300'],
    ['string(first.claims.list)', '["zero",{"deep":true}]'],
    ['millis(now)', 1_767_225_600_000],
    ["upper(concat('a', first.claims.jti, 1))", 'AABC1'],
    ["lower('ABC')", 'abc'],
    ["json('a\"b')", '"a\\"b"'],
    ["replace('a/b/c', '/', '\\/')", 'a\\/b\\/c'],
    ["part('https://u@h.example:8443/p/q?a=b#c', 'host')", 'h.example'],
    ["part('https://u@h.example:8443/p/q?a=b#c', 'path')", '/p/q'],
    ["part('https://[::1]:8443/p', 'port')", '8443'],
    ["part('app:/cb', 'host')", ''],
    ["with('https://h.example/p?a=b', 'scheme', 'http')", 'http://h.example/p?a=b'],
    ["with('https://h.example/p', 'port', 443)", 'https://h.example:443/p'],
    ["with('https://h.example:8443/p', 'host', '127.1')", 'https://127.1:8443/p'],
    ["with('app:/cb', 'scheme', 'http')", 'http:/cb'],
    ["with('app:///cb', 'path', '/CB')", 'app:///CB'],
    ["escaped('https://h.example/cb/')", 'https://h.example/c%62/'],
    ['or(first.granted, 7)', 300],
    ["or(first.claims.nonce, first.nothing, 'c')", 'c'],
    ["rest('abc', 1)", 'bc'],
    ["rest('abc', 4)", ''],
    ["cut('abc', 1)", 'ab'],
    ["cut('abc', 4)", ''],
    ["wide('ab-')", 'a\uff42-'],
    ["unlisted(first.claims.list, 'zero', 'one')", 'one'],
    ["unlisted('zero', 'zero', 'two')", 'two'],
    ["lookalike('ccid-kept-aZ9-x0Yz')", 'ccid-kept-bA0-y1Za'],
    ["lookalike('az')", 'ba'],
    ["replaced('https://sp.test/cb', 'first')", 'ittps://sp.test/cb'],
    ["replaced('abcz9', 'middle')", 'abdz9'],
    ["replaced('abcz9', 'last')", 'abcz0'],
    ["replaced('a/', 'last')", 'ax'],
    ["accented('001-ccid')", '001-\u0107cid'],
    ["first_with(first.claims.list, 'z')", 'zero'],
    ['turn(first.claims.list, 0)', 'zero'],
    ['readable(first.claims.keys)', [keys[2] ?? null]],
    ['readable(first.claims.jti)', []],
    ['turn(first.claims.list, 4)', 'zero'],
    ["first_without(first.claims.list, 'z')", '{"deep":true}'],
  ])('%s', (source, expected) => expect(value(source)).toEqual(expected));

  test('letters are letters, as many as asked', () => expect(value('letters(12)')).toMatch(/^[A-Za-z]{12}$/));
  test('digits are digits, as many as asked', () => expect(value('digits(12)')).toMatch(/^[0-9]{12}$/));

  test('in a moment a bare name is when the step was sent', () => {
    const { paths, evaluate } = compileExpression('first + first.granted - 5s', { names, moment: true });
    expect(evaluate(scope)).toBe(1295.5);
    expect(paths).toEqual([
      ['first', 'sentAt'],
      ['first', 'granted'],
    ]);
  });
});

test.each([
  ['absent.claims', 'absent.claims'],
  ['first.claims.nonce', 'first.claims.nonce'],
  ['first.claims.list.7', 'first.claims.list.7'],
  ['first.claims.list.length', 'first.claims.list.length'],
  ['first.claims.jti.length', 'first.claims.jti.length'],
  ['first.constructor.name', 'first.constructor.name'],
  ['first.__proto__', 'first.__proto__'],
  ['first.toString', 'first.toString'],
  ['first.claims.jti + 1', 'number in first.claims.jti'],
  ['millis(first.claims.jti)', 'number in millis()'],
  ["repeat('x', 0 - 1)", 'length from 0 to 1000000'],
  ["repeat('xx', 1000000)", 'length from 0 to 1000000'],
  ['letters(1.5)', 'length from 0 to 1000000'],
  ["part('https://h.example', 'domain')", 'part "domain" of a URI: scheme, user, host, port, path, query, fragment'],
  ["unlisted(first.claims.list, 'zero')", 'such value in the list'],
  ['turn(3, 0)', 'item in the list of turn()'],
  ['turn(first.claims.list, 0 - 1)', 'length from 0 to 1000000'],
])('what is not there: %s', (source, path) => {
  const { evaluate } = compileExpression(source, { names, moment: false });
  expect(() => evaluate(scope)).toThrow(new MissingValue(path));
});

test.each([
  ['', '0: a value is missing here'],
  ['now +', '5: a value is missing here'],
  ['+ now', '0: a value is missing before "+"'],
  ['now)', '3: ")" is not expected here'],
  ["concat('a' 'b')", '11: a "," or ")" is missing here'],
  ["concat('a',", '11: a value is missing here'],
  ["upper('a', 'b')", '0: upper takes upper(v)'],
  ['hasOwnProperty()', '0: there is no function "hasOwnProperty"'],
  ['__proto__', '0: there is no "__proto__" here'],
  ["now - 'a'", '6: + and - take numbers'],
  ['now & 1', '4: "&" means nothing here'],
  ['now 😀', '4: "😀" means nothing here'],
  ['1x', '0: "1x" is neither a number nor a duration such as 5m30s'],
  [`${'upper('.repeat(21)}now${')'.repeat(21)}`, '120: nested more than 20 levels deep'],
])('mistakes, each at its index: %s', (source, expected) => expect(mistake(source)).toBe(expected));

describe('properties', () => {
  const word = fc.constantFrom(
    'now',
    'first',
    'first.claims',
    'nobody',
    '+',
    '-',
    '(',
    ')',
    ',',
    '5m',
    '7',
    "'a'",
    "'",
    '.',
  );
  const call = fc.constantFrom(...Object.keys(templateFunctions).map((name) => `${name}(`));

  test('a text is compiled or refused, never anything else', () => {
    const anything = fc.oneof(
      fc.string(),
      fc.array(fc.oneof(word, call)).map((words) => words.join(' ')),
    );
    fc.assert(
      fc.property(anything, fc.boolean(), (source, moment) => {
        try {
          compileExpression(source, { names, moment });
        } catch (error) {
          expect(error).toBeInstanceOf(ExpressionMistake);
          if (error instanceof ExpressionMistake) expect(error.index).toBeLessThanOrEqual(source.length);
        }
      }),
      { numRuns: 2000 },
    );
  });

  test('a sum is the sum, however it is spaced', () => {
    const term = fc.tuple(fc.constantFrom(' + ', '  - '), fc.nat(1_000_000));
    fc.assert(
      fc.property(fc.nat(1_000_000), fc.array(term, { maxLength: 40 }), (first, rest) => {
        const expected = rest.reduce((sum, [sign, number]) => (sign === ' + ' ? sum + number : sum - number), first);
        expect(value(`${first}${rest.map(([sign, number]) => `${sign}${number}`).join('')}`)).toBe(expected);
      }),
    );
  });

  test('any text survives its quotes', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(value(`'${text.replaceAll("'", "''")}'`)).toBe(text);
      }),
    );
  });
});
