import { describe, expect, test } from 'vitest';
import { buildExpectation, buildRuleText, buildScenario, buildStanding } from '../../testing/parts/suite.ts';
import { buildTimed } from '../../testing/parts/timed-case.ts';
import { bookRun } from './schedule.ts';
import { rememberRules } from '../../suite/suites.ts';
import { planVerdicts } from './forecast.ts';

const rules = [
  buildRuleText('REQ-001'),
  buildRuleText('REQ-002'),
  { ...buildRuleText('REQ-003'), level: 'recommended' as const },
  buildRuleText('REQ-004'),
  buildRuleText('REQ-005'),
];
const selected = {
  cases: [],
  invariants: [
    buildStanding('standing', { expectations: [buildExpectation({}, 'REQ-004'), buildExpectation({}, 'REQ-001')] }),
  ],
  rules: new Set(rules.map(({ id }) => id)),
};
const wanted = { selected, suites: { rules } };
const none = { required: [], recommended: [], informational: [] };

const cases = [
  buildTimed('a', { held: 500, rules: ['REQ-001', 'REQ-002'], wants: ['first!'] }),
  buildTimed('b', { held: 7200, rules: ['REQ-002'], wants: ['second!'] }),
  buildTimed('c', { held: 20_000, rules: ['REQ-003'], wants: ['third!'] }),
];

describe('when rules have their verdicts', () => {
  test('when the last of their cases has ended; those of invariants at the end', async () => {
    const planned = planVerdicts({ booked: await bookRun(cases), notRun: [], beyondBudget: [] }, wanted);
    expect(planned).toEqual({
      rules: { required: 3, recommended: 1, informational: 0 },
      moments: [
        {
          after: 600,
          count: { required: 1, recommended: 0, informational: 0 },
          judged: { ...none, required: ['REQ-001'] },
        },
        { after: 3600, count: { required: 1, recommended: 0, informational: 0 }, judged: none },
        {
          after: 14_400,
          count: { required: 2, recommended: 0, informational: 0 },
          judged: { ...none, required: ['REQ-002'] },
        },
        {
          after: 20_000,
          count: { required: 3, recommended: 1, informational: 0 },
          judged: { required: ['REQ-004'], recommended: ['REQ-003'], informational: [] },
        },
      ],
      standing: ['REQ-004'],
      never: [],
    });
  });

  test('never where a case of theirs does not run; one that means nothing for the target is not missed', async () => {
    const [a, b, c] = ['REQ-001', 'REQ-002', 'REQ-003'].map((rule) => rememberRules(buildScenario(rule), [rule]));
    if (a === undefined || b === undefined || c === undefined) throw new Error('no cases');
    const notRun = [
      { case: a, verdict: 'not-run', reason: 'needs a driver' },
      { case: b, verdict: 'not-applicable', reason: 'it has none' },
    ] as const;
    const { never, rules: judged } = planVerdicts({ booked: await bookRun(cases), notRun, beyondBudget: [c] }, wanted);
    expect(never).toEqual(['REQ-001', 'REQ-003']);
    expect(judged).toEqual({ required: 2, recommended: 0, informational: 0 });
  });
});
