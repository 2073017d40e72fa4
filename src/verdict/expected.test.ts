import { describe, expect, test } from 'vitest';
import type { ExpectedFailure } from '../model/expected-failure.ts';
import type { Verdict } from '../model/rule.ts';
import { rateRules } from './standing.ts';
import { buildFinding, buildRule } from '../testing/results/result.ts';
import { isStale, judgeExpected } from './expected.ts';

const entry = (what: 'rule' | 'case', name: string, expires = '2026-12-31'): ExpectedFailure => ({
  what,
  name,
  expires,
  reason: 'known',
  owner: 'platform team',
  position: { file: 'expected.yaml', line: 2, column: 5 },
});

const rule = (id: string, verdict: Verdict) => buildRule({ id, verdict });
const judge = (id: string, verdict: Verdict, ...broken: readonly string[]) => ({
  id,
  verdict,
  findings: broken.map((one) => buildFinding({ rule: one, level: 'required' })),
});

const rules = [rule('A-1', 'fail'), rule('A-2', 'pass'), rule('A-3', 'inconclusive'), rule('A-4', 'warn')];
const judges = [judge('one', 'fail', 'A-1'), judge('two', 'fail', 'A-1'), judge('three', 'pass')];
const known = { rules: new Set(['A-1', 'A-2', 'A-3', 'A-4', 'A-9']), cases: new Set(['one', 'two', 'three', 'nine']) };

const judged = (...entries: readonly ExpectedFailure[]) =>
  judgeExpected(entries, { rules, judges, known, today: '2026-11-21' });

describe('what became of an entry', () => {
  test.each([
    [entry('rule', 'A-1'), 'failed', false],
    [entry('rule', 'A-4'), 'failed', false],
    [entry('rule', 'A-2'), 'no longer fails', true],
    [entry('rule', 'A-3'), 'not judged', false],
    [entry('rule', 'A-9'), 'not judged', false],
    [entry('rule', 'one'), 'matches nothing', true],
    [entry('case', 'one'), 'failed', false],
    [entry('case', 'three'), 'no longer fails', true],
    [entry('case', 'nine'), 'not judged', false],
    [entry('case', 'A-1'), 'matches nothing', true],
    [entry('rule', 'A-1', '2026-11-21'), 'failed', false],
    [entry('rule', 'A-1', '2026-11-20'), 'expired', true],
    [entry('rule', 'A-2', '2026-11-20'), 'expired', true],
  ])('%o', (given, became, stale) => {
    const [result] = judged(given);
    expect({ became: result?.became, stale: result !== undefined && isStale(result) }).toEqual({ became, stale });
  });
});

describe('a broken rule is accounted for', () => {
  const folded = rules.map((one) => ({ ...one, causes: new Set([undefined]), isStable: true }));
  const unexpected = (...entries: readonly ExpectedFailure[]) =>
    [...rateRules(folded, new Set(judged(...entries).flatMap(({ explains }) => explains)))].flatMap(([id, standing]) =>
      standing === 'broken' ? [id] : [],
    );

  test('by its name', () => expect(unexpected(entry('rule', 'A-1'))).toEqual([]));
  test('not by one of the cases that broke it', () => expect(unexpected(entry('case', 'one'))).toEqual(['A-1']));
  test('by all the cases that broke it', () => {
    expect(unexpected(entry('case', 'one'), entry('case', 'two'))).toEqual([]);
    expect(judged(entry('case', 'one'), entry('case', 'two')).map(({ explains }) => explains)).toEqual([
      ['A-1'],
      ['A-1'],
    ]);
  });
});
