import { describe, expect, test } from 'vitest';
import {
  buildCase,
  buildFinding,
  buildFooter,
  buildInvariant,
  buildResult,
  buildRule,
  buildExchange,
} from '../../testing/results/result.ts';
import type { CaseResult, Result, RuleResult } from '../../model/result.ts';
import { createModel } from './model.ts';
import { brokenRules, commonFacts, findingLikeness, findingHeadline } from './broken-rules.ts';
import type { Finding } from '../../model/finding.ts';
import type { Exchange, NamedDifference } from '../../model/exchange.ts';

const broken = (id: string, parts: Partial<RuleResult> = {}): RuleResult =>
  buildRule({ id, verdict: 'fail', ...parts });

const failed = (id: string, rule: string, parts: Partial<CaseResult> = {}): CaseResult =>
  buildCase({ id, verdict: 'fail', findings: [buildFinding({ rule })], ...parts });

const linesOf = (parts: Partial<Result>) => {
  const result = buildResult({ footer: buildFooter({ outcome: 'not conformant' }), ...parts });
  return brokenRules(result, createModel(result));
};

test('the most important come first', () => {
  const confirmation = { status: 'confirmed' } as const;
  const found = linesOf({
    rules: [
      broken('ONE'),
      broken('TWICE'),
      broken('SURE'),
      broken('SEC-1', { baseline: true }),
      broken('SEC-2', { baseline: true, critical: true }),
      broken('KNOWN'),
      broken('APART', { baseline: true, apart: true }),
      broken('FOLLOWS', { followsFrom: 'ONE' }),
    ],
    cases: [
      failed('a', 'ONE'),
      failed('b', 'TWICE'),
      failed('c', 'TWICE'),
      failed('d', 'SURE', { confirmation }),
      failed('e', 'SEC-1', { confirmation }),
      failed('f', 'SEC-2'),
      failed('g', 'KNOWN', { confirmation }),
      failed('h', 'APART'),
    ],
    footer: buildFooter({
      outcome: 'not conformant',
      expected: [
        {
          what: 'rule',
          name: 'KNOWN',
          reason: 'known',
          owner: 'us',
          expires: '2999-12-31',
          position: { file: 'expected.yaml', line: 2, column: 5 },
          became: 'failed',
          explains: ['KNOWN'],
        },
      ],
    }),
  });
  expect(found.map(({ ref }) => ref)).toEqual(['SURE', 'TWICE', 'ONE', 'SEC-2', 'SEC-1', 'KNOWN']);
  expect(found.map(({ isExpected }) => isExpected)).toEqual([false, false, false, false, false, true]);
});

test('a line says what was asked, what came and how often', () => {
  const check = buildFinding({
    rule: 'CB',
    aspect: 'near',
    code: 'check',
    path: 'body.a.0',
    expected: 'three',
    actual: 2,
  });
  const found = linesOf({
    rules: [broken('CB'), broken('RSP'), broken('LOST', { reason: 'it failed' })],
    cases: [buildCase({ verdict: 'fail', findings: [check] })],
    invariants: [
      buildInvariant({ verdict: 'fail', judged: 1300, violations: 1200, findings: [buildFinding({ rule: 'RSP' })] }),
    ],
  });
  expect(found).toEqual([
    {
      ref: 'RSP',
      summary: 'expected denied, got accepted 200',
      extent: '1,200 of 1,300 accepted responses',
      isExpected: false,
    },
    { ref: 'CB#near', summary: 'body.a[0] is 2, not three', extent: '1 case', isExpected: false },
    { ref: 'LOST', summary: 'it failed', extent: '', isExpected: false },
  ]);
});

const alike = (one: Partial<Finding>, other: Partial<Finding>): boolean =>
  findingLikeness(buildFinding(one)) === findingLikeness(buildFinding(other));

test('findings are alike where only a value differs', () => {
  const sub = { code: 'not-equal', path: 'set.sub', expected: 'a-1', actual: 'b-2' } as const;
  expect(alike(sub, { ...sub, expected: 'c "quoted" 3', actual: 'd' })).toBe(true);
  expect(alike(sub, { ...sub, path: 'set.iss' })).toBe(false);
  const gap = { code: 'spacing', path: 'deliveries.1', expected: '60 s', actual: 0 } as const;
  expect(alike(gap, { ...gap, path: 'deliveries.2', actual: 1 })).toBe(true);
});

test('another outcome, status or error code is another finding', () => {
  expect(alike({ actual: 'accepted 200' }, { actual: 'accepted 201' })).toBe(false);
  const status = { code: 'status', expected: [400], actual: 'denied 405' } as const;
  expect(alike(status, { ...status, actual: 'denied 406' })).toBe(false);
});

const headline = (id: string, differences: readonly NamedDifference[]): string =>
  findingHeadline({ finding: buildFinding(), seenIn: buildCase({ id, messages: [buildExchange({ differences })] }) });
const set = (what: string): NamedDifference => ({ what, change: 'set', value: 'x' });
const removed = (what: string): NamedDifference => ({ what, change: 'removed' });

test.each<[string, string, readonly NamedDifference[], string]>([
  [
    'a row',
    'bearer/1024-characters',
    [set('claims.client_notification_token')],
    'client_notification_token, 1024 characters',
  ],
  [
    'one for another',
    'made/compressed',
    [removed('claims.login_hint'), set('claims.login_hint_token')],
    'login_hint_token, compressed',
  ],
  ['a row that names the member', 'absent/login-hint', [set('claims.login_hint')], 'login hint'],
  ['rows of rows', 'absent/aud/twice', [], 'aud, twice'],
  ['many members', 'all/mixed', [set('claims.a'), set('claims.b'), set('claims.c')], 'mixed'],
  ['no row', 'no-row', [set('claims.jti')], 'jti'],
  ['no row, one removed', 'no-row', [removed('claims.scope')], 'scope removed'],
  ['something altered', 'no-row', [{ what: 'signature', change: 'altered', value: 'one bit' }], 'signature: one bit'],
  ['much', `a/${'b'.repeat(200)}`, [], `${'b'.repeat(80)}… (120 more characters)`],
])('a headline begins with that by which the request differed: %s', (_, id, differences, special) => {
  expect(headline(id, differences)).toBe(`with ${special}: expected denied, got accepted 200`);
});

test('nothing was special', () => {
  expect(headline('no-row', [])).toBe('expected denied, got accepted 200');
  expect(findingHeadline({ finding: buildFinding() })).toBe('expected denied, got accepted 200');
  const seenIn = buildCase({ id: 'a/row', messages: [buildExchange()] });
  expect(findingHeadline({ finding: buildFinding({ seenIn: 'a/row' }), seenIn })).toBe(
    'expected denied, got accepted 200',
  );
});

describe('commonFacts', () => {
  const received = (status: number, type = 'application/json') =>
    buildExchange({ step: 'sent', response: { status, headers: [['Content-Type', type]], body: '{}', bytes: 2 } });
  const against = (rule: string, ...messages: readonly Exchange[]): CaseResult =>
    failed(`case-${rule}`, rule, { messages, findings: messages.map(() => buildFinding({ rule, step: 'sent' })) });
  const factsOf = (...cases: readonly CaseResult[]) =>
    commonFacts(createModel(buildResult({ cases, rules: cases.map(({ id }) => broken(id.replace('case-', ''))) })));

  test('three rules whose responses are all a failure of the server are one fact', () => {
    const failures = ['A-1', 'A-2', 'A-3'].map((rule) => against(rule, received(500)));
    expect(factsOf(...failures, against('A-4', received(200)))).toEqual([
      { words: 'One fact breaks 3 rules: the response has status 500', rules: ['A-1', 'A-2', 'A-3'] },
    ]);
  });

  test('so are three whose responses are all a page', () => {
    const pages = ['A-1', 'A-2', 'A-3'].map((rule) => against(rule, received(400, 'text/html; charset=utf-8')));
    expect(factsOf(...pages)).toMatchObject([
      { words: 'One fact breaks 3 rules: the response is no JSON but text/html; charset=utf-8' },
    ]);
  });

  test('two rules are none, nor is a rule that another response breaks as well', () => {
    const [one, two] = [against('A-1', received(500)), against('A-2', received(500))];
    expect(factsOf(one, two)).toEqual([]);
    const also = buildCase({ ...against('A-3', received(200)), id: 'other', verdict: 'fail' });
    expect(factsOf(one, two, against('A-3', received(500)), also)).toEqual([]);
    expect(factsOf(one, two, against('A-3', received(400)))).toEqual([]);
  });
});
