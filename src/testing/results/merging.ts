import type { Rule } from '../../model/rule.ts';
import type { Suites } from '../../suite/suites.ts';
import { buildHeader } from './result.ts';
import { buildExpectation, buildRuleText, buildScenario, buildStanding, buildStep } from '../parts/suite.ts';

const judging = (rule: string) => ({ steps: [buildStep({ expectations: [buildExpectation({}, rule)] })] });

/** Suites with these cases, all selected: the first two judge REQ-001, the others REQ-002, an invariant REQ-003. */
export function buildMerging(ids: readonly string[], more: readonly Rule[] = []) {
  const { rules, suites: digest } = buildHeader().suites;
  const suites: Suites = {
    rules: [
      buildRuleText('REQ-001'),
      buildRuleText('REQ-002'),
      buildRuleText('REQ-003', 'required', { judged: 'invariant' }),
      ...more,
    ],
    cases: ids.map((id, at) => buildScenario(id, judging(at < 2 ? 'REQ-001' : 'REQ-002'))),
    invariants: [buildStanding('standing', { expectations: [buildExpectation({}, 'REQ-003')] })],
    bases: {},
    digests: { rules, suites: digest },
    files: [],
  };
  const selected = {
    cases: suites.cases,
    invariants: suites.invariants,
    rules: new Set(suites.rules.map(({ id }) => id)),
  };
  return { suites, selected, options: { suites, selected, checks: {}, today: '2026-01-01' } };
}
