import { describe, expect, test } from 'vitest';
import type { RuleResult } from '../model/result.ts';
import { buildRule } from '../testing/result.ts';
import { concludeProfiles, markApart } from './profiles.ts';
import { requireConsistent } from './score.ts';

const ofInterface = (verdict: RuleResult['verdict']): RuleResult => buildRule({ id: 'REQ-001', verdict });
const ofBaseline = (verdict: RuleResult['verdict']): RuleResult =>
  buildRule({ id: 'SEC-01', verdict, area: 'baseline', baseline: true });
const critical = (verdict: RuleResult['verdict']): RuleResult =>
  buildRule({ id: 'SEC-02', verdict, area: 'baseline', baseline: true, critical: true });

const concluded = (profile: 'interface' | 'hardened', ...rules: readonly RuleResult[]) =>
  concludeProfiles(markApart(rules, profile), undefined);

describe('P8: the interface and the baseline are two verdicts', () => {
  test('a broken rule of the baseline changes its own verdict, and the outcome only where the whole baseline counts', () => {
    const rules = [ofInterface('pass'), ofBaseline('fail'), critical('pass')];
    expect(concluded('interface', ...rules)).toMatchObject({
      outcome: 'conformant',
      conclusions: { interface: { outcome: 'conformant' }, baseline: { outcome: 'not conformant' } },
      score: { required: { conforming: 2, judged: 2 }, all: { conforming: 2, judged: 3 } },
    });
    expect(concluded('hardened', ...rules)).toMatchObject({
      outcome: 'not conformant',
      score: { required: { conforming: 2, judged: 3 } },
    });
  });

  test('what was found beside the selection counts, and changes nothing for what was selected', () => {
    const rules = [buildRule({ id: 'ERR-002', verdict: 'warn', level: 'recommended' }), ofBaseline('fail')];
    const marked = markApart(rules, 'interface', new Set(['SEC-01']));
    expect(concludeProfiles(marked, undefined)).toMatchObject({ outcome: 'not conformant' });
    expect(concluded('interface', ...rules)).toMatchObject({ outcome: 'conformant' });
  });

  test('a broken critical rule counts in every profile', () => {
    const rules = [ofInterface('pass'), critical('fail')];
    expect(concluded('interface', ...rules)).toMatchObject({
      outcome: 'not conformant',
      conclusions: { interface: { outcome: 'conformant' }, baseline: { outcome: 'not conformant' } },
    });
  });

  const partly = (verdict: RuleResult['verdict'], criticalVerdict: RuleResult['verdict']): RuleResult =>
    buildRule({ id: 'SEC-03', verdict, criticalVerdict, area: 'baseline', baseline: true });

  test.each([
    ['fail', 'fail', 'not conformant', undefined],
    ['fail', 'pass', 'conformant', true],
    ['fail', 'inconclusive', 'incomplete', true],
    ['inconclusive', 'inconclusive', 'incomplete', undefined],
    ['warn', 'pass', 'conformant', undefined],
  ] as const)('C8.1: a rule that is %s, and %s in its critical aspects, is %s', (verdict, critical, outcome, apart) => {
    const rules = markApart([ofInterface('pass'), partly(verdict, critical)], 'interface');
    expect(rules[1]?.apart).toBe(apart);
    const found = concludeProfiles(rules, undefined);
    expect(found).toMatchObject({ outcome, score: { required: { applicable: 2 } } });
    expect(() => requireConsistent(found, rules)).not.toThrow();
    const whole = { fail: 'not conformant', inconclusive: 'incomplete', warn: 'conformant' }[verdict];
    expect(concluded('hardened', ofInterface('pass'), partly(verdict, critical)).outcome).toBe(whole);
  });

  test('a broken rule of the interface leaves the baseline as it is', () => {
    expect(concluded('interface', ofInterface('fail'), ofBaseline('pass'))).toMatchObject({
      outcome: 'not conformant',
      conclusions: { interface: { outcome: 'not conformant' }, baseline: { outcome: 'conformant' } },
    });
  });

  test('a rule of the baseline without a verdict leaves the interface complete', () => {
    const rules = [ofInterface('pass'), ofBaseline('inconclusive')];
    expect(concluded('interface', ...rules)).toMatchObject({
      outcome: 'conformant',
      reasons: [],
      conclusions: {
        baseline: { outcome: 'incomplete', reasons: ['1 required rule without a verdict', 'no rule was judged'] },
      },
    });
    expect(concluded('hardened', ...rules).outcome).toBe('incomplete');
  });

  test('where nothing of the interface was selected, what was selected counts', () => {
    expect(concluded('interface', ofBaseline('fail'))).toMatchObject({ outcome: 'not conformant' });
    expect(concluded('interface', ofBaseline('pass')).conclusions).not.toHaveProperty('interface');
  });

  test('the rules that do not count are marked', () => {
    const marked = markApart([ofInterface('pass'), ofBaseline('fail'), critical('pass')], 'interface');
    expect(marked.map(({ id, apart }) => [id, apart])).toEqual([
      ['REQ-001', undefined],
      ['SEC-01', true],
      ['SEC-02', undefined],
    ]);
  });
});
