import { describe, expect, test } from 'vitest';
import { caseIdentity } from '../../engine/case/case-result.ts';
import type { Finding } from '../../model/finding.ts';
import type { Suites } from '../../suite/suites.ts';
import { buildExpectation, buildRuleText, buildScenario, buildStep, suitePosition } from '../../testing/parts/suite.ts';
import { type OppositeCarrier, proveOnOpposite } from './opposite-carriers.ts';
import { detectingCases } from './choose-cases.ts';
import type { Proof, Subject } from './catalogue.ts';
import type { CaseOutcome, RunJob, JobOutcome } from './job.ts';
import { judgeClean } from './judge-subject.ts';
import type { Freedom } from '../space/freedoms-grammar.ts';

const caseOf = (id: string, rule: string, requires: readonly string[] = []) => ({
  ...buildScenario(id, {
    rules: [{ rule }],
    steps: [buildStep({ expectations: [buildExpectation({ outcome: 'accepted' }, rule)] })],
  }),
  requires,
});

const suites: Suites = {
  rules: [buildRuleText('A-1'), buildRuleText('A-2')],
  cases: [caseOf('one', 'A-1', ['events']), caseOf('two', 'A-1'), caseOf('three', 'A-1'), caseOf('other', 'A-2')],
  invariants: [],
  bases: {},
  digests: { rules: '', suites: '' },
  files: [],
};

const findingOf = (rule: string): Finding => ({
  rule,
  level: 'required',
  code: 'outcome',
  expected: 'denied',
  actual: 'accepted',
  position: suitePosition,
});

const ended = (id: string, red?: string): CaseOutcome => ({
  ...caseIdentity(suites.cases.find((one) => one.id === id) ?? buildScenario(id)),
  verdict: red === undefined ? 'pass' : 'fail',
  wire: '',
  findings: red === undefined ? [] : [findingOf(red)],
  recorded: {},
  startedAt: 0,
  endedAt: 0,
});
const outcome = (...cases: readonly CaseOutcome[]): JobOutcome => ({ cases, invariants: [] });

const all = ['one', 'two', 'three', 'other'];
const clean = judgeClean(suites, outcome(...all.map((id) => ended(id))));
const choices = { latency: 'slow', events: 'none', ids: 'short' };
const where: OppositeCarrier = { name: 'a', choices, clean };

const freedom = (id: string, name: string, more: object = {}): Freedom => ({
  id,
  clause: '4.2',
  cites: [],
  description: 'Something.',
  choices: [
    { name: 'plain', warns: {}, excludes: {} },
    { name, warns: {}, excludes: {}, ...more },
  ],
});
const freedoms = [
  freedom('latency', 'slow'),
  freedom('events', 'none', { target: { supports: { events: false } } }),
  freedom('ids', 'short'),
];

const subject = (parts: Partial<Subject> = {}): Subject => ({
  name: 'broken',
  kind: 'fault',
  description: 'It is broken.',
  breaks: ['A-1'],
  ...parts,
});

/** Proves on a pool with this outcome, and returns the jobs it was given. */
async function prove(
  given: Subject,
  again: JobOutcome,
  cases: readonly string[] = ['two'],
  turned: Proof['turned'] = {},
) {
  const jobs: RunJob[] = [];
  const pool = {
    size: 1,
    run: (job: RunJob) => {
      jobs.push(job);
      return Promise.resolve(job.faults.length === 0 ? outcome() : again);
    },
    close: () => Promise.resolve(),
  };
  const onProof = () => undefined;
  const [proof] = await proveOnOpposite([{ subject: given, cases, turned }], where, {
    suites,
    pool,
    freedoms,
    onProof,
  });
  return { proof, jobs };
}

const named = (...names: readonly string[]): readonly CaseOutcome[] =>
  names.map((id) => ({ ...ended('one', 'A-1'), id }));

test('of the cases that showed a fault, three run again for each rule', () => {
  const seen = outcome(...named('one', 'two', 'three', 'four'), ended('other', 'A-2'));
  expect(detectingCases(subject(), seen, { clean, suites })).toEqual(['one', 'two', 'three']);
  const both = subject({ breaks: ['A-2', 'A-1'] });
  expect(detectingCases(both, seen, { clean, suites })).toEqual(['other', 'one', 'two', 'three']);
});

test('cases of other names come before further rows of a matrix', () => {
  const seen = outcome(...named('m/1', 'm/2', 'm/3', 'two'));
  expect(detectingCases(subject(), seen, { clean, suites })).toEqual(['m/1', 'two', 'm/2']);
});

describe('where an invariant shows a fault', () => {
  const invariant = (on: 'callback' | 'run') => ({
    id: 'ids',
    title: 'Ids are in order',
    suite: 'Ids',
    area: 'server-initiated',
    position: suitePosition,
    on,
    expectations: [buildExpectation({ outcome: 'accepted' }, 'A-1')],
    seenIn: ['three'],
  });
  const seenBy = (on: 'callback' | 'run', seenIn: readonly string[]) => {
    const { expectations: _, seenIn: __, ...identity } = invariant(on);
    const findings = seenIn.map((id) => ({ ...findingOf('A-1'), seenIn: id }));
    const judged = {
      ...identity,
      rules: [{ rule: 'A-1' }],
      verdict: 'fail' as const,
      judged: 3,
      violations: 3,
      findings,
    };
    const run = { ...outcome(...all.map((id) => ended(id))), invariants: [judged] };
    return detectingCases(subject(), run, { clean, suites: { ...suites, invariants: [invariant(on)] } });
  };

  test('the case that is about it runs again before those that met it by the way', () => {
    expect(seenBy('callback', ['one', 'two', 'three'])).toEqual(['three', 'one', 'two']);
  });

  test('a case that did not meet it does not, but for what holds of a whole run', () => {
    expect(seenBy('callback', ['one'])).toEqual(['one']);
    expect(seenBy('run', ['one'])).toEqual(['three', 'one']);
  });
});

describe('a fault on a drawn carrier', () => {
  test('is killed where one of its rules turns', async () => {
    const { proof, jobs } = await prove(subject(), outcome(ended('two', 'A-1')));
    expect(proof).toMatchObject({
      name: 'broken@a',
      status: 'killed',
      turned: { 'A-1': 'fail' },
      shown: { 'A-1': ['two'] },
      wrong: [],
    });
    expect(jobs).toEqual([{ faults: ['broken'], cases: ['two'], choices, serial: true }]);
  });

  test('survived where none does', async () => {
    const { proof } = await prove(subject(), outcome(ended('two')));
    expect(proof).toMatchObject({ status: 'survived', wrong: ['no declared rule turns: A-1'] });
  });

  test('is misattributed where another rule turns as well', async () => {
    const { proof } = await prove(subject(), outcome(ended('two', 'A-1'), ended('other', 'A-2')));
    expect(proof).toMatchObject({ status: 'misattributed', wrong: ['red, but not declared: A-2'] });
  });

  test('but not where that rule lost its verdict on the plain carrier', async () => {
    const again = outcome(ended('two', 'A-1'), ended('other', 'A-2'));
    const { proof } = await prove(subject(), again, ['two'], { 'A-1': 'fail', 'A-2': 'inconclusive' });
    expect(proof).toMatchObject({ status: 'killed', wrong: [] });
  });

  test('shares the run without any fault with others that leave the same choices', async () => {
    const jobs: RunJob[] = [];
    const run = (job: RunJob) => {
      jobs.push(job);
      return Promise.resolve(outcome());
    };
    const pool = { size: 1, run, close: () => Promise.resolve() };
    const given = ['two', 'three'].map((name) => ({
      subject: subject({ name, except: { ids: 'none' } }),
      cases: [name],
      turned: {},
    }));
    const named: string[] = [];
    const onProof = ({ name }: Proof) => void named.push(name);
    await proveOnOpposite(given, where, { suites, pool, freedoms, onProof });
    expect(jobs.map(({ faults, cases }) => ({ faults, cases }))).toEqual([
      { faults: [], cases: ['two', 'three'] },
      { faults: ['two'], cases: ['two'] },
      { faults: ['three'], cases: ['three'] },
    ]);
    expect(named).toEqual(['two@a', 'three@a']);
  });

  test('gets back what its cases need, and what makes it no fault; that carrier runs without it, too', async () => {
    const given = subject({ except: { 'ids/short': 'such ids cannot be cut' } });
    const { proof, jobs } = await prove(given, outcome(ended('one', 'A-1')), ['one']);
    expect(proof?.status).toBe('killed');
    const adapted = { cases: ['one'], choices: { latency: 'slow' }, serial: true };
    expect(jobs).toEqual([
      { ...adapted, faults: [] },
      { ...adapted, faults: ['broken'] },
    ]);
  });
});
