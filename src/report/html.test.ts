import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import process from 'node:process';
import { describe, expect, it } from 'vitest';
import { isJsonObject, type Json, parseJson } from '../model/json.ts';
import type { Result } from '../model/result.ts';
import { dangersIn, hostileTexts, poisonResult } from '../testing/hostile.ts';
import { fromHostileCarrier, hostileMarkup, withEveryMessage } from '../testing/hostile-carrier.ts';
import {
  buildCase,
  buildCutOffResult,
  buildDelivery,
  buildExchange,
  buildFinding,
  buildFooter,
  buildResult,
  buildRule,
} from '../testing/result.ts';
import { sampleResult } from '../testing/sample-result.ts';
import { shippedSample } from '../testing/shipped-sample.ts';
import { renderHtml } from './html.ts';

const write = (result: Result): string => [...renderHtml(result)].join('');

/** The text of an element that has none within it, as it stands in the file. */
const inside = (page: string, name: string): string => new RegExp(`<${name}>([^]*?)</${name}>`).exec(page)?.[1] ?? '';

const chunks = (page: string): readonly Json[] =>
  [...page.matchAll(/<script type="application\/json" id="chunk-\d+">(.*?)<\/script>/g)].map(
    ([, text = '']) => parseJson(text) ?? null,
  );

/** What gets at a reader of HTML, beside what gets at readers of other formats. */
const markup: Readonly<Record<string, string>> = {
  'an image in an attribute': '"><img src=x onerror=window.owned=1>',
  'a handler in an attribute': "' onmouseover='window.owned=1",
  'the end of a script': '</script><script>window.owned=1</script>',
  'a comment that hides the end of a script': '<!--<script>',
  'the end of a style': '</style><style>*{display:none}</style>',
  'the end of everything': '</title></textarea></details></noscript><iframe src=//x.test>',
  'a link that runs': '<a href="javascript:window.owned=1">x</a>',
  templates: '`;window.owned=1;`{{window.owned=1}}',
};

/** What a page is made of: its tags and the names of their attributes. No text of ours has a `>` in a tag. */
const tags = (page: string): readonly string[] =>
  page.match(/<[^>]*>/g)?.map((tag) => tag.replace(/="[^"]*"/g, '')) ?? [];

/** Everything outside of the script and the style sheet. */
const document = (page: string): string => page.replace(inside(page, 'script'), '').replace(inside(page, 'style'), '');

describe('renderHtml', () => {
  it('is the sample that ships, of a real run', () => {
    const path = new URL('../../reports/sample.report.html', import.meta.url);
    // As with the other samples (src/cli/samples.test.ts): written anew on demand, to be looked at and committed.
    if (process.env['WRITE_SAMPLES'] === '1') writeFileSync(path, write(shippedSample));
    expect(write(shippedSample)).toBe(readFileSync(path, 'utf8'));
  });

  it('allows the one script and the one style sheet it has, and nothing else', () => {
    const page = write(sampleResult);
    const digest = (name: string): string =>
      `'sha256-${createHash('sha256').update(inside(page, name)).digest('base64')}'`;
    expect(page).toContain(
      `content="default-src 'none'; style-src ${digest('style')}; script-src ${digest('script')}; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'"`,
    );
    expect(document(page)).not.toMatch(/\s(style|on\w+|src|srcset|action|formaction|xlink:href)=/);
    expect(document(page).match(/\shref="(?!#)/g)).toBeNull();
  });

  it('says on its first screen what was judged, against whom, and what came of it', () => {
    const page = write(sampleResult);
    const first = page.slice(page.indexOf('<header'), page.indexOf('</header>'));
    for (const text of [
      '<span class="word">Not conformant</span> <span class="sentence">2 required rules are broken.</span>',
      '<strong>1<span class="of">/3</span></strong> required rules judged conform',
      '<strong>3<span class="of">/8</span></strong> required rules that apply were judged',
      'cannot certify a production carrier',
      '4 required rules were not run',
      'Staging carrier',
      `sha256:${'9c'.repeat(32)}`,
      `sha256:${'3f2a91c0d4e5'.padEnd(64, '0')}`,
      'carrierspec 0.1.0 on Node v20.20.2',
      'not-run: only the operator can attest it',
    ])
      expect(first).toContain(text);
  });

  it('leads from each broken rule to its reason and to the command that shows it again', () => {
    const page = write(sampleResult);
    const broken = page.slice(page.indexOf('<section class="problems" id="broken"'), page.indexOf('id="warnings"'));
    expect(broken.match(/<h3>.*?<a href="#(.*?)"/g)?.length).toBe(2);
    for (const text of [
      '2 rules broken',
      'expected denied, got accepted 200',
      'carrierspec run jti-repeated<',
      'data-at="x1"',
      'in 3 of 120 accepted answers',
    ])
      expect(broken).toContain(text);
  });

  it('has every rule in the order of the interface, each with a name to link to', () => {
    const page = write(sampleResult);
    const ids = [...page.matchAll(/<details class="rule" id="([^"]+)"/g)].map(([, id]) => id);
    expect(ids).toEqual([
      'FLOW-001',
      'REQ-015',
      'REQ-009',
      'REQ-023',
      'REQ-083',
      'RSP-003',
      'LHT-004',
      'LHT-005',
      'LHT-006',
      'CB-022',
    ]);
    expect([...page.matchAll(/<section class="clause" id="([^"]+)"/g)].map(([, id]) => id)).toEqual([
      'section-1',
      'section-2.3',
      'section-2.4',
      'section-2.7',
      'section-7',
    ]);
  });

  it('shows each case once, and leads there from the other rules it judges', () => {
    const rules = [buildRule(), buildRule({ id: 'REQ-016' })];
    const page = write(
      buildResult({ rules, cases: [buildCase({ rules: [{ rule: 'REQ-016' }, { rule: 'REQ-015' }] })] }),
    );
    expect(page.match(/id="case-jti-repeated"/g)).toHaveLength(1);
    expect(page).toContain(
      '<a href="#case-jti-repeated">jti-repeated</a> <span class="title">A repeated jti is denied within 5 minutes</span> <span class="quiet">under REQ-016</span>',
    );
  });

  it('shows a case under a rule that only a step of it judges', () => {
    const rules = [buildRule(), buildRule({ id: 'EVT-014', clause: '6 dc2', judgedBy: ['jti-repeated'] })];
    const page = write(buildResult({ rules }));
    const rule = page.slice(page.indexOf('id="EVT-014"'));
    expect(rule).toContain('§6 dc2 · required · server-initiated · 1 case');
    expect(rule).toContain('<a href="#case-jti-repeated">jti-repeated</a>');
  });

  it('does not lose a case whose rules are not in the result', () => {
    const page = write(buildResult({ rules: [], cases: [buildCase({ rules: [{ rule: 'GONE-1' }] })] }));
    expect(page).toContain('id="other-cases"');
    expect(page).toContain('id="case-jti-repeated"');
  });

  it.each([
    ['was cut off', buildCutOffResult(), 'Cut off', 'The run did not reach its end: it has no outcome and no score.'],
    [
      'is incomplete',
      buildResult({
        footer: buildFooter({ outcome: 'incomplete', interrupted: true, reasons: ['1 rule is inconclusive'] }),
      }),
      'Incomplete',
      'No required rule was found broken, but only 1 of 1 required rule that apply was judged.',
    ],
    ['is conformant', buildResult(), 'Conformant', '1 of 1 required rule that apply was judged, and none is broken.'],
  ])('says that a run %s', (_, result, word, sentence) => {
    expect(write(result)).toContain(
      `<h1><span class="word">${word}</span> <span class="sentence">${sentence}</span></h1>`,
    );
  });

  it('has no element twice', () => {
    const ids = [...document(write(sampleResult)).matchAll(/\sid="([^"]*)"/g)].map(([, id]) => id);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  });
});

describe('the exchanges', () => {
  const claims = { iss: 'sp', iat: 1_767_225_600, jti: 'j1' };
  const exchange = buildExchange({
    object: { header: { alg: 'RS256' }, claims },
    differences: [
      { what: 'claims.iat', change: 'set', value: 1_767_225_540 },
      { what: 'claims.nonce', change: 'removed' },
      { what: 'header.alg', change: 'raw', value: '"RS256","alg":"none"' },
    ],
  });

  it('are kept for the moment somebody opens the case, with the deliberate difference marked', () => {
    const cases = [
      buildCase({
        verdict: 'fail',
        findings: [buildFinding()],
        messages: [exchange, buildDelivery({ step: 'replay' })],
      }),
    ];
    const [chunk] = chunks(write(buildResult({ cases })));
    expect(chunk).toMatchObject({
      messages: [
        {
          at: 'x1',
          step: 'replay',
          time: exchange.sentAt,
          took: 18,
          line: 'POST https://op.carrier.test/bc-authorize',
          differences: [
            'claims.iat = 1767225540 (330 s before it was sent)',
            'claims.nonce removed',
            'header.alg = "RS256","alg":"none" (raw JSON text)',
          ],
          object: {
            header: [['alg', '"RS256"', 'raw']],
            claims: [
              ['iss', '"sp"'],
              ['iat', '1767225600', 'set'],
              ['jti', '"j1"'],
              ['nonce', '', 'removed'],
            ],
          },
          status: 'HTTP 200',
          marks: [{ level: 'required', rule: 'REQ-015', says: 'expected denied, got accepted 200' }],
        },
        { at: 'd1', kind: 'delivery', status: 'we answered 200' },
      ],
    });
  });

  it('of many cases fit into 15 MB: cases that passed are shortened, those that did not are not', () => {
    const body = '{"a":"<&>"}'.repeat(300);
    const messages = Array.from({ length: 20 }, (_, index) =>
      buildExchange({ id: `x${index}`, request: { headers: [], body, bytes: body.length } }),
    );
    const cases = Array.from({ length: 400 }, (_, index) =>
      buildCase({
        id: `case-${index}`,
        messages,
        ...(index === 7 ? { verdict: 'fail' as const, findings: [buildFinding()] } : {}),
      }),
    );
    const page = write(buildResult({ cases }));
    expect(Buffer.byteLength(page)).toBeLessThan(15_000_000);
    expect(page).toContain('To keep this file small the exchanges of cases that passed or only recorded are shortened');
    const sizes = chunks(page).map((chunk) => JSON.stringify(isJsonObject(chunk) ? chunk['messages'] : '').length);
    expect(sizes[7]).toBeGreaterThan(20 * body.length);
    expect(sizes[8]).toBeLessThan(sizes[7] ?? 0);
  });
});

describe('what a carrier sent', () => {
  const clean = { 'made by hand': withEveryMessage(sampleResult), 'of a real run': withEveryMessage(shippedSample) };
  const attacks = { instead: fromHostileCarrier, behind: poisonResult };
  const texts = { ...hostileTexts, ...hostileMarkup, ...markup };

  describe.each(Object.entries(clean))('in a result %s', (_, result) => {
    describe.each(Object.entries(attacks))('with a text %s', (__, attack) => {
      const expected = tags(document(write(attack(result, ' harmless'))));

      it.each(Object.entries(texts))('stays text, visible and bounded: %s', (___, text) => {
        const page = write(attack(result, ` ${text}`));
        expect(tags(document(page))).toEqual(expected);
        expect(dangersIn(document(page))).toEqual([]);
        expect(page.length).toBeLessThan(3_000_000);
        expect(page.endsWith('</script>\n</body>\n</html>\n')).toBe(true);
      });
    });
  });

  it('is told apart from what the page is made of', () => {
    const page = write(sampleResult);
    expect(tags(page.replace('Staging carrier', '<b>'))).not.toEqual(tags(page));
    expect(tags(page.replace('<h1>', '<h1 onclick="x">'))).not.toEqual(tags(page));
  });
});
