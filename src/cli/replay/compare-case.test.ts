import { describe, expect, test } from 'vitest';
import type { Finding } from '../../model/finding.ts';
import type { CaseResult, InvariantResult } from '../../model/result.ts';
import { shippedSample } from '../../testing/shipped-sample.ts';
import { compareCase, isSame, renderComparison } from './compare-case.ts';

const position = { file: 'a.suite.yaml', line: 1, column: 1 };
const finding: Finding = {
  rule: 'REQ-001',
  level: 'required',
  code: 'outcome',
  expected: 'denied',
  actual: 'x',
  position,
};

const someCase = (parts: Partial<CaseResult>): CaseResult => {
  const [first] = shippedSample.cases;
  if (first === undefined) throw new Error('no sample');
  return { ...first, id: 'one', findings: [], verdict: 'pass', ...parts };
};

const broken = (violations: number, findings: readonly Finding[]): InvariantResult => {
  const [first] = shippedSample.invariants;
  if (first === undefined) throw new Error('no sample');
  return { ...first, position, violations, findings };
};

const run = (parts: Partial<CaseResult>, invariants: readonly InvariantResult[] = []) => ({
  case: someCase(parts),
  invariants,
});

describe('how a case came out again', () => {
  test('values may differ, the rest may not', () => {
    const before = run({ verdict: 'fail', findings: [finding] });
    const same = compareCase(before, run({ verdict: 'fail', findings: [{ ...finding, actual: 'y' }] }));
    expect(isSame(same)).toBe(true);
    expect(renderComparison(same, 'r.json')).toBe('replay: the same as in r.json: fail, 1 finding\n');
    const other = compareCase(before, run({ verdict: 'fail', findings: [{ ...finding, rule: 'REQ-002' }] }));
    expect(isSame(other)).toBe(false);
    expect(renderComparison(other, 'r.json')).toMatch(
      /^replay: not as in r\.json: fail as before; 1 finding gone, 1 finding new\n {2}- REQ-001: .*\n {2}\+ REQ-002: .*\n$/,
    );
  });

  test('invariants count where they were seen in this case', () => {
    const mine = { ...finding, seenIn: 'one' };
    const elsewhere = { ...finding, seenIn: 'two' };
    expect(compareCase(run({}, [broken(2, [mine, elsewhere])]), run({}))).toMatchObject({ gone: [mine], added: [] });
    expect(compareCase(run({}), run({}, [broken(1, [mine])]))).toMatchObject({ gone: [], added: [mine] });
  });

  test('what may have been among the violations that were not kept is not new', () => {
    const compared = compareCase(run({}, [broken(50, [])]), run({}, [broken(1, [{ ...finding, seenIn: 'one' }])]));
    expect(compared.added).toEqual([]);
  });
});
