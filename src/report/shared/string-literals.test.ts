import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { replaceLiterals } from './string-literals.ts';

const literals = (text: string): readonly string[] => {
  const found: string[] = [];
  replaceLiterals(text, (literal) => {
    found.push(literal);
    return '';
  });
  return found;
};

describe('string literals of JSON', () => {
  test.each<[string, readonly string[]]>([
    ['', []],
    ['no quotation mark', []],
    ['{"a":"b"}', ['"a"', '"b"']],
    [String.raw`"a\"b" "c\\" d "e`, [String.raw`"a\"b"`, String.raw`"c\\"`]],
    [String.raw`"never closed \" \" \"`, []],
    [String.raw`\"a"b"`, ['"a"']],
  ])('in %s', (text, expected) => {
    expect(literals(text)).toEqual(expected);
  });

  test('are those of a regular expression that says the same', () => {
    const said = /"(?:[^"\\]|\\[\s\S])*"/g;
    const text = fc.string({ unit: fc.constantFrom('"', '\\', 'a', '\n', ' '), maxLength: 30 });
    const property = fc.property(text, (given) => {
      expect(literals(given)).toEqual(given.match(said) ?? []);
    });
    fc.assert(property, { numRuns: 1000 });
  });
});
