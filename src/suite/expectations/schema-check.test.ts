import { expect, test } from 'vitest';
import { type Json, parseOwnJson } from '../../lib/json.ts';
import { createSchemaCheck, retrySlowSchemas } from './schema-check.ts';

/** Lists mismatches as `path: words`. */
const said = (schema: Json, value: Json): readonly string[] =>
  createSchemaCheck(schema)
    .mismatches(value)
    .map(({ path, message }) => `${path}: ${message}`);

/** Parsed, because an object literal with `then` would be treated as a promise. */
const conditional: Json = parseOwnJson('{ "if": { "required": ["a"] }, "then": { "required": ["b"] } }') ?? null;
const sequel: Json = parseOwnJson('{ "if": { "const": 1 }, "then": { "const": 2 } }') ?? null;

test.each<[about: string, schema: Json, value: Json, words: readonly string[]]>([
  ['a type', { type: 'string' }, 5, [': a string']],
  ['types', { type: ['string', 'integer'] }, true, [': a string or a whole number']],
  ['a constant', { const: 3 }, 1, [': 3']],
  ['values', { enum: ['a', 'b'] }, 'c', [': one of "a", "b"']],
  ['a form', { pattern: '^a$' }, 'b', [': text of the form ^a$']],
  ['a length', { minLength: 22 }, 'b', [': at least 22 characters long']],
  ['a bound', { exclusiveMinimum: 0 }, 0, [': more than 0']],
  ['items', { minItems: 1 }, [], [': at least 1 item']],
  ['a denial', { not: { const: 3600 } }, 3600, [': anything but 3600']],
  ['a list with something', { contains: { const: 'a' } }, ['b'], [': a list with "a"']],
  ['one of two, once', { anyOf: [{ type: 'string' }, { const: 1 }] }, 2, [': a string or 1']],
  ['what is nowhere', { required: ['a'], properties: { a: { type: 'string' } } }, {}, ['/a: a string']],
  ['what is nowhere, and may be anything', { required: ['a/b'] }, {}, ['/a~1b: there']],
  ['what is too much', { additionalProperties: false, properties: {} }, { a: 1 }, ['/a: absent']],
  ['a member', { properties: { a: { properties: { b: { const: 2 } } } } }, { a: { b: 1 } }, ['/a/b: 2']],
  ['a condition, once', conditional, { a: 1 }, ['/b: there']],
  ['nothing', false, 1, [': nothing']],
  ['a form in words', { pattern: '^a$', description: 'the letter a' }, 'b', [': the letter a']],
  ['a denial in words', { not: { pattern: '=' }, description: 'without =' }, '=', [': without =']],
  ['members of a form', { patternProperties: { '^a': { type: 'string' } } }, { ab: 1 }, ['/ab: a string']],
  ['other members', { properties: {}, additionalProperties: { type: 'string' } }, { a: 1 }, ['/a: a string']],
  ['a multiple', { multipleOf: 5 }, 3, [': a multiple of 5']],
  ['few members', { maxProperties: 0 }, { a: 1 }, [': at most 0 members']],
  ['what goes with something', sequel, 1, [': 2']],
])('C5.1: a finding says what was asked, never a keyword of a schema: %s', (_, schema, value, words) =>
  expect(said(schema, value)).toEqual(words),
);

test('a pattern of a user is stopped where a text makes it slow, and not tried again in the run', {
  timeout: 20_000,
}, () => {
  const { mismatches } = createSchemaCheck({
    properties: { id: { type: 'string', pattern: '^ccid-(([A-Za-z0-9])+)+!$' } },
  });
  const why = 'a pattern in it took longer than 1 s on 74 characters, so the run does not try it again';
  expect(mismatches({ id: 'ccid-a!' })).toEqual([]);
  expect(() => mismatches({ id: `ccid-${'a'.repeat(60)}` })).toThrow(why);
  const begun = performance.now();
  expect(() => mismatches({ id: 'ccid-' })).toThrow(why);
  expect(performance.now() - begun).toBeLessThan(900);
  retrySlowSchemas();
  expect(mismatches({ id: 'ccid-' })).toHaveLength(1);
});
