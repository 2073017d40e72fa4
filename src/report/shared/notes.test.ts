import { XMLParser } from 'fast-xml-parser';
import { describe, expect, it, test } from 'vitest';
import type { ExpectedResult } from '../../model/expected-failure.ts';
import { isJsonObject, parseJson } from '../../lib/json.ts';
import type { LimitResult, ProfileValue } from '../../model/limit.ts';
import type { Result, ResultFooter } from '../../model/result.ts';
import { dangersIn, hostileTexts } from '../../testing/carriers/hostile.ts';
import { hostileMarkup } from '../../testing/carriers/hostile-carrier.ts';
import { htmlReport, withoutAssets, withUnpacked } from '../../testing/pages/html-page.ts';
import { ctrfMistakes, harMistakes, markdownTokens } from '../../testing/results/report-parsers.ts';
import { buildDelivery, buildFooter, buildResult, buildRule } from '../../testing/results/result.ts';
import { renderCtrf } from '../ctrf/render.ts';
import { renderHar } from '../har/render.ts';
import { renderJunit } from '../junit/render.ts';
import { summarizeUnsolicited } from './notes.ts';
import { renderMarkdown } from '../markdown/render.ts';

const limit: LimitResult = {
  name: 'iat-age',
  title: 'How old iat may be',
  rules: [{ rule: 'REQ-015' }, { rule: 'REQ-900', aspect: 'far' }],
  state: 'limit',
  value: 300,
  uncertainty: 2,
  unit: 's',
  words: 'refuses iat older than 300 s ± 2 s',
  probes: [],
};

const entry: ExpectedResult = {
  what: 'rule',
  name: 'REQ-015',
  reason: 'the cache of jti is being rebuilt',
  owner: 'the team of the gateway',
  expires: '2026-12-31',
  position: { file: 'expected.yaml', line: 4, column: 5 },
  became: 'failed',
  explains: ['REQ-015'],
};

/** Everything in a run that measured, was resumed and had expected failures; `text` fills every carrier-controlled value. */
function buildMeasured(text: string): Result {
  const profile: readonly ProfileValue[] = [
    { name: 'a2', description: 'acr_values a2', rules: [{ rule: 'REQ-015' }], case: 'jti-repeated', value: text },
    { name: 'many', description: 'Several', rules: [], case: text, value: { [text]: [text] } },
    { name: 'nothing', description: 'What came', rules: [{ rule: 'CB-005', aspect: 'x' }], case: 'gone', value: null },
    { name: 'unseen', description: 'What did not', rules: [], case: 'gone', reason: text },
  ];
  const footer: ResultFooter = buildFooter({
    outcome: 'not conformant',
    limits: [limit, { ...limit, name: 'context', state: 'unmeasured', words: `not measured: ${text}`, reason: text }],
    profile,
    expected: [
      entry,
      { ...entry, what: 'case', name: 'jti-repeated', became: 'not judged', reason: text, owner: text },
      { ...entry, name: `REQ-901${text}`, became: 'matches nothing', explains: [] },
      { ...entry, name: 'REQ-009', became: 'expired', expires: '2026-01-31', explains: [] },
    ],
    gaps: [{ from: '2026-01-01T00:01:00.000Z', to: '2026-01-01T00:02:30.000Z' }],
    receiverLag: 41.2,
  });
  return buildResult({ footer, rules: [buildRule({ verdict: 'fail' })] });
}

const measured = buildMeasured('denied 400');

/** The part of a page between two texts. */
const between = (text: string, from: string, to: string): string => text.slice(text.indexOf(from), text.indexOf(to));

describe('the HTML report', () => {
  const page = htmlReport(measured);

  it('draws the limits, and has the profile as a table, after what was not judged', () => {
    const limits = between(page, '<section class="limits" id="limits"', '<section class="measured" id="profile"');
    expect(limits).toContain('Measured limits <span class="quiet">2 limits</span>');
    expect(limits).toContain(
      '<h3>How old iat may be <span class="quiet"><a href="#REQ-015">REQ-015</a>, REQ-900#far</span></h3><p class="found">refuses iat older than 300 s ± 2 s</p>',
    );
    expect(limits).toContain('<p class="quiet">not measured: denied 400</p>');
    const profile = between(page, '<section class="measured" id="profile"', '<section class="about"');
    expect(profile).toContain(
      '<tr><th scope="row">a2</th><td>acr_values a2</td><td>denied 400</td><td><a href="#REQ-015">REQ-015</a></td><td><a href="#case-jti-repeated">jti-repeated</a></td></tr>',
    );
    expect(profile).toContain('<td>nothing</td><td>CB-005#x</td><td>gone</td>');
    expect(profile).toContain('<span class="quiet">not seen, denied 400</span>');
  });

  it('says what became of each expected failure, and has what is to be deleted first', () => {
    const expected = between(page, '<section class="expected"', '<section class="measured"');
    expect(expected).toContain('Expected failures <span class="quiet">4 entries, 2 to delete</span>');
    expect(expected).toContain('<p>Every broken rule is expected to be broken: 1 rule.</p>');
    expect(expected).toContain(
      '<th scope="row">rule <a href="#REQ-015">REQ-015</a></th><td>failed, as expected</td><td>the cache of jti is being rebuilt <span class="quiet">the team of the gateway, until 2026-12-31; <code>expected.yaml:4:5</code></span></td>',
    );
    expect(expected).toContain(
      '<strong>expired: it held until 2026-01-31</strong>; delete the entry that begins there',
    );
    expect(expected.indexOf('matches nothing')).toBeLessThan(expected.indexOf('failed, as expected'));
  });

  it('has gaps and lag among what it says of the run, and leads to what was measured', () => {
    const shown = between(page, '<nav class="parts"', '</nav>') + page.slice(page.indexOf('<section class="about"'));
    for (const fact of [
      '<dt>Gap</dt><dd>from 2026-01-01 00:01:00 UTC to 2026-01-01 00:02:30 UTC the run was cut off and its receiver was closed',
      '<dt>Our receiver</dt><dd>at most 42 ms behind',
      '<a href="#limits">Limits</a>',
      '<a href="#profile">Profile</a>',
      '<dt>Expected failures</dt><dd><a href="#expected">4 entries, 2 to delete</a></dd>',
    ])
      expect(shown).toContain(fact);
  });

  it('links to nothing that it does not have', () => {
    // The page's script draws the cases, which are packed.
    const ids = new Set(
      [...withUnpacked(page).matchAll(/ id="([^"]+)"|"anchor":"([^"]+)"/g)].map(([, id, at]) => id ?? at),
    );
    const links = [...withoutAssets(page).matchAll(/ href="#([^"]+)"/g)].map(([, id]) => id);
    expect(links.filter((id) => !ids.has(id))).toEqual([]);
  });

  it('has none of it of a run that neither measured nor expected anything', () => {
    expect(withoutAssets(htmlReport(buildResult()))).not.toMatch(
      /id="(limits|profile|expected)"|<dt>(Gap|Our receiver|Measured|Expected failures)</,
    );
  });
});

describe('the summary in Markdown', () => {
  const text = renderMarkdown(measured);

  it('has a section for the limits, the profile and the expected failures each', () => {
    expect(text).toContain(`## Measured limits: 2 limits

- \`iat-age\`, How old iat may be: \`refuses iat older than 300 s ± 2 s\` (\`REQ-015, REQ-900#far\`)
- \`context\`, How old iat may be: *\`not measured: denied 400\`* (\`REQ-015, REQ-900#far\`)

## Profile: 4 behaviours

- \`a2\`, acr_values a2: \`denied 400\` (\`REQ-015\`)
- \`many\`, Several: \`{"denied 400":["denied 400"]}\`
- \`nothing\`, What came: \`nothing\` (\`CB-005#x\`)
- \`unseen\`, What did not: *\`not seen, denied 400\`*
`);
    expect(text).toContain(`## Expected failures: 4 entries, 2 to delete

Every broken rule is expected to be broken&#58; 1 rule.

- **\`expected.yaml:4:5\`**: rule \`REQ-901denied 400\`: \`matches nothing: there is no such name\`; delete the entry that begins there
- **\`expected.yaml:4:5\`**: rule \`REQ-009\`: \`expired: it held until 2026-01-31\`; delete the entry that begins there
- rule \`REQ-015\`: \`failed, as expected\`: \`the cache of jti is being rebuilt\` (\`the team of the gateway\`, until \`2026-12-31\`; \`expected.yaml:4:5\`)
`);
  });

  it('has gaps and lag among the facts of its head', () => {
    expect(text).toContain('\n- gap `from 2026-01-01T00:01:00.000Z to 2026-01-01T00:02:30.000Z the run was cut off');
    expect(text).toContain(
      '\n- our receiver was at most 42 ms behind; findings that this delay could explain are left out\n',
    );
  });
});

const words = 'refuses iat older than 300 s ± 2 s';

describe('the other formats', () => {
  it('have a line for each where they have a place for it', () => {
    expect(renderJunit(measured)).toContain(`<property name="limit.iat-age" value="${words}"/>`);
    expect(renderJunit(measured)).toContain('<property name="expected.REQ-015" value="failed, as expected"/>');
    expect(parseJson([...renderCtrf(measured)].join(''))).toMatchObject({
      results: { summary: { extra: { limit: [`iat-age: ${words}`, 'context: not measured: denied 400'] } } },
    });
    expect(parseJson([...renderHar(measured)].join(''))).toMatchObject({
      log: { _gaps: [{ from: '2026-01-01T00:01:00.000Z' }], _receiverLag: 41.2 },
    });
  });
});

/** Tags with their attribute names. */
const tagsOf = (page: string): readonly string[] =>
  withoutAssets(page)
    .match(/<[^>]*>/g)
    ?.map((tag) => tag.replace(/="[^"]*"/g, '')) ?? [];

const xml = new XMLParser({ ignoreAttributes: false, preserveOrder: true });

function xmlNames(text: string): string {
  const parsed: unknown = xml.parse(text);
  return JSON.stringify(parsed, (name, value: unknown) => (name.startsWith('@_') ? 0 : value));
}

function jsonShape(chunks: Iterable<string>, mistakesOf: (value: unknown) => readonly string[]): unknown {
  const value = parseJson([...chunks].join(''));
  return [isJsonObject(value) ? Object.keys(value) : value, mistakesOf(value)];
}

const shapes: Readonly<Record<string, (result: Result) => unknown>> = {
  html: (result) => tagsOf(htmlReport(result)),
  markdown: (result) =>
    markdownTokens(renderMarkdown(result))
      .map(({ type, content }) => (type.startsWith('html_') ? `${type} ${content}` : type))
      .filter((type) => type !== 'text' && type !== 'code_inline'),
  junit: (result) => xmlNames(renderJunit(result)),
  ctrf: (result) => jsonShape(renderCtrf(result), ctrfMistakes),
  har: (result) => jsonShape(renderHar(result), harMistakes),
};

const renderers: Readonly<Record<string, (result: Result) => string>> = {
  html: (result) => withoutAssets(htmlReport(result)),
  markdown: renderMarkdown,
  junit: renderJunit,
  ctrf: (result) => [...renderCtrf(result)].join(''),
  har: (result) => [...renderHar(result)].join(''),
};

describe.each(Object.entries(shapes))('what a carrier wrote into its profile, in %s', (format, shape) => {
  const calm = shape(buildMeasured('harmless'));

  it.each(Object.entries({ ...hostileTexts, ...hostileMarkup }))('stays text, visible and bounded: %s', (_, text) => {
    const hostile = buildMeasured(text);
    expect(shape(hostile)).toEqual(calm);
    const report = renderers[format]?.(hostile) ?? '';
    expect(dangersIn(report)).toEqual([]);
    expect(report.length).toBeLessThan(3_000_000);
  });
});

test.each([
  [99, '99 deliveries that no case asked for'],
  [100, 'at least 100 deliveries that no case asked for'],
])('%i unsolicited deliveries are a number as far as all are kept', (count, words) => {
  const unsolicited = Array.from({ length: count }, () => buildDelivery());
  expect(summarizeUnsolicited({ unsolicited })?.words).toBe(words);
});
