import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { loadShipped } from '../testing/parts/shipped-suites.ts';
import { loadExpected } from './load-expected.ts';

const folder = mkdtempSync(join(tmpdir(), 'carrierspec-expected-'));
afterAll(() => rmSync(folder, { recursive: true }));
const file = join(folder, 'expected.yaml');

function load(text: string) {
  writeFileSync(file, text);
  return loadExpected(file);
}

const said = (text: string): readonly string[] =>
  load(text).problems.map(({ position: { line, column }, message }) => `${line}:${column} ${message}`);

const rest = 'reason: the clock of one node is slow, owner: platform team, expires: 2026-12-31';

const isSample = (text: string): boolean => /^expected:$/m.test(text);

describe('a file of expected failures', () => {
  test('rules and cases, each with its place', () => {
    const text = `expected:\n  - { rule: REQ-015, ${rest} }\n  - case: iat-too-old/5m30s-old\n    reason: r\n    owner: o\n    expires: "2027-02-28"\n`;
    const { expected, problems } = load(text);
    expect(problems).toEqual([]);
    expect(expected).toEqual([
      {
        what: 'rule',
        name: 'REQ-015',
        reason: 'the clock of one node is slow',
        owner: 'platform team',
        expires: '2026-12-31',
        position: { file, line: 2, column: 5 },
      },
      {
        what: 'case',
        name: 'iat-too-old/5m30s-old',
        reason: 'r',
        owner: 'o',
        expires: '2027-02-28',
        position: { file, line: 3, column: 5 },
      },
    ]);
  });

  test('without entries', () => expect(load('expected: []\n')).toEqual({ expected: [], problems: [] }));

  test.each([
    [`{ ${rest} }`, ['2:5 an expected failure names a "rule" or a "case"']],
    [`{ rule: A, case: b, ${rest} }`, ['2:22 an expected failure names a "rule" or a "case", not both']],
    ['{ rule: A, reason: r, owner: o }', ['2:5 missing key "expires" in an expected failure']],
    ['{ rule: A, reason: r, owner: o, expires: 2026-02-30 }', ['2:46 there is no day 2026-02-30']],
    [
      '{ rule: A, reason: r, owner: o, expires: soon }',
      ['2:46 "expires" must be a day such as 2026-12-31, not the string "soon"'],
    ],
    [
      '{ rule: A, reason: "", ower: o, expires: 2026-12-31 }',
      ['2:24 "reason" must not be empty', '2:28 unknown key "ower" in an expected failure'],
    ],
    [`{ rule: A, ${rest} }\n  - { rule: A, ${rest} }`, ['3:13 the rule A is expected to fail already, in line 2']],
  ])('%s', (entry, messages) => expect(said(`expected:\n  - ${entry}\n`)).toEqual(messages));

  test('that does not exist', () => {
    expect(loadExpected(join(folder, 'none.yaml')).problems).toMatchObject([
      { code: 'file-unreadable', message: 'there is no such file' },
    ]);
  });
});

test('the sample in docs/running.md names only existing rules and cases', async () => {
  const guide = readFileSync('docs/running.md', 'utf8');
  const sample = [...guide.matchAll(/```yaml\n(.*?)```/gs)].map(([, text = '']) => text).find(isSample) ?? '';
  const { expected, problems } = load(sample);
  expect({ problems, entries: expected.length }).toEqual({ problems: [], entries: 2 });
  const { suites } = await loadShipped();
  const there = {
    rule: new Set(suites.rules.map(({ id }) => id)),
    case: new Set([...suites.cases, ...suites.invariants].map(({ id }) => id)),
  };
  expect(expected.filter(({ what, name }) => !there[what].has(name))).toEqual([]);
});
