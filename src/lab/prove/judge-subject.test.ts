import { describe, expect, test } from 'vitest';
import { caseIdentity } from '../../engine/case/case-result.ts';
import type { Finding } from '../../model/finding.ts';
import type { Verdict } from '../../model/rule.ts';
import {
  buildExpectation,
  buildRuleText,
  buildScenario,
  buildStanding,
  buildStep,
  suitePosition,
} from '../../testing/parts/suite.ts';
import type { CaseOutcome, JobOutcome } from './job.ts';
import { judgeClean, judgeSubject } from './judge-subject.ts';
import type { Proof, Subject } from './catalogue.ts';
import { chooseCases } from './choose-cases.ts';
import { matrixRows } from './matrix.ts';
import { proveAgainstClean } from './prove.ts';
import { renderUnproved, findUnproved } from './proof-gaps.ts';
import type { Suites } from '../../suite/suites.ts';

/** Two rules with a case each, and an invariant of a third. */
const suites: Suites = {
  rules: [
    buildRuleText('A-1'),
    buildRuleText('A-2', 'recommended'),
    buildRuleText('A-3'),
    buildRuleText('A-4', 'informational'),
  ],
  cases: (['A-1', 'A-2', 'A-4'] as const).map((id) =>
    buildScenario(`case-${id}`, {
      rules: [{ rule: id }],
      steps: [buildStep({ expectations: [buildExpectation({ outcome: 'accepted' }, id)] })],
    }),
  ),
  invariants: [buildStanding('standing', { expectations: [buildExpectation({}, 'A-3')] })],
  bases: {},
  digests: { rules: '', suites: '' },
  files: [],
};

const finding = (rule: string, level: Finding['level']): Finding => ({
  rule,
  level,
  code: 'outcome',
  expected: 'denied',
  actual: 'accepted',
  position: suitePosition,
});

const outcomeOf = (id: string, verdict: Verdict, wire = 'same'): CaseOutcome => {
  const rule = id.replace('case-', '');
  const level = verdict === 'fail' ? 'required' : verdict === 'warn' ? 'recommended' : undefined;
  const given = suites.cases.find((one) => one.id === id) ?? buildScenario(id);
  return {
    ...caseIdentity(given),
    verdict,
    wire,
    ...(verdict === 'inconclusive' ? { reason: 'a control failed' } : {}),
    findings: level === undefined ? [] : [finding(rule, level)],
    recorded: {},
    startedAt: 0,
    endedAt: 0,
  };
};

const standing = (verdict: Verdict, judged = 3): JobOutcome['invariants'] =>
  suites.invariants.map(({ id, title, suite, area, position, on }) => ({
    id,
    title,
    suite,
    area,
    position,
    on,
    rules: [{ rule: 'A-3' }],
    verdict,
    judged,
    violations: verdict === 'fail' ? 1 : 0,
    findings: verdict === 'fail' ? [finding('A-3', 'required')] : [],
  }));

const ran = (cases: readonly CaseOutcome[], invariants = standing('not-run', 0)): JobOutcome => ({
  cases,
  invariants,
});

const clean = judgeClean(
  suites,
  ran(
    suites.cases.map(({ id }) => outcomeOf(id, 'pass')),
    standing('pass'),
  ),
);
const subject = (parts: Partial<Subject> = {}): Subject => ({
  name: 'broken',
  kind: 'fault',
  description: 'It is broken.',
  breaks: ['A-1'],
  ...parts,
});
const judged = (given: Subject, outcome: JobOutcome): Pick<Proof, 'status' | 'turned' | 'wrong'> => {
  const { status, turned, wrong } = judgeSubject(given, outcome, { clean, suites });
  return { status, turned, wrong };
};

describe('a fault', () => {
  test('is killed where exactly the declared rules turn', () =>
    expect(judged(subject(), ran([outcomeOf('case-A-1', 'fail')]))).toEqual({
      status: 'killed',
      turned: { 'A-1': 'fail' },
      wrong: [],
    }));

  test('is misattributed where another turns, also', () =>
    expect(judged(subject(), ran([outcomeOf('case-A-1', 'fail'), outcomeOf('case-A-2', 'warn')]))).toEqual({
      status: 'misattributed',
      turned: { 'A-1': 'fail', 'A-2': 'warn' },
      wrong: ['red, but not declared: A-2', 'A-2 in case-A-2: expected "denied", got "accepted"'],
    }));

  test('is misattributed where another turns instead, by an invariant too', () =>
    expect(judged(subject(), ran([outcomeOf('case-A-1', 'pass')], standing('fail')))).toEqual({
      status: 'misattributed',
      turned: { 'A-3': 'fail' },
      wrong: [
        'declared red, but not so: A-1',
        'red, but not declared: A-3',
        'A-3 in standing: expected "denied", got "accepted"',
      ],
    }));

  test('may leave a rule without a verdict, and is misattributed where a case ends in an error of ours', () => {
    const outcome = (verdict: Verdict) => ran([outcomeOf('case-A-1', 'fail'), outcomeOf('case-A-2', verdict)]);
    expect(judged(subject(), outcome('inconclusive'))).toMatchObject({ status: 'killed', wrong: [] });
    expect(judged(subject(), outcome('error'))).toMatchObject({
      status: 'misattributed',
      wrong: ['turned otherwise: A-2'],
    });
  });

  test('survived where only the wire changed, and is equivalent where nothing did', () => {
    expect(judged(subject(), ran([outcomeOf('case-A-1', 'pass', 'other')])).status).toBe('survived');
    expect(judged(subject(), ran([outcomeOf('case-A-1', 'pass')])).status).toBe('equivalent');
    expect(judged(subject(), ran([])).status).toBe('equivalent');
  });

  test('is no proof where the run had to stop', () =>
    expect(judged(subject(), { ...ran([]), stopped: 'no carrier' }).wrong).toContain(
      'the run had to stop: no carrier',
    ));
});

describe('a variant', () => {
  const variant = subject({ kind: 'variant', breaks: [] });
  test('is allowed where rules stand, are recorded or declared not to apply', () => {
    expect(judged(variant, ran([outcomeOf('case-A-1', 'pass')]))).toEqual({ status: 'allowed', turned: {}, wrong: [] });
    expect(judged(variant, ran([outcomeOf('case-A-1', 'not-applicable')]))).toMatchObject({
      status: 'allowed',
      wrong: [],
    });
  });
  test('is refused where one turns', () =>
    expect(judged(variant, ran([outcomeOf('case-A-1', 'fail')]))).toMatchObject({
      status: 'refused',
      wrong: ['red, but not declared: A-1', 'A-1 in case-A-1: expected "denied", got "accepted"'],
    }));
  test('is not allowed where one cannot be judged any more', () =>
    expect(judged(variant, ran([outcomeOf('case-A-1', 'inconclusive')])).wrong).toEqual([
      'unjudged, but not declared: A-1',
    ]));
});

test.each([
  ['red', outcomeOf('case-A-1', 'fail'), 'A-1 turned red on it'],
  ['without a verdict', outcomeOf('case-A-1', 'inconclusive'), 'case-A-1 has no verdict: a control failed'],
])('nothing is proved where a case of the clean carrier is %s', async (_, first, why) => {
  const cases = suites.cases.map(({ id }) => (id === first.id ? first : outcomeOf(id, 'pass')));
  const pool = { size: 1, run: () => Promise.resolve(ran(cases, standing('pass'))), close: () => Promise.resolve() };
  const options = { suites, subjects: [subject()], pool, whole: true, known: new Map() };
  const proved = proveAgainstClean({ ...options, onProof: () => undefined });
  await expect(proved).rejects.toThrow(`the clean reference carrier does not conform: ${why}`);
});

test('names what no fault turns red, with its place', () => {
  const proof = judgeSubject(subject(), ran([outcomeOf('case-A-1', 'fail')]), { clean, suites });
  expect(findUnproved(suites, matrixRows([proof])).map(renderUnproved)).toEqual([
    'server-initiated/replay.suite.yaml:4:5: rule A-2: no fault turns it red',
    'server-initiated/replay.suite.yaml:4:5: rule A-3: no fault turns it red',
    'server-initiated/replay.suite.yaml:4:5: case case-A-2: no fault turns it red',
    'server-initiated/invariants.suite.yaml:2:5: invariant standing: no fault turns it red',
  ]);
});

describe('a proof records which rows show a rule broken', () => {
  const shownBy = (outcome: JobOutcome) => judgeSubject(subject(), outcome, { clean, suites }).shown;
  const red = outcomeOf('case-A-1', 'fail');

  test('by cases and invariants, each rule and aspect for itself', () => {
    const findings = [finding('A-1', 'required'), { ...finding('A-1', 'recommended'), aspect: 'edge' }];
    expect(shownBy(ran([{ ...red, findings }], standing('fail')))).toEqual({
      'A-1': ['case-A-1'],
      'A-1#edge': ['case-A-1'],
      'A-3': ['standing'],
    });
  });

  test('not by what is only informational, or by a refused plain request, which the first case shows', () => {
    expect(shownBy(ran([{ ...red, findings: [finding('A-1', 'required'), finding('A-4', 'informational')] }]))).toEqual(
      {
        'A-1': ['case-A-1'],
      },
    );
    expect(shownBy(ran([{ ...red, findings: [{ ...finding('A-1', 'required'), root: true }] }]))).toEqual({});
  });
});

test('cases that the matrix has as red run, those of a broken rule that none of them judges, and the first of each area', () => {
  const cases = ['first', 'second', 'third', 'm/1', 'm/2', 'seen'].map((id) => ({
    ...buildScenario(id, {
      steps: [buildStep({ expectations: [buildExpectation({}, id === 'second' || id === 'third' ? 'A-1' : 'A-2')] })],
    }),
    area: id === 'seen' ? 'other' : 'one',
  }));
  const chosen = (red: readonly string[], seenIn: readonly string[] = []) =>
    chooseCases(subject(), red, { ...suites, cases, invariants: [{ ...buildStanding('standing'), seenIn }] });
  expect(chosen([])).toEqual(['first', 'second', 'third', 'seen']);
  expect(chosen(['second', 'm/2'])).toEqual(['first', 'second', 'm/2', 'seen']);
  expect(chosen(['m/2'])).toEqual(['first', 'second', 'third', 'm/2', 'seen']);
  expect(chosen(['standing'], ['m'])).toEqual(['first', 'second', 'third', 'm/1', 'm/2', 'seen']);
});
