import { describe, expect, test } from 'vitest';
import { caseIdentity } from '../../engine/case/case-result.ts';
import type { Suites } from '../../suite/suites.ts';
import { buildExpectation, buildRuleText, buildScenario, buildStep, suitePosition } from '../../testing/parts/suite.ts';
import type { CaseOutcome, RunJob, JobOutcome } from './job.ts';
import { judgeClean } from './judge-subject.ts';
import { type TroubleCause, type DrawnProof, explainTroubles, judgeDrawn } from './prove-space.ts';
import type { CoverRow } from '../../lib/covering/domain.ts';

const rules = ['A-1', 'A-2', 'A-3'];
const suites: Suites = {
  rules: rules.map((id) => buildRuleText(id)),
  cases: rules.map((id) =>
    buildScenario(`case-${id}`, {
      rules: [{ rule: id }],
      steps: [buildStep({ expectations: [buildExpectation({ outcome: 'accepted' }, id)] })],
    }),
  ),
  invariants: [],
  bases: {},
  digests: { rules: '', suites: '' },
  files: [],
};

/** Verdict of a rule with these choices: one choice, or two together, can turn it. */
function verdictOn(rule: string, choices: CoverRow): CaseOutcome['verdict'] {
  if (rule === 'A-1' && choices['x'] === 'bad') return 'fail';
  if (rule === 'A-2' && choices['y'] === 'odd' && choices['z'] === 'odd') return 'inconclusive';
  return rule === 'A-3' && choices['x'] === 'undeclared' ? 'not-applicable' : 'pass';
}

const runOn = (choices: CoverRow = {}, cases: readonly string[] = suites.cases.map(({ id }) => id)): JobOutcome => ({
  invariants: [],
  cases: suites.cases
    .filter(({ id }) => cases.includes(id))
    .map((given) => {
      const rule = given.id.replace('case-', '');
      const verdict = verdictOn(rule, choices);
      const finding = { rule, level: 'required', code: 'outcome', expected: 'accepted', actual: 'denied' } as const;
      return {
        ...caseIdentity(given),
        verdict,
        wire: '',
        ...(verdict === 'inconclusive' ? { reason: 'a control failed' } : {}),
        findings: verdict === 'fail' ? [{ ...finding, position: suitePosition }] : [],
        recorded: {},
        startedAt: 0,
        endedAt: 0,
      };
    }),
});

const clean = judgeClean(suites, runOn());
const against = { clean, suites };

const others = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`o${index}`, 'other']));
const proofOf = (number: number, choices: CoverRow): DrawnProof => ({
  number,
  choices: { ...others, ...choices },
  order: 'listed',
  troubles: judgeDrawn(runOn(choices), against, choices),
  ran: 3,
  of: 3,
});

async function causesOf(...proofs: readonly DrawnProof[]): Promise<readonly TroubleCause[]> {
  const pool = {
    run: ({ choices, cases }: RunJob) => Promise.resolve(runOn(choices, cases)),
    size: 1,
    close: () => Promise.resolve(),
  };
  return explainTroubles(proofs, { ...against, pool, onCause: () => undefined });
}

describe('a drawn carrier', () => {
  test('has trouble where a rule is red, or without a verdict', () => {
    expect(judgeDrawn(runOn({ x: 'bad', y: 'odd', z: 'odd' }), against, {})).toEqual([
      { rule: 'A-1', verdict: 'fail', cases: ['case-A-1'], why: 'outcome: denied, not accepted' },
      { rule: 'A-2', verdict: 'inconclusive', cases: ['case-A-2'], why: 'a control failed' },
    ]);
  });

  test('has none where nothing turns, or a rule does not apply', () => {
    expect(judgeDrawn(runOn({ y: 'odd' }), against, {})).toEqual([]);
    expect(judgeDrawn(runOn({ x: 'undeclared' }), against, {})).toEqual([]);
  });

  test('has trouble where a case could not be run, though the plain carrier has it too', () => {
    const failed = {
      ...runOn(),
      cases: runOn().cases.map((one) => ({ ...one, verdict: 'error' as const, reason: 'ours' })),
    };
    const beside = { clean: judgeClean(suites, failed), suites };
    expect(judgeDrawn(failed, beside, {}).map(({ verdict }) => verdict)).toContain('error');
  });

  test('has trouble where the run had to stop', () =>
    expect(judgeDrawn({ ...runOn(), stopped: 'no port' }, against, {})).toMatchObject([
      { rule: '', verdict: 'error', why: 'the run had to stop: no port' },
    ]));
});

describe('the cause of a trouble', () => {
  test('is the smallest set of choices that brings it', async () => {
    const causes = await causesOf(proofOf(1, { x: 'bad', y: 'odd', z: 'odd' }));
    expect(causes).toMatchObject([
      { choices: { x: 'bad' }, rules: { 'A-1': 'fail' }, carriers: [1], again: true },
      { choices: { y: 'odd', z: 'odd' }, rules: { 'A-2': 'inconclusive' }, carriers: [1], again: true },
    ]);
  });

  test('is told once of all carriers that have it', async () => {
    const causes = await causesOf(
      proofOf(1, { x: 'bad' }),
      proofOf(2, { x: 'bad', y: 'odd' }),
      proofOf(3, { x: 'bad' }),
    );
    expect(causes).toHaveLength(1);
    expect(causes[0]?.carriers.toSorted()).toEqual([1, 2, 3]);
  });

  test('that is not seen again in its cases is told so, with all choices', async () => {
    const [trouble] = proofOf(1, { x: 'bad' }).troubles;
    const seenOnce = { ...proofOf(1, { y: 'odd' }), troubles: trouble === undefined ? [] : [trouble] };
    const [cause] = await causesOf(seenOnce);
    expect(cause).toMatchObject({ again: false, rules: { 'A-1': 'fail' }, choices: { y: 'odd', o1: 'other' } });
  });
});
