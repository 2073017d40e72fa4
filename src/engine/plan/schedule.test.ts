import { testedInterface } from '../../testing/parts/tested-interface.ts';
import { describe, expect, test } from 'vitest';
import type { Subscriber, Target } from '../../model/target.ts';
import { loadCases } from '../../testing/parts/load-text.ts';
import { buildTarget } from '../../testing/parts/target.ts';
import { planRun, timeCases } from './assign.ts';
import { startOrder } from './order.ts';
import { fitBudget, planLength, bookRun, bookedLength, criticalPath } from './schedule.ts';
import type { Case } from '../../suite/suites.ts';
import { buildTimed } from '../../testing/parts/timed-case.ts';

const people = ['first', 'second', 'third'].map(
  (name): Subscriber => ({ name, tags: ['consented'], subs: { main: `001010-${name}` } }),
);
const byHand = { kind: 'ask', timeout: 60, env: {} } as const;

/** Case that waits so many seconds; `rest` can make it exclusive. */
const waiting = (id: string, seconds: number, rest = ''): string =>
  `  - { id: ${id}, title: It waits, rule: REQ-001${rest}, steps: [{ as: start, http: { to: jwks }, expect: answered }, ` +
  `{ at: start + ${seconds}s, http: { to: jwks }, expect: answered }] }\n`;
const exclusive = ', exclusive: true';

const services = { interface: testedInterface };

async function timed(yaml: string, target: Partial<Target> = {}) {
  const cases: readonly Case[] = await loadCases(yaml);
  const whole = buildTarget({ subscribers: people, ...target });
  return timeCases(planRun({ cases }, whole, services), { target: whole, suites: { bases: {} }, ...services });
}

const table = async (yaml: string, target: Partial<Target> = {}) =>
  (await bookRun(startOrder(await timed(yaml, target)))).map(({ planned, begins, leaves }) => [
    planned.case.id,
    planned.assignment.subscriber.name,
    begins,
    leaves,
  ]);

const one = { subscribers: people.slice(0, 1) };

test('the length of a run is that of its longest path, with the end of each case on it', async () => {
  const yaml = waiting('one', 10, exclusive) + waiting('b', 20) + waiting('c', 30, exclusive);
  expect(await planLength(await timed(yaml, one), {})).toEqual({
    length: {
      seconds: 60,
      path: [
        { case: 'b', ends: 20 },
        { case: 'one', ends: 30 },
        { case: 'c', ends: 60 },
      ],
    },
    acts: [],
  });
});

describe('how cases are packed', () => {
  test('manual tasks come before other exclusive cases, the shortest first', async () => {
    const asking = (id: string, seconds: number): string =>
      `  - { id: ${id}, title: It asks, rule: REQ-001, steps: [{ as: r, authorize: {}, expect: accepted }, { trigger: approve }, ` +
      `{ at: r + ${seconds}s, http: { to: jwks }, expect: answered }] }\n`;
    const yaml = waiting('one', 500, exclusive) + asking('long', 200) + asking('short', 100);
    expect(await table(yaml, { ...one, drivers: { approve: byHand } })).toEqual([
      ['short', 'first', 0, 100],
      ['long', 'first', 100, 300],
      ['one', 'first', 300, 800],
    ]);
  });

  test('no more of one subscriber at a time than the target file lets', async () => {
    const yaml = Array.from({ length: 4 }, (_, at) => waiting(at === 0 ? 'one' : `c${at}`, 10)).join('');
    const order = startOrder(await timed(yaml, one));
    const lengths = [{}, { ofOne: 2 }, { ofOne: 1 }].map(async (bounds) => bookedLength(await bookRun(order, bounds)));
    expect(await Promise.all(lengths)).toEqual([10, 20, 40]);
  });
});

describe('what fits into a budget', () => {
  const yaml =
    waiting('one', 600, exclusive) +
    waiting('b', 40, exclusive) +
    waiting('c', 30, exclusive) +
    waiting('d', 20, exclusive);
  const fits = async (seconds: number) =>
    (await fitBudget(await timed(yaml, one), { seconds })).map(({ planned }) => planned.case.id);

  test.each([
    [19, []],
    [20, ['d']],
    [59, ['d', 'c']],
    [90, ['d', 'c', 'b']],
    [689, ['d', 'c', 'b']],
    [690, ['d', 'c', 'b', 'one']],
  ])('of %i seconds', async (seconds, ids) => expect(await fits(seconds)).toEqual(ids));
});

test('a case waits for one that had what both could not have at once, not for one that shared something with it', async () => {
  const booked = await bookRun([
    buildTimed('beside', { held: 100, wants: ['second!', 'client:main'] }),
    buildTimed('before', { held: 100, wants: ['first!', 'client:main'] }),
    buildTimed('waits', { held: 50, wants: ['first!', 'client:main'] }),
  ]);
  expect(criticalPath(booked).map(({ planned }) => planned.case.id)).toEqual(['before', 'waits']);
});
