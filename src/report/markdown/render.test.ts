import { describe, expect, it } from 'vitest';
import { buildCase, buildCutOffResult, buildFinding, buildResult, buildRule } from '../../testing/results/result.ts';
import { markdownTokens } from '../../testing/results/report-parsers.ts';
import { sampleResult } from '../../testing/results/sample-result.ts';
import { renderMarkdown } from './render.ts';
import { codeBlock, codeSpan, plainMarkdown } from './sections.ts';

const headings = (text: string): readonly string[] => text.split('\n').filter((line) => line.startsWith('#'));

describe('renderMarkdown', () => {
  it('says first how it came out, then what was broken, then the rest', () => {
    expect(headings(renderMarkdown(sampleResult))).toEqual([
      '# ❌ carrierspec: not conformant',
      '## Failures: 2 rules broken, 2 findings',
      '### `REQ-015` · §2.3 jti',
      '### `RSP-003` · §2.4',
      '## Without a verdict: 1',
      '## Warnings: 1 rule not followed, no outcome changed',
      '### `REQ-009` · §2.3 iat',
      '## Unsolicited: 1 delivery that no case asked for',
      '## The run',
    ]);
  });

  it('has the first failure with what was expected and what came within its first 15 lines, and digests last', () => {
    const lines = renderMarkdown(sampleResult).split('\n');
    const first = lines.slice(0, 15).join('\n');
    expect(first).toContain('### `REQ-015`');
    expect(first).toMatch(/^expected {3}\S/m);
    expect(lines.findIndex((line) => line.includes('sha256:'))).toBeGreaterThan(lines.indexOf('## The run'));
  });

  it('gives a run that was cut off no outcome and no score', () => {
    const text = renderMarkdown(buildCutOffResult());
    expect(headings(text)).toEqual(['# ❌ carrierspec: cut off', '## The run']);
    expect(text).toContain('no outcome and no score');
    expect(text).not.toContain('|---|');
  });

  it('shows three findings of a rule and names the others', () => {
    const cases = Array.from({ length: 60 }, (_, index) =>
      buildCase({ id: `row-${index}`, verdict: 'fail', findings: [buildFinding()] }),
    );
    const text = renderMarkdown(buildResult({ cases }));
    expect(text.match(/^run again /gm)).toHaveLength(3);
    expect(text).toContain('And in 57 more cases: `row-3, row-4,');
    expect(text).toContain('row-22 and 37 more`');
  });

  it('fits into the summary of a step, and says what it left out', () => {
    const rules = Array.from({ length: 2000 }, (_, index) => `REQ-${index}`);
    const cases = rules.map((rule) =>
      buildCase({
        id: rule,
        verdict: 'fail',
        findings: [buildFinding({ rule, actual: '\u{1f4a5}\u202e'.repeat(3000) })],
      }),
    );
    const text = renderMarkdown(buildResult({ cases, rules: rules.map((id) => buildRule({ id, verdict: 'fail' })) }));
    expect(Buffer.byteLength(text)).toBeLessThan(1024 * 1024);
    expect(text).toMatch(/\n\*\d+ more sections are left out here: see the other reports\.\*\n\n## The run\n/);
  });
});

describe('a text from outside', () => {
  it.each([
    ['x', '`x`'],
    ['a`b', '``a`b``'],
    ['`', '`` ` ``'],
    ['```', '```` ``` ````'],
    [' x ', '`  x  `'],
    ['a\nb', '`a\\u{a}b`'],
    ['', '(empty)'],
    ['  ', '(empty)'],
  ])('%j is the code span %s', (text, span) => {
    expect(codeSpan(text)).toBe(span);
  });

  it.each([
    ['REQ-015 is denied, 2.3 (jti).', 'REQ-015 is denied, 2.3 (jti).'],
    ['auth_req_id', 'auth_req_id'],
    ['_x_ __y__', '&#95;x&#95; &#95;&#95;y&#95;&#95;'],
    ['1. x', '1&#46; x'],
    ['- x', '&#45; x'],
    ['www.x.test', 'www&#46;x&#46;test'],
    ['a | *b* <c> [d](e) `f` # &amp;', 'a &#124; &#42;b&#42; &#60;c&#62; &#91;d&#93;(e) &#96;f&#96; &#35; &#38;amp;'],
  ])('%j is the prose %s', (text, prose) => {
    expect(plainMarkdown(text)).toBe(prose);
    expect(
      markdownTokens(prose)
        .map(({ content }) => content)
        .join(''),
    ).toBe(text);
  });

  it('ends no code block', () => {
    expect(codeBlock(['a', '````', '```'])).toBe('`````text\na\n````\n```\n`````');
  });
});
