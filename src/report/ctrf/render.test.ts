import { describe, expect, it } from 'vitest';
import { ctrfMistakes } from '../../testing/results/report-parsers.ts';
import {
  buildCase,
  buildCutOffResult,
  buildFinding,
  buildFooter,
  buildHeader,
  buildInvariant,
  buildResult,
  buildRule,
  caseVerdicts,
} from '../../testing/results/result.ts';
import { sampleResult } from '../../testing/results/sample-result.ts';
import { renderCtrf } from './render.ts';

const parse = (...result: Parameters<typeof renderCtrf>): unknown => JSON.parse([...renderCtrf(...result)].join(''));

const everyVerdict = buildResult({
  cases: caseVerdicts.map((verdict) => buildCase({ id: verdict, verdict, findings: [buildFinding()] })),
  invariants: caseVerdicts.map((verdict) => buildInvariant({ id: `invariant-${verdict}`, verdict })),
});

describe('renderCtrf', () => {
  it.each([
    ['the sample', sampleResult],
    ['every verdict', everyVerdict],
    ['an empty result', buildResult({ cases: [], rules: [] })],
    ['a result that was cut off', buildCutOffResult()],
  ])('fits the schema of CTRF: %s', (_, result) => {
    expect(ctrfMistakes(parse(result))).toEqual([]);
  });

  it('would be told if it did not', () => {
    expect(ctrfMistakes({ reportFormat: 'CTRF', specVersion: '0.0.0', results: {} })).not.toEqual([]);
  });

  it('has a status for every verdict, and ours beside it', () => {
    expect(
      parse(
        buildResult({
          cases: everyVerdict.cases,
          rules: [buildRule({ verdict: 'inconclusive' })],
          footer: buildFooter({ outcome: 'not conformant' }),
        }),
      ),
    ).toMatchObject({
      results: {
        tests: [
          { status: 'passed', rawStatus: 'pass' },
          { status: 'passed', rawStatus: 'informational' },
          { status: 'passed', rawStatus: 'warn' },
          { status: 'other', rawStatus: 'inconclusive' },
          { status: 'other', rawStatus: 'error' },
          { status: 'failed', rawStatus: 'fail' },
          { status: 'skipped', rawStatus: 'not-applicable' },
          { status: 'skipped', rawStatus: 'not-run' },
        ],
        summary: { tests: 8, passed: 3, failed: 1, skipped: 2, pending: 0, other: 2 },
      },
    });
  });

  it('fails one test where the run was cut off, so that incomplete is never green', () => {
    expect(parse(buildCutOffResult())).toMatchObject({
      results: { summary: { passed: 1, failed: 1, extra: { outcome: 'none: the run was cut off' } } },
    });
  });

  it('takes a time that is none for the epoch', () => {
    const header = buildHeader({ startedAt: '2026-99-99T00:00:00Z' });
    expect(parse(buildResult({ header }))).toMatchObject({ results: { summary: { start: 0 } } });
  });
});
