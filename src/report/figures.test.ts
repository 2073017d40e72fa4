import { describe, expect, test } from 'vitest';
import type { ExpectedResult } from '../model/expected-failure.ts';
import type { Result } from '../model/result.ts';
import { countStandings } from '../verdict/counts.ts';
import { testedInterface } from '../testing/parts/tested-interface.ts';
import { withVerdicts } from '../testing/results/result.ts';
import { shippedSample } from '../testing/results/shipped-sample.ts';
import { renderAnnotations } from './annotations/render.ts';
import { renderCtrf } from './ctrf/render.ts';
import { renderHtml } from './html/render.ts';
import { renderJunit } from './junit/render.ts';
import { renderMarkdown } from './markdown/render.ts';
import { renderSarif } from './sarif/render.ts';
import { renderTerminal } from './terminal/render.ts';

/** An entry of expected.yaml that accounts for a broken rule. */
const entryOf = (name: string): ExpectedResult => ({
  what: 'rule',
  name,
  reason: 'known',
  owner: 'platform team',
  expires: '2999-12-31',
  position: { file: 'expected.yaml', line: 2, column: 5 },
  became: 'failed',
  explains: [name],
});

const withEntries = (result: Result, ...names: readonly string[]): Result =>
  result.footer === undefined
    ? result
    : withVerdicts({ ...result, footer: { ...result.footer, expected: names.map(entryOf) } });

const idsOf = ({ rules }: Result, standing: string): readonly string[] =>
  rules.flatMap((rule) => (rule.standing === standing ? [rule.id] : []));

const [first = '', ...others] = idsOf(shippedSample, 'broken');

/** First number that a pattern finds; 0 where it finds nothing. */
const figure = (text: string, pattern: RegExp): number => Number(pattern.exec(text)?.[1] ?? 0);

type Figures = Readonly<Record<'broken' | 'expected' | 'uncounted' | 'warned', number>>;

const distinct = (ids: Iterable<string>): number => new Set(ids).size;

/** Number of rules in the elements of a JUnit report that match. */
const rulesWithin = (xml: string, element: RegExp): number =>
  distinct(
    [...xml.matchAll(element)].flatMap(([text]) => [...text.matchAll(/rule: ([A-Z]+-\d+)/g)].map(([, id = '']) => id)),
  );

/** Rules of the results of a SARIF file, by whether they are tolerated. */
function sarifRules(text: string) {
  const { runs } = JSON.parse(text) as {
    runs: { results: { ruleId: string; level: string; suppressions?: unknown[] }[] }[];
  };
  const errors = (runs[0]?.results ?? []).filter(({ level }) => level === 'error');
  const ids = (some: typeof errors): number => distinct(some.map(({ ruleId }) => ruleId));
  return {
    broken: ids(errors.filter(({ suppressions = [] }) => suppressions.length === 0)),
    expected: ids(errors.filter(({ suppressions = [] }) => suppressions.length > 0)),
  };
}

/** Numbers of rules that each format tells, by its headings. */
function figuresIn(result: Result): Readonly<Record<string, Partial<Figures>>> {
  const terminal = renderTerminal(result, { colour: false, width: 200 });
  const markdown = renderMarkdown(result);
  const html = [...renderHtml(result, testedInterface)].join('');
  const annotations = [...renderAnnotations(result)].join('');
  const junit = renderJunit(result);
  const ctrf = JSON.parse([...renderCtrf(result)].join('')) as {
    results: { tests: { status: string; trace?: string }[] };
  };
  const failed = ctrf.results.tests.filter(({ status }) => status === 'failed');
  return {
    sarif: sarifRules([...renderSarif(result)].join('')),
    junit: {
      broken: rulesWithin(junit, /<failure[\s\S]*?<\/failure>/g),
      expected: rulesWithin(junit, /<skipped>expected failure: [\s\S]*?<\/skipped>/g),
    },
    ctrf: { broken: distinct(failed.flatMap(({ trace = '' }) => /rule: ([A-Z]+-\d+)/.exec(trace)?.[1] ?? [])) },
    terminal: {
      broken: figure(terminal, /^Failures {2}(\d+) rules? broken/m),
      uncounted: figure(terminal, /^Broken, but not counted {2}(\d+) rules? broken/m),
      warned: figure(terminal, /^Warnings {2}(\d+) rules? not followed/m),
    },
    'the end of the terminal': {
      broken: figure(terminal, /^Broken rules {2}(\d+)/m) - figure(terminal, /^Broken rules {2}\d+, (\d+) of them/m),
      expected: figure(terminal, /^Broken rules {2}\d+, (\d+) of them expected/m),
      uncounted: figure(terminal, /(\d+) rules? broken, but not counted(?:;|$)/m),
    },
    markdown: {
      broken: figure(markdown, /^## Failures: (\d+) rules? broken/m),
      expected: figure(markdown, /^## Broken, as expected: (\d+) rules? broken/m),
      uncounted: figure(markdown, /^## Broken, but not counted: (\d+) rules? broken/m),
      warned: figure(markdown, /^## Warnings: (\d+) rules? not followed/m),
    },
    html: {
      broken: figure(html, />(\d+) rules? broken</),
      expected: figure(html, />(\d+) rules? broken, as expected</),
      uncounted: figure(html, />(\d+) rules? broken, but not counted</),
      warned: figure(html, />(\d+) rules? not followed, no outcome changed</),
    },
    annotations: {
      broken: figure(annotations, /::(\d+) required rules? broken, \d/),
      expected: figure(annotations, /::(\d+) required rules? broken, as expected/),
      uncounted: figure(annotations, /::(\d+) required rules? broken, but not counted/),
      warned: figure(annotations, /::(\d+) rules? not followed/),
    },
  };
}

describe('one result has the same figures in every format', () => {
  test.each<[string, Result]>([
    ['a run with three faults', shippedSample],
    ['one of its rules expected', withEntries(shippedSample, first)],
    ['all of them expected', withEntries(shippedSample, first, ...others)],
  ])('%s', (_, result) => {
    const { broken = 0, expected = 0, uncounted = 0, unstable = 0, ...rest } = countStandings(result.rules);
    const figures: Figures = { broken, expected, uncounted, warned: unstable + (rest['not followed'] ?? 0) };
    expect(broken + expected).toBeGreaterThan(0);
    for (const [format, found] of Object.entries(figuresIn(result))) {
      const wanted = Object.fromEntries(Object.entries(figures).filter(([name]) => name in found));
      expect({ format, ...found }).toEqual({ format, ...wanted });
    }
  });
});
