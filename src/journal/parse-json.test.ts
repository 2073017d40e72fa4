import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findJsonMistake, parseBoundedJson } from './parse-json.ts';

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

describe('findJsonMistake', () => {
  it.each([
    ['{"a":1,}', 7, false, 'a name in double quotes'],
    ['{a:1}', 1, false, 'a name in double quotes or "}"'],
    ['{"a" 1}', 5, false, '":"'],
    ['[1 2]', 3, false, '"," or a closing bracket'],
    ['[1}', 2, false, '"," or a closing bracket'],
    ['[01]', 1, false, 'a value'],
    ['"a\tb"', 2, false, 'the rest of a string'],
    ['"\\x"', 1, false, 'the rest of a string'],
    ['nil', 0, false, 'a value'],
    ['1 2', 2, false, 'nothing more'],
    ['', 0, true, 'a value'],
    ['{"a":', 5, true, 'a value'],
    ['["ab', 4, true, 'the rest of a string'],
    ['["\\u12', 2, true, 'the rest of a string'],
    ['[tru', 1, true, 'a value or "]"'],
    ['[-', 1, true, 'a value or "]"'],
    ['[1', 2, true, '"," or a closing bracket'],
  ])('%j', (text, offset, atEnd, expected) => {
    const found = findJsonMistake(text);
    expect(found).toMatchObject({ offset, atEnd });
    expect(found?.expected).toContain(expected);
  });

  it('agrees with JSON.parse on what is JSON', () => {
    const pieces = ['{', '}', '[', ']', ':', ',', '"a"', '"\\n"', '1', '-0.5e3', 'true', 'null', ' ', '\n', 'x', '"'];
    const anyText = fc.oneof(fc.json(), fc.string({ unit: fc.constantFrom(...pieces), maxLength: 8 }));
    fc.assert(
      fc.property(anyText, (text) => {
        expect(findJsonMistake(text) === undefined).toBe(isJson(text));
      }),
      { numRuns: 2000 },
    );
  });

  it('calls every beginning of a JSON text one that ends too early', () => {
    fc.assert(
      fc.property(fc.json(), fc.nat(), (text, cut) => {
        const begun = text.slice(0, cut % text.length);
        if (!isJson(begun)) expect(findJsonMistake(begun)).toMatchObject({ atEnd: true });
      }),
    );
  });
});

it('values of a result are nested 128 deep at most, with 16 levels around them', () => {
  const nested = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`;
  expect(parseBoundedJson(nested(144), 'a.json')).toBeInstanceOf(Array);
  expect(() => parseBoundedJson(nested(145), 'a.json')).toThrow('a.json: values are nested more than 128 deep');
});
