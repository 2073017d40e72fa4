import { describe, expect, it, test } from 'vitest';
import type { Result, RuleResult } from '../../model/result.ts';
import {
  buildCase,
  buildExchange,
  buildFinding,
  buildFooter,
  buildHeader,
  buildResult,
  buildRule,
  withVerdicts,
} from '../../testing/results/result.ts';
import { shippedSample } from '../../testing/results/shipped-sample.ts';
import { renderTerminal } from './render.ts';

const brief = (result: Result, width = 100): string =>
  renderTerminal(withVerdicts(result), { colour: false, width, detail: 'brief', file: 'out/result.json' });

const flags = ['--target', 'carrier.yaml'];
const ids = (count: number): readonly string[] => Array.from({ length: count }, (_, at) => `REQ-${101 + at}`);

/** A run in which each of these rules is broken by a case of its own. */
function brokenRun(rules: readonly string[], parts: Partial<RuleResult> = {}): Result {
  const level = parts.level ?? 'required';
  const cases = rules.map((rule) =>
    buildCase({
      id: `case-of-${rule.toLowerCase()}`,
      verdict: level === 'required' ? 'fail' : 'warn',
      findings: [buildFinding({ rule, level })],
      messages: [buildExchange()],
    }),
  );
  const verdict = level === 'required' ? 'fail' : 'warn';
  return buildResult({
    header: buildHeader({ flags }),
    footer: buildFooter({ outcome: level === 'required' ? 'not conformant' : 'conformant' }),
    cases,
    rules: rules.map((id) => buildRule({ id, verdict, ...parts })),
  });
}

const countLines = (text: string): number => text.trimEnd().split('\n').length;

describe('a run on one screen', () => {
  it('has at most ten lines where nothing is broken, and ends with the verdict, its part and the next command', () => {
    const text = brief(buildResult({ header: buildHeader({ flags }) }));
    expect(countLines(text)).toBeLessThanOrEqual(10);
    expect(text).toMatch(/\nConformant: exit code 0\n {2}[^\n]*required rules?[^\n]* judged, and none is broken/);
    expect(text).toMatch(/\n {2}next {7}carrierspec certify out\/result\.json --key KEY {2}[^\n]*\n$/);
  });

  it.each([1, 2, 3])('has at most 40 lines for %i broken rules, each with the command that shows it again', (count) => {
    const text = brief(brokenRun(ids(count)));
    expect(countLines(text)).toBeLessThanOrEqual(40);
    for (const id of ids(count)) expect(text).toContain(`run again  carrierspec run case-of-${id.toLowerCase()} `);
    expect(text).toMatch(/\nNot conformant: exit code 1\n/);
    expect(text).toContain('  next       carrierspec run --last-failed --target carrier.yaml --out out  ');
  });

  it('has a line for each further rule, and counts those beyond', () => {
    const text = brief(brokenRun(ids(30)));
    expect(countLines(text)).toBeLessThanOrEqual(60);
    expect(text.match(/run again/g)).toHaveLength(3);
    expect(text).toMatch(/\n {2}REQ-104 [^\n]*\n/);
    expect(text).toContain('and 14 more, with -v and in the reports');
  });

  it('names what is not followed, and never says conformant alone beside it', () => {
    const text = brief(brokenRun(ids(2), { level: 'recommended' }));
    expect(text).toMatch(
      /\nNot followed {2}2 rules\n {2}REQ-101 +A jti that [^\n]+\n +with jti: expected denied[^\n]+\n {2}REQ-102 /,
    );
    expect(text).toContain('\nConformant; 2 recommendations are not followed: exit code 0\n');
    expect(text).toContain(
      'carrierspec run --target carrier.yaml --profile strict  counts the rules that are not followed\n',
    );
  });

  it('names the aspect that is not followed, with its own level and sentence', () => {
    const finding = buildFinding({ aspect: 'near', level: 'recommended' });
    const text = brief(
      buildResult({
        cases: [buildCase({ verdict: 'warn', findings: [finding] })],
        rules: [
          buildRule({
            verdict: 'warn',
            standing: 'not followed',
            aspects: { 'REQ-015#near': 'A near miss is denied.' },
          }),
        ],
      }),
    );
    expect(text).toMatch(/\n {2}REQ-015#near {2}recommended: A near miss is denied\.\n +expected denied/);
  });

  it('groups what was not judged by cause, whatever the number of cases', () => {
    const reasons = ['needs a driver for deny', 'needs a driver for deny (4 cases)', 'no callback came (2 cases); x'];
    const rules = reasons.map((reason, at) => buildRule({ id: `REQ-10${at}`, verdict: 'not-run', reason }));
    const text = brief(buildResult({ header: buildHeader({ flags }), rules }));
    expect(text).toContain('\n    2  needs a driver for deny: REQ-100..101\n    1  no callback came: REQ-102\n');
  });

  it.each(['brief', 'quiet'] as const)('shows no control character of a stranger: %s', (detail) => {
    const odd = `\u001b[2J\u0007\u009b31m\r${'é'.repeat(3)}\u202e${'x'.repeat(2000)}`;
    const [id] = ids(1);
    const hostile = brokenRun(ids(1));
    const cases = [...hostile.cases].map((one) => ({
      ...one,
      title: odd,
      reason: odd,
      findings: one.findings.map((finding) => ({ ...finding, actual: odd, expected: odd })),
    }));
    const rules = [
      ...hostile.rules.map((rule) => ({ ...rule, description: odd })),
      buildRule({ id: 'REQ-200', verdict: 'not-run', reason: odd }),
    ];
    const result = withVerdicts({ ...hostile, cases, rules });
    const text = renderTerminal(result, { colour: true, width: 100, detail, file: odd });
    // oxlint-disable-next-line no-control-regex -- our own colours are all that may be there
    const plain = text.replaceAll(/\u001b\[\d+m/g, '');
    expect(plain).toContain(id);
    // oxlint-disable-next-line no-control-regex -- it is what must not be there
    expect(plain).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
    expect(countLines(plain)).toBeLessThanOrEqual(60);
  });

  it('says everything once', () => {
    const lines = brief(shippedSample).split('\n');
    const long = lines.filter((line) => line.trim().length > 12 && !/^ {2}(came back|sent) /.test(line));
    expect(long.filter((line, at) => long.indexOf(line) !== at)).toEqual([]);
  });

  test.each([60, 80, 120])('fits a terminal of %i cells, except commands', (width) => {
    const isCommand = (line: string): boolean => /^ {2}(run again|next) |: exit code \d+$/.test(line);
    const long = brief(shippedSample, width)
      .split('\n')
      .filter((line) => line.length > width && !isCommand(line));
    expect(long).toEqual([]);
  });
});
