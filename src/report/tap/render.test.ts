import { Parser } from 'tap-parser';
import { describe, expect, it } from 'vitest';
import {
  buildCase,
  buildCutOffResult,
  buildFinding,
  buildFooter,
  buildResult,
  caseVerdicts,
} from '../../testing/result.ts';
import { sampleResult } from '../../testing/sample-result.ts';
import { renderTap } from './render.ts';

const textOf = (...result: Parameters<typeof renderTap>): string => [...renderTap(...result)].join('');

/** The assertions as a parser sees them, and its last word. */
function parse(text: string) {
  const parser = new Parser({ strict: true });
  const tests: unknown[] = [];
  parser.on('assert', (test: unknown) => tests.push(test));
  parser.end(text);
  return { tests, results: parser.results };
}

describe('renderTap', () => {
  it('is TAP 14 that a strict parser takes, with its plan', () => {
    const { results } = parse(textOf(sampleResult));
    expect(results).toMatchObject({ ok: false, count: 11, pass: 8, fail: 3, skip: 4, todo: 0, bailout: false });
    expect(results?.plan).toMatchObject({ start: 1, end: 11 });
  });

  it('is ok for what passed or was not run, never for what is inconclusive', () => {
    const cases = caseVerdicts.map((verdict) =>
      buildCase({ id: verdict, verdict, reason: 'why', findings: [buildFinding()] }),
    );
    const { tests } = parse(textOf(buildResult({ cases, footer: buildFooter({ outcome: 'not conformant' }) })));
    expect(tests).toMatchObject([
      { ok: true },
      { ok: true },
      { ok: true },
      { ok: false },
      { ok: false },
      { ok: false },
      { ok: true, skip: 'not-applicable: why' },
      { ok: true, skip: 'not-run: why' },
    ]);
  });

  it('has verdict, rules, place and evidence as YAML', () => {
    const { tests } = parse(
      textOf(buildResult({ cases: [buildCase({ verdict: 'fail', findings: [buildFinding()] })] })),
    );
    expect(tests).toMatchObject([
      {
        name: 'jti-repeated: A repeated jti is denied within 5 minutes',
        diag: {
          verdict: 'fail',
          rules: 'REQ-015',
          at: 'suites/server-initiated/replay.suite.yaml:12:9',
          message: 'REQ-015: expected denied, got accepted 200',
          evidence: [
            'rule: REQ-015',
            'clause: §2.3 jti',
            'level: required',
            'statement: A jti that is repeated within 5 minutes is denied.',
            'expected: denied (a 4xx response, and nothing comes of the request)',
            'actual: accepted 200',
            'where: suites/server-initiated/replay.suite.yaml:21:9',
            'run again: carrierspec run jti-repeated',
          ],
        },
      },
    ]);
  });

  it('tells warnings of what passed', () => {
    const { tests } = parse(
      textOf(
        buildResult({ cases: [buildCase({ verdict: 'warn', findings: [buildFinding({ level: 'recommended' })] })] }),
      ),
    );
    expect(tests).toMatchObject([
      { ok: true, diag: { warnings: ['warning=REQ-015: expected denied, got accepted 200'] } },
    ]);
  });

  it('fails where the run was cut off', () => {
    const { tests, results } = parse(textOf(buildCutOffResult()));
    expect(results?.ok).toBe(false);
    expect(tests).toMatchObject([{ ok: true }, { ok: false, name: 'The run is complete' }]);
  });
});
