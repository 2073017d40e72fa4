import { describe, expect, it } from 'vitest';
import type { CaseResult } from '../../model/result.ts';
import {
  buildCase,
  buildCutOffResult,
  buildExchange,
  buildFinding,
  buildFooter,
  buildInvariant,
  buildResult,
  buildRule,
} from '../../testing/results/result.ts';
import { sampleResult } from '../../testing/results/sample-result.ts';
import { countCells } from '../../lib/cells.ts';
import { renderTerminal } from './render.ts';

const plain = { colour: false, width: 80 };

describe('renderTerminal', () => {
  it('differs from the coloured report in nothing but colour', () => {
    const coloured = renderTerminal(sampleResult, { colour: true, width: 80 });
    // oxlint-disable-next-line no-control-regex -- the colours of a terminal are control characters
    expect(coloured.replace(/\u001b\[\d+m/g, '')).toBe(renderTerminal(sampleResult, plain));
    expect(coloured).toContain('\u001b[31m');
  });

  it.each([80, 120])('keeps to %i columns', (width) => {
    const lines = renderTerminal(sampleResult, { colour: false, width }).split('\n');
    expect(lines.filter((line) => countCells(line) > width)).toEqual([]);
  });

  it('is calm when everything passed', () => {
    expect(renderTerminal(buildResult(), plain)).toBe(`carrierspec 0.1.0  run 20260101-000000-5f3a

  interface  server-initiated 1.0
  target     Staging carrier (carrier.yaml)
  issuer     https://op.carrier.test
  clock      real: every wait lasted as long as the rule says
  suites     rules 3f2a91c0d4e5, suites 77ab10ffe2c3
  program    a7a7a7a7a7a7
  selection  everything
  profile    hardened: the interface and the whole baseline count for the
             outcome
  started    2026-01-01T00:00:00.000Z

Rules by area  conforming/judged of applicable
                    required            recommended         informational
  server-initiated  1/1 of 1            -                   -
  all areas         1/1 of 1            -                   -

Conformant: 1 of 1 required rules was judged, and none is broken (1 rule: 1
pass).
  scope      profile hardened
  score      1/1 of 1 required rules
  took       4 min 31 s of wall time, 2 exchanges, 0 deliveries

Conformant: exit code 0
`);
  });

  it('says that a run was cut off, and gives it no outcome and no score', () => {
    const text = renderTerminal(buildCutOffResult(), plain);
    expect(text).toContain(
      'Cut off: the run did not reach its end, so it has no outcome and no score. 1\nrule: 1 pass.\n',
    );
    expect(text).not.toMatch(/conformant|conforming/i);
  });
});

describe('failures', () => {
  const broken = (index: number): CaseResult =>
    buildCase({
      id: `matrix/row-${index}`,
      verdict: 'fail',
      findings: [buildFinding(), buildFinding({ rule: 'REQ-009', level: 'recommended' })],
      messages: [buildExchange()],
    });

  const commands = (text: string): number =>
    [...text.matchAll(/run again {2}carrierspec run matrix\/row-\d+\n/g)].length;

  it('shows a finding once, with the cases that say the same', () => {
    const rules = [buildRule({ verdict: 'fail' }), buildRule({ id: 'REQ-009', level: 'recommended', verdict: 'warn' })];
    const result = buildResult({ rules, cases: Array.from({ length: 60 }, (_, index) => broken(index)) });
    const usual = renderTerminal(result, { colour: false, width: 120 });
    expect(commands(usual)).toBe(2);
    expect(usual).toContain('Failures  1 rule broken, 60 findings\n');
    expect(usual).toMatch(/ {4}and in 59 more cases: matrix\/row-1, matrix\/row-2,[^\n]*row-5 and 54 more\n/);
  });

  it('names a case once, however often it found the same', () => {
    const often = (id: string) => buildCase({ id, verdict: 'fail', findings: [1, 2, 3].map(() => buildFinding()) });
    const result = buildResult({ cases: [often('first'), often('second')] });
    const text = renderTerminal(result, { colour: false, width: 120 });
    expect(text).toContain('    and in 1 more case: second\n');
    expect(renderTerminal(buildResult({ cases: [often('first')] }), { colour: false, width: 120 })).not.toContain(
      'and in',
    );
  });

  it('is the outcome and the broken rules where it is quiet', () => {
    const rules = [buildRule({ verdict: 'fail' }), buildRule({ id: 'REQ-009', level: 'recommended', verdict: 'warn' })];
    const result = buildResult({ rules, cases: [broken(1)], footer: buildFooter({ outcome: 'not conformant' }) });
    expect(renderTerminal(result, { ...plain, detail: 'quiet' })).toBe(`Broken rules  1
  REQ-015  with jti, row 1: expected denied, got accepted 200             1 case
  and 1 rule not followed, as warnings

Not conformant: exit code 1
  1 required rule is broken.
  scope      profile hardened
  next       carrierspec run --last-failed  runs the cases without a pass again
`);
  });

  it('does not lose a failure that kept no finding', () => {
    const text = renderTerminal(buildResult({ cases: [buildCase({ verdict: 'fail' })] }), plain);
    expect(text).toContain(
      'Fail  1: a required rule was broken\n  it failed, but no finding was kept\n    1 case: jti-repeated\n',
    );
  });

  it('tells what a case found before its condition was unmet, where it decides its rule', () => {
    const findings = [buildFinding({ level: 'recommended' }), buildFinding({ rule: 'REQ-016', level: 'recommended' })];
    const cases = [buildCase({ verdict: 'inconclusive', reason: 'the control was refused', findings })];
    const rules = [
      buildRule({ level: 'recommended', verdict: 'warn' }),
      buildRule({ id: 'REQ-016', verdict: 'inconclusive' }),
    ];
    const text = renderTerminal(buildResult({ cases, rules }), plain);
    expect(text).toContain('Warnings  1 rule not followed, no outcome changed\n\nREQ-015 ');
    expect(text).not.toContain('REQ-016 recommended');
    expect(text).toContain('  the control was refused\n    1 case: jti-repeated\n');
  });

  it('shows an invariant without the case where the case is not in the result', () => {
    const finding = buildFinding({ rule: 'RSP-003', seenIn: 'gone' });
    const invariants = [buildInvariant({ verdict: 'fail', violations: 1, judged: 1, findings: [finding, finding] })];
    const text = renderTerminal(buildResult({ invariants }), plain);
    expect(text).toContain('  violated   1 of 1 accepted response\n  first in   gone\n  expected   denied');
    expect(text.match(/violated/g)).toHaveLength(1);
  });

  it('groups what was not judged by reason, ids folded', () => {
    const unjudged = ['UI-001', 'UI-002', 'UI-003'].map((id) =>
      buildRule({ id, verdict: 'not-run', reason: 'no ial' }),
    );
    const rules = [...unjudged, buildRule({ id: 'EVT-001', verdict: 'not-applicable', reason: 'no events' })];
    const cases = [buildCase({ id: 'ial', verdict: 'not-run', reason: 'no ial' })];
    expect(renderTerminal(buildResult({ rules, cases }), plain)).toContain(`
Not judged  4 rules
  not-run: no ial
    3 rules, 1 case: UI-001..003
  not-applicable: no events
    1 rule: EVT-001
`);
  });

  it('names a rule whose other cases passed: half a rule is no rule', () => {
    const reason = 'the target has no driver for deny';
    const rules = [
      buildRule({ id: 'REQ-015', verdict: 'inconclusive', reason }),
      buildRule({ id: 'CB-002', verdict: 'error', reason: 'the receiver is gone' }),
      buildRule({ id: 'CB-003', verdict: 'attested', reason: 'somebody has seen it' }),
    ];
    const cases = [buildCase({ id: 'half', verdict: 'not-run', reason }), buildCase({ id: 'other-half' })];
    expect(renderTerminal(buildResult({ rules, cases }), plain)).toContain(`
Not judged  2 rules
  error: the receiver is gone
    1 rule: CB-002
  inconclusive: the target has no driver for deny
    1 rule: REQ-015
  not-run: the target has no driver for deny
    1 case: half

`);
  });

  it('leaves out no rule without a verdict, however many there are', () => {
    const ids = Array.from({ length: 20 }, (_, index) => `REQ-${String(2 * index + 1).padStart(3, '0')}`);
    const rules = ids.map((id) => buildRule({ id, verdict: 'inconclusive', reason: 'no callback came' }));
    const cases = ids.map((id) => buildCase({ id, verdict: 'not-run', reason: 'no phone' }));
    const text = renderTerminal(buildResult({ rules, cases }), plain).replaceAll(/\s+/g, ' ');
    expect(text).toContain(` inconclusive: no callback came 20 rules: ${ids.join(', ')} not-run: no phone `);
    expect(text).toContain(` 20 cases: ${ids.slice(0, 12).join(', ')} and 8 more `);
  });
});
