import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { breakWord, countCells } from './cells.ts';

test.each([
  ['', 0],
  ['abc…—✓', 6],
  ['e\u0301', 1],
  ['日本', 4],
  ['한ｱ', 3],
  ['〈〰㊗', 6],
  ['🇩🇪', 2],
  ['👋🏽', 2],
  ['𠀀', 2],
  ['\t', 1],
])('countCells: %s', (text, cells) => expect(countCells(text)).toBe(cells));

describe('breakWord', () => {
  test('divides no flag, and no letter from its mark', () => {
    expect(breakWord('🇩🇪🇫🇷🇮🇹', 5)).toEqual(['🇩🇪🇫🇷', '🇮🇹']);
    expect(breakWord('e\u0301e\u0301e\u0301', 2)).toEqual(['e\u0301e\u0301', 'e\u0301']);
  });

  test('conjoining letters are divided where they are wider than a character', () =>
    expect(breakWord('ᄀᄀᄀ', 4)).toEqual(['ᄀᄀ', 'ᄀ']));

  test('a character is as wide as its variation selector makes it, also before another emoji', () =>
    expect(breakWord('a1\ufe0f🏽', 2)).toEqual(['a', '1\ufe0f', '🏽']));

  test('the first part has a width of its own', () =>
    expect(breakWord('abcdefghij', 4, 2)).toEqual(['ab', 'cdef', 'ghij']));

  test('no part is too wide and nothing is lost, in any combination of characters', () => {
    const units = fc.constantFrom(
      'a',
      '日',
      '🇩',
      '🇪',
      '🏽',
      '👋',
      '\u200d',
      '\ufe0f',
      '\u0301',
      '\u20e3',
      'ᄀ',
      '\t',
      '\u001b',
      '[',
      '1',
      '\ud800',
      'ﾞ',
    );
    const texts = fc.oneof(fc.string({ unit: 'binary', maxLength: 60 }), fc.string({ unit: units, maxLength: 60 }));
    fc.assert(
      fc.property(texts, fc.integer({ min: 2, max: 12 }), (word, width) => {
        const parts = breakWord(word, width);
        expect(parts.join('')).toBe(word);
        expect(parts.filter((part) => countCells(part) > width)).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });
});
