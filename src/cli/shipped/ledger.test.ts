import { beforeAll, describe, expect, test } from 'vitest';
import { serverInitiated } from '../../interfaces/server-initiated/interface.ts';
import { loadSuiteFolders } from '../../suite/load.ts';
import type { Suites } from '../../suite/suites.ts';
import { tamperNames } from '../../wire/build/tamper.ts';
import { ruleFamilies } from '../shared/choose.ts';

describe('the ledger of the rules', () => {
  let suites: Suites;
  beforeAll(async () => {
    const loaded = await loadSuiteFolders({
      dirs: ['suites'],
      interface: serverInitiated,
      tampers: tamperNames,
    });
    expect(loaded.problems).toEqual([]);
    suites = loaded.suites;
  });

  test('the ids of a family count from 1, without a gap', () => {
    for (const { name, rules } of ruleFamilies(suites.rules)) {
      const numbers = rules.map(({ id }) => Number(id.slice(name.length + 1))).toSorted((left, right) => left - right);
      expect(numbers, name).toEqual(numbers.map((_, at) => at + 1));
      expect(new Set(rules.map(({ id }) => id.length)).size, name).toBe(1);
    }
  });

  test('a family is in one area', () => {
    expect(ruleFamilies(suites.rules).filter(({ areas }) => areas.length !== 1)).toEqual([]);
  });

  test('cases or invariants judge nearly every rule, and each other one has a reason', () => {
    const judged = suites.rules.filter((rule) => rule.judged === 'cases' || rule.judged === 'invariant');
    expect(judged.length / suites.rules.length).toBeGreaterThanOrEqual(0.87);
    const others = suites.rules.filter((rule) => !judged.includes(rule));
    expect(others.filter(({ rationale = '' }) => rationale.length < 20)).toEqual([]);
  });
});
