import { testedInterface } from '../../testing/parts/tested-interface.ts';
import { describe, expect, test } from 'vitest';
import type { Subscriber, Target } from '../../model/target.ts';
import { buildClient } from '../../testing/parts/keys.ts';
import { buildExpectation, buildRuleText, buildScenario, buildStanding, buildStep } from '../../testing/parts/suite.ts';
import { buildTarget } from '../../testing/parts/target.ts';
import { planRun } from './assign.ts';
import { shardCases, selectShard } from './shard.ts';
import type { Case, Step } from '../../suite/suites.ts';
import type { Trigger } from '../../suite/verbs/trigger.ts';
import { dueMillis } from '../../lib/time.ts';

const subscriber = (name: string, ...tags: readonly string[]): Subscriber => ({
  name,
  tags,
  subs: { main: `001010-${name}` },
});

const target = buildTarget({
  clients: [buildClient()],
  subscribers: [
    subscriber('first', 'consented'),
    subscriber('second', 'consented'),
    subscriber('third', 'consented'),
    subscriber('fourth', 'unconsented'),
    subscriber('fifth', 'proofed'),
  ],
});
const services = { interface: testedInterface, target, suites: { bases: {} } };

/** Two steps; the second is due so many seconds after the case began. */
const waits = (seconds: number) => [
  buildStep({ expectations: [buildExpectation()] }),
  buildStep({
    name: 'later',
    at: { source: 'later', position: buildStep().position, paths: [], evaluate: () => dueMillis(seconds) },
  }),
];

const names = (prefix: string, count: number): string[] => Array.from({ length: count }, (_, at) => `${prefix}${at}`);
const many = (prefix: string, count: number, parts: Partial<Case> = {}): Case[] =>
  names(prefix, count).map((id) => buildScenario(id, parts));

function partsOf(cases: readonly Case[], of: number): string[][] {
  const plan = planRun({ cases }, target, services);
  return Array.from({ length: of }, (_, at) =>
    shardCases(plan, { index: at + 1, of }, services).map((one) => one.case.id),
  );
}

const subscribersOf = (cases: readonly Case[], ids: readonly string[]): Set<string> =>
  new Set(
    planRun({ cases }, target, services).flatMap((one) =>
      'assignment' in one && ids.includes(one.case.id) ? [one.assignment.subscriber.name] : [],
    ),
  );

describe('the parts of a plan', () => {
  const cases = [
    ...many('a', 30),
    ...many('u', 5, { subscriber: 'unconsented' }),
    ...many('p', 2, { subscriber: 'proofed' }),
  ];

  test.each([1, 2, 3, 4, 5, 9])('in %i hold every case once, in the order of the plan', (of) => {
    const parts = partsOf(cases, of);
    expect(parts.flat().toSorted()).toEqual(cases.map(({ id }) => id).toSorted());
    const places = new Map(cases.map(({ id }, place) => [id, place]));
    for (const part of parts) {
      expect(part).toEqual(part.toSorted((a, b) => (places.get(a) ?? 0) - (places.get(b) ?? 0)));
    }
  });

  test('hold the cases of a subscriber together, and are the same each time', () => {
    const parts = partsOf(cases, 4);
    const subscribers = parts.map((part) => [...subscribersOf(cases, part)]);
    expect(subscribers.flat().toSorted()).toEqual(['fifth', 'first', 'fourth', 'second', 'third']);
    expect(new Set(subscribers.flat()).size).toBe(5);
    expect(partsOf(cases, 4)).toEqual(parts);
  });

  test('more than there are subscribers are empty', () =>
    expect(partsOf(cases, 7).filter((part) => part.length === 0)).toHaveLength(2));

  test('are about as long as each other: a subscriber with long waits is alone, the others share the rest', () => {
    const long = many('u', 1, { subscriber: 'unconsented', steps: waits(10_000) });
    const parts = partsOf([...many('a', 30), ...long], 2);
    expect(parts).toContainEqual(['u0']);
    const side = many('u', 4, { subscriber: 'unconsented', steps: waits(1000) });
    const exclusive = many('p', 4, { subscriber: 'proofed', exclusive: true, steps: waits(1000) });
    const weighed = partsOf([...many('a', 3, { steps: waits(3000) }), ...side, ...exclusive], 2);
    // 4000 s in sequence, against 1000 s in parallel and 3000 s in each of three others.
    expect(weighed.find((part) => part.includes('p0'))).not.toContain('u0');
  });

  test('hold subscribers together that share cases, by however many steps', () => {
    const reaches = (trait: string) => ({ requires: [`subscriber:${trait}`] });
    const linked = [
      ...many('a', 9),
      buildScenario('x', reaches('unconsented')),
      buildScenario('y', { subscriber: 'unconsented', ...reaches('proofed') }),
    ];
    const all = [...linked, ...many('u', 2, { subscriber: 'unconsented' }), ...many('p', 2, { subscriber: 'proofed' })];
    const parts = partsOf(all, 3);
    const ofX = parts.find((part) => part.includes('x'));
    expect(ofX).toEqual(expect.arrayContaining(['y', 'u0', 'u1', 'p0', 'p1', 'a0', 'a3', 'a6']));
  });

  test('what does not run is in the first', () => {
    const lacking = many('n', 2, { subscriber: 'self-declared' });
    const [first = [], ...others] = partsOf([...cases, ...lacking], 3);
    expect(first).toEqual(expect.arrayContaining(['n0', 'n1']));
    expect(others.flat()).not.toContain('n0');
  });
});

test('assignments: are the same with and without an operator: machines with and without a terminal come to the same parts', () => {
  const act: Step['act'] & Trigger = { verb: 'trigger', action: 'approve', with: [], ifPossible: true };
  const approve = buildStep({ act });
  const cases = [
    ...many('asked', 1, { exclusive: true, steps: [buildStep(), approve, approve, approve] }),
    ...many('timed', 1, { exclusive: true, steps: waits(60) }),
  ];
  const attended = buildTarget({ ...target, drivers: { approve: { kind: 'ask', timeout: 60, env: {} } } });
  const castIn = (one: Target) =>
    planRun({ cases }, one, services).map((planned) =>
      'assignment' in planned ? planned.assignment.subscriber.name : undefined,
    );
  expect(castIn(attended)).toEqual(castIn(target));
  expect(new Set(castIn(target)).size).toBe(2);
});

describe('what a shard answers for', () => {
  const judging = (rule: string) => [buildStep({ expectations: [buildExpectation({}, rule)] })];
  const cases = [
    buildScenario('a', { steps: judging('REQ-001') }),
    buildScenario('u', { subscriber: 'unconsented', steps: judging('REQ-002') }),
  ];
  const suites = {
    rules: ['REQ-001', 'REQ-002', 'REQ-003', 'REQ-004'].map((id) => buildRuleText(id)),
    cases,
    bases: {},
  };
  const selected = {
    cases,
    invariants: [buildStanding('standing', { expectations: [buildExpectation({}, 'REQ-003')] })],
    rules: new Set(suites.rules.map(({ id }) => id)),
  };

  test('are the rules of its cases and of the invariants; the first has those that nothing judges', () => {
    const rules = [1, 2].map((index) => [...selectShard(selected, { index, of: 2 }, { ...services, suites }).rules]);
    expect(rules.map((ids) => ids.join(' ')).toSorted()).toEqual(
      ['REQ-001 REQ-003 REQ-004', 'REQ-002 REQ-003'].toSorted(),
    );
    expect(rules[0]).toContain('REQ-004');
  });
});
