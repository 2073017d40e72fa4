import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { expect } from 'vitest';
import { readResult } from '../../journal/read-result.ts';
import type { Json } from '../../lib/json.ts';
import type { Finding } from '../../model/finding.ts';
import type { Result } from '../../model/result.ts';
import { renderRuleRef } from '../../model/rule.ts';
import { hideRandom } from './random-values.ts';
import { root } from './spawn-cli.ts';

const said = (value: Json): string => hideRandom(typeof value === 'string' ? value : JSON.stringify(value));

/** The number of retries in a window depends on the machine. */
const isCount = ({ code, actual }: Finding): boolean => code === 'count' && typeof actual === 'number' && actual > 1;

/** Which subscriber a case gets, and whether that one's SIM is new by then, depends on the order of the cases. */
const hideSubscriber = (text: string): string =>
  text
    .replace(/(of another kind) of \w+$/, '$1 of SUBSCRIBER')
    .replace(/(expected no tenure, .*); came (?:true|false)$/, '$1; came a tenure');

/** A median of moments depends on what else the machine does. */
const isOfTheMachine = ({ path }: Finding): boolean => path === 'latency';

const findingLine = (finding: Finding): string =>
  [
    `  ${renderRuleRef(finding)} ${finding.code}`,
    finding.path,
    finding.step === undefined ? undefined : `at ${finding.step}`,
    `expected ${said(finding.expected)}; came ${said(isCount(finding) ? 'several' : finding.actual)}`,
  ]
    .filter((part) => part !== undefined)
    .join(' ');

/** Each kind of finding once, because the number of messages that show it may differ between runs. */
const findingLines = (findings: readonly Finding[]): readonly string[] => [
  ...new Set(findings.filter((one) => !isOfTheMachine(one)).map((one) => hideSubscriber(findingLine(one)))),
];

const line = (...parts: readonly (string | undefined)[]): string =>
  parts.filter((part) => part !== undefined && part !== '').join(' ');

function resultLines({ cases, invariants, rules, footer }: Result): readonly string[] {
  return [
    line('outcome', footer?.outcome, ...(footer?.reasons ?? []).map(hideRandom)),
    ...[...cases].flatMap(({ id, verdict, reason, findings }) => [
      line('case', id, verdict, hideRandom(reason ?? '')),
      ...findingLines(findings).map((found) => `case ${id}${found}`),
    ]),
    ...invariants.flatMap(({ id, verdict, reason, findings }) => [
      line('invariant', id, verdict, hideRandom(reason ?? '')),
      ...findingLines(findings).map((found) => `invariant ${id}${found}`),
    ]),
    ...rules.map(({ id, verdict, reason, followsFrom }) =>
      line('rule', id, verdict, hideRandom(reason ?? ''), followsFrom && `follows from ${followsFrom}`),
    ),
  ];
}

/** Lines of a run: outcome, then cases, invariants and rules with their findings; without times and random values. */
export const goldenLines = (resultFile: string): readonly string[] => resultLines(readResult(resultFile).result);

/** Lines that differ between two runs, the plain run's first: `- case a pass`, `+ case a fail`. */
export function compareLines(lines: readonly string[], plain: readonly string[]): readonly string[] {
  const [own, usual] = [new Set(lines), new Set(plain)];
  return [
    ...plain.filter((one) => !own.has(one)).map((one) => `- ${one}`),
    ...lines.filter((one) => !usual.has(one)).map((one) => `+ ${one}`),
  ];
}

/** WRITE_GOLDEN=1 rewrites the files, to be reviewed and committed. */
const isWriting = process.env['WRITE_GOLDEN'] === '1';

/** Expects the lines of `fixtures/golden/NAME.txt`. */
export function expectGolden(name: string, lines: readonly string[]): void {
  const file = join(root, 'fixtures/golden', `${name}.txt`);
  const text = `${lines.join('\n')}\n`;
  if (isWriting) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  expect(text.split('\n')).toEqual(readFileSync(file, 'utf8').split('\n'));
}
