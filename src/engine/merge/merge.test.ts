import { describe, expect, test } from 'vitest';
import type { CaseResult, Contribution, InvariantResult, Result, ResultHeader } from '../../model/result.ts';
import { runCheck } from '../../testing/parts/named-checks.ts';
import {
  buildCase,
  buildDelivery,
  buildExchange,
  buildFinding,
  buildFooter,
  buildHeader,
  buildInvariant,
  buildResult,
  buildRule,
} from '../../testing/results/result.ts';
import { buildMerging } from '../../testing/results/merging.ts';
import { buildExpectation, buildRuleText, buildStanding } from '../../testing/parts/suite.ts';
import { mergeParts } from './merge.ts';
import { type MergePart, requireParts } from './shard-parts.ts';

const ids = ['a', 'b', 'c', 'd'];
const { suites, selected, options } = buildMerging(ids, [buildRuleText('REQ-004', 'required', { judged: 'attested' })]);

const ran = (id: string, parts: Partial<CaseResult> = {}): CaseResult => buildCase({ id, ...parts });
const standing = (parts: Parameters<typeof buildInvariant>[0] = {}) =>
  buildInvariant({ id: 'standing', rules: [{ rule: 'REQ-003' }], ...parts });

function part(index: number, cases: readonly CaseResult[], parts: Partial<Result> = {}): MergePart {
  const header = buildHeader({ run: `run${index}`, shard: { index, of: 2 }, ...parts.header });
  return { file: `${index}.json`, result: buildResult({ cases, invariants: [standing()], ...parts, header }) };
}

const merge = async (...parts: readonly MergePart[]): Promise<Result> => mergeParts(requireParts(parts), options);
const verdicts = (values: Iterable<{ readonly id: string; readonly verdict: string }>): string[] =>
  [...values].map(({ id, verdict }) => `${id} ${verdict}`);

describe('parts of one run', () => {
  test('are joined in the order of the suites, whatever the order they are given in', async () => {
    const merged = await merge(part(2, [ran('a'), ran('c')]), part(1, [ran('b'), ran('d')]));
    expect([...merged.cases].map(({ id }) => id)).toEqual(ids);
    expect(verdicts(merged.rules)).toEqual(['REQ-001 pass', 'REQ-002 pass', 'REQ-003 pass', 'REQ-004 not-run']);
    expect(merged.footer).toMatchObject({ outcome: 'conformant', reasons: [], interrupted: false });
    expect(merged.header.shard).toBeUndefined();
    expect(merged.header.run).toMatch(/^[0-9a-f]{16}$/);
  });

  test('add up what was sent and came, and take the longest time and the clock that was furthest off', async () => {
    const footer = (wallMilliseconds: number, offset: number, endedAt: string) =>
      buildFooter({ wallMilliseconds, skew: { offset, uncertainty: 5 }, endedAt, exchanges: 7, deliveries: 3 });
    const gap = { from: '2026-01-01T00:00:01.000Z', to: '2026-01-01T00:00:05.000Z' };
    const merged = await merge(
      part(1, [ran('a'), ran('c')], {
        footer: footer(900, 10, '2026-01-01T00:01:00.000Z'),
        unsolicited: [buildDelivery({ id: 'late', receivedAt: 2 })],
        header: buildHeader({ shard: { index: 1, of: 2 }, startedAt: '2026-01-01T00:00:09.000Z' }),
      }),
      part(2, [ran('b'), ran('d')], {
        footer: { ...footer(400, -70, '2026-01-01T00:09:00.000Z'), receiverLag: 12, gaps: [gap] },
        unsolicited: [buildDelivery({ id: 'early', receivedAt: 1 })],
      }),
    );
    expect(merged.footer).toMatchObject({
      wallMilliseconds: 900,
      exchanges: 14,
      deliveries: 6,
      skew: { offset: -70, uncertainty: 5 },
      receiverLag: 12,
      gaps: [gap],
      endedAt: '2026-01-01T00:09:00.000Z',
    });
    expect(merged.header.startedAt).toBe('2026-01-01T00:00:00.000Z');
    expect(merged.unsolicited.map(({ id }) => id)).toEqual(['early', 'late']);
  });

  test('add up their invariants, and keep the first ten violations in the order of the suites', async () => {
    const finding = (seenIn: string, actual: number) => buildFinding({ rule: 'REQ-003', seenIn, actual });
    const seven = (seenIn: string) => Array.from({ length: 7 }, (_, at) => finding(seenIn, at));
    const broken = (seenIn: string) =>
      standing({ judged: 20, violations: 7, verdict: 'fail', findings: seven(seenIn) });
    const merged = await merge(
      part(1, [ran('b'), ran('d')], { invariants: [broken('b')] }),
      part(2, [ran('a'), ran('c')], { invariants: [broken('a')] }),
    );
    const [one] = merged.invariants;
    expect(one).toMatchObject({ judged: 40, violations: 14, verdict: 'fail' });
    expect(one?.findings.map(({ seenIn }) => seenIn).join('')).toBe('aaaaaaabbb');
    expect(verdicts(merged.rules)[2]).toBe('REQ-003 fail');
  });

  test('keep what the operator attests', async () => {
    const attestation = { by: 'Operations', on: '2026-01-01', description: 'It was seen.', evidence: 'a log' };
    const rules = [buildRule({ id: 'REQ-004', judged: 'attested', verdict: 'attested', attestation })];
    const merged = await merge(part(1, [ran('a'), ran('c')], { rules }), part(2, [ran('b'), ran('d')]));
    expect(merged.rules[3]).toMatchObject({ id: 'REQ-004', verdict: 'attested', attestation });
  });

  test('judge expected failures again: what one part did not see fail failed in another', async () => {
    const entry = {
      what: 'rule',
      name: 'REQ-001',
      reason: 'known',
      owner: 'Operations',
      expires: '2026-12-31',
      position: { file: 'expected.yaml', line: 1, column: 1 },
    } as const;
    const footer = (became: 'failed' | 'no longer fails') =>
      buildFooter({ expected: [{ ...entry, became, explains: [] }] });
    const broken = ran('b', { verdict: 'fail', findings: [buildFinding({ rule: 'REQ-001' })] });
    const first = part(1, [ran('a'), ran('c')], { footer: footer('no longer fails') });
    const merged = await merge(first, part(2, [broken, ran('d')], { footer: footer('failed') }));
    expect(merged.footer?.expected).toEqual([{ ...entry, became: 'failed', explains: ['REQ-001'] }]);
    await expect(merge(first, part(2, [broken, ran('d')]))).rejects.toThrow('different lists of expected failures');
  });
});

describe('invariants over parts whose cases say what they contributed', () => {
  const id = 'ccid-7Yk2mQ9ZpR4tV1xW8sB3nC6dF0g';
  const overRun = buildStanding('over-run', {
    on: 'run',
    expectations: [{ ...buildExpectation({}, 'REQ-003'), checks: ['distinct'] }],
  });
  const [each] = suites.invariants;
  const whole = {
    ...options,
    suites: { ...suites, invariants: [...suites.invariants, overRun] },
    selected: { ...selected, invariants: each === undefined ? [overRun] : [each, overRun] },
    checks: { distinct: runCheck('auth-req-ids-distinct') },
  };
  const accepted = (at: number, auth = id): CaseResult['messages'] => [
    buildExchange({
      id: `x${at}`,
      receivedAt: at,
      response: { status: 200, headers: [], body: JSON.stringify({ auth_req_id: auth }), bytes: 9 },
    }),
  ];
  const contributed = (at: number): Contribution => ({
    judged: { standing: 3 },
    violations: { standing: { count: 1, findings: [buildFinding({ rule: 'REQ-003', seenIn: `case${at}` })] } },
    messages: [{ id: `x${at}`, kind: 'response', outcome: 'accepted', usual: true }],
  });
  const alone = (judged: number) => [
    standing({ judged: 3, violations: 1 }),
    { ...standing({ judged }), id: 'over-run' },
  ];
  const shards = (second: string): readonly [MergePart, MergePart] => [
    part(1, [ran('a', { messages: accepted(1) })], { contributions: { a: contributed(1) }, invariants: alone(1) }),
    part(2, [ran('c', { messages: accepted(2, second) })], {
      contributions: { c: contributed(2) },
      invariants: alone(1),
    }),
  ];

  test('a check over the run finds what no part shows by itself', async () => {
    const { invariants } = await mergeParts(requireParts(shards(id)), whole);
    expect(invariants.map((one) => [one.id, one.verdict, one.judged, one.violations])).toEqual([
      ['standing', 'fail', 6, 2],
      ['over-run', 'fail', 2, 1],
    ]);
    expect(invariants[1]?.findings).toMatchObject([{ seenIn: 'c', message: 'x2', actual: id }]);
  });

  test('what one part saw, and did not see again, is a warning', async () => {
    const [first, second] = shards('ccid-another');
    const finding = buildFinding({ rule: 'REQ-003', seenIn: 'case1', unstable: true });
    const unstable = standing({
      judged: 3,
      violations: 1,
      verdict: 'warn',
      findings: [finding],
      confirmation: { status: 'unstable' },
    });
    const clean = { judged: { standing: 1 }, violations: {}, messages: [] };
    const parts: readonly [MergePart, MergePart] = [
      { ...first, result: { ...first.result, invariants: [unstable] } },
      { ...second, result: { ...second.result, invariants: [standing({ judged: 1 })], contributions: { c: clean } } },
    ];
    const { invariants } = await mergeParts(requireParts(parts), whole);
    expect(invariants[0]).toMatchObject({ verdict: 'warn', confirmation: { status: 'unstable' } });
    // Two parts that each did not see it again do not confirm each other.
    const both: readonly [MergePart, MergePart] = [
      parts[0],
      { ...parts[1], result: { ...parts[1].result, invariants: [unstable] } },
    ];
    expect((await mergeParts(requireParts(both), whole)).invariants[0]).toMatchObject({
      verdict: 'warn',
      confirmation: { status: 'unstable' },
    });
  });

  test('what one part confirmed stays confirmed beside one that was stopped', async () => {
    const [first, second] = shards('ccid-another');
    const seen = (at: number, status: 'confirmed' | 'seen-once') => ({
      ...standing({ judged: 3, violations: 1, confirmation: { status } }),
      findings: [buildFinding({ rule: 'REQ-003', seenIn: `case${at}` })],
    });
    const withInvariant = (one: MergePart, invariant: InvariantResult): MergePart => ({
      ...one,
      result: { ...one.result, invariants: [invariant] },
    });
    const parts = [withInvariant(first, seen(1, 'seen-once')), withInvariant(second, seen(2, 'confirmed'))] as const;
    const { invariants } = await mergeParts(requireParts(parts), whole);
    expect(invariants[0]).toMatchObject({ verdict: 'fail', confirmation: { status: 'confirmed' } });
  });

  test('and passes no message that a part could not judge', async () => {
    const reason = '1 of 2 messages could not be judged: a pattern is slow';
    const [first, second] = shards('ccid-another');
    const slow = { ...standing({ judged: 1, verdict: 'inconclusive' }), unjudged: 1, reason };
    const clean = { judged: { standing: 1 }, violations: {}, messages: [] };
    const parts: readonly [MergePart, MergePart] = [
      { ...first, result: { ...first.result, invariants: [slow], contributions: { a: clean } } },
      { ...second, result: { ...second.result, invariants: [standing({ judged: 1 })], contributions: { c: clean } } },
    ];
    const { invariants } = await mergeParts(requireParts(parts), whole);
    expect(invariants[0]).toMatchObject({ id: 'standing', verdict: 'inconclusive', judged: 2, unjudged: 1, reason });
  });

  test.each<[string, Partial<ResultHeader>]>([
    ['on the machine of the shard', { target: { ...buildHeader().target, issuer: 'http://127.0.0.1:8600' } }],
    ['on a virtual clock', { clock: { kind: 'virtual', note: '' } }],
  ])('two carriers, each %s, are judged each by itself', async (_, header) => {
    const apart = shards(id).map(({ file, result }) => ({
      file,
      result: { ...result, header: { ...result.header, ...header } },
    }));
    const { invariants } = await mergeParts(requireParts(apart), whole);
    expect(invariants.map((one) => [one.id, one.verdict, one.judged])).toEqual([
      ['standing', 'fail', 6],
      ['over-run', 'pass', 2],
    ]);
  });

  test('the finished cases of an interrupted part count', async () => {
    const [first, second] = shards(id);
    const { footer: _, ...cut } = { ...second.result, invariants: [], rules: [] };
    const { invariants } = await mergeParts(requireParts([first, { ...second, result: cut }]), whole);
    expect(invariants[1]).toMatchObject({ verdict: 'fail', judged: 2, violations: 1 });
  });
});

describe('a run that is not whole', () => {
  const { footer: _, ...cutOff } = buildResult({ rules: [], invariants: [], cases: [ran('b')] });

  test.each<[string, readonly MergePart[], string, string]>([
    ['a part is missing', [part(2, [ran('a'), ran('c')])], 'shard 1 of 2 is missing', 'b,d'],
    [
      'a part was cut off',
      [
        part(1, [ran('a'), ran('c')]),
        { file: '2.json', result: { ...cutOff, header: buildHeader({ shard: { index: 2, of: 2 } }) } },
      ],
      'shard 2 of 2 was cut off',
      'd',
    ],
    [
      'a part was interrupted',
      [part(1, [ran('a'), ran('c')]), part(2, [ran('b'), ran('d')], { footer: buildFooter({ interrupted: true }) })],
      'shard 2 of 2 was interrupted',
      '',
    ],
  ])('%s', async (_, parts, reason, missing) => {
    const { cases, footer } = await merge(...parts);
    expect(footer?.outcome).toBe('incomplete');
    expect(footer?.reasons[0]).toBe(reason);
    const notRun = [...cases].filter(({ verdict }) => verdict === 'not-run');
    expect(notRun.map(({ id }) => id).join()).toBe(missing);
    expect(notRun.every((one) => one.reason === reason)).toBe(true);
  });

  test('a case that the run did not select', async () => {
    await expect(merge(part(1, [ran('a'), ran('z')]))).rejects.toThrow(
      'a part holds the case z, which the run did not select',
    );
  });
});
