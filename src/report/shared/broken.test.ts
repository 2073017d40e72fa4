import { expect, test } from 'vitest';
import { buildCase, buildFinding, buildFooter, buildInvariant, buildResult, buildRule } from '../../testing/result.ts';
import type { CaseResult, Result, RuleResult } from '../../model/result.ts';
import { createModel } from './model.ts';
import { brokenRules } from './broken.ts';

const broken = (id: string, parts: Partial<RuleResult> = {}): RuleResult =>
  buildRule({ id, verdict: 'fail', ...parts });

const failed = (id: string, rule: string, parts: Partial<CaseResult> = {}): CaseResult =>
  buildCase({ id, verdict: 'fail', findings: [buildFinding({ rule })], ...parts });

const linesOf = (parts: Partial<Result>) => {
  const result = buildResult({ footer: buildFooter({ outcome: 'not conformant' }), ...parts });
  return brokenRules(result, createModel(result));
};

test('the most important come first', () => {
  const confirmation = { status: 'confirmed' } as const;
  const found = linesOf({
    rules: [
      broken('ONE'),
      broken('TWICE'),
      broken('SURE'),
      broken('SEC-1', { baseline: true }),
      broken('SEC-2', { baseline: true, critical: true }),
      broken('KNOWN'),
      broken('APART', { baseline: true, apart: true }),
      broken('FOLLOWS', { followsFrom: 'ONE' }),
    ],
    cases: [
      failed('a', 'ONE'),
      failed('b', 'TWICE'),
      failed('c', 'TWICE'),
      failed('d', 'SURE', { confirmation }),
      failed('e', 'SEC-1', { confirmation }),
      failed('f', 'SEC-2'),
      failed('g', 'KNOWN', { confirmation }),
      failed('h', 'APART'),
    ],
    footer: buildFooter({
      outcome: 'not conformant',
      expected: [
        {
          what: 'rule',
          name: 'KNOWN',
          reason: 'known',
          owner: 'us',
          expires: '2999-12-31',
          position: { file: 'expected.yaml', line: 2, column: 5 },
          became: 'failed',
          explains: ['KNOWN'],
        },
      ],
    }),
  });
  expect(found.map(({ ref }) => ref)).toEqual(['SURE', 'TWICE', 'ONE', 'SEC-2', 'SEC-1', 'KNOWN']);
  expect(found.map(({ isExpected }) => isExpected)).toEqual([false, false, false, false, false, true]);
});

test('a line says what was asked, what came and how often', () => {
  const check = buildFinding({
    rule: 'CB',
    aspect: 'near',
    code: 'check',
    path: 'body.a.0',
    expected: 'three',
    actual: 2,
  });
  const found = linesOf({
    rules: [broken('CB'), broken('RSP'), broken('LOST', { reason: 'it failed' })],
    cases: [buildCase({ verdict: 'fail', findings: [check] })],
    invariants: [
      buildInvariant({ verdict: 'fail', judged: 1300, violations: 1200, findings: [buildFinding({ rule: 'RSP' })] }),
    ],
  });
  expect(found).toEqual([
    {
      ref: 'RSP',
      summary: 'expected denied, got accepted 200',
      extent: '1,200 of 1,300 accepted responses',
      isExpected: false,
    },
    { ref: 'CB#near', summary: 'body.a[0] is 2, not three', extent: '1 case', isExpected: false },
    { ref: 'LOST', summary: 'it failed', extent: '', isExpected: false },
  ]);
});
