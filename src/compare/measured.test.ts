import { describe, expect, test } from 'vitest';
import type { LimitResult, ProfileValue } from '../model/limit.ts';
import type { ResultFooter } from '../model/result.ts';
import { buildFooter, buildHeader } from '../testing/results/result.ts';
import { type ComparedResult, compareResults } from './compare-results.ts';
import type { Comparison } from './comparison.ts';

type Figure = readonly [state: LimitResult['state'], value?: number, uncertainty?: number];

function limitOf(name: string, [state, value, uncertainty]: Figure): LimitResult {
  return {
    name,
    title: `Title of ${name}`,
    rules: [{ rule: 'REQ-019', aspect: '48-hours' }],
    state,
    ...(value === undefined ? {} : { value, uncertainty: uncertainty ?? 0 }),
    unit: 's',
    words: `${state} ${value ?? ''}`,
    probes: [{ at: 1, held: true, response: 'accepted 200' }],
  };
}

const entryOf = (name: string, measured: Pick<ResultFooter, 'limits' | 'profile'>): ComparedResult => ({
  file: `${name}.json`,
  header: buildHeader({ target: { ...buildHeader().target, name, issuer: `https://${name}.test` } }),
  footer: buildFooter(measured),
  rules: [],
});

function compare(...entries: readonly ComparedResult[]): Comparison {
  const compared = compareResults(entries, { shared: false });
  if ('refused' in compared) throw new Error(compared.refused);
  return compared;
}

describe('limits', () => {
  test.each<[string, Figure, Figure, boolean]>([
    ['two exact figures', ['limit', 240], ['limit', 241], true],
    ['the same figure', ['limit', 240], ['limit', 240], false],
    ['figures within the uncertainty of both', ['limit', 300, 10], ['limit', 315, 5], false],
    ['figures further apart than that', ['limit', 300, 10], ['limit', 316, 5], true],
    ['a limit and none so far', ['limit', 240], ['beyond', 8192], true],
    ['a limit at the end of what was tried elsewhere', ['limit', 8192], ['beyond', 8192], false],
    ['two ladders of one rung', ['limit', 100, 10], ['beyond', 110, 0], true],
    ['none so far up to other ends', ['beyond', 100], ['beyond', 200], false],
    ['all refused, and a limit', ['nothing'], ['limit', 24], true],
    ['all refused by both', ['nothing'], ['nothing'], false],
    ['what was not measured', ['unmeasured'], ['limit', 24], false],
  ])('%s: %j and %j', (_, one, other, differs) => {
    const sides = [one, other].map((figure) => [limitOf('iat-age', figure)]);
    for (const [left = [], right = []] of [sides, sides.toReversed()]) {
      const { measured } = compare(entryOf('one', { limits: left }), entryOf('two', { limits: right }));
      expect(measured.map((row) => row.differs)).toEqual([differs]);
    }
  });

  test('differences come first; what was tried is left where it is', () => {
    const limits = (value: number) => [limitOf('kid', ['limit', 64]), limitOf('context', ['limit', value])];
    const { measured, notes } = compare(
      entryOf('one', { limits: limits(240) }),
      entryOf('two', { limits: limits(256) }),
      entryOf('three', {}),
    );
    expect(measured.map(({ name }) => name)).toEqual(['context', 'kid']);
    expect(measured[0]).toEqual({
      kind: 'limit',
      name: 'context',
      description: 'Title of context',
      rules: ['REQ-019#48-hours'],
      cells: [
        { state: 'limit', value: 240, uncertainty: 0, unit: 's', words: 'limit 240' },
        { state: 'limit', value: 256, uncertainty: 0, unit: 's', words: 'limit 256' },
        undefined,
      ],
      differs: true,
    });
    expect(notes).toEqual(['Limits and profile were not measured in C: nothing is known of them there.']);
  });

  test('the same name of another thing is another row', () => {
    const other = { ...limitOf('context', ['limit', 9]), title: 'Something else' };
    const { measured } = compare(
      entryOf('one', { limits: [limitOf('context', ['limit', 240])] }),
      entryOf('two', { limits: [other] }),
    );
    expect(measured.map(({ description, differs }) => [description, differs])).toEqual([
      ['Title of context', false],
      ['Something else', false],
    ]);
  });
});

describe('the profile', () => {
  const behaviour = (parts: Partial<ProfileValue>): ProfileValue => ({
    name: 'a2',
    description: 'acr_values a2',
    rules: [{ rule: 'REQ-023' }],
    case: 'acr-a2',
    ...parts,
  });
  const rows = (one: Partial<ProfileValue>, other: Partial<ProfileValue>) =>
    compare(entryOf('one', { profile: [behaviour(one)] }), entryOf('two', { profile: [behaviour(other)] })).measured;

  test('another value is a difference, null is a value', () => {
    expect(rows({ value: 'accepted 200' }, { value: null })).toEqual([
      {
        kind: 'profile',
        name: 'a2',
        description: 'acr_values a2',
        rules: ['REQ-023'],
        cells: [{ value: 'accepted 200' }, { value: null }],
        differs: true,
      },
    ]);
  });

  test('the order of members, an address of its own, and what was not seen are none', () => {
    expect(rows({ value: { a: 1, b: 2 } }, { value: { b: 2, a: 1 } })[0]?.differs).toBe(false);
    expect(rows({ value: 'https://one.test/x' }, { value: 'https://two.test/x' })[0]).toMatchObject({
      differs: false,
      alike: '"(issuer)/x"',
    });
    const unseen = { rules: [], reason: 'its case was not selected' };
    expect(rows(unseen, { value: 'accepted' })[0]).toMatchObject({
      differs: false,
      rules: ['REQ-023'],
      cells: [{ reason: 'its case was not selected' }, { value: 'accepted' }],
    });
  });

  test('nothing measured, no rows and no note', () => {
    expect(compare(entryOf('one', {}), entryOf('two', {}))).toMatchObject({ measured: [], notes: [] });
  });
});
