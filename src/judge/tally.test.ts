import { describe, expect, test } from 'vitest';
import type { CaseResult, RuleResult } from '../model/result.ts';
import type { Rule } from '../model/rule.ts';
import type { Verdict } from '../model/verdict.ts';
import { buildCase, buildFinding, buildInvariant, buildRule } from '../testing/result.ts';
import { buildRuleText } from '../testing/suite.ts';
import { concludeOutcome, countVerdicts, scores, scoresByArea } from './score.ts';
import { createRuleTallies } from './tally.ts';

const required = buildRuleText('REQ-015');
const observed = buildRuleText('REQ-016', 'observed');

/** The verdict of REQ-015 after these cases. */
function conclude(cases: readonly Partial<CaseResult>[], rules: readonly Rule[] = [required]): RuleResult {
  const tallies = createRuleTallies(rules);
  const ids = new Set(rules.map(({ id }) => id));
  for (const [index, parts] of cases.entries()) {
    const { messages: _, ...result } = buildCase({ id: `case-${index + 1}`, ...parts });
    tallies.addCase(result, ids);
  }
  const [first] = tallies.conclude(ids);
  if (first === undefined) throw new Error('no rule');
  return first;
}

const without = (verdict: Verdict, reason: string): Partial<CaseResult> => ({ verdict, reason });
const finding = (level: 'required' | 'recommended' | 'observed', rule = 'REQ-015') => buildFinding({ rule, level });

describe('the verdict of a rule', () => {
  test.each<[Verdict, string, Partial<CaseResult>[]]>([
    ['pass', 'one case that passed', [{}]],
    ['pass', 'a case that failed for another rule', [{ verdict: 'fail', findings: [finding('required', 'REQ-007')] }]],
    ['fail', 'one violation among passes', [{}, { verdict: 'fail', findings: [finding('required')] }, {}]],
    ['warn', 'a softer violation', [{}, { verdict: 'warn', findings: [finding('recommended')] }]],
    ['recorded', 'a finding of an observed rule', [{ verdict: 'recorded', findings: [finding('observed')] }]],
    [
      'fail',
      'the worst of several levels',
      [{ verdict: 'fail', findings: [finding('observed'), finding('required'), finding('recommended')] }],
    ],
    ['inconclusive', 'a control that failed', [without('inconclusive', 'control x did not succeed')]],
    ['inconclusive', 'passes do not outweigh what is open', [{}, without('inconclusive', 'x'), {}]],
    [
      'inconclusive',
      'nor does a warning',
      [{ verdict: 'warn', findings: [finding('recommended')] }, without('inconclusive', 'x')],
    ],
    ['error', 'our own failure', [without('error', 'x'), {}, without('inconclusive', 'y')]],
    [
      'fail',
      'a proven violation outweighs everything',
      [without('error', 'x'), { verdict: 'fail', findings: [finding('required')] }],
    ],
    [
      'fail',
      'a violation before the case became inconclusive',
      [{ ...without('inconclusive', 'x'), findings: [finding('required')] }],
    ],
    [
      'inconclusive',
      'a softer one before it became so',
      [{ ...without('inconclusive', 'x'), findings: [finding('recommended')] }],
    ],
    ['not-run', 'nobody ran', [without('not-run', 'needs a client second')]],
    ['not-run', 'not run, or not applicable', [without('not-applicable', 'x'), without('not-run', 'y')]],
    ['not-applicable', 'the carrier has no such feature', [without('not-applicable', 'x')]],
    ['pass', 'one case passed and another did not run', [{}, without('not-run', 'x')]],
    ['not-run', 'no case at all', []],
  ])('%s: %s', (verdict, _, cases) => {
    expect(conclude(cases).verdict).toBe(verdict);
  });

  test('no verdict but a conclusive one ever becomes a pass', () => {
    for (const verdict of ['inconclusive', 'error', 'not-run', 'not-applicable'] as const) {
      expect(conclude([without(verdict, 'x')]).verdict).toBe(verdict);
      expect(conclude([without(verdict, 'x'), without(verdict, 'y')]).verdict).toBe(verdict);
    }
  });

  test('an invariant counts like a case', () => {
    const tallies = createRuleTallies([required]);
    const rules = [{ rule: 'REQ-015' }];
    tallies.addInvariant(buildInvariant({ id: 'first', rules }));
    expect(tallies.conclude(new Set(['REQ-015']))[0]).toMatchObject({ verdict: 'pass', judgedBy: ['first'] });
    tallies.addInvariant(
      buildInvariant({ id: 'second', rules, verdict: 'fail', findings: [finding('required')], violations: 1 }),
    );
    expect(tallies.conclude(new Set(['REQ-015']))[0]).toMatchObject({ verdict: 'fail', judgedBy: ['first', 'second'] });
  });

  test('an invariant that saw no message does not make a rule pass', () => {
    const tallies = createRuleTallies([required]);
    const unseen = { verdict: 'not-run', judged: 0, reason: 'no message of this kind was seen' } as const;
    tallies.addInvariant(buildInvariant({ rules: [{ rule: 'REQ-015' }], ...unseen }));
    expect(tallies.conclude(new Set(['REQ-015']))[0]).toMatchObject({ verdict: 'not-run', reason: unseen.reason });
  });

  test('rules that were not selected are left out; the rest stand in the order of the files', () => {
    const tallies = createRuleTallies([observed, required, buildRuleText('REQ-001')]);
    expect(tallies.conclude(new Set(['REQ-015', 'REQ-016'])).map(({ id }) => id)).toEqual(['REQ-016', 'REQ-015']);
  });
});

describe('the reason', () => {
  test('of what is open, each once, with how many cases say so', () => {
    const cases = [
      without('inconclusive', 'no push'),
      without('inconclusive', 'no push'),
      without('not-run', 'needs x'),
    ];
    expect(conclude(cases).reason).toBe('no push (2 cases); needs x');
  });

  test.each<[Rule['judged'], string | undefined, string]>([
    ['cases', undefined, 'no case judged it'],
    ['invariant', undefined, 'no message it speaks of was seen'],
    ['attested', 'an audit log is inside', 'only the operator can attest it: an audit log is inside'],
    ['untestable', 'no path is shown', 'not testable from outside: no path is shown'],
  ])('of a rule that is judged by %s and was not', (judged, because, reason) => {
    const rule = buildRuleText('REQ-015', 'required', { judged, ...(because === undefined ? {} : { because }) });
    expect(conclude([], [rule])).toMatchObject({ verdict: 'not-run', reason, judgedBy: [] });
  });

  test('a pass needs none', () => {
    expect(conclude([{}])).not.toHaveProperty('reason');
  });
});

describe('what was recorded', () => {
  test('makes an observed rule recorded, not a required one', () => {
    const recorded = { form: 'accepted 200' };
    expect(conclude([{ recorded }], [observed])).toMatchObject({ verdict: 'recorded', recorded });
    expect(conclude([{ recorded }], [required])).toMatchObject({ verdict: 'pass', recorded });
    expect(conclude([{}], [observed]).verdict).toBe('pass');
  });

  test('rows of a matrix stand beside each other', () => {
    const cases = [
      { id: 'form/utf-8', recorded: { answer: 'accepted 200' } },
      { id: 'form/latin-1', recorded: { answer: 'denied 400' } },
    ];
    const recorded = { 'answer (utf-8)': 'accepted 200', 'answer (latin-1)': 'denied 400' };
    expect(conclude(cases, [observed]).recorded).toEqual(recorded);
  });

  test('two cases that use the same name both stay', () => {
    const cases = [
      { id: 'form', recorded: { answer: 'accepted 200' } },
      { id: 'other', recorded: { answer: 'denied 400' } },
    ];
    const { recorded } = conclude(cases, [observed]);
    expect(new Set(Object.values(recorded))).toEqual(new Set(['accepted 200', 'denied 400']));
  });
});

describe('the score: two fractions', () => {
  const verdicts: readonly Verdict[] = [
    'pass',
    'recorded',
    'warn',
    'fail',
    'inconclusive',
    'error',
    'not-run',
    'not-applicable',
  ];
  const rules = verdicts.map((verdict, index) => buildRule({ id: `R-${index}`, verdict }));
  const none = { conforming: 0, judged: 0, applicable: 0 };

  test('conforming of judged, judged of applicable', () => {
    const score = { conforming: 2, judged: 4, applicable: 7 };
    expect(scores(rules)).toEqual({ required: score, recommended: none, observed: none, all: score });
  });

  test('by level and area', () => {
    const mixed = [
      buildRule({ verdict: 'pass' }),
      buildRule({ verdict: 'warn', level: 'recommended' }),
      buildRule({ verdict: 'not-run', area: 'callback', level: 'observed' }),
    ];
    expect(scoresByArea(mixed)).toEqual({
      'server-initiated': {
        required: { conforming: 1, judged: 1, applicable: 1 },
        recommended: { conforming: 0, judged: 1, applicable: 1 },
        observed: none,
      },
      callback: { required: none, recommended: none, observed: { conforming: 0, judged: 0, applicable: 1 } },
    });
    expect(scores(mixed).all).toEqual({ conforming: 1, judged: 2, applicable: 3 });
  });

  test('verdicts are counted; those nobody has are left out', () => {
    const counts = countVerdicts([buildRule(), buildRule(), buildRule({ verdict: 'fail' })]);
    expect(counts).toEqual({ pass: 2, fail: 1 });
  });
});

describe('the outcome of a run', () => {
  const rule = (verdict: Verdict, parts: Partial<RuleResult> = {}) => buildRule({ verdict, ...parts });
  const outcome = (rules: readonly RuleResult[], interrupted?: string) => concludeOutcome(rules, interrupted);

  test.each<[string, RuleResult[]]>([
    ['all pass', [rule('pass'), rule('recorded', { level: 'observed' })]],
    ['a warning', [rule('pass'), rule('warn', { level: 'recommended' })]],
    ['what the carrier has not', [rule('pass'), rule('not-applicable')]],
    [
      'what nobody can test',
      [rule('pass'), rule('not-run', { judged: 'untestable' }), rule('not-run', { judged: 'attested' })],
    ],
    ['an observed rule that was not run', [rule('pass'), rule('not-run', { level: 'observed' })]],
  ])('conformant: %s', (_, rules) => {
    expect(outcome(rules)).toEqual({ outcome: 'conformant', reasons: [] });
  });

  test.each<[string, RuleResult[], string[]]>([
    ['nothing selected', [], ['no rule was judged']],
    ['nothing judged', [rule('not-applicable')], ['no rule was judged']],
    ['a rule that was not run', [rule('pass'), rule('not-run')], ['1 required rule without a verdict']],
    [
      'an invariant that saw nothing',
      [rule('pass'), rule('not-run', { judged: 'invariant', level: 'recommended' })],
      ['1 recommended rule without a verdict'],
    ],
    [
      'an observed rule whose control failed',
      [rule('pass'), rule('inconclusive', { level: 'observed' })],
      ['1 observed rule without a verdict'],
    ],
    [
      'each level',
      [rule('pass'), rule('error'), rule('inconclusive'), rule('inconclusive', { level: 'recommended' })],
      ['2 required rules without a verdict', '1 recommended rule without a verdict'],
    ],
    ['nothing but open rules', [rule('inconclusive')], ['1 required rule without a verdict', 'no rule was judged']],
  ])('incomplete: %s', (_, rules, reasons) => {
    expect(outcome(rules)).toEqual({ outcome: 'incomplete', reasons });
  });

  test('incomplete: interrupted, though everything so far passed', () => {
    expect(outcome([rule('pass')], 'interrupted')).toEqual({ outcome: 'incomplete', reasons: ['interrupted'] });
  });

  test('not conformant: one failure, whatever else is open', () => {
    const reasons = ['interrupted', '1 required rule without a verdict'];
    expect(outcome([rule('fail'), rule('not-run'), rule('pass')], 'interrupted')).toEqual({
      outcome: 'not conformant',
      reasons,
    });
    expect(outcome([rule('fail')])).toEqual({ outcome: 'not conformant', reasons: [] });
  });
});
