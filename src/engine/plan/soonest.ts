import { rulesOf } from '../../suite/suites.ts';
import { hasExclusive } from './item.ts';
import type { Timed } from './timed.ts';

/** Seconds by which a case keeps others from beginning, at least one; what runs beside others counts for its part. */
const costOf = (timed: Timed, ofOne: number): number =>
  Math.max(1, hasExclusive(timed, 'subscriber:') ? timed.time.held : timed.time.total / ofOne);

interface Open {
  readonly rule: string;
  readonly cases: Set<Timed>;
  /** What its cases cost that are not in the order yet. */
  cost: number;
}

/** Rules with their cases, in the order in which the cases first name them. */
function openRules(cases: readonly Timed[], costs: ReadonlyMap<Timed, number>): Map<string, Open> {
  const rules = new Map<string, Open>();
  for (const timed of cases) {
    for (const rule of rulesOf(timed.planned.case)) {
      const open = rules.get(rule) ?? { rule, cases: new Set(), cost: 0 };
      open.cases.add(timed);
      open.cost += costs.get(timed) ?? 0;
      rules.set(rule, open);
    }
  }
  return rules;
}

const cheapestOf = (rules: Iterable<Open>): Open | undefined => {
  let cheapest: Open | undefined;
  for (const open of rules) if (cheapest === undefined || open.cost < cheapest.cost) cheapest = open;
  return cheapest;
};

/** The order in which the most rules have all their cases soon: each time the rule that costs the least more. */
export function soonestOrder(cases: readonly Timed[], ofOne: number): readonly Timed[] {
  const costs = new Map(cases.map((timed) => [timed, costOf(timed, ofOne)]));
  const rules = openRules(cases, costs);
  const order = new Set<Timed>();
  for (let next = cheapestOf(rules.values()); next !== undefined; next = cheapestOf(rules.values())) {
    rules.delete(next.rule);
    const cheapestFirst = [...next.cases].toSorted((a, b) => (costs.get(a) ?? 0) - (costs.get(b) ?? 0));
    for (const timed of cheapestFirst) {
      if (order.has(timed)) continue;
      order.add(timed);
      for (const rule of rulesOf(timed.planned.case)) {
        const open = rules.get(rule);
        if (open !== undefined) open.cost -= costs.get(timed) ?? 0;
      }
    }
  }
  return [...order, ...cases.filter((timed) => !order.has(timed))];
}
