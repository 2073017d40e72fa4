import { describe, expect, test } from 'vitest';
import type { CaseResult, Contribution, Result } from '../../model/result.ts';
import {
  buildCase,
  buildFinding,
  buildFooter,
  buildHeader,
  buildInvariant,
  buildResult,
} from '../../testing/result.ts';
import { buildMerging } from '../../testing/merging.ts';
import type { WholePart } from './parts.ts';
import { replaceCases, requireReplaceable } from './replace.ts';

const ids = ['a', 'b', 'c'];
const { suites, options } = buildMerging(ids);

const finding = (rule: string, seenIn: string) => buildFinding({ rule, seenIn });
const broken = (id: string): CaseResult => buildCase({ id, verdict: 'fail', findings: [finding('REQ-001', id)] });
const sound = (id: string): CaseResult => buildCase({ id });

/** A message of the case was judged; with `violated`, it broke the invariant. */
const showing = (id: string, violated = false): Contribution => ({
  judged: { standing: 1 },
  violations: violated ? { standing: { count: 1, findings: [finding('REQ-003', id)] } } : {},
  messages: [],
});

const standing = (judged: number, seenIn: readonly string[] = []) =>
  buildInvariant({
    id: 'standing',
    rules: [{ rule: 'REQ-003' }],
    verdict: seenIn.length > 0 ? 'fail' : 'pass',
    judged,
    violations: seenIn.length,
    findings: seenIn.map((id) => finding('REQ-003', id)),
  });

const digestOf = (run: string): string => `sha256:${run.padEnd(64, '0')}`;

function part(
  run: string,
  result: Partial<Result>,
  contributions: Readonly<Record<string, Contribution>> = {},
): WholePart {
  const header = buildHeader({ run, ...result.header });
  return {
    file: `${run}.json`,
    result: buildResult({ ...result, header }),
    digest: digestOf(run),
    contributions: new Map(Object.entries(contributions)),
  };
}

const earlier = (parts: Partial<Result> = {}): WholePart =>
  part(
    'e0',
    { cases: [broken('a'), sound('b'), sound('c')], invariants: [standing(3, ['a'])], ...parts },
    { a: showing('a', true), b: showing('b'), c: showing('c') },
  );

const verdicts = ({ rules }: Result): readonly string[] => rules.map(({ id, verdict }) => `${id} ${verdict}`);

describe('a rerun laid over a run', () => {
  test('has the later result of each case that ran again, and judges rules and invariants again', () => {
    const later = part('a1', { cases: [sound('a')], invariants: [standing(1)] }, { a: showing('a') });
    const { result, contributions } = replaceCases({ earlier: earlier(), later }, options);
    expect(verdicts(result)).toEqual(['REQ-001 pass', 'REQ-002 pass', 'REQ-003 pass']);
    expect([...result.cases].map(({ id, verdict }) => `${id} ${verdict}`)).toEqual(['a pass', 'b pass', 'c pass']);
    expect(result.invariants).toMatchObject([{ id: 'standing', verdict: 'pass', judged: 3, violations: 0 }]);
    expect(result.footer).toMatchObject({ outcome: 'conformant', wallMilliseconds: 543_000, exchanges: 4 });
    expect(contributions.get('a')).toEqual(showing('a'));
    expect(result.header.run).toMatch(/^[0-9a-f]{16}$/);
    const startedAt = '2026-01-01T00:00:00.000Z';
    expect(result.header.replaced).toEqual([
      {
        by: { run: 'a1', startedAt, digest: digestOf('a1'), flags: [] },
        of: { run: 'e0', startedAt, digest: digestOf('e0') },
        cases: ['a'],
      },
    ]);
  });

  test('can make it worse', () => {
    const later = part('a1', { cases: [broken('b')], invariants: [standing(1, ['b'])] }, { b: showing('b', true) });
    const { result } = replaceCases({ earlier: earlier(), later }, options);
    expect(verdicts(result)).toEqual(['REQ-001 fail', 'REQ-002 pass', 'REQ-003 fail']);
    expect(result.invariants[0]?.findings.map(({ seenIn }) => seenIn)).toEqual(['a', 'b']);
  });

  test('leaves an invariant as it was that the later run did not judge', () => {
    const empty = { judged: {}, violations: {}, messages: [] };
    const later = part('a1', { cases: [sound('a')] }, { a: empty });
    const { result, contributions } = replaceCases({ earlier: earlier(), later }, options);
    expect(verdicts(result)).toEqual(['REQ-001 pass', 'REQ-002 pass', 'REQ-003 fail']);
    expect(result.invariants[0]).toMatchObject({ judged: 3, violations: 1 });
    expect(contributions.get('a')).toEqual(showing('a', true));
  });

  test('replaces no case that did not run, and adds to what was replaced before', () => {
    const before = {
      by: { run: 'x', startedAt: '', digest: '', flags: [] },
      of: { run: 'y', startedAt: '', digest: '' },
    };
    const first = earlier({ header: buildHeader({ run: 'e0', replaced: [{ ...before, cases: ['c'] }] }) });
    const notRun = buildCase({ id: 'b', verdict: 'not-run', reason: 'interrupted', startedAt: 0 });
    const later = part('a1', { cases: [sound('a'), notRun], invariants: [standing(1)] }, { a: showing('a') });
    const { result } = replaceCases({ earlier: first, later }, options);
    expect(verdicts(result)[0]).toBe('REQ-001 pass');
    expect(result.header.replaced?.map(({ cases }) => cases)).toEqual([['c'], ['a']]);
  });

  test('takes no verdict away: a case that was stopped, or came to none, leaves what was known', () => {
    const cases = [
      buildCase({ id: 'a', verdict: 'inconclusive', reason: 'no callback came' }),
      buildCase({ id: 'b', verdict: 'not-run', reason: 'stopped after the first failure' }),
      sound('c'),
    ];
    const { result } = replaceCases({ earlier: earlier(), later: part('a1', { cases }) }, options);
    expect([...result.cases].map(({ id, verdict }) => [id, verdict])).toEqual([
      ['a', 'fail'],
      ['b', 'pass'],
      ['c', 'pass'],
    ]);
    expect(result.header.replaced?.map((one) => one.cases)).toEqual([['c']]);
  });

  test('counts what the rerun found by an invariant that was not selected', () => {
    const first = part('e0', { cases: [sound('a'), sound('b')] }, {});
    const later = part('a1', { cases: [sound('a')], invariants: [standing(1, ['a'])] }, { a: showing('a', true) });
    const narrow = {
      cases: suites.cases.slice(0, 2),
      invariants: suites.invariants,
      rules: new Set(['REQ-001']),
      beside: new Set(['standing']),
    };
    const { result } = replaceCases({ earlier: first, later }, { ...options, selected: narrow });
    expect(verdicts(result)).toEqual(['REQ-001 pass', 'REQ-003 fail']);
    expect(result.footer?.outcome).toBe('not conformant');
  });

  test('completes a run that was interrupted, once all of its cases have run', () => {
    const notRun = (id: string) => buildCase({ id, verdict: 'not-run', reason: 'interrupted', startedAt: 0 });
    const footer = buildFooter({ outcome: 'incomplete', interrupted: true, reasons: ['interrupted'] });
    const cases = [sound('a'), notRun('b'), notRun('c')];
    const cut = part('e0', { cases, invariants: [standing(1)], footer }, { a: showing('a') });
    const some = part('a1', { cases: [sound('b')] }, { b: showing('b') });
    const { footer: still } = replaceCases({ earlier: cut, later: some }, options).result;
    expect(still).toMatchObject({ outcome: 'incomplete', interrupted: false });
    const said = 'the run that was replaced in part was cut off, and 1 of its cases have not run since';
    expect(still?.reasons).toContain(said);
    const all = part('a2', { cases: [sound('b'), sound('c')] }, { b: showing('b'), c: showing('c') });
    expect(replaceCases({ earlier: cut, later: all }, options).result.footer?.outcome).toBe('conformant');
  });
});

describe('what cannot be laid over a run', () => {
  const header = (parts: Parameters<typeof buildHeader>[0]) => ({ header: buildHeader({ run: 'a1', ...parts }) });
  const { suites: digests, target } = buildHeader();
  test.each([
    ['other suites', { suites: { ...digests, suites: 'sha256:1' } }, 'the digest of the suites differs'],
    [
      'another target file',
      { target: { ...target, fingerprint: 'sha256:1' } },
      'the digest of the target file differs',
    ],
    [
      'another interface',
      { interface: { id: 'other', version: '2.0' } },
      'the interface differs: server-initiated 1.0 and other 2.0',
    ],
    ['another carrier', { target: { ...target, name: 'Other' } }, 'the carrier differs'],
    ['another issuer', { target: { ...target, issuer: 'https://other.test' } }, 'the issuer differs'],
    ['another profile', { profile: 'hardened' as const }, 'the profile differs'],
    ['other areas', { flags: ['--without', 'events'] }, 'the flags differ: none and --without events'],
    ['an earlier run', { startedAt: '2025-12-31T23:59:59.000Z' }, 'a1.json is the earlier run of the two'],
    ['another clock', { clock: { kind: 'virtual', note: '' } as const }, 'the clock differs: real and virtual'],
    ['a shard', { shard: { index: 1, of: 2 } }, 'a1.json is a shard'],
    ['the same run', { run: 'e0' }, 'are the same run'],
  ])('%s', (_, parts, said) => {
    const later = part('a1', header(parts));
    const trying = () => requireReplaceable(earlier(), later);
    expect(trying).toThrow(expect.objectContaining({ code: 'not-parts-of-one-run' }));
    expect(trying).toThrow(said);
  });

  test('a case that the run did not select, and a run of none', () => {
    const unknown = part('a1', { cases: [sound('z')] });
    expect(() => replaceCases({ earlier: earlier(), later: unknown }, options)).toThrow(
      'a1.json has the case z, which the run of e0.json did not select',
    );
    expect(() => replaceCases({ earlier: earlier(), later: part('a1', { cases: [] }) }, options)).toThrow(
      'a1.json has no case that ran',
    );
  });
});
