import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { parseJson } from '../../lib/json.ts';
import { packedCases, elementText, htmlReport, unpackedText, withoutAssets } from '../../testing/pages/html-page.ts';
import {
  buildCase,
  buildCutOffResult,
  buildFooter,
  buildHeader,
  buildResult,
  buildRule,
  buildFinding,
} from '../../testing/results/result.ts';
import { sampleResult } from '../../testing/results/sample-result.ts';

describe('renderHtml', () => {
  it('allows the one script and the one style sheet it has, and nothing else', () => {
    const page = htmlReport(sampleResult);
    const digest = (name: string): string =>
      `'sha256-${createHash('sha256').update(elementText(page, name)).digest('base64')}'`;
    expect(page).toContain(
      `content="default-src 'none'; style-src ${digest('style')}; script-src ${digest('script')}; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'"`,
    );
    expect(withoutAssets(page)).not.toMatch(/\s(style|on\w+|src|srcset|action|formaction|xlink:href)=/);
    const leaving = [...withoutAssets(page).matchAll(/\shref="(?!#)([^"]*)"/g)].map(([, href]) => href);
    expect(leaving).toEqual([]);
  });

  it('says on its first screen what was judged, against whom, and what came of it', () => {
    const page = htmlReport(sampleResult);
    const first = page.slice(page.indexOf('<header'), page.indexOf('</header>'));
    const about = page.slice(page.indexOf('<section class="about"'));
    for (const text of [
      '<span class="word">Not conformant</span> <span class="sentence">2 required rules are broken.</span>',
      'virtual clock: it says nothing about real time',
      'In 2 rules (server-initiated) the carrier does something other than the interface requires',
      '2026-01-01 00:00:00 UTC <span class="quiet">took ',
      'aria-label="server-initiated: 2 fail, 1 warn, 1 informational, 1 pass, 4 not-run"',
      '4 required rules were not run',
      'Staging carrier',
      '<h2><a href="#rules" data-q="is:broken">2 rules broken</a></h2>',
      '<span class="why">',
    ])
      expect(first).toContain(text);
    expect(first).not.toContain('exit code');
    expect(first).not.toContain('only the operator can attest it');
    for (const text of ['cannot certify a production carrier', 'carrierspec 0.1.0 on Node v20.20.2'])
      expect(about).toContain(text);
  });

  it('praises nobody where no required rule was judged', () => {
    const none = { conforming: 0, judged: 0, applicable: 0 };
    const score = { required: none, recommended: none, informational: none, all: none };
    const page = htmlReport(buildResult({ footer: buildFooter({ outcome: 'not judged', score }) }));
    expect(page).toContain('<header class="first o-none"');
    expect(page.slice(0, page.indexOf('id="rules"'))).not.toMatch(/[^n]conformant/i);
  });

  it('has one verdict by the profile, and lists apart what is broken and does not count', () => {
    const rules = [buildRule(), buildRule({ id: 'SEC-01', verdict: 'fail', baseline: true, apart: true })];
    const cases = [buildCase({ verdict: 'fail', findings: [buildFinding({ rule: 'SEC-01', level: 'required' })] })];
    const page = htmlReport(buildResult({ rules, cases }));
    expect(page).toContain('<h2><a href="#rules" data-q="is:uncounted">1 rule broken, but not counted</a></h2>');
    expect(page).toContain(
      'data-standing="uncounted"><summary><h4><span class="v v-fail">fail</span> <span class="id">SEC-01',
    );
    expect(page).not.toMatch(/data-q="is:(broken|not-followed)/);
  });

  it('says under the marks how many of the fail marks follow from another rule', () => {
    const broken = buildRule({ id: 'LHT-001', verdict: 'fail' });
    const rules = [broken, buildRule({ id: 'LHT-002', verdict: 'fail', followsFrom: 'LHT-001' })];
    expect(htmlReport(buildResult({ rules }))).toContain(
      'One mark for each rule; 1 of the fail marks follows from a broken rule: ',
    );
    expect(htmlReport(buildResult({ rules: [broken] }))).toContain('One mark for each rule: ');
  });

  it('has five causes on its first screen, the most important first, and the number of all', () => {
    const ids = Array.from({ length: 8 }, (_, at) => `REQ-10${at}`);
    const rules = ids.map((id) => buildRule({ id, verdict: 'fail' }));
    const cases = ids.map((rule) =>
      buildCase({ id: `of-${rule}`, verdict: 'fail', findings: [buildFinding({ rule, level: 'required' })] }),
    );
    const twice = buildCase({
      id: 'twice',
      verdict: 'fail',
      findings: [buildFinding({ rule: 'REQ-107', level: 'required' })],
    });
    const page = htmlReport(buildResult({ rules, cases: [...cases, twice] }));
    const causes = page.slice(page.indexOf('<nav class="causes"'), page.indexOf('</header>'));
    expect(causes).toContain('>8 rules broken</a>');
    expect([...causes.matchAll(/<li>.*? href="#([^"]+)"/g)].map(([, id]) => id)).toEqual([
      'REQ-107',
      ...ids.slice(0, 4),
    ]);
  });

  it('has every rule in the order of the interface, each with a name to link to', () => {
    const page = htmlReport(sampleResult);
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
    expect([...page.matchAll(/<details class="clause" id="([^"]+)"/g)].map(([, id]) => id)).toEqual([
      'section-1',
      'section-2.3',
      'section-2.4',
      'section-2.7',
      'section-7',
    ]);
  });

  it('shows each case once, and leads there from the other rules it judges', () => {
    const rules = [buildRule(), buildRule({ id: 'REQ-016' })];
    const page = htmlReport(
      buildResult({ rules, cases: [buildCase({ rules: [{ rule: 'REQ-016' }, { rule: 'REQ-015' }] })] }),
    );
    expect(packedCases(page)).toMatchObject([{ anchor: 'case-jti-repeated', home: ['REQ-016', 'REQ-016'] }]);
    expect(parseJson(unpackedText(page, 'cases-data'))).toMatchObject({
      rules: [
        ['REQ-015', [0]],
        ['REQ-016', [0]],
        ['other-cases', []],
      ],
    });
  });

  it('shows a case under a rule that only a step of it judges', () => {
    const rules = [buildRule(), buildRule({ id: 'EVT-014', clause: '6 dc2', judgedBy: ['jti-repeated'] })];
    const page = htmlReport(buildResult({ rules }));
    const rule = page.slice(page.indexOf('id="EVT-014"'));
    expect(rule).toContain('§6 dc2 · required · server-initiated · 1 case');
    expect(parseJson(unpackedText(page, 'cases-data'))).toMatchObject({
      rules: [
        ['REQ-015', [0]],
        ['EVT-014', [0]],
        ['other-cases', []],
      ],
    });
  });

  it('does not lose a case whose rules are not in the result', () => {
    const page = htmlReport(buildResult({ rules: [], cases: [buildCase({ rules: [{ rule: 'GONE-1' }] })] }));
    expect(page).toContain('id="other-cases"');
    expect(parseJson(unpackedText(page, 'cases-data'))).toMatchObject({
      cases: [{ anchor: 'case-jti-repeated' }],
      rules: [['other-cases', [0]]],
    });
  });

  it.each([
    ['was cut off', buildCutOffResult(), 'Cut off', 'The run did not reach its end: it has no outcome and no score.'],
    [
      'is incomplete',
      buildResult({
        footer: buildFooter({ outcome: 'incomplete', interrupted: true, reasons: ['1 rule is inconclusive'] }),
      }),
      'Incomplete',
      'No required rule was found broken, but not everything selected was judged.',
    ],
    ['is conformant', buildResult(), 'Conformant', '1 of 1 required rules was judged, and none is broken.'],
  ])('says that a run %s', (_, result, word, sentence) => {
    expect(htmlReport(result)).toContain(
      `<h1><span class="word">${word}</span> <span class="sentence">${sentence}</span></h1>`,
    );
  });

  it('says which part of a run it is about', () => {
    const page = htmlReport(buildResult({ header: buildHeader({ shard: { index: 2, of: 4 } }) }));
    expect(page).toContain('<dt>Shard</dt><dd>2 of 4</dd>');
    expect(htmlReport(buildResult())).not.toContain('<dt>Shard</dt>');
  });

  it('has no element twice', () => {
    const ids = [...withoutAssets(htmlReport(sampleResult)).matchAll(/\sid="([^"]*)"/g)].map(([, id]) => id);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  });
});
