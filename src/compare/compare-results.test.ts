import { describe, expect, test } from 'vitest';
import type { ResultHeader, RuleResult } from '../model/result.ts';
import { buildFooter, buildHeader, buildRule } from '../testing/results/result.ts';
import { compareResults, type ComparedResult, columnLetter } from './compare-results.ts';
import type { Comparison } from './comparison.ts';

const target = (name: string, issuer = `https://${name}.test`): Pick<ResultHeader, 'target'> => ({
  target: { ...buildHeader().target, name, issuer },
});

function entryOf(name: string, rules: readonly RuleResult[], parts: Partial<ResultHeader> = {}): ComparedResult {
  return { file: `${name}.json`, header: buildHeader({ ...target(name), ...parts }), footer: buildFooter(), rules };
}

const informational = (recorded: RuleResult['recorded'], parts: Partial<RuleResult> = {}): RuleResult =>
  buildRule({ id: 'REQ-023', level: 'informational', verdict: 'informational', recorded, ...parts });

function compare(entries: readonly ComparedResult[], shared = false): Comparison {
  const compared = compareResults(entries, { shared });
  if ('refused' in compared) throw new Error(compared.refused);
  return compared;
}

describe('rules by results', () => {
  test('those that differ come first, each part in the order of the rules', () => {
    const rules = (...verdicts: readonly RuleResult['verdict'][]) =>
      verdicts.map((verdict, at) => buildRule({ id: `R-${at}`, verdict }));
    const { rows } = compare([
      entryOf('one', rules('pass', 'pass', 'warn', 'pass')),
      entryOf('two', rules('pass', 'fail', 'warn', 'warn')),
    ]);
    expect(rows.map(({ id, differs }) => [id, differs])).toEqual([
      ['R-1', true],
      ['R-3', true],
      ['R-0', false],
      ['R-2', false],
    ]);
    expect(rows[0]?.verdicts).toEqual(['pass', 'fail']);
  });

  test('the same verdict with another recorded value is a difference, member order is none', () => {
    const { rows } = compare([
      entryOf('one', [informational({ hyphen: 'denied 400', card: { a: 1, b: [2] } })]),
      entryOf('two', [informational({ hyphen: 'accepted 200', card: { b: [2], a: 1 } })]),
    ]);
    expect(rows).toMatchObject([
      {
        differs: true,
        values: [
          { name: 'hyphen', values: ['denied 400', 'accepted 200'], differs: true },
          { name: 'card', differs: false },
        ],
      },
    ]);
  });

  test('a value that is not there is told from null, and is a difference where the rule was judged', () => {
    const { rows } = compare([entryOf('one', [informational({ error: null })]), entryOf('two', [informational({})])]);
    expect(rows[0]?.values).toEqual([{ name: 'error', values: [null, undefined], differs: true }]);
    const silent = informational({}, { verdict: 'not-applicable', reason: 'no events' });
    const other = compare([entryOf('one', [informational({ error: null })]), entryOf('two', [silent])]).rows[0];
    expect(other).toMatchObject({ differs: true, reasons: [undefined, 'no events'], values: [{ differs: false }] });
  });

  test('a value of a case that one run did not have is no difference', () => {
    const { rows } = compare([
      entryOf('one', [informational({ hyphen: 'denied', star: 1 }, { judgedBy: ['hyphen', 'star'] })]),
      entryOf('two', [informational({ hyphen: 'denied' }, { judgedBy: ['hyphen'] })]),
    ]);
    expect(rows[0]).toMatchObject({
      differs: false,
      values: [{ differs: false }, { values: [1, undefined], differs: false }],
    });
  });

  test('names of members of Object are values like others', () => {
    const named = (value: string): RuleResult =>
      informational(
        Object.fromEntries([
          ['constructor', value],
          ['__proto__', value],
        ]),
      );
    const { rows } = compare([entryOf('one', [named('a')]), entryOf('two', [named('b')])]);
    expect(rows[0]?.values.map(({ name, values }) => [name, ...values])).toEqual([
      ['constructor', 'a', 'b'],
      ['__proto__', 'a', 'b'],
    ]);
  });

  test.each([
    ['an address of its own', (n: number) => `https://${['one', 'two'][n] ?? ''}.test/cancel`, '"(issuer)/cancel"'],
    ['an id', (n: number) => `f7c00d9d-4113-4415-9124-df340ce40c6${n}`, '"(id)"'],
    ['an auth_req_id', (n: number) => `ccid-7Yk2mQ9ZpR4tV1xW8s${n}`, '"(ccid)"'],
    ['a moment of the run', (n: number) => 1_767_225_600 + n, '(moment)'],
    ['what a suite appends', (n: number) => `Approve-order-uDStvJEwHab${n}`, '"Approve-order-(random)"'],
  ])('%s is no difference', (_, make, alike) => {
    const { rows } = compare(['one', 'two'].map((name, at) => entryOf(name, [informational({ it: make(at) })])));
    expect(rows[0]).toMatchObject({ differs: false, values: [{ differs: false, alike }] });
  });

  test.each([
    ['numbers that are no moments', 300, 301],
    ['moments of another year', 1_667_225_600, 1_667_225_601],
    ['words', 'invalid_request', 'unauthorized_client'],
    ['the address of somebody else', 'https://three.test', 'https://four.test'],
    ['an id and none', 'f7c00d9d-4113-4415-9124-df340ce40c6b', null],
  ])('%s are one', (_, one, other) => {
    const { rows } = compare([
      entryOf('one', [informational({ it: one })]),
      entryOf('two', [informational({ it: other })]),
    ]);
    expect(rows[0]?.differs).toBe(true);
  });

  test('a rule that one run did not select is no difference, and is told', () => {
    const { rows, notes } = compare([
      entryOf('one', [buildRule(), informational({})]),
      entryOf('two', [buildRule()], { selection: ['REQ-015'] }),
    ]);
    expect(rows).toMatchObject([
      { id: 'REQ-015' },
      { id: 'REQ-023', verdicts: ['informational', undefined], differs: false },
    ]);
    expect(notes).toEqual(['Not with the same selection: A / B.']);
  });
});

describe('columns', () => {
  const titles = (entries: readonly ComparedResult[]): readonly string[] =>
    compare(entries).columns.map(({ title }) => title);

  test('several carriers by name, and by the day where a name comes twice', () => {
    expect(titles([entryOf('one', []), entryOf('two', [])])).toEqual(['one', 'two']);
    const later = entryOf('two', [], { startedAt: '2026-03-01T10:00:00.000Z' });
    expect(titles([entryOf('one', []), entryOf('two', []), later])).toEqual([
      'one, 2026-01-01',
      'two, 2026-01-01',
      'two, 2026-03-01',
    ]);
  });

  test('one carrier over time by the day, and by the moment where a day comes twice', () => {
    const on = (startedAt: string): ComparedResult => entryOf('one', [], { startedAt });
    const march = compare([on('2026-03-01T10:00:00.000Z'), on('2026-04-01T10:00:00.000Z')]);
    expect(march).toMatchObject({ overTime: true, columns: [{ title: '2026-03-01' }, { title: '2026-04-01' }] });
    expect(titles([on('2026-03-01T10:00:00.000Z'), on('2026-03-01T11:30:00.000Z')])).toEqual([
      '2026-03-01 10:00:00 UTC',
      '2026-03-01 11:30:00 UTC',
    ]);
  });

  test('letters go on behind Z', () => {
    expect([0, 25, 26, 51, 52, 702].map(columnLetter)).toEqual(['A', 'Z', 'AA', 'AZ', 'BA', 'AAA']);
  });

  test('what makes a difference less sure is said', () => {
    const { footer: _, ...cut } = entryOf('two', []);
    const three = entryOf('three', [], {
      clock: { kind: 'virtual', note: '' },
      tool: { name: 'carrierspec', version: '0.2.0', node: 'v22', digest: 'sha256:0' },
    });
    const four = { ...entryOf('four', []), footer: buildFooter({ outcome: 'incomplete' }) };
    expect(compare([entryOf('one', []), cut, three, four]).notes).toEqual([
      'B was cut off: what is missing in it says nothing.',
      'D is incomplete: what was not judged says nothing.',
      'Not on the same kind of clock: A, B, D / C.',
      'Not by the same version of carrierspec: A, B, D / C.',
    ]);
  });
});

describe('different rules or suites', () => {
  const suites = buildHeader().suites;
  const other = (rules: readonly RuleResult[], parts: Partial<ResultHeader['suites']>): ComparedResult =>
    entryOf('two', rules, { suites: { ...suites, ...parts } });

  test.each([
    ['rules', { rules: 'sha256:2' }, 'different rules (A, C / B)'],
    ['suites', { suites: 'sha256:2' }, 'different suites (A, C / B)'],
    ['both', { rules: 'sha256:2', suites: 'sha256:2' }, 'different rules (A, C / B) and different suites (A, C / B)'],
  ])('%s are refused', (_, parts, told) => {
    const compared = compareResults([entryOf('one', []), other([], parts), entryOf('three', [])], { shared: false });
    expect('refused' in compared && compared.refused).toBe(
      `the results were made with ${told}: A is one.json, B is two.json, C is three.json. A verdict of one is not that of another; --shared joins them nevertheless and shows only what they share`,
    );
  });

  test('once told so, only what they share is shown, and what is left out is named', () => {
    const one = [
      buildRule(),
      informational({ hyphen: 'denied', more: 1 }),
      buildRule({ id: 'OLD-001' }),
      buildRule({ id: 'REQ-030' }),
    ];
    const two = [
      buildRule({ verdict: 'warn' }),
      informational({ hyphen: 'denied' }),
      buildRule({ id: 'NEW-001' }),
      buildRule({ id: 'REQ-030', description: 'Otherwise.' }),
    ];
    const compared = compare([entryOf('one', one), other(two, { rules: 'sha256:2' })], true);
    expect(compared.rows.map(({ id, values }) => [id, values.map(({ name }) => name)])).toEqual([
      ['REQ-015', []],
      ['REQ-023', ['hyphen']],
    ]);
    expect(compared.leftOut).toEqual([
      { reason: 'not in every result', rules: ['OLD-001', 'NEW-001'] },
      { reason: 'not the same rule in every result', rules: ['REQ-030'] },
    ]);
    expect(compared.notes[0]).toMatch(/^The suites are not the same: /);
  });

  test('where nothing is different, --shared takes nothing away', () => {
    const entries = [entryOf('one', [buildRule(), informational({ a: 1 })]), entryOf('two', [buildRule()])];
    expect(compare(entries, true)).toEqual(compare(entries));
  });
});
