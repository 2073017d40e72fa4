import { describe, expect, it } from 'vitest';
import { parseWorkflowCommand, type WorkflowCommand } from '../../testing/results/report-parsers.ts';
import {
  buildCase,
  buildCutOffResult,
  buildFinding,
  buildFooter,
  buildResult,
  buildRule,
} from '../../testing/results/result.ts';
import { sampleResult } from '../../testing/results/sample-result.ts';
import type { Result } from '../../model/result.ts';
import { renderAnnotations } from './render.ts';

const linesOf = (result: Result): readonly string[] => [...renderAnnotations(result)].join('').split('\n').slice(0, -1);

const commandsOf = (result: Result): readonly (WorkflowCommand | undefined)[] =>
  linesOf(result).map(parseWorkflowCommand);

const inShort = (result: Result): readonly (readonly [string | undefined, string | undefined])[] =>
  commandsOf(result).map((command) => [command?.command, command?.properties['title']]);

describe('renderAnnotations', () => {
  it('has an error for a required rule, a warning for a recommended one, a notice for what was not judged', () => {
    expect(inShort(sampleResult)).toEqual([
      ['error', 'carrierspec: Staging carrier'],
      ['error', 'REQ-015 (jti-repeated)'],
      ['error', 'RSP-003 (auth-req-id-shape)'],
      ['warning', 'carrierspec: Staging carrier'],
      ['warning', 'REQ-009 (iat-too-old/5m30s-old)'],
      ['warning', 'REQ-009 (iat-too-old/day-old)'],
      ['notice', 'denial-code'],
    ]);
  });

  it('has the headline alone where everything passed', () => {
    expect(linesOf(buildResult())).toEqual([
      '::notice title=carrierspec%3A Staging carrier::Conformant (profile hardened)',
    ]);
  });

  it('shows ten of a kind, one of each rule first, and says how many there are', () => {
    const ids = ['REQ-001', ...Array.from({ length: 5 }, (_, index) => `REQ-0${index + 35}`)];
    const cases = Array.from({ length: 40 }, (_, index) =>
      buildCase({
        id: `case-${index}`,
        verdict: 'fail',
        findings: [buildFinding({ rule: index < 35 ? 'REQ-001' : `REQ-0${index}` })],
      }),
    );
    const [total, ...rest] = commandsOf(
      buildResult({
        cases,
        rules: ids.map((id) => buildRule({ id, verdict: 'fail' })),
        footer: buildFooter({ outcome: 'not conformant' }),
      }),
    );
    expect(total?.message).toBe(
      '6 required rules broken, 40 findings: REQ-001, REQ-035..039\n9 of them are annotated; the reports have all',
    );
    expect(rest.map((command) => command?.properties['title']?.split(' ')[0])).toEqual([
      'REQ-001',
      'REQ-035',
      'REQ-036',
      'REQ-037',
      'REQ-038',
      'REQ-039',
      'REQ-001',
      'REQ-001',
      'REQ-001',
    ]);
  });

  it('says that a run is incomplete or was cut off', () => {
    const footer = buildFooter({ outcome: 'incomplete', interrupted: true, reasons: ['1 rule is inconclusive'] });
    expect(commandsOf(buildResult({ footer }))).toEqual([
      {
        command: 'error',
        properties: { title: 'carrierspec: Staging carrier' },
        message:
          'incomplete (profile hardened): no required rule was found broken, but not everything selected was judged\nthe run was interrupted\n1 rule is inconclusive',
      },
    ]);
    expect(commandsOf(buildCutOffResult())[0]?.message).toBe(
      'cut off: the run did not reach its end, so it has no outcome',
    );
  });
});
