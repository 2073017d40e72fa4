import { describe, expect, test } from 'vitest';
import type { Attestation } from '../model/target.ts';
import type { CaseResult } from '../model/result.ts';
import type { Rule, Verdict } from '../model/rule.ts';
import { buildCase, buildFinding, buildInvariant } from '../testing/results/result.ts';
import { buildRuleText } from '../testing/parts/suite.ts';
import { createRuleTallies } from './rules.ts';
import type { FoldedRule } from './standing.ts';

const required = buildRuleText('REQ-015');
const informational = buildRuleText('REQ-016', 'informational');

/** Verdict of REQ-015 after these cases. */
function conclude(cases: readonly Partial<CaseResult>[], rules: readonly Rule[] = [required]): FoldedRule {
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
const finding = (level: 'required' | 'recommended' | 'informational', rule = 'REQ-015') =>
  buildFinding({ rule, level });

describe('the verdict of a rule', () => {
  test.each<[Verdict, string, Partial<CaseResult>[]]>([
    ['pass', 'one case that passed', [{}]],
    ['pass', 'a case that failed for another rule', [{ verdict: 'fail', findings: [finding('required', 'REQ-007')] }]],
    ['fail', 'one violation among passes', [{}, { verdict: 'fail', findings: [finding('required')] }, {}]],
    ['warn', 'a softer violation', [{}, { verdict: 'warn', findings: [finding('recommended')] }]],
    [
      'informational',
      'a finding of an informational rule',
      [{ verdict: 'informational', findings: [finding('informational')] }],
    ],
    [
      'fail',
      'the worst of several levels',
      [{ verdict: 'fail', findings: [finding('informational'), finding('required'), finding('recommended')] }],
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
      'a softer one of a required rule before it became so: the rest of the rule is open',
      [{ ...without('inconclusive', 'x'), findings: [finding('recommended')] }],
    ],
    [
      'inconclusive',
      'a softer violation of a required rule, of which another case did not run',
      [{ verdict: 'warn', findings: [finding('recommended')] }, without('not-run', 'beyond the budget')],
    ],
    ['not-run', 'no case ran', [without('not-run', 'needs a client second')]],
    ['not-run', 'not run, or not applicable', [without('not-applicable', 'x'), without('not-run', 'y')]],
    ['not-applicable', 'the carrier has no such feature', [without('not-applicable', 'x')]],
    ['inconclusive', 'half a rule is no rule: one case passed and another did not run', [{}, without('not-run', 'x')]],
    ['pass', 'what the carrier does not have takes nothing away', [{}, without('not-applicable', 'x')]],
    ['not-run', 'no case at all', []],
  ])('%s: %s', (verdict, _, cases) => {
    expect(conclude(cases).verdict).toBe(verdict);
  });

  test('an informational rule needs no second case', () => {
    const open = without('not-run', 'x');
    expect(conclude([{}, open], [informational]).verdict).toBe('pass');
    expect(conclude([{ recorded: { form: 'accepted 200' } }, open], [informational]).verdict).toBe('informational');
  });

  test('the violation of a recommended rule stands, though its case did not get further, or another is open', () => {
    const recommended = buildRuleText('REQ-015', 'recommended');
    const cut = { ...without('inconclusive', 'x'), findings: [finding('recommended')] };
    expect(conclude([cut], [recommended]).verdict).toBe('warn');
    const whole = { verdict: 'warn', findings: [finding('recommended')] } as const;
    expect(conclude([whole, without('inconclusive', 'x')], [recommended]).verdict).toBe('warn');
  });

  test('names the first 50 cases that judged it', () => {
    const judged = (count: number) => conclude(Array.from({ length: count }, () => ({}))).judgedBy;
    expect([judged(50).length, judged(51).length, judged(51).at(-1)]).toEqual([50, 50, 'case-50']);
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

  test.each([
    ['saw nothing to judge', { verdict: 'not-run', judged: 0, reason: 'no message of this kind was seen' }],
    ['could not judge all', { verdict: 'inconclusive', judged: 2, unjudged: 1, reason: '1 of 3 messages' }],
  ] as const)('C8.1: a case that passed is no verdict on a rule of which an invariant %s', (_, unseen) => {
    const tallies = createRuleTallies([required]);
    const { messages: __, ...passed } = buildCase({ id: 'a-case' });
    tallies.addCase(passed, new Set(['REQ-015']));
    tallies.addInvariant(buildInvariant({ rules: [{ rule: 'REQ-015' }], ...unseen }));
    const [rule] = tallies.conclude(new Set(['REQ-015']));
    expect(rule).toMatchObject({ verdict: 'inconclusive', reason: unseen.reason });
  });

  test.each([
    ['fail', 'broken', [{ ...finding('required'), aspect: 'forged' }], {}],
    ['pass', 'kept where the rest is broken', [finding('required')], {}],
    ['inconclusive', 'open where the case stopped', [finding('required')], { reason: 'x' }],
  ] as const)('C8.1: the critical aspects of a rule are %s: %s', (criticalVerdict, _, findings, parts) => {
    const aspect = { id: 'forged', level: 'required', description: 'It is forged.', critical: true } as const;
    const partly = { ...required, aspects: [aspect] };
    const found = conclude([{ verdict: 'fail', findings, ...parts }], [partly]);
    expect(found).toMatchObject({ verdict: 'fail', criticalVerdict });
    expect(conclude([{ verdict: 'fail', findings }])).not.toHaveProperty('criticalVerdict');
  });

  test('rules that were not selected are left out; the rest stand in the order of the files', () => {
    const tallies = createRuleTallies([informational, required, buildRuleText('REQ-001')]);
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
  ])('of a rule that is judged by %s and was not', (judged, rationale, reason) => {
    const rule = buildRuleText('REQ-015', 'required', { judged, ...(rationale === undefined ? {} : { rationale }) });
    expect(conclude([], [rule])).toMatchObject({ verdict: 'not-run', reason, judgedBy: [] });
  });

  test('a pass needs none', () => {
    expect(conclude([{}])).not.toHaveProperty('reason');
  });
});

describe('what the operator attests', () => {
  const inside = buildRuleText('REQ-015', 'required', { judged: 'attested', rationale: 'an audit log is inside' });
  const attestation: Attestation = {
    rule: 'REQ-015',
    by: 'test lab',
    on: '2026-11-01',
    description: 'The entry is there.',
    evidence: 'log.pdf',
    sha256: `sha256:${'0'.repeat(64)}`,
    place: { position: { file: 'carrier.yaml', line: 1, column: 1 } },
  };
  const concluded = (rule: Rule): FoldedRule | undefined =>
    createRuleTallies([rule], { attestations: [attestation] }).conclude(new Set(['REQ-015']))[0];

  test('is the verdict attested, with who, when and by what evidence', () => {
    const { rule: _, place: __, ...attested } = attestation;
    expect(concluded(inside)).toMatchObject({
      verdict: 'attested',
      reason: `test lab attests it on 2026-11-01: The entry is there. (evidence: log.pdf, sha256:${'0'.repeat(64)})`,
      attestation: attested,
      judgedBy: [],
      recorded: {},
    });
  });

  test('is nothing to a rule that is judged otherwise', () => {
    expect(concluded(required)).toMatchObject({ verdict: 'not-run', reason: 'no case judged it' });
    expect(concluded(required)).not.toHaveProperty('attestation');
  });
});

describe('what was recorded', () => {
  test('makes an informational rule informational, not a required one', () => {
    const recorded = { form: 'accepted 200' };
    expect(conclude([{ recorded }], [informational])).toMatchObject({ verdict: 'informational', recorded });
    expect(conclude([{ recorded }], [required])).toMatchObject({ verdict: 'pass', recorded });
    expect(conclude([{}], [informational]).verdict).toBe('pass');
  });

  test('rows of a matrix stand beside each other', () => {
    const cases = [
      { id: 'form/utf-8', recorded: { response: 'accepted 200' } },
      { id: 'form/latin-1', recorded: { response: 'denied 400' } },
    ];
    const recorded = { 'response (utf-8)': 'accepted 200', 'response (latin-1)': 'denied 400' };
    expect(conclude(cases, [informational]).recorded).toEqual(recorded);
  });
});
