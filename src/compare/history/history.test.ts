import { describe, expect, test } from 'vitest';
import type { ResultFooter, ResultHeader, RuleResult } from '../../model/result.ts';
import type { Verdict } from '../../model/rule.ts';
import {
  buildCase,
  buildFinding,
  buildFooter,
  buildHeader,
  buildInvariant,
  buildRule,
} from '../../testing/results/result.ts';
import { createHistory } from './history.ts';
import { indexJudges, type HistoryEntry } from './history-model.ts';

const theirs = { flags: ['--target', 'carrier.yaml'] };
const { target, suites } = buildHeader();

interface Parts {
  readonly header?: Partial<ResultHeader>;
  readonly footer?: Partial<ResultFooter>;
}

/** A run of one operator's carrier on a day of January. */
function entryOf(day: number, rules: readonly RuleResult[], { header = {}, footer = {} }: Parts = {}): HistoryEntry {
  const startedAt = `2026-01-${String(day).padStart(2, '0')}T00:00:00.000Z`;
  return {
    file: `${day}/result.json`,
    header: buildHeader({ ...theirs, run: `run-${day}`, startedAt, ...header }),
    footer: buildFooter(footer),
    rules,
  };
}

const judged = (verdict: Verdict, parts: Partial<RuleResult> = {}): readonly RuleResult[] => [
  buildRule({ verdict, ...parts }),
];

/** The only carrier of a history. */
function carrierOf(entries: readonly HistoryEntry[], newest?: number) {
  const { carriers } = createHistory(entries, newest);
  const [carrier] = carriers;
  if (carrier === undefined || carriers.length > 1) throw new Error(`${carriers.length} carriers`);
  return carrier;
}

const lineOf = (entries: readonly HistoryEntry[]) => carrierOf(entries).rules[0];

describe('a rule over time', () => {
  test('turns where its verdict becomes another, in the order of time, whatever the order of the files', () => {
    const runs = [entryOf(3, judged('fail')), entryOf(1, judged('pass')), entryOf(2, judged('pass'))];
    expect(lineOf(runs)).toMatchObject({
      cells: [{ verdict: 'pass' }, { verdict: 'pass' }, { verdict: 'fail' }],
      turns: [{ rule: 'REQ-015', from: 'pass', to: 'fail', before: 1, at: 2, cause: 'carrier' }],
      newest: { verdict: 'fail', at: 2 },
    });
    expect(createHistory(runs)).toEqual(createHistory(runs.toReversed()));
  });

  test('that was not judged in between turns all the same, and the run that says nothing is no turn', () => {
    const line = lineOf([
      entryOf(1, judged('pass')),
      entryOf(2, judged('inconclusive', { reason: 'no callback' })),
      entryOf(3, []),
      entryOf(4, judged('fail')),
    ]);
    expect(line?.cells).toEqual([
      { verdict: 'pass' },
      { verdict: 'inconclusive', reason: 'no callback' },
      undefined,
      { verdict: 'fail' },
    ]);
    expect(line?.turns).toMatchObject([{ before: 0, at: 3 }]);
    expect(line?.judgedLast).toBeUndefined();
  });

  test.each(['inconclusive', 'error', 'not-run', 'not-applicable', 'attested'] as const)(
    'that nobody judges any more (%s) is not what it was',
    (verdict) => {
      const entries = [entryOf(1, judged('pass')), entryOf(2, judged(verdict))];
      expect(lineOf(entries)).toMatchObject({
        newest: { verdict, at: 1 },
        judgedLast: { verdict: 'pass', at: 0 },
        turns: [],
      });
      expect(createHistory(entries).matrices[0]?.rows[0]?.cells).toMatchObject([{ verdict, at: 1 }]);
    },
  );

  test('that newer runs did not select has its older verdict, with how many they are', () => {
    const { matrices } = createHistory([entryOf(1, judged('pass')), entryOf(2, []), entryOf(3, [])]);
    expect(matrices[0]?.rows[0]?.cells).toMatchObject([{ verdict: 'pass', at: 0, newerWithout: 2 }]);
  });

  test('turns for other words or by other suites, and then that is said', () => {
    const suitesOf = (digest: string): Parts => ({ header: { suites: { ...suites, suites: digest } } });
    expect(lineOf([entryOf(1, judged('pass')), entryOf(2, judged('fail'), suitesOf('sha256:2'))])?.turns).toMatchObject(
      [{ cause: 'suites' }],
    );
    const reworded = judged('fail', { description: 'Otherwise.' });
    const line = lineOf([entryOf(1, judged('pass')), entryOf(2, reworded, suitesOf('sha256:2'))]);
    expect(line).toMatchObject({ reworded: true, description: 'Otherwise.', turns: [{ cause: 'rule' }] });
  });
});

describe('what other cases ran', () => {
  /** A run of these cases; those in `against` broke the rule. */
  const ran = (day: number, ids: string, against = ''): HistoryEntry => ({
    ...entryOf(day, judged(against === '' ? 'pass' : 'fail')),
    judges: { ran: new Set(ids), against: new Map(against === '' ? [] : [['REQ-015', against.split('')]]) },
  });
  const turnsOf = (entries: readonly HistoryEntry[]) =>
    lineOf(entries)?.turns.map(({ before, at, from, to, cause }) => `${before} ${from} > ${at} ${to} ${cause}`);

  test.each<[string, readonly HistoryEntry[], readonly string[]]>([
    ['a finding whose case did not run again', [ran(1, 'ab', 'b'), ran(2, 'a')], ['0 fail > 1 pass selection']],
    ['a finding whose case ran again', [ran(1, 'ab', 'b'), ran(2, 'b')], ['0 fail > 1 pass carrier']],
    ['a case that had not run before', [ran(1, 'a'), ran(2, 'ab', 'b')], ['0 pass > 1 fail selection']],
    ['a case that had run before', [ran(1, 'ab'), ran(2, 'b', 'b')], ['0 pass > 1 fail carrier']],
    [
      'a finding that was left open and is then tried again',
      [ran(1, 'ab', 'b'), ran(2, 'a'), ran(3, 'a'), ran(4, 'ab')],
      ['0 fail > 1 pass selection', '0 fail > 3 pass carrier'],
    ],
    [
      'a finding that was left open and is found again',
      [ran(1, 'ab', 'b'), ran(2, 'a'), ran(3, 'ab', 'b'), ran(4, 'ab')],
      ['0 fail > 1 pass selection', '1 pass > 2 fail selection', '2 fail > 3 pass carrier'],
    ],
    [
      'a case that a narrower run in between left out',
      [ran(1, 'ab'), ran(2, 'a'), ran(3, 'ab', 'b')],
      ['0 pass > 2 fail carrier'],
    ],
    ['another case that breaks it', [ran(1, 'ab', 'b'), ran(2, 'ab', 'a')], []],
  ])('%s', (_, entries, expected) => {
    expect(turnsOf(entries)).toEqual(expected);
  });

  test('what a result says of its cases and invariants is what counts', () => {
    const found = { ...buildFinding(), rule: 'REQ-015' };
    const [one, other] = [buildCase({ id: 'one', findings: [found], verdict: 'fail' }), buildCase({ id: 'other' })];
    const beside = buildCase({ id: 'unjudged', verdict: 'inconclusive' });
    const invariant = buildInvariant({ findings: [{ ...found, rule: 'CB-004', seenIn: 'other' }] });
    const judges = indexJudges({ cases: [one, other, beside], invariants: [invariant] });
    expect([...judges.ran]).toEqual(['one', 'other']);
    expect([...judges.against]).toEqual([
      ['REQ-015', ['one']],
      ['CB-004', ['other']],
    ]);
  });
});

describe('carriers', () => {
  const issuerOf = (issuer: string): Parts => ({ header: { target: { ...target, issuer } } });
  const named = (entries: readonly HistoryEntry[]) =>
    createHistory(entries).carriers.map(({ kind, faults, issuer }) => [kind, ...faults, issuer]);

  test('are told apart by their issuer, not by their name', () => {
    const other = { ...target, name: 'Renamed' };
    const issuers = named([
      entryOf(1, [], issuerOf('https://a.test')),
      entryOf(2, [], issuerOf('https://b.test')),
      entryOf(3, [], { header: { target: { ...other, issuer: 'https://a.test' } } }),
    ]);
    expect(issuers.map((one) => one.join(' ')).toSorted()).toEqual([
      'carrier https://a.test',
      'carrier https://b.test',
    ]);
    expect(carrierOf([entryOf(1, []), entryOf(2, [], { header: { target: other } })])).toMatchObject({
      name: 'Renamed',
      otherNames: [target.name],
    });
  });

  test('a test carrier, the reference carrier and one with faults are what they are', () => {
    const port = (number: number): ResultHeader['target'] => ({ ...target, issuer: `http://127.0.0.1:${number}` });
    expect(
      named([
        entryOf(1, [], { header: { flags: ['--fault', 'b', '--fault', 'a'], target: port(1) } }),
        entryOf(2, [], { header: { flags: [], target: port(2) } }),
        entryOf(3, [], { header: { flags: [], target: port(3) } }),
        entryOf(4, [], { header: { target: { ...target, testCarrier: true } } }),
        entryOf(5, []),
      ]),
    ).toEqual([
      ['carrier', target.issuer],
      ['test carrier', target.issuer],
      ['reference carrier', 'http://127.0.0.1:3'],
      ['faults injected', 'a', 'b', 'http://127.0.0.1:1'],
    ]);
  });

  test('by another interface or another version of it they have a table of their own, and editions are named', () => {
    const { carriers, matrices, editions } = createHistory([
      entryOf(1, judged('pass')),
      entryOf(2, judged('pass'), { header: { suites: { ...suites, rules: 'sha256:2' } } }),
      entryOf(3, judged('fail'), { header: { interface: { id: 'server-initiated', version: '2.0' } } }),
    ]);
    expect(carriers.map((one) => [one.interface, one.runs.map(({ edition }) => edition)])).toEqual([
      ['server-initiated 1.0', ['E1', 'E2']],
      ['server-initiated 2.0', ['E1']],
    ]);
    expect(matrices.map((one) => [one.interface, one.rows.map(({ cells }) => cells.length)])).toEqual([
      ['server-initiated 1.0', [1]],
      ['server-initiated 2.0', [1]],
    ]);
    expect(editions.map((one) => [one.interface, one.label, one.rules])).toEqual([
      ['server-initiated 1.0', 'E1', suites.rules],
      ['server-initiated 1.0', 'E2', 'sha256:2'],
      ['server-initiated 2.0', 'E1', suites.rules],
    ]);
  });

  test('a rule in other words than in the row is said to be', () => {
    const other = issuerOf('https://b.test');
    const { matrices } = createHistory([
      entryOf(1, judged('pass', { description: 'Older.' }), other),
      entryOf(2, judged('pass')),
    ]);
    expect(matrices[0]?.rows[0]?.cells.map((cell) => cell?.otherWords).toSorted()).toEqual([false, true]);
  });
});

describe('runs', () => {
  test('the newest are kept, and the others counted', () => {
    const all = [1, 2, 3, 4].map((day) => entryOf(day, judged('pass')));
    expect(carrierOf(all, 2)).toMatchObject({ older: 2, runs: [{ run: 'run-3' }, { run: 'run-4' }] });
  });

  test('the same result in two files counts once, however its members are ordered', () => {
    const one = entryOf(1, judged('pass'));
    const header = Object.fromEntries(Object.entries(one.header).toReversed()) as unknown as ResultHeader;
    const { carriers, doubled } = createHistory([one, { ...one, header, file: '1/journal.jsonl' }]);
    expect(carriers[0]?.runs).toHaveLength(1);
    expect(doubled).toEqual([{ file: '1/result.json', same: '1/journal.jsonl' }]);
  });

  test('parts of a run are left out where the whole is there', () => {
    const shardOf = (index: number): Parts => ({ header: { shard: { index, of: 2 } } });
    const partsOf = [entryOf(1, judged('pass'), shardOf(1)), entryOf(2, judged('pass'), shardOf(2))];
    const joined = [1, 2].map((index) => ({ index, run: `run-${index}`, startedAt: '2026-01-01T00:00:00.000Z' }));
    const whole = entryOf(3, judged('pass'), { header: { joined } });
    expect(carrierOf(partsOf).runs).toHaveLength(2);
    const { carriers, parts } = createHistory([...partsOf, whole]);
    expect(carriers[0]?.runs).toMatchObject([{ run: 'run-3', notes: ['it was joined from 2 parts'] }]);
    expect(parts).toEqual([1, 2].map((index) => ({ file: `${index}/result.json`, whole: '3/result.json' })));
  });

  test('what makes verdicts say less is said', () => {
    const { footer: _, ...cut } = entryOf(1, []);
    const part = { selection: ['REQ-015'], shard: { index: 1, of: 4 } } as const;
    const { runs } = carrierOf([cut, entryOf(2, [], { header: part, footer: { interrupted: true } })]);
    expect(runs).toMatchObject([
      { outcome: 'cut off', notes: ['it was cut off, or has not ended'] },
      {
        notes: ['it was interrupted', 'it is part 1 of 4', 'it selected only some rules'],
      },
    ]);
    expect(runs[0]).not.toHaveProperty('required');
  });
});
