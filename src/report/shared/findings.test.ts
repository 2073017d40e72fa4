import { describe, expect, test } from 'vitest';
import { buildCase, buildFinding, buildResult, buildRule, withVerdicts } from '../../testing/results/result.ts';
import { renderAnnotations } from '../annotations/render.ts';
import { renderHtml } from '../html/render.ts';
import { renderMarkdown } from '../markdown/render.ts';
import { renderTerminal } from '../terminal/render.ts';
import type { Result } from '../../model/result.ts';
import { testedInterface } from '../../testing/parts/tested-interface.ts';

const renderers: readonly (readonly [format: string, render: (result: Result) => string])[] = [
  ['the terminal', (result) => renderTerminal(result, { colour: false, width: 400 })],
  ['Markdown', renderMarkdown],
  ['HTML', (result) => [...renderHtml(result, testedInterface)].join('')],
];

/** A result with one finding; on a recommended rule it is a warning. */
const resultWith = (finding: ReturnType<typeof buildFinding>): Result => {
  const verdict = finding.level === 'required' ? 'fail' : 'warn';
  return buildResult({
    rules: [
      buildRule({
        level: finding.level,
        verdict,
        interpretation: 'How it is read.',
        aspects: { 'REQ-015#far': 'Words of it.' },
      }),
    ],
    cases: [buildCase({ verdict, findings: [finding] })],
  });
};

test.each([
  ['the first screen of HTML', (page: string) => page.slice(page.indexOf('<header'), page.indexOf('</header>'))],
  [
    'the list of rules in HTML',
    (page: string) => page.slice(page.indexOf('<details class="rule"'), page.indexOf('<div class="inside">')),
  ],
])('%s has the words of the aspect that is broken', (_, partOf) => {
  const result = withVerdicts(resultWith(buildFinding({ aspect: 'far' })));
  expect(partOf([...renderHtml(result, testedInterface)].join(''))).toMatch(/REQ-015#far[\s\S]{0,60}Words of it\./);
});

test('annotations have the words of the aspect that is broken', () => {
  const text = [...renderAnnotations(withVerdicts(resultWith(buildFinding({ aspect: 'far' }))))].join('');
  expect(text).toContain('rule: Words of it. (');
});

describe.each(renderers)('a finding in %s', (_, render) => {
  test('C5.2: a long text is counted in characters', () => {
    const text = render(resultWith(buildFinding({ code: 'not-equal', actual: `${'é😀'.repeat(120)}x` })));
    expect(text).toContain('(241 characters)');
    expect(text).not.toContain('é😀'.repeat(120));
  });

  test('C5.3: a warning has the block of a failure', () => {
    const blockOf = (level: 'required' | 'recommended') => {
      const text = render(resultWith(buildFinding({ level })));
      return ['How it is read.', 'expected', 'denied', 'accepted 200', 'run jti-repeated'].filter((part) =>
        text.includes(part),
      );
    };
    expect(blockOf('required')).toHaveLength(5);
    expect(blockOf('recommended')).toEqual(blockOf('required'));
  });

  test('C5.4: the finding of an aspect stands under the words of the aspect', () => {
    expect(render(resultWith(buildFinding({ aspect: 'far' })))).toMatch(/REQ-015#far[\s\S]{0,120}Words of it\./);
  });
});
