import { forJson, omitUndefined } from '../../lib/json.ts';
import { resultHeadlineLine } from '../../verdict/headline.ts';
import type { Result } from '../../model/result.ts';
import { renderRuleRef } from '../../model/rule.ts';
import { notesBySubject } from '../shared/notes.ts';
import { type Testcase, listTestcases } from '../shared/testcases.ts';

type CtrfStatus = 'passed' | 'failed' | 'skipped' | 'pending' | 'other';

/** Status of a test. Inconclusive is neither passed nor failed, because it says nothing about the carrier. */
function ctrfStatus({ verdict, trouble }: Testcase): CtrfStatus {
  if (trouble === undefined) return 'passed';
  if (trouble.element === 'skipped') return 'skipped';
  return trouble.element === 'failure' || verdict === 'incomplete' ? 'failed' : 'other';
}

/** Rules of a test, and a tag for an expected failure. */
function ctrfTags({ rules, trouble }: Testcase): readonly string[] | undefined {
  const tags = [...rules.map(renderRuleRef), ...(trouble?.type === 'expected' ? ['expected-failure'] : [])];
  return tags.length === 0 ? undefined : tags;
}

function ctrfTrouble({ trouble }: Testcase) {
  if (trouble === undefined) return {};
  const { element, type, message, text } = trouble;
  return element === 'failure' || type === 'expected' ? { message, trace: text } : { message: text };
}

/** A testcase in CTRF: `rawStatus` is our verdict, `duration` is in milliseconds on the run's clock, `tags` are its rules. */
function ctrfTest(test: Testcase) {
  const { id, name, area, suite, verdict, milliseconds, startedAt, position, output } = test;
  const duration = Math.max(0, Math.round(milliseconds));
  const start = startedAt === undefined ? undefined : Math.round(startedAt);
  return omitUndefined({
    name,
    status: ctrfStatus(test),
    rawStatus: verdict,
    duration,
    start,
    stop: start === undefined ? undefined : start + duration,
    suite: [area, suite],
    testId: id,
    tags: ctrfTags(test),
    filePath: position?.file,
    line: position?.line,
    ...ctrfTrouble(test),
    stdout: output === '' ? undefined : output.split('\n'),
  });
}

type Counts = Record<CtrfStatus, number>;

const parseMoment = (iso: string | undefined): number => {
  const time = iso === undefined ? Number.NaN : Date.parse(iso);
  return Number.isNaN(time) ? 0 : Math.max(0, time);
};

/** Summary of the tests; `start` and `stop` are on the run's clock, `duration` is wall time. */
function ctrfSummary(result: Result, { counts, tests }: { readonly counts: Counts; readonly tests: number }) {
  const { header, footer } = result;
  const start = parseMoment(header.startedAt);
  const stop = Math.max(start, parseMoment(footer?.endedAt));
  return {
    tests,
    ...counts,
    start,
    stop,
    duration: Math.round(footer?.wallMilliseconds ?? stop - start),
    extra: {
      profile: header.profile,
      headline: resultHeadlineLine(result),
      outcome: footer?.outcome ?? 'none: the run was cut off',
      score: footer?.score ?? null,
      ...notesBySubject(result),
    },
  };
}

function ctrfEnvironment({ interface: certified, target, clock, suites, run, tool }: Result['header']) {
  return {
    appName: target.name,
    testEnvironment: target.issuer,
    extra: {
      run,
      interface: certified,
      clock,
      targetFingerprint: target.fingerprint,
      rulesDigest: suites.rules,
      suitesDigest: suites.suites,
      node: tool.node,
      programDigest: tool.digest,
    },
  };
}

/** The result as CTRF JSON (https://ctrf.io), specification 0.0.0: one test per line, the summary after the tests it counts. */
export function* renderCtrf(result: Result): Iterable<string> {
  const { header } = result;
  const { tool, startedAt } = header;
  const head = {
    reportFormat: 'CTRF',
    specVersion: '0.0.0',
    timestamp: startedAt,
    generatedBy: `${tool.name} ${tool.version}`,
  };
  const counts: Counts = { passed: 0, failed: 0, skipped: 0, pending: 0, other: 0 };
  let tests = 0;
  yield '{\n';
  for (const [name, value] of Object.entries(head)) yield `"${name}":${forJson(value)},\n`;
  yield `"results":{\n"tool":${forJson({ name: tool.name, version: tool.version })},\n"tests":[`;
  for (const test of listTestcases(result)) {
    const written = ctrfTest(test);
    counts[written.status] += 1;
    yield `${tests === 0 ? '\n' : ',\n'}${forJson(written)}`;
    tests += 1;
  }
  yield `],\n"summary":${forJson(ctrfSummary(result, { counts, tests }))},\n`;
  yield `"environment":${forJson(ctrfEnvironment(header))}\n}\n}\n`;
}
