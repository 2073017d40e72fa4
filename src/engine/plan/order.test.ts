import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { buildTimed, type TimedInput } from '../../testing/parts/timed-case.ts';
import type { CaseBounds } from '../case/locks.ts';
import { chooseOrder, packedEnd, startOrder } from './order.ts';
import { bookRun, bookedLength } from './schedule.ts';
import type { TimedCase } from './assign.ts';

const many = (prefix: string, length: number, written: TimedInput): TimedCase[] =>
  Array.from({ length }, (_, at) => buildTimed(`${prefix}${at}`, written));

const begins = (cases: readonly TimedCase[], bounds?: CaseBounds): Record<string, number> =>
  Object.fromEntries(chooseOrder(cases, bounds).map((one) => [one.timed.planned.case.id, one.begins]));

describe('an order that is asked for', () => {
  const cases = many('c', 12, { held: 10 }).map((timed, index) => ({ ...timed, index }));
  const ids = (all: readonly TimedCase[]): readonly string[] => all.map(({ planned }) => planned.case.id);

  test('is that of the suites, or that backwards, whatever the plan would be', () => {
    expect(ids(startOrder(cases.toReversed(), { order: 'listed' }))).toEqual(ids(cases));
    expect(ids(startOrder(cases, { order: 'reversed' }))).toEqual(ids(cases).toReversed());
  });

  test('is drawn by its seed, and the same for a part of the cases', () => {
    const seven = ids(startOrder(cases, { order: 'shuffled=7' }));
    expect(seven.toSorted()).toEqual(ids(cases).toSorted());
    expect(seven).not.toEqual(ids(cases));
    expect(ids(startOrder(cases, { order: 'shuffled=8' }))).not.toEqual(seven);
    const few = cases.filter(({ index }) => index % 3 === 0);
    expect(ids(startOrder(few, { order: 'shuffled=7' }))).toEqual(seven.filter((id) => ids(few).includes(id)));
  });
});

test('a case that waits for more than a week comes last in every order', () => {
  const cases = [buildTimed('month', { total: 31 * 86_400 }), ...many('c', 4, { total: 600 })];
  for (const order of [undefined, 'listed', 'reversed', 'shuffled=7'] as const)
    expect(startOrder(cases, { order }).at(-1)?.planned.case.id, order).toBe('month');
});

describe('the rules that take the least are judged first', () => {
  const written = [
    { id: 'a', held: 300, rules: ['A'] },
    { id: 'b', held: 400, rules: ['A'] },
    { id: 'c', held: 500, rules: ['C'] },
    { id: 'd', held: 600, rules: ['D'] },
  ];

  test('by cases that are exclusive', () => {
    const cases = written.map(({ id, ...rest }) => buildTimed(id, { ...rest, wants: ['first!'] }));
    expect(begins(cases)).toEqual({ c: 0, d: 500, a: 1100, b: 1400 });
  });

  test('by cases that share their subscriber, where few places are free', () => {
    const cases = written.map(({ id, ...rest }) => buildTimed(id, rest));
    expect(begins(cases, { ofOne: 1 })).toEqual({ c: 0, d: 500, a: 1100, b: 1400 });
  });

  test('but the longest case is, where the run would be longer', () => {
    const cases = [...many('n', 10, { held: 100 }), buildTimed('long', { held: 1000 })];
    expect(begins(cases, { ofOne: 2 })).toMatchObject({ long: 0, n0: 0, n9: 900 });
  });
});

describe('cases that share their subscriber', () => {
  test('come before exclusive ones, where that takes hardly longer', () => {
    const cases = [...many('n', 4, { total: 300 }), ...many('x', 6, { held: 3660, wants: ['first!'] })];
    expect(begins(cases)).toMatchObject({ n0: 0, n3: 0, x0: 300 });
  });

  test('are beside them, all or the last of them, where the run is shorter so', () => {
    const cases = [...many('n', 13, { total: 300 }), ...many('x', 3, { held: 1000, wants: ['first!'] })];
    // All thirteen do not fit beside three cases; after four have begun the others do, three with each.
    expect(begins(cases)).toMatchObject({ n3: 0, n4: 300, n6: 300, x0: 300, n7: 1300, x1: 1300, n12: 2300, x2: 2300 });
    expect(packedEnd(chooseOrder(cases))).toBe(3300);
  });

  test('come before an exclusive case of another who needs their subscriber', () => {
    const cases = [
      ...many('n', 12, { total: 300 }),
      buildTimed('both', { held: 3660, wants: ['second!', 'first!'] }),
      buildTimed('other', { held: 90_000, wants: ['third!'] }),
    ];
    expect(begins(cases)).toMatchObject({ n11: 600, both: 600, other: 0 });
  });
});

describe('cases that change a registration', () => {
  const others = many('n', 4, { total: 300, wants: ['first', 'client:main'] });

  test('come first where they are over in a moment', () => {
    const change = buildTimed('change', { held: 5, wants: ['second!', 'client:main!'] });
    expect(begins([...others, change])).toMatchObject({ change: 0, n0: 5 });
  });

  test('come before exclusive cases otherwise, and are not overtaken by those of the client', () => {
    const change = buildTimed('change', { held: 3660, wants: ['second!', 'client:main!'] });
    const sharing = buildTimed('sharing', { held: 600, wants: ['first', 'client:main'] });
    const exclusive = many('x', 3, { held: 3600, wants: ['third!', 'client:main'] });
    expect(begins([...exclusive, ...others, sharing, change], { ofOne: 60 })).toMatchObject({
      n0: 0,
      change: 600,
      x0: 4260,
    });
  });

  test('stop no other case while they wait for a subscriber that cools down', () => {
    const day = buildTimed('day', { held: 86_400, wants: ['second!'] });
    const change = buildTimed('change', { held: 5, wants: ['second!', 'first!', 'client:main!'], total: 300 });
    const sooner = buildTimed('sooner', { held: 20, wants: ['first!', 'client:main!'] });
    const way = begins([day, change, sooner, ...many('x', 3, { held: 3600, wants: ['third!', 'client:main'] })]);
    expect(way).toMatchObject({ x2: 7225 });
  });
});

describe('a run goes as its order was planned', () => {
  const subscribers = ['first', 'second', 'third'];
  const written = fc.record({
    held: fc.constantFrom(0, 0, 5, 300, 2000, 3660, 20_000),
    watched: fc.constantFrom(0, 120, 600),
    owner: fc.constantFrom(...subscribers),
    other: fc.option(fc.constantFrom(...subscribers), { freq: 6 }),
    kind: fc.constantFrom('', '', '!'),
    client: fc.constantFrom('client:main', 'client:main', 'client:second', 'client:second!'),
    rules: fc.subarray(['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H']),
  });

  test('by the locks of the run itself', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(written, { maxLength: 40 }), fc.constantFrom(1, 4, 60), async (all, ofOne) => {
        const cases = all.map(({ held, watched, owner, other, kind, client, rules }, at) => {
          const beside = other === null || other === owner ? [] : [`${other}${kind}`];
          return buildTimed(`c${at}`, {
            held,
            total: held + watched,
            rules,
            wants: [`${owner}${kind}`, ...beside, client],
          });
        });
        const way = chooseOrder(cases, { ofOne });
        const order = way.map((one) => one.timed);
        expect(new Set(order).size).toBe(cases.length);
        expect(bookedLength(await bookRun(order, { ofOne }))).toBeLessThanOrEqual(packedEnd(way));
      }),
      { numRuns: 100 },
    );
  });
});
