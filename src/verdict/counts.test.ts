import { describe, expect, test } from 'vitest';
import type { RuleResult } from '../model/result.ts';
import type { Verdict } from '../model/rule.ts';
import { buildRule } from '../testing/results/result.ts';
import { countStandings, requireConsistent, scoreRules, scoresByArea } from './counts.ts';
import { concludeOutcome } from './rules.ts';

describe('the score: two fractions', () => {
  const verdicts: readonly Verdict[] = [
    'pass',
    'informational',
    'warn',
    'fail',
    'inconclusive',
    'error',
    'not-run',
    'not-applicable',
    'attested',
  ];
  const rules = verdicts.map((verdict, index) => buildRule({ id: `R-${index}`, verdict }));
  const none = { conforming: 0, judged: 0, applicable: 0 };

  test('conforming of judged, judged of applicable', () => {
    // A required rule with a warning that showed in one of two tries.
    const score = { conforming: 3, judged: 4, applicable: 8 };
    expect(scoreRules(rules)).toEqual({ required: score, recommended: none, informational: none, all: score });
  });

  test('by level and area', () => {
    const mixed = [
      buildRule({ verdict: 'pass' }),
      buildRule({ verdict: 'warn', level: 'recommended' }),
      buildRule({ verdict: 'not-run', area: 'callback', level: 'informational' }),
    ];
    expect(scoresByArea(mixed)).toEqual({
      'server-initiated': {
        required: { conforming: 1, judged: 1, applicable: 1 },
        recommended: { conforming: 0, judged: 1, applicable: 1 },
        informational: none,
      },
      callback: { required: none, recommended: none, informational: { conforming: 0, judged: 0, applicable: 1 } },
    });
    expect(scoreRules(mixed).all).toEqual({ conforming: 1, judged: 2, applicable: 3 });
  });

  test('a rule counts at each level that it or an aspect of it has', () => {
    const softer = { required: true, recommended: false };
    const stricter = { required: false, recommended: true };
    const of = (conforming: number, judged: number) => ({ conforming, judged, applicable: judged });
    expect(scoreRules([buildRule({ verdict: 'warn', levels: softer })])).toMatchObject({
      required: of(1, 1),
      recommended: of(0, 1),
      all: of(0, 1),
    });
    expect(scoreRules([buildRule({ verdict: 'fail', level: 'recommended', levels: stricter })])).toMatchObject({
      required: of(0, 1),
      recommended: of(1, 1),
      all: of(0, 1),
    });
  });

  test('an outcome that its score contradicts is refused', () => {
    const score = scoreRules([buildRule({ verdict: 'fail' })]);
    expect(() => requireConsistent({ outcome: 'not conformant', score }, [])).toThrow('no rule is broken');
    const broken = [{ id: 'REQ-015', verdict: 'fail' as const }];
    expect(() => requireConsistent({ outcome: 'conformant', score }, broken)).toThrow('REQ-015 is broken');
    expect(() => requireConsistent({ outcome: 'not conformant', score }, broken)).not.toThrow();
  });

  test('verdicts are counted; those without a rule are left out', () => {
    const counts = countStandings([buildRule(), buildRule(), buildRule({ verdict: 'fail' })]);
    expect(counts).toEqual({ kept: 2, broken: 1 });
  });
});

describe('the outcome of a run', () => {
  const rule = (verdict: Verdict, parts: Partial<RuleResult> = {}) => buildRule({ verdict, ...parts });
  const outcome = (rules: readonly RuleResult[], interrupted?: string) => concludeOutcome(rules, interrupted);

  test.each<[string, RuleResult[]]>([
    ['what the carrier has not', [rule('pass'), rule('not-applicable')]],
    [
      'what cannot be tested from outside',
      [rule('pass'), rule('not-run', { judged: 'untestable' }), rule('not-run', { judged: 'attested' })],
    ],
    ['one that is attested', [rule('pass'), rule('attested', { judged: 'attested' })]],
    ['P20: a recommended rule without a verdict', [rule('pass'), rule('inconclusive', { level: 'recommended' })]],
    ['an informational rule that was not run', [rule('pass'), rule('not-run', { level: 'informational' })]],
    ['an informational rule whose control failed', [rule('pass'), rule('inconclusive', { level: 'informational' })]],
  ])('conformant: %s', (_, rules) => {
    expect(outcome(rules)).toEqual({ outcome: 'conformant', reasons: [] });
  });

  test.each<[string, RuleResult[], string[]]>([
    ['nothing selected', [], ['no rule was judged']],
    ['a rule that was not run', [rule('pass'), rule('not-run')], ['1 required rule without a verdict']],
    [
      'an invariant that saw nothing',
      [rule('pass'), rule('not-run', { judged: 'invariant' })],
      ['1 required rule without a verdict'],
    ],
    [
      'our own error, whatever the level',
      [rule('pass'), rule('error'), rule('inconclusive'), rule('error', { level: 'recommended' })],
      ['2 required rules without a verdict', '1 recommended rule without a verdict'],
    ],
  ])('incomplete: %s', (_, rules, reasons) => {
    expect(outcome(rules)).toEqual({ outcome: 'incomplete', reasons });
  });

  test('incomplete: interrupted, though everything so far passed', () => {
    expect(outcome([rule('pass')], 'interrupted')).toEqual({ outcome: 'incomplete', reasons: ['interrupted'] });
  });
});
