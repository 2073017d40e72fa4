import { describe, expect, test } from 'vitest';
import type { Finding } from '../model/finding.ts';
import type { ExpectedFailure } from '../model/expected-failure.ts';
import { buildCase, buildFinding, buildHeader } from '../testing/results/result.ts';
import { buildRuleText, buildScenario } from '../testing/parts/suite.ts';
import { rememberRules, type Suites } from '../suite/suites.ts';
import type { Level, RuleStanding } from '../model/rule.ts';
import { judgedSuites } from './profiles.ts';
import { decide, type Question } from './verdicts.ts';

const levels: Readonly<Record<string, Level>> = {
  'A-1': 'required',
  'A-2': 'required',
  'A-3': 'required',
  'A-4': 'recommended',
};
const rules = Object.entries(levels).map(([id, level]) => buildRuleText(id, level));
const suites: Suites = { rules, cases: [], invariants: [], bases: {}, digests: { rules: '', suites: '' }, files: [] };

const found = (rule: string, parts: Partial<Finding> = {}): Finding =>
  buildFinding({ rule, level: levels[rule] ?? 'required', ...parts });

const entryOf = (name: string): ExpectedFailure => ({
  what: 'rule',
  name,
  reason: 'known',
  owner: 'platform team',
  expires: '2026-12-31',
  position: { file: 'expected.yaml', line: 2, column: 5 },
});

/** Verdicts of a run whose one case has these findings, or none and this reason. */
function decided(findings: readonly Finding[], given: Partial<Question> = {}, reason?: string) {
  const { messages: _, ...ended } = buildCase({
    id: 'one',
    rules: Object.keys(levels).map((rule) => ({ rule })),
    findings,
    verdict: findings.length > 0 ? 'fail' : reason === undefined ? 'pass' : 'inconclusive',
    ...(reason === undefined ? {} : { reason }),
  });
  const planned = rememberRules(buildScenario('one'), Object.keys(levels));
  const facts = { cases: [ended], invariants: [], incomplete: undefined, interrupted: false };
  return decide(facts, {
    header: buildHeader({ profile: 'interface' }),
    suites,
    nameable: suites,
    selected: { cases: [planned], rules: new Set(Object.keys(levels)) },
    attestations: undefined,
    expected: undefined,
    today: '2026-11-29',
    ...given,
  });
}

const standings = (decision: ReturnType<typeof decided>): Readonly<Record<string, RuleStanding>> =>
  Object.fromEntries(decision.rules.map(({ id, standing }) => [id, standing]));

describe('P19: what each rule and the run come to', () => {
  const kept = { 'A-1': 'kept', 'A-2': 'kept', 'A-3': 'kept', 'A-4': 'kept' };
  const cause = found('A-1', { message: 'x1', path: 'body.sub' });
  const follower = found('A-2', { followsFrom: 'A-1' });

  test.each<[string, readonly Finding[], Partial<Question>, Record<string, RuleStanding>, number, string]>([
    ['nothing found', [], {}, {}, 0, 'conformant'],
    ['one broken rule', [found('A-1')], {}, { 'A-1': 'broken' }, 1, 'not conformant'],
    ['one that follows from it', [cause, follower], {}, { 'A-1': 'broken', 'A-2': 'follows' }, 1, 'not conformant'],
    [
      'a chain of causes',
      [cause, follower, found('A-3', { followsFrom: 'A-2' })],
      {},
      { 'A-1': 'broken', 'A-2': 'follows', 'A-3': 'follows' },
      1,
      'not conformant',
    ],
    [
      'one that also has a finding of its own',
      [cause, follower, found('A-2')],
      {},
      { 'A-1': 'broken', 'A-2': 'broken' },
      1,
      'not conformant',
    ],
    [
      'two that follow from each other',
      [found('A-1', { followsFrom: 'A-2' }), follower],
      {},
      { 'A-1': 'broken', 'A-2': 'broken' },
      1,
      'not conformant',
    ],
    [
      'one that follows from a rule that nothing broke',
      [found('A-2', { followsFrom: 'A-3' })],
      {},
      { 'A-2': 'broken' },
      1,
      'not conformant',
    ],
    [
      'an expected failure with what follows from it',
      [cause, follower],
      { expected: [entryOf('A-1')] },
      { 'A-1': 'expected', 'A-2': 'follows' },
      0,
      'not conformant, as expected',
    ],
    [
      'an expected failure beside another',
      [cause, found('A-3')],
      { expected: [entryOf('A-1')] },
      { 'A-1': 'expected', 'A-3': 'broken' },
      1,
      'not conformant',
    ],
    ['an entry that no longer holds', [], { expected: [entryOf('A-1')] }, {}, 1, 'conformant, but not as expected'],
    ['seen in one of two tries', [found('A-1', { unstable: true })], {}, { 'A-1': 'unstable' }, 0, 'conformant'],
    [
      'a recommended rule',
      [found('A-4')],
      {},
      { 'A-4': 'not followed' },
      0,
      'conformant; 1 recommendation is not followed',
    ],
  ])('%s', (_, findings, given, expected, code, words) => {
    const decision = decided(findings, given);
    expect(standings(decision)).toEqual({ ...kept, ...expected });
    expect(decision.footer).toMatchObject({ exitCode: code, headline: { words } });
    const counts = Object.values(decision.footer.standings).reduce((sum, count) => sum + count, 0);
    expect(counts).toBe(rules.length);
  });

  test('a recommended rule that is named by its id counts, and the headline says so', () => {
    const header = buildHeader({ profile: 'interface', selection: ['a-4'] });
    const named = judgedSuites(suites, header);
    const raised = found('A-4', { level: 'required', stated: 'recommended' });
    const decision = decided([raised], { header, suites: named, nameable: named });
    expect(standings(decision)['A-4']).toBe('broken');
    expect(decision.footer).toMatchObject({ exitCode: 1, named: ['A-4'] });
    expect(decision.footer.headline.limits).toEqual(['profile interface, and A-4 as named']);
  });

  test('a required rule without a verdict leaves the run incomplete, a recommended one does not', () => {
    const open = decided([], {}, 'nothing came');
    expect(open.footer).toMatchObject({ exitCode: 4, ending: 'incomplete', outcome: 'incomplete' });
    expect(standings(open)).toEqual({ 'A-1': 'open', 'A-2': 'open', 'A-3': 'open', 'A-4': 'open' });
    const quiet = { ...suites, rules: rules.map((rule) => ({ ...rule, level: 'recommended' as const })) };
    expect(decided([found('A-1', { level: 'recommended' })], { suites: quiet, nameable: quiet }).footer.exitCode).toBe(
      0,
    );
  });
});
