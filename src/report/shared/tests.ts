import type { CaseResult, Result } from '../../model/result.ts';
import { caseTest, completenessTest, invariantTest, type Testcase, unjudgedTest } from './testcase.ts';

/**
 * What JUnit, CTRF and TAP call a test, the same in all three: a case, an invariant, a rule that nothing judges, and one
 * that fails where the run is incomplete.
 */
export function* testsOf(result: Result): Iterable<Testcase> {
  const shared = { rules: new Map(result.rules.map((rule) => [rule.id, rule])), flags: result.header.flags };
  // Only the cases in which an invariant was first broken are kept, for what was sent and what came.
  const wanted = new Set(result.invariants.flatMap(({ findings }) => findings.map(({ seenIn }) => seenIn)));
  const firstSeen = new Map<string, CaseResult>();
  for (const ended of result.cases) {
    if (wanted.has(ended.id)) firstSeen.set(ended.id, ended);
    yield caseTest(ended, shared);
  }
  for (const invariant of result.invariants) yield invariantTest(invariant, shared, firstSeen);
  for (const rule of result.rules) if (rule.judgedBy.length === 0) yield unjudgedTest(rule);
  yield* completenessTest(result.footer);
}
