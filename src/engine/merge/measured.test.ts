import { describe, expect, test } from 'vitest';
import type { LimitResult, ProfileValue } from '../../model/limit.ts';
import type { ResultFooter } from '../../model/result.ts';
import { buildCase, buildFooter, buildHeader, buildResult } from '../../testing/result.ts';
import { joinMeasured } from './measured.ts';
import type { ShardPart } from './parts.ts';

function part(index: number, ids: readonly string[], footer?: Partial<ResultFooter>): ShardPart {
  const shard = { index, of: 2 };
  const { footer: whole, ...cut } = buildResult({
    cases: ids.map((id) => buildCase({ id })),
    header: buildHeader({ shard }),
    footer: buildFooter(footer),
  });
  const result = footer === undefined || whole === undefined ? cut : { ...cut, footer: whole };
  return { file: `${index}.json`, shard, result };
}

const limit = (value: number, uncertainty: number, parts: Partial<LimitResult> = {}): LimitResult => ({
  name: 'iat-age',
  title: 'How old',
  rules: [{ rule: 'REQ-009' }],
  state: 'limit',
  value,
  uncertainty,
  unit: 's',
  words: `refuses iat older than ${value} s ± ${uncertainty} s`,
  probes: [{ at: value, held: true, response: 'accepted 200' }],
  ...parts,
});
const { value: _value, uncertainty: _uncertainty, ...bare } = limit(0, 0);
const silent: LimitResult = { ...bare, state: 'unmeasured', words: 'not measured: no answer', reason: 'no answer' };

describe('limits', () => {
  const join = (...lists: readonly (readonly LimitResult[])[]) =>
    joinMeasured(
      lists.map((limits, at) => part(at + 1, [], { limits })),
      [],
    ).limits;

  test('of the part that has them', () => {
    const parts = [part(1, ['a'], {}), part(2, ['b'], { limits: [limit(300, 2)] }), part(3, ['c'])];
    expect(joinMeasured(parts, [])).toEqual({ limits: [limit(300, 2)] });
    expect(joinMeasured([part(1, ['a'], {}), part(2, ['b'])], [])).toEqual({});
  });

  test('the sharper figure of two that agree, and what was measured before what was not', () => {
    expect(join([limit(300, 9)], [limit(304, 2)])).toEqual([limit(304, 2)]);
    expect(join([silent], [limit(300, 2)])).toEqual([limit(300, 2)]);
    expect(join([silent], [silent])).toEqual([silent]);
    expect(join([limit(300, 2)], [limit(8, 0, { name: 'context' })])?.map(({ name }) => name)).toEqual([
      'iat-age',
      'context',
    ]);
  });

  test.each<[string, LimitResult, string]>([
    ['figures', limit(400, 2), 'refuses iat older than 400 s ± 2 s'],
    ['states', limit(300, 2, { state: 'beyond', words: 'accepts iat 300 s old' }), 'accepts iat 300 s old'],
  ])('two parts with other %s: neither is taken for the right one, and both are reported', (_, other, words) => {
    const reason = `the parts do not agree: shard 1 of 2 refuses iat older than 300 s ± 2 s; shard 2 of 2 ${words}`;
    const [joined] = join([limit(300, 2)], [other]) ?? [];
    expect(joined).toEqual({
      ...bare,
      state: 'unmeasured',
      words: `not measured: ${reason}`,
      reason,
      probes: [...limit(300, 2).probes, ...other.probes],
    });
  });
});

describe('the profile', () => {
  const entry = (id: string, parts: Partial<ProfileValue> = {}): ProfileValue => ({
    name: `of-${id}`,
    description: id,
    case: id,
    rules: [],
    ...parts,
  });
  const elsewhere = { reason: 'its case was not selected' };

  test('each entry is that of the part that had its case', () => {
    const parts = [
      part(1, ['a'], { profile: [entry('a', { value: 'accepted' }), entry('b', elsewhere), entry('c', elsewhere)] }),
      part(2, ['b'], { profile: [entry('a', elsewhere), entry('b', { value: null }), entry('c', elsewhere)] }),
    ];
    expect(joinMeasured(parts, []).profile).toEqual([
      entry('a', { value: 'accepted' }),
      entry('b', { value: null }),
      entry('c', elsewhere),
    ]);
    expect(joinMeasured(parts.toReversed(), []).profile?.map(({ value }) => value)).toEqual([
      'accepted',
      null,
      undefined,
    ]);
  });

  test('a value whose part has no profile is none, and the reason says so', () => {
    const profile = [entry('a', { value: 'x' }), entry('b', elsewhere), entry('c', elsewhere)];
    const cases = [{ id: 'c', reason: 'shard 3 of 3 is missing' }];
    expect(joinMeasured([part(1, ['a'], { profile }), part(2, ['b'], {})], cases).profile).toEqual([
      entry('a', { value: 'x' }),
      entry('b', { reason: 'shard 2 of 2, which had its case, has no profile' }),
      entry('c', { reason: 'shard 3 of 3 is missing' }),
    ]);
  });
});
