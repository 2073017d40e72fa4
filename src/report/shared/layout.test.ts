import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countCells } from '../../lib/cells.ts';
import { createPage, fitText, wrapText } from './layout.ts';
import { renderClockTime } from './time.ts';

describe('wrapText', () => {
  it('breaks at blanks', () => {
    expect(wrapText('one two three', 8)).toEqual(['one two', 'three']);
  });

  it('breaks a word that is longer than a line, beginning on the line it is on', () => {
    expect(wrapText('HTTP abcdefghijkl', 8)).toEqual(['HTTP abc', 'defghijk', 'l']);
  });

  it('counts wide characters as two cells and marks as none', () => {
    expect(wrapText('日本語', 4)).toEqual(['日本', '語']);
    expect(countCells('e\u0301😀')).toBe(3);
  });

  it('never makes a line wider than it may be, and loses nothing but blanks', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), fc.integer({ min: 4, max: 40 }), (text, width) => {
        const lines = wrapText(text, width);
        expect(lines.filter((line) => countCells(line) > width)).toEqual([]);
        expect(lines.join('').replaceAll(' ', '')).toBe(wrapText(text, 10_000).join('').replaceAll(' ', ''));
      }),
    );
  });
});

describe('fitText', () => {
  it('ends with an ellipsis where something was left out', () => {
    expect(fitText('abcdef', 4)).toBe('abc…');
    expect(fitText('abcd', 4)).toBe('abcd');
  });
});

describe('renderFact', () => {
  const page = createPage({ colour: false, width: 60 });

  it('sets the text beside its label', () => {
    expect(page.fact('expected', `${'x'.repeat(47)} yy`)).toEqual([
      `  expected   ${'x'.repeat(47)}`,
      '             yy',
    ]);
  });

  it('keeps a line whole that is to be copied', () => {
    const text = `carrierspec run ${'x'.repeat(80)}`;
    expect(page.fact('run again', text, { indent: 0, whole: true })).toEqual([`run again  ${text}`]);
  });
});

describe('renderClockTime', () => {
  it('is UTC, and survives a moment that is none', () => {
    expect(renderClockTime(1_767_225_605_999)).toBe('00:00:05Z');
    expect(renderClockTime(Number.POSITIVE_INFINITY)).toBe('an unknown time');
  });
});
