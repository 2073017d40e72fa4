import { describe, expect, test } from 'vitest';
import type { Level, Rule, Verdict } from '../model/rule.ts';
import type { Suites } from '../suite/suites.ts';
import type { RuleResult } from '../model/result.ts';
import { buildRule } from '../testing/results/result.ts';
import type { Profile } from '../model/profile.ts';
import { markApart, namedRules, profilesBrokenBy, judgedSuites, countRequired, concludeProfile } from './profiles.ts';
import { requireConsistent } from './counts.ts';

const ofInterface = (verdict: RuleResult['verdict']): RuleResult => buildRule({ id: 'REQ-001', verdict });
const ofBaseline = (verdict: RuleResult['verdict']): RuleResult =>
  buildRule({ id: 'SEC-01', verdict, area: 'baseline', baseline: true });
const critical = (verdict: RuleResult['verdict']): RuleResult =>
  buildRule({ id: 'SEC-02', verdict, area: 'baseline', baseline: true, critical: true });

const asked = (profile: Profile, ...selection: readonly string[]) => ({ profile, selection });

const concluded = (profile: 'interface' | 'hardened', ...rules: readonly RuleResult[]) =>
  concludeProfile(markApart(rules, asked(profile)), undefined);

describe('P8, P20: one verdict, by the profile', () => {
  test('a broken rule of the baseline changes the outcome only where the whole baseline counts', () => {
    const rules = [ofInterface('pass'), ofBaseline('fail'), critical('pass')];
    expect(concluded('interface', ...rules)).toMatchObject({
      outcome: 'conformant',
      score: { required: { conforming: 2, judged: 2 }, all: { conforming: 2, judged: 3 } },
    });
    expect(concluded('hardened', ...rules)).toMatchObject({
      outcome: 'not conformant',
      score: { required: { conforming: 2, judged: 3 } },
    });
  });

  test('a rule that is named by its id counts, whatever else was selected', () => {
    const rules = [ofInterface('pass'), ofBaseline('fail')];
    const outcomes = ['SEC-01', 'sec-01', 'SEC-*', 'baseline'].map(
      (name) => concludeProfile(markApart(rules, asked('interface', name)), undefined).outcome,
    );
    expect(outcomes).toEqual(['not conformant', 'not conformant', 'conformant', 'conformant']);
    expect(namedRules([ofInterface('pass'), ofBaseline('fail')], asked('interface', 'REQ-001', 'SEC-01'))).toEqual([
      'SEC-01',
    ]);
    expect(namedRules([ofBaseline('fail')], asked('hardened', 'SEC-01'))).toEqual([]);
  });

  test('a broken critical rule counts in every profile', () => {
    const rules = [ofInterface('pass'), critical('fail')];
    expect(concluded('interface', ...rules)).toMatchObject({ outcome: 'not conformant' });
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
    const rules = markApart([ofInterface('pass'), partly(verdict, critical)], asked('interface'));
    expect(rules[1]?.apart).toBe(apart);
    const found = concludeProfile(rules, undefined);
    expect(found).toMatchObject({ outcome, score: { required: { applicable: 2 } } });
    expect(() => requireConsistent(found, rules)).not.toThrow();
    const whole = { fail: 'not conformant', inconclusive: 'incomplete', warn: 'conformant' }[verdict];
    expect(concluded('hardened', ofInterface('pass'), partly(verdict, critical)).outcome).toBe(whole);
  });

  test('a rule of the baseline without a verdict leaves the interface complete', () => {
    const rules = [ofInterface('pass'), ofBaseline('inconclusive')];
    expect(concluded('interface', ...rules)).toMatchObject({
      outcome: 'conformant',
      reasons: [],
    });
    expect(concluded('hardened', ...rules)).toMatchObject({
      outcome: 'incomplete',
      reasons: ['1 required rule without a verdict'],
    });
  });

  test('where only rules were judged that do not count, none was judged', () => {
    expect(concluded('interface', ofBaseline('fail'))).toMatchObject({ outcome: 'not judged' });
    expect(concluded('interface', ofBaseline('pass'))).toMatchObject({ outcome: 'not judged' });
  });

  test('the rules that do not count are marked', () => {
    const marked = markApart([ofInterface('pass'), ofBaseline('fail'), critical('pass')], asked('interface'));
    expect(marked.map(({ id, apart }) => [id, apart])).toEqual([
      ['REQ-001', undefined],
      ['SEC-01', true],
      ['SEC-02', undefined],
    ]);
  });
});

describe('strict: recommended rules count', () => {
  const place = { position: { file: 'rules.yaml', line: 1, column: 1 } };
  const ruleOf = (id: string, level: Level, more: Partial<Rule> = {}): Rule => ({
    id,
    area: 'callback',
    clause: '2.3',
    level,
    description: 'A rule.',
    judged: 'cases',
    aspects: [],
    ...place,
    ...more,
  });
  const aspects = [{ id: 'near', level: 'recommended' as const, description: 'A part.' }];
  const rules = [
    ruleOf('REQ-001', 'required', { aspects }),
    ruleOf('REQ-002', 'recommended'),
    ruleOf('REQ-003', 'informational'),
    ruleOf('SEC-01', 'required', { baseline: true }),
    ruleOf('SEC-02', 'required', { baseline: true, critical: true }),
    ruleOf('SEC-03', 'recommended', { baseline: true }),
  ];
  const suites: Suites = {
    rules,
    cases: [],
    invariants: [],
    bases: {},
    digests: { rules: '', suites: '' },
    files: [],
  };

  test('recommended rules and aspects are required, and say what the interface states; no other is changed', () => {
    const { rules: raised } = judgedSuites(suites, asked('strict'));
    expect(raised.map(({ id, level, stated }) => [id, level, stated])).toEqual([
      ['REQ-001', 'required', undefined],
      ['REQ-002', 'required', 'recommended'],
      ['REQ-003', 'informational', undefined],
      ['SEC-01', 'required', undefined],
      ['SEC-02', 'required', undefined],
      ['SEC-03', 'required', 'recommended'],
    ]);
    expect(raised[0]?.aspects).toMatchObject([{ id: 'near', level: 'required', stated: 'recommended' }]);
    for (const profile of ['interface', 'hardened'] as const) expect(judgedSuites(suites, asked(profile))).toBe(suites);
  });

  test('a recommended rule that is named is required, with its aspects; a required one stays as it is', () => {
    const { rules: raised } = judgedSuites(suites, asked('interface', 'REQ-002', 'REQ-001'));
    expect(raised.map(({ level }) => level)).toEqual([
      'required',
      'required',
      'informational',
      'required',
      'required',
      'recommended',
    ]);
    expect(raised[0]).toBe(rules[0]);
    expect(namedRules(raised, asked('interface', 'REQ-002', 'REQ-001'))).toEqual(['REQ-002']);
  });

  test('counts the required rules there are, whatever was selected', () => {
    expect(countRequired(rules, asked('interface'))).toBe(2);
    expect(countRequired(rules, asked('hardened'))).toBe(3);
    expect(countRequired(judgedSuites(suites, asked('strict')).rules, asked('strict'))).toBe(5);
  });

  test('counts a rule of the baseline that is critical by an aspect alone', () => {
    const critical = { id: 'other-key', level: 'required', critical: true, description: 'Another key.' } as const;
    const all = [...rules, ruleOf('SEC-04', 'required', { baseline: true, aspects: [critical] })];
    expect(countRequired(all, asked('interface'))).toBe(3);
  });

  test.each<[Record<string, Verdict>, readonly string[]]>([
    [{ 'REQ-001': 'fail' }, ['interface', 'hardened', 'strict']],
    [{ 'SEC-02': 'fail' }, ['interface', 'hardened', 'strict']],
    [{ 'SEC-01': 'fail' }, ['hardened', 'strict']],
    [{ 'REQ-002': 'warn', 'SEC-03': 'warn' }, ['strict']],
    [{ 'REQ-003': 'informational' }, []],
  ])('%j is not conformant in %j', (verdicts, broken) => {
    expect(profilesBrokenBy(verdicts, rules)).toEqual(broken);
  });
});
