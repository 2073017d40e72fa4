import { describe, expect, it } from 'vitest';
import { isJsonObject, type JsonObject, parseJson, renderPlain } from '../../lib/json.ts';
import type { Result } from '../../model/result.ts';
import { poisonResult } from '../../testing/carriers/hostile.ts';
import { sarifMistakes } from '../../testing/results/report-parsers.ts';
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
import { shippedSample } from '../../testing/results/shipped-sample.ts';
import { renderSarif } from './render.ts';

const textOf = (result: Result): string => [...renderSarif(result)].join('');

const objects = (value: unknown): readonly JsonObject[] => (Array.isArray(value) ? value.filter(isJsonObject) : []);

/** The only run of the file. */
function runOf(result: Result): JsonObject {
  const document = parseJson(textOf(result));
  const [run, ...more] = objects(isJsonObject(document) ? document['runs'] : undefined);
  if (run === undefined || more.length > 0) throw new Error('a file has one run');
  return run;
}

const resultsOf = (result: Result): readonly JsonObject[] => objects(runOf(result)['results']);
const invocationOf = (result: Result): JsonObject => objects(runOf(result)['invocations'])[0] ?? {};

const everyVerdict = buildResult({
  cases: caseVerdicts.map((verdict) => buildCase({ id: verdict, verdict, findings: [buildFinding()] })),
  invariants: caseVerdicts.map((verdict) => buildInvariant({ id: `invariant-${verdict}`, verdict })),
  rules: caseVerdicts.map((verdict, index) => buildRule({ id: `REQ-01${index}`, verdict })),
});

const failed = (parts: Partial<Parameters<typeof buildFinding>[0]> = {}): Result =>
  buildResult({
    cases: [buildCase({ verdict: parts.level === undefined ? 'fail' : 'warn', findings: [buildFinding(parts)] })],
    rules: [buildRule({ verdict: 'fail', interpretation: 'A1. So.' })],
    footer: buildFooter({ outcome: 'not conformant' }),
  });

describe('renderSarif', () => {
  it.each([
    ['the sample', sampleResult],
    ['a real run', shippedSample],
    ['every verdict', everyVerdict],
    ['an empty result', buildResult({ cases: [], rules: [] })],
    ['a result that was cut off', buildCutOffResult()],
    [
      'times and files that nothing can hold',
      buildResult({ header: buildHeader({ startedAt: '2026-99-99T00:00:00Z' }) }),
    ],
  ])('fits the schema of SARIF 2.1.0: %s', (_, result) => {
    expect(sarifMistakes(parseJson(textOf(result)))).toEqual([]);
  });

  it('would be told if it did not', () => {
    expect(sarifMistakes({ version: '2.1.0', runs: [{ tool: { driver: {} } }] })).not.toEqual([]);
    expect(
      sarifMistakes({ version: '2.1.0', runs: [{ tool: { driver: { name: 'x', informationUri: 'a b' } } }] }),
    ).not.toEqual([]);
  });

  it('describes everything as far as code scanning requires it', () => {
    const { tool } = runOf(sampleResult);
    const driver = isJsonObject(tool) ? tool['driver'] : undefined;
    const described = isJsonObject(driver) ? [driver['rules'], driver['notifications']].flatMap(objects) : [];
    expect(described.length).toBeGreaterThan(10);
    const given = { text: expect.stringMatching(/^.{1,1024}$/) as unknown };
    for (const one of described)
      expect(one).toMatchObject({ shortDescription: given, fullDescription: given, help: given });
  });

  it('leads to no file outside of the sources', () => {
    const position = { file: '../..\\..\\../etc/passwd', line: 1, column: 1 };
    const [{ locations = [] } = {}] = resultsOf(failed({ position }));
    expect(JSON.stringify(locations)).toContain('"uri":"etc/passwd","uriBaseId":"%SRCROOT%"');
  });

  it('has the errors first, and an invariant once for each rule', () => {
    expect(resultsOf(sampleResult).map(({ level, ruleId }) => [level, ruleId])).toEqual([
      ['error', 'run-is-complete'],
      ['error', 'REQ-015'],
      ['error', 'RSP-003'],
      ['warning', 'REQ-009'],
      ['warning', 'REQ-009'],
    ]);
  });

  it.each<[string, Result, readonly (readonly [unknown, unknown])[]]>([
    ['what is recommended', failed({ level: 'recommended' }), [['warning', 'REQ-015']]],
    ['what is informational', failed({ level: 'informational' }), [['note', 'REQ-015']]],
    ['what was seen in one of two tries', failed({ unstable: true }), [['warning', 'REQ-015']]],
  ])('has as level that of the finding: %s', (_, result, levels) => {
    expect(
      resultsOf(result).flatMap(({ level, ruleId }) => (ruleId === 'REQ-015' ? [[level, ruleId]] : [])),
    ).toContainEqual(levels[0]);
  });

  it('keeps what failed without a finding', () => {
    const result = buildResult({
      cases: [buildCase({ verdict: 'fail' })],
      footer: buildFooter({ outcome: 'not conformant' }),
    });
    expect(resultsOf(result)).toMatchObject([
      { ruleId: 'REQ-015', level: 'error', message: { text: /it failed, but no finding was kept/ } },
    ]);
  });

  it('says of a rule without a verdict that it was not judged, and makes no result of it', () => {
    expect(
      resultsOf(everyVerdict)
        .map(({ locations }) => JSON.stringify(locations))
        .join(''),
    ).not.toMatch(/not-/);
    const notifications = objects(invocationOf(everyVerdict)['toolExecutionNotifications']);
    expect(
      notifications.map(({ associatedRule, level }) => [
        isJsonObject(associatedRule) ? associatedRule['id'] : '',
        level,
      ]),
    ).toEqual([
      ['', 'note'],
      ['REQ-013', 'warning'],
      ['REQ-014', 'warning'],
      ['REQ-016', 'warning'],
      ['REQ-017', 'warning'],
    ]);
  });

  it.each([
    ['a run that ended', failed(), { executionSuccessful: true, exitCode: 1 }],
    ['a conformant run', buildResult(), { executionSuccessful: true, exitCode: 0 }],
    [
      'an incomplete run',
      buildResult({ footer: buildFooter({ outcome: 'incomplete' }) }),
      { executionSuccessful: false, exitCode: 4 },
    ],
    ['a run that was cut off', buildCutOffResult(), { executionSuccessful: false, exitCode: 130 }],
  ])('has the exit code, and whether it came to its end: %s', (_, result, expected) => {
    expect(invocationOf(result)).toMatchObject(expected);
  });
});

const fingerprintsOf = (result: Result): readonly unknown[] =>
  resultsOf(result).map(({ partialFingerprints }) =>
    isJsonObject(partialFingerprints) ? partialFingerprints['primaryLocationLineHash'] : undefined,
  );

describe('a fingerprint', () => {
  it('is that of the next run, whatever came and wherever the case has moved to', () => {
    const position = { file: 'suites/server-initiated/replay.suite.yaml', line: 99, column: 1 };
    expect(fingerprintsOf(failed({ actual: 'accepted 201', position, message: 'x9' }))).toEqual(
      fingerprintsOf(failed()),
    );
  });

  it.each([
    { rule: 'REQ-016' },
    { aspect: 'far' },
    { code: 'status' },
    { step: 'other' },
    { path: 'body.state' },
  ] as const)('is another of another finding: %o', (parts) => {
    expect(fingerprintsOf(failed(parts))).not.toEqual(fingerprintsOf(failed()));
  });

  it('counts those that are alike', () => {
    const twice = buildResult({ cases: [buildCase({ verdict: 'fail', findings: [buildFinding(), buildFinding()] })] });
    const [one, other] = fingerprintsOf(twice);
    expect(other).toBe(String(one).replace(/:1$/, ':2'));
  });
});

describe('the file', () => {
  it('has no link and no placeholder of a carrier', () => {
    const [text] = resultsOf(poisonResult(failed(), ' [here](https://evil.test) {0} {"a":1}')).map(({ message }) =>
      isJsonObject(message) ? renderPlain(message['text']) : '',
    );
    expect(text).toContain(' [here] (https://evil.test) {{0}} {"a":1}');
    expect(text).not.toContain('](');
  });

  it.each([
    ['own suites/ä#1.suite.yaml', { uri: 'own%20suites/%C3%A4%231.suite.yaml', uriBaseId: '%SRCROOT%' }],
    ['own\\own.suite.yaml', { uri: 'own/own.suite.yaml', uriBaseId: '%SRCROOT%' }],
    ['/srv/own.suite.yaml', { uri: 'file:///srv/own.suite.yaml' }],
    ['\ud800', { uri: '%EF%BF%BD', uriBaseId: '%SRCROOT%' }],
  ])('names files by URLs: %s', (file, artifactLocation) => {
    const result = failed({ position: { file, line: 0, column: 0 } });
    expect(sarifMistakes(parseJson(textOf(result)))).toEqual([]);
    expect(resultsOf(result)).toMatchObject([
      { locations: [{ physicalLocation: { artifactLocation, region: { startLine: 1, startColumn: 1 } } }] },
    ]);
  });

  it('has at most 25,000 results and 10 MB, the errors among them, and says how many found no room', () => {
    const actual = 'x'.repeat(300);
    const finding = (level: 'required' | 'recommended') => buildFinding({ level, actual });
    const cases = Array.from({ length: 30_000 }, (_, index) =>
      index % 10 === 9
        ? buildCase({ id: `case-${index}`, verdict: 'fail', findings: [finding('required')] })
        : buildCase({ id: `case-${index}`, verdict: 'warn', findings: [finding('recommended')] }),
    );
    const result = buildResult({ cases, rules: [buildRule({ verdict: 'fail' })] });
    const text = textOf(result);
    expect(Buffer.byteLength(text)).toBeLessThan(10_000_000);
    expect(Buffer.byteLength(text)).toBeGreaterThan(9_000_000);
    const levels = resultsOf(result).map(({ level }) => level);
    expect(levels.length).toBeLessThanOrEqual(25_000);
    expect(levels.filter((level) => level === 'error')).toHaveLength(3000);
    const said = /"text":"([\d,]+) findings left out: /.exec(text)?.[1];
    expect(said?.replaceAll(',', '')).toBe(String(30_000 - levels.length));
  });
});
