import { describe, expect, test } from 'vitest';
import type { Verdict } from '../../model/rule.ts';
import { buildCase, buildFinding, buildHeader, buildInvariant } from '../../testing/results/result.ts';
import { buildExpectation, buildRuleText, buildScenario, buildStep } from '../../testing/parts/suite.ts';
import { findFailed, type FailedSelection, repeatFlags } from './earlier-run.ts';
import { selectRepeated } from './settings.ts';

const { suites: digests } = buildHeader();

const verdicts: readonly Verdict[] = [
  'pass',
  'informational',
  'not-applicable',
  'fail',
  'warn',
  'inconclusive',
  'error',
  'not-run',
];

describe('what is worth another run', () => {
  test('are cases that are red or unjudged', () => {
    const cases = verdicts.map((verdict) => buildCase({ id: verdict, verdict }));
    const found = findFailed({ cases, invariants: [] });
    expect([...found.cases]).toEqual(['fail', 'warn', 'inconclusive', 'error', 'not-run']);
    expect(found).toMatchObject({ invariants: [], of: 8 });
  });

  test('and invariants that were broken, each with the case that showed it first', () => {
    const cases = ['a', 'b'].map((id) => buildCase({ id }));
    const findings = ['b', 'a'].map((seenIn) => buildFinding({ seenIn }));
    const invariants = [
      buildInvariant({ id: 'broken', verdict: 'fail', findings }),
      buildInvariant({ id: 'unseen', verdict: 'not-run', judged: 0 }),
      buildInvariant({ id: 'over-run', verdict: 'fail', findings: [buildFinding({ seenIn: 'gone' })] }),
      buildInvariant({ id: 'sound' }),
    ];
    const found = findFailed({ cases, invariants });
    expect([...found.cases]).toEqual(['b']);
    expect(found.invariants).toEqual(['broken', 'over-run']);
  });
});

test('names and globs narrow it down, and what the suites no longer have is left out', () => {
  const step = buildStep({ expectations: [buildExpectation({}, 'REQ-001')] });
  const cases = ['jti-again', 'jti-absent', 'iat-old'].map((id) => buildScenario(id, { steps: [step] }));
  const suites = { rules: [buildRuleText('REQ-001')], cases, invariants: [], bases: {}, files: [], digests };
  const ids = new Set(['jti-again', 'iat-old', 'no-more']);
  expect(selectRepeated(suites, ids, [])).toEqual(['jti-again', 'iat-old']);
  expect(selectRepeated(suites, ids, ['jti-*'])).toEqual(['jti-again']);
});

describe('the flags of the earlier run', () => {
  const flags = ['--target', 'carrier.yaml', '--suites', 'mine', '--without', 'baseline'];
  const header = buildHeader({ flags, profile: 'hardened' });
  const failed: FailedSelection = { file: 'result.json', header, ids: new Set(), words: '' };
  const silent = { suites: [], fault: [], without: [] } as const;

  test('are repeated but for files', () => {
    expect(repeatFlags(silent, failed)).toEqual({
      suites: [],
      without: ['baseline'],
      fault: [],
      profile: 'hardened',
    });
  });
});
