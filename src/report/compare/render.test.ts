import { describe, expect, test } from 'vitest';
import { compareResults } from '../../compare/compare-results.ts';
import type { Comparison } from '../../compare/comparison.ts';
import { parseJson } from '../../lib/json.ts';
import type { Result } from '../../model/result.ts';
import { dangersIn, hostileTexts, poisonResult } from '../../testing/carriers/hostile.ts';
import { buildFooter, buildHeader, buildResult, buildRule } from '../../testing/results/result.ts';
import { renderComparison } from './terminal.ts';
import { valueText } from './prose.ts';
import { createPage } from '../shared/layout.ts';
import { type ComparisonFormat, comparisonFormats } from '../formats.ts';

const names: readonly ComparisonFormat[] = ['terminal', 'html', 'json'];

const recorded = (value: string) =>
  buildRule({
    id: 'REQ-023',
    level: 'informational',
    clause: '2.3 response_type',
    description: 'The spelling is open.',
    verdict: 'informational',
    recorded: { hyphen: value, star: 'a' },
  });

const resultOf = (name: string, value: string, verdict: 'pass' | 'fail'): Result =>
  buildResult({
    header: buildHeader({ target: { ...buildHeader().target, name } }),
    rules: [buildRule(), buildRule({ id: 'REQ-016', verdict }), recorded(value)],
  });

function compare(results: readonly Result[]): Comparison {
  const entries = results.map(({ header, footer, rules }, at) => ({
    file: `${at}/result.json`,
    header,
    rules,
    ...(footer === undefined ? {} : { footer }),
  }));
  const compared = compareResults(entries, { shared: false });
  if ('refused' in compared) throw new Error(compared.refused);
  return compared;
}

const results = [
  resultOf('One', 'denied 400', 'pass'),
  resultOf('Two', 'accepted 200', 'fail'),
  resultOf('Three', 'denied 400', 'pass'),
];
const textOf = async (name: ComparisonFormat, comparison: Comparison): Promise<string> =>
  [...(await comparisonFormats[name]())(comparison)].join('');

describe('each format', () => {
  test('terminal: who does what, alike ones together', () => {
    const text = renderComparison(createPage({ colour: false, width: 100 }), compare(results));
    expect(text).toBe(`3 results, several carriers: 2 of 3 rules differ, and 1 recorded values

A  One · https://op.carrier.test · conformant · required 1/1 of 1 applicable ·
   2026-01-01T00:00:00.000Z, real time, profile hardened · 0/result.json
B  Two · https://op.carrier.test · conformant · required 1/1 of 1 applicable ·
   2026-01-01T00:00:00.000Z, real time, profile hardened · 1/result.json
C  Three · https://op.carrier.test · conformant · required 1/1 of 1 applicable ·
   2026-01-01T00:00:00.000Z, real time, profile hardened · 2/result.json

Different  2 rules

REQ-016  required  §2.3 jti
  A jti that is repeated within 5 minutes is denied.
    verdict               A, C  pass    B  fail

REQ-023  informational  §2.3 response_type
  The spelling is open.
    hyphen                A, C  denied 400    B  accepted 200
`);
  });

  test('json: under the letter of the column, a rule a line', async () => {
    const text = await textOf('json', compare(results));
    expect(JSON.parse(text)).toMatchObject({
      format: 'carrierspec-comparison',
      version: 2,
      overTime: false,
      columns: [{ letter: 'A', title: 'One', outcome: 'conformant' }, { letter: 'B' }, { letter: 'C' }],
      rows: [
        { id: 'REQ-016', differs: true, verdicts: { A: 'pass', B: 'fail', C: 'pass' }, reasons: {} },
        {
          id: 'REQ-023',
          values: [
            { name: 'hyphen', differs: true, by: { A: 'denied 400', B: 'accepted 200', C: 'denied 400' } },
            { name: 'star', differs: false },
          ],
        },
        { id: 'REQ-015', differs: false },
      ],
    });
    expect(text.split('\n').filter((line) => line.startsWith('{"id":'))).toHaveLength(3);
  });

  test('html: a file that needs nothing and runs nothing', async () => {
    const text = await textOf('html', compare(results));
    expect(text).toContain("default-src 'none'; style-src 'sha256-");
    expect(text).not.toMatch(/<script|<link|<img|https?:\/\/(?!op\.carrier\.test)/);
    expect([...text.matchAll(/<tr>/g)]).toHaveLength(3);
    expect(text).toContain('<div class="differs"><dt>hyphen</dt><dd>accepted 200</dd></div>');
  });

  test.each([
    ['denied 400', 'denied 400'],
    ['400', '"400"'],
    [400, '400'],
    ['null', '"null"'],
    [null, 'null'],
    ['', '""'],
    ['–', '"–"'],
    [undefined, '–'],
  ])('no two values look the same: %j', (value, shown) => {
    expect(valueText(value)).toBe(shown);
  });

  test('a run that was cut off and a rule that was not selected have a word', async () => {
    const { footer: _, ...cut } = results[0] ?? buildResult();
    const comparison = compare([cut, ...results, buildResult({ rules: [buildRule()], footer: buildFooter() })]);
    const text = await textOf('html', comparison);
    expect(text).toContain('cut off');
    expect(text).toContain('<span class="v v-not-selected">not selected</span>');
  });
});

describe('limits and profile', () => {
  const measured = (result: Result, value: number, seen: string): Result => ({
    ...result,
    footer: buildFooter({
      limits: [
        {
          name: 'context',
          title: 'Characters of context',
          rules: [{ rule: 'REQ-074' }],
          state: 'limit',
          value,
          uncertainty: 0,
          unit: 'characters',
          words: `refuses context longer than ${value} characters`,
          probes: [{ at: value, held: true, response: 'accepted 200' }],
        },
      ],
      profile: [
        { name: 'a2', description: 'acr_values a2', rules: [{ rule: 'ACR-001' }], case: 'acr-a2', value: seen },
        { name: 'cancel', description: 'A cancellation', rules: [], case: 'cancel-pending', reason: 'not selected' },
      ],
    }),
  });
  const [one = buildResult(), two = buildResult()] = results;
  const comparison = compare([measured(one, 240, 'accepted'), measured(two, 256, 'accepted')]);

  test('terminal: only what differs', () => {
    const text = renderComparison(createPage({ colour: false, width: 100 }), comparison);
    expect(text).toContain('; of what was measured, 1 of\n1 limits and 0 of 2 entries of the profile\n');
    expect(text).toContain(`
Measured differently  1 limit or entry

limit context  REQ-074
  Characters of context
    measured              A  refuses context longer than 240 characters
                          B  refuses context longer than 256 characters
`);
    expect(text).not.toMatch(/REQ-015|profile a2|profile cancel/);
  });

  test('json: under the letter of the column', async () => {
    const text = await textOf('json', comparison);
    expect(JSON.parse(text)).toMatchObject({
      measured: [
        {
          kind: 'limit',
          name: 'context',
          differs: true,
          by: { A: { value: 240 }, B: { value: 256, unit: 'characters' } },
        },
        { kind: 'profile', name: 'a2', differs: false, by: { A: { value: 'accepted' }, B: { value: 'accepted' } } },
        { kind: 'profile', name: 'cancel', by: { A: { reason: 'not selected' } } },
      ],
    });
    expect(text).not.toContain('probes');
  });

  test('html: a table of their own', async () => {
    const page = await textOf('html', comparison);
    expect(page).toContain('<caption>Limits and profile that differ</caption>');
    expect(page).toContain('<td class="differs">refuses context longer than 240 characters</td>');
  });

  test.each(Object.entries(hostileTexts))('%s stays text in each format', async (_, text) => {
    const poisoned = [one, two].map((result, at) => {
      const made = poisonResult(measured(result, 240 + at, text), text);
      return { ...made, header: { ...made.header, suites: result.header.suites } };
    });
    for (const name of names) {
      const shown = await textOf(name, compare(poisoned));
      expect(dangersIn(shown)).toEqual([]);
      if (name === 'html') expect(shown).not.toMatch(/<script|<img|onerror="/);
      if (name === 'json') expect(parseJson(shown)).toBeDefined();
      else expect(shown.length).toBeLessThan(400_000);
    }
  });
});
