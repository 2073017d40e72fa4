import { XMLParser } from 'fast-xml-parser';
import { describe, expect, test } from 'vitest';
import { isJsonObject } from '../lib/json.ts';
import { type formats, isFormatName } from '../report/formats.ts';
import { expectedEntry, renderOneReport, runNamedCases, type EndedRunSetting } from '../testing/results/ended-run.ts';
import {
  ctrfMistakes,
  markdownTokens,
  parseWorkflowCommand,
  sarifMistakes,
} from '../testing/results/report-parsers.ts';
import { runExitCode } from './exit-codes.ts';

const xml = new XMLParser({ ignoreAttributes: false, isArray: (name) => name === 'testsuite' || name === 'testcase' });
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const memberOf = (value: unknown, name: string): unknown => (isJsonObject(value) ? value[name] : undefined);

function isRedJunit(text: string): boolean {
  const suites = listOf(memberOf(memberOf(xml.parse(text), 'testsuites'), 'testsuite'));
  const tests = suites.flatMap((suite) => listOf(memberOf(suite, 'testcase')));
  if (tests.length === 0) throw new Error('there is no testcase');
  return tests.some((one) => isJsonObject(one) && ('failure' in one || 'error' in one));
}

function isRedCtrf(text: string): boolean {
  const document: unknown = JSON.parse(text);
  expect(ctrfMistakes(document)).toEqual([]);
  return memberOf(memberOf(memberOf(document, 'results'), 'summary'), 'failed') !== 0;
}

/** True if an unsuppressed error is left. The exit code is in the invocation. */
function isRedSarif(text: string): boolean {
  const document: unknown = JSON.parse(text);
  expect(sarifMistakes(document)).toEqual([]);
  const [run] = listOf(memberOf(document, 'runs'));
  const isRed = listOf(memberOf(run, 'results')).some(
    (one) => memberOf(one, 'level') === 'error' && memberOf(one, 'suppressions') === undefined,
  );
  expect(memberOf(listOf(memberOf(run, 'invocations'))[0], 'exitCode') !== 0).toBe(isRed);
  return isRed;
}

const isRedAnnotations = (text: string): boolean =>
  text.split('\n').some((line) => parseWorkflowCommand(line)?.command === 'error');

function isRedMarkdown(text: string): boolean {
  const sign = /^(\S+) carrierspec: /.exec(
    markdownTokens(text).find(({ content }) => content !== '')?.content ?? '',
  )?.[1];
  if (sign === undefined) throw new Error('the head has no sign');
  return sign === '❌';
}

function isRedHtml(text: string): boolean {
  const tone = /<header class="first o-(good|expected|none|bad|open)"/.exec(text)?.[1];
  if (tone === undefined) throw new Error('the first screen has no tone');
  return tone === 'bad' || tone === 'open';
}

/** The last line on the terminal names the code. */
const isRedTerminal = (text: string): boolean => !text.endsWith(': exit code 0\n');

const readers = {
  junit: isRedJunit,
  ctrf: isRedCtrf,
  sarif: isRedSarif,
  annotations: isRedAnnotations,
  markdown: isRedMarkdown,
  html: isRedHtml,
  terminal: isRedTerminal,
} as const satisfies Partial<Record<keyof typeof formats, (text: string) => boolean>>;

const ofBroken = [expectedEntry('rule', 'REQ-002')];
const stale = [expectedEntry('rule', 'REQ-001')];

/** Combined states of a run, its settings and its exit code. */
const combinations: readonly (readonly [names: string, code: number, setting?: EndedRunSetting])[] = [
  ['clean', 0],
  ['clean, apart', 0],
  ['clean, apart and unmet', 0],
  ['clean, not selected', 1],
  ['clean, broken', 1],
  ['clean, broken', 0, { expected: ofBroken }],
  ['clean, broken', 0, { expected: [expectedEntry('case', 'broken')] }],
  ['clean, broken, apart and unmet', 0, { expected: ofBroken }],
  ['clean, broken, other', 1, { expected: ofBroken }],
  ['clean, other, again', 1, { expected: [expectedEntry('case', 'other')] }],
  [
    'clean, other, again',
    1,
    { expected: [expectedEntry('case', 'other'), expectedEntry('case', 'again', '2026-01-31')] },
  ],
  ['clean, both', 0, { expected: [expectedEntry('rule', 'REQ-003')] }],
  ['clean', 1, { expected: stale }],
  ['clean, broken', 1, { expected: stale }],
  ['clean, broken', 1, { expected: [...ofBroken, ...stale] }],
  ['clean, broken', 1, { expected: [expectedEntry('rule', 'REQ-002', '2026-01-31')] }],
  ['clean, incomplete', 4],
  ['clean, broken, incomplete', 1],
  ['clean, broken, incomplete', 4, { expected: ofBroken }],
  ['clean, broken, incomplete', 1, { expected: [...ofBroken, ...stale] }],
  ['clean, incomplete', 1, { expected: stale }],
  ['clean', 130, { interrupted: true }],
  ['clean, broken', 130, { interrupted: true, expected: [...ofBroken, ...stale] }],
];

describe('every report and the last line of the terminal are red exactly where the exit code is not 0', () => {
  test.each(combinations.map(([names, code, setting = {}]) => ({ names, code, setting })))(
    '$names: $code, $setting',
    async ({ names, code, setting }) => {
      const result = await runNamedCases(names.split(', '), setting);
      expect(runExitCode(result)).toBe(code);
      const red: Record<string, boolean> = {};
      for (const [format, isRed] of Object.entries(readers)) {
        if (isFormatName(format)) red[format] = isRed(await renderOneReport(format, result));
      }
      expect(red).toEqual(Object.fromEntries(Object.keys(readers).map((format) => [format, code !== 0])));
      expect(await renderOneReport('terminal', result)).toMatch(new RegExp(`: exit code ${code}\\n$`));
    },
  );
});

test('a run that was cut off is red in all of them', async () => {
  const { footer: _, ...result } = await runNamedCases(['clean'], {});
  expect(runExitCode({})).toBe(130);
  for (const [format, isRed] of Object.entries(readers)) {
    if (isFormatName(format))
      expect({ format, red: isRed(await renderOneReport(format, result)) }).toEqual({ format, red: true });
  }
});
