import { describe, expect, test } from 'vitest';
import type { Target } from '../../model/target.ts';
import type { Scope } from '../../model/template.ts';
import type { Case } from '../../suite/suites.ts';
import { certified } from '../../testing/certified.ts';
import { buildScenario, buildStep } from '../../testing/suite.ts';
import { buildTarget } from '../../testing/target.ts';
import { planRun } from './assign.ts';

const noScope: Scope = { now: () => 0, random: () => '', root: () => undefined };

describe('exclusive cases', () => {
  const consented = ['first', 'second', 'third'].map((name) => ({
    name,
    tags: ['consented'],
    subs: { main: `001010-${name}` },
  }));
  const waits = (seconds: number): Case['steps'] => [
    buildStep({ at: { source: '', position: buildStep().position, paths: [], evaluate: () => seconds } }),
  ];
  const lasting = (id: string, hours: number, parts: Partial<Case> = {}): Case =>
    buildScenario(id, { exclusive: true, steps: waits(hours * 3600), ...parts });
  const assigned = (cases: readonly Case[], target: Partial<Target> = {}): Readonly<Record<string, string>> =>
    Object.fromEntries(
      planRun({ cases }, buildTarget({ subscribers: consented, ...target }), { interface: certified }).map((one) => [
        one.case.id,
        'assignment' in one ? one.assignment.subscriber.name : one.verdict,
      ]),
    );
  const hoursOf = (cases: readonly Case[], names: Readonly<Record<string, string>>): readonly number[] =>
    consented.map(({ name }) =>
      cases.reduce(
        (sum, one) => sum + (names[one.id] === name ? Number(one.steps[0]?.at?.evaluate(noScope)) / 3600 : 0),
        0,
      ),
    );

  test('take each subscriber for as long as the others, where the longest first does not', () => {
    // The longest first gives 5 + 3 + 3, 5 + 3 and 4 + 4.
    const cases = [5, 5, 4, 4, 3, 3, 3].map((hours, at) => lasting(`c${at}`, hours));
    expect(hoursOf(cases, assigned(cases))).toEqual([9, 9, 9]);
  });

  test('that the target file keeps from running take nobody', () => {
    const cases = [lasting('never', 9, { requires: ['tls'] }), lasting('a', 2), lasting('b', 2), lasting('c', 2)];
    const names = assigned(cases, { supports: { tls: false } });
    expect(names['never']).toBe('not-applicable');
    expect(new Set([names['a'], names['b'], names['c']]).size).toBe(3);
  });

  test('are the same where one of them runs again by itself', () => {
    const cases = [5, 5, 4, 4, 3, 3, 3].map((hours, at) => lasting(`c${at}`, hours));
    const names = assigned(cases);
    for (const one of cases) {
      const target = buildTarget({ subscribers: consented });
      const [planned] = planRun({ cases: [one] }, target, { interface: certified, all: cases });
      expect(planned).toMatchObject({ assignment: { subscriber: { name: names[one.id] } } });
    }
  });

  test('of hours leave others to the subscribers who have time', () => {
    const cases = [
      lasting('day', 24),
      lasting('a', 2),
      lasting('b', 1),
      ...['c', 'd', 'e'].map((id) => buildScenario(id)),
    ];
    const names = assigned(cases);
    expect([names['c'], names['d'], names['e']]).not.toContain(names['day']);
    expect(new Set([names['c'], names['d'], names['e']]).size).toBe(2);
  });
});
