import { describe, expect, test } from 'vitest';
import type { Subscriber } from '../../model/target.ts';
import type { Case } from '../../suite/suites.ts';
import { testedInterface } from '../../testing/parts/tested-interface.ts';
import { buildScenario, buildStep } from '../../testing/parts/suite.ts';
import { buildTarget } from '../../testing/parts/target.ts';
import { planRun, timeCases } from './assign.ts';
import { lowerBound } from './lower-bound.ts';
import { dueMillis } from '../../lib/time.ts';

const subscriber = (name: string, tag: string): Subscriber => ({ name, tags: [tag], subs: { main: `001010-${name}` } });
const target = buildTarget({
  subscribers: [subscriber('first', 'consented'), subscriber('second', 'consented'), subscriber('other', 'second')],
});

const lasting = (id: string, hours: number): Case =>
  buildScenario(id, {
    exclusive: true,
    watched: false,
    steps: [
      buildStep({
        at: { source: '', position: buildStep().position, paths: [], evaluate: () => dueMillis(hours * 3600) },
      }),
    ],
  });

function plan(cases: readonly Case[]) {
  const selected = { cases, invariants: [], rules: new Set<string>() };
  const wanted = { selected, suites: { cases, bases: {} }, target, interface: testedInterface };
  return { timed: timeCases(planRun({ cases }, target, { interface: testedInterface }), wanted), wanted };
}

describe('what a run takes at least', () => {
  test('is the longest case', () => {
    expect(lowerBound(plan([lasting('a', 5), lasting('b', 1)]).timed, target)).toBe(5 * 3600);
  });

  test('is what the busiest who can stand in for each other are held each', () => {
    expect(lowerBound(plan([1, 2, 3, 4].map((hours) => lasting(`c${hours}`, hours))).timed, target)).toBe(5 * 3600);
  });
});
