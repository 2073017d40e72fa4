import { resultHeadlineLine } from '../../verdict/headline.ts';
import type { Result, ResultHeader } from '../../model/result.ts';
import { declaredText, interfaceText } from '../shared/run-prose.ts';
import { joinedText } from '../shared/meaning.ts';
import { reportNotes } from '../shared/notes.ts';
import { forTerminal, forXml } from '../shared/sanitize.ts';
import { type Testcase, listTestcases } from '../shared/testcases.ts';

interface Suite {
  readonly name: string;
  readonly area: string;
  readonly bodies: string[];
  tests: number;
  failures: number;
  errors: number;
  skipped: number;
  milliseconds: number;
}

/** Escapes for XML and defuses `[[ATTACHMENT|path]]`, which Jenkins and GitLab take for a file to publish. */
const inertXml = (text: string): string => forXml(text.replace(/\[\[(?=attachment)/gi, '[ ['));

/** Attributes on one line; a line feed is made visible, because a parser would turn it into a blank. */
const attributes = (pairs: Readonly<Record<string, string | number>>): string =>
  Object.entries(pairs)
    .map(([name, value]) => ` ${name}="${inertXml(forTerminal(String(value)))}"`)
    .join('');

/** Three decimals, because libxml2 rejects more. */
const formatSeconds = (milliseconds: number): string => (Math.max(0, milliseconds) / 1000).toFixed(3);

function renderTest({ name, classname, milliseconds, trouble, output }: Testcase): string {
  const lines = [`    <testcase${attributes({ name, classname, time: formatSeconds(milliseconds) })}>`];
  if (trouble?.element === 'skipped') lines.push(`      <skipped>${inertXml(trouble.text)}</skipped>`);
  else if (trouble !== undefined) {
    const { element, type, message, text } = trouble;
    lines.push(`      <${element}${attributes({ type, message })}>${inertXml(text)}</${element}>`);
  }
  if (output !== '') lines.push(`      <system-out>${inertXml(output)}</system-out>`);
  return [...lines, '    </testcase>'].join('\n');
}

const countedAs = { skipped: 'skipped', error: 'errors', failure: 'failures' } as const;

function addTest(suites: Map<string, Suite>, test: Testcase): void {
  const key = JSON.stringify([test.area, test.suite]);
  const { area, suite: name } = test;
  const empty = { bodies: [], tests: 0, failures: 0, errors: 0, skipped: 0, milliseconds: 0 };
  const suite = suites.get(key) ?? { name, area, ...empty };
  suites.set(key, suite);
  suite.tests += 1;
  suite.milliseconds += Math.max(0, test.milliseconds);
  if (test.trouble !== undefined) suite[countedAs[test.trouble.element]] += 1;
  suite.bodies.push(renderTest(test));
}

function junitProperties(result: Result): Readonly<Record<string, string>> {
  const { header, footer } = result;
  const { target, clock, suites, tool, run } = header;
  return {
    run,
    interface: interfaceText(header),
    target: target.name,
    issuer: target.issuer,
    'target.fingerprint': target.fingerprint,
    clock: clock.note === '' ? clock.kind : `${clock.kind}: ${clock.note}`,
    declared: declaredText(header) ?? 'nothing',
    profile: header.profile,
    headline: resultHeadlineLine(result),
    outcome: footer?.outcome ?? 'none: the run was cut off',
    'digest.rules': suites.rules,
    'digest.suites': suites.suites,
    'digest.program': tool.digest,
    tool: `${tool.name} ${tool.version} on node ${tool.node}`,
  };
}

function renderSuite(suite: Suite, options: { id: number; header: ResultHeader; properties: string }): string {
  const { name, area, tests, failures, errors, skipped, milliseconds, bodies } = suite;
  const head = attributes({
    name: `${area}: ${name}`,
    package: area,
    id: options.id,
    tests,
    failures,
    errors,
    skipped,
    time: formatSeconds(milliseconds),
    // JUnit has neither milliseconds nor a time zone.
    timestamp: options.header.startedAt.slice(0, 19),
    hostname: 'localhost',
  });
  return [`  <testsuite${head}>`, options.properties, ...bodies, '  </testsuite>'].join('\n');
}

/** The result as JUnit XML, in the form that both published Jenkins schemas accept. */
export function renderJunit(result: Result): string {
  const suites = new Map<string, Suite>();
  for (const test of listTestcases(result)) addTest(suites, test);
  const all = [...suites.values()];
  const sum = (key: 'tests' | 'failures' | 'errors'): number => all.reduce((total, suite) => total + suite[key], 0);
  const head = attributes({
    name: `carrierspec: ${result.header.target.name}`,
    tests: sum('tests'),
    failures: sum('failures'),
    errors: sum('errors'),
    time: formatSeconds(
      result.footer?.wallMilliseconds ?? all.reduce((total, { milliseconds }) => total + milliseconds, 0),
    ),
  });
  const notes = reportNotes(result);
  const joined = joinedText(result.header);
  const properties = [
    ...Object.entries(junitProperties(result)),
    ...(joined === undefined ? [] : [['joined', joined] as const]),
    ...notes.map(({ about, name, words }) => [`${about}.${name}`, words] as const),
  ].map(([name, value]) => `      <property${attributes({ name, value })}/>`);
  const block = ['    <properties>', ...properties, '    </properties>'].join('\n');
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${head}>`,
    ...all.map((suite, id) => renderSuite(suite, { id, header: result.header, properties: block })),
    '</testsuites>',
    '',
  ].join('\n');
}
