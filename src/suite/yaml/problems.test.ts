import { expect, test } from 'vitest';
import type { Problem } from '../../model/problem.ts';
import { renderProblem } from './problems.ts';

function render(sourceLine: string, column: number, rest: Partial<Problem> = {}): string {
  const position = { file: 'suites/x.suite.yaml', line: 12, column };
  return renderProblem({
    code: 'unknown-key',
    message: 'unknown key "claim" in authorize',
    position,
    sourceLine,
    ...rest,
  });
}

test('place, message, line, caret and advice', () => {
  expect(render('        claim: { iss: 7 }', 9, { hint: 'did you mean "claims"?' })).toBe(
    [
      'suites/x.suite.yaml:12:9: unknown key "claim" in authorize',
      '   12 |         claim: { iss: 7 }',
      '      |         ^^^^^',
      '   did you mean "claims"?',
    ].join('\n'),
  );
});

test('without a line there is no caret', () => {
  const position = { file: 'x.yaml', line: 1, column: 1 };
  expect(renderProblem({ code: 'file-unreadable', message: 'not UTF-8', position })).toBe('x.yaml:1:1: not UTF-8');
});

test.each([
  ['tabs stay tabs', '\ta:\tb', 5, '      | \t  \t^'],
  ['wide characters take two columns', '名: x', 4, '      |     ^'],
  ['an emoji counts as it is shown', '😀: x', 5, '      |     ^'],
  ['a combining mark takes none', 'e\u0301: x', 5, '      |    ^'],
  ['a quoted value is marked whole', 'a: "b c" d', 4, '      |    ^^^^^'],
  ['the end of a line can be meant', 'a: b', 5, '      |     ^'],
])('%s', (_, line, column, caret) => expect(render(line, column).split('\n')[2]).toBe(caret));

test('a long line is cut around the caret', () => {
  const [, line = '', caret = ''] = render(`${'x'.repeat(500)} here ${'y'.repeat(500)}`, 502).split('\n');
  expect(line.length).toBeLessThan(140);
  expect(line.slice(caret.indexOf('^'), caret.lastIndexOf('^') + 1)).toBe('here');
});

test('nothing a terminal would obey comes through', () => {
  const shown = render('a: \u001b[31mred\u0007\u009b', 1, { message: 'key "\u001b[2J"', hint: '\u001b]0;x\u0007' });
  expect(shown).not.toMatch(/[^\P{Cc}\n]/u);
  expect(shown).toContain('a: ·[31mred··');
});
