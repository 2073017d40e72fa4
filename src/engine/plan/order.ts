import { byLot } from '../../lib/covering/random.ts';
import type { CaseOrder } from '../../model/order.ts';
import { isRest } from '../../suite/verbs/http.ts';
import { type Bounds, defaultBounds } from '../case/locks.ts';
import { hasExclusive, type Begun, pack } from './pack.ts';
import type { Timed } from './assign.ts';
import { rulesOf } from '../../suite/suites.ts';

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
function soonestOrder(cases: readonly Timed[], ofOne: number): readonly Timed[] {
  // Seconds by which a case keeps others from beginning, at least one; a case beside others counts for its part.
  const costs = new Map(
    cases.map((timed) => [
      timed,
      Math.max(1, hasExclusive(timed, 'subscriber:') ? timed.time.held : timed.time.total / ofOne),
    ]),
  );
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

/** Seconds that everybody can wait. */
const short = 10;

/** The turn of a case: registration changes first, then exclusive cases, manual tasks before the others. */
function turnOf(timed: Timed): number {
  if (hasExclusive(timed, 'client:')) return timed.time.held <= short ? 0 : 2;
  if (timed.time.prompt.length > 0) return 3;
  return hasExclusive(timed, 'subscriber:') ? 4 : 1;
}

/** Within a turn what needs rest first, else in the order given; of manual tasks the shortest first, so that the operator waits less. */
function byTurns(cases: readonly Timed[]): readonly Timed[] {
  const weighed = cases.map((timed) => ({
    timed,
    turn: turnOf(timed),
    // A case with a `rest` comes early: its subscriber has been left alone since before the run.
    later: Number(!timed.planned.case.steps.some(({ act }) => isRest(act))),
    weight: timed.time.prompt.length > 0 ? timed.time.total : 0,
  }));
  return weighed
    .toSorted((a, b) => a.turn - b.turn || a.later - b.later || a.weight - b.weight)
    .map(({ timed }) => timed);
}

export const endOf = (begun: readonly Begun[]): number =>
  begun.reduce((end, { timed, begins }) => Math.max(end, begins + timed.time.total), 0);

/** By how much a run may be longer than it could be, so that verdicts come sooner. */
const tolerance = 1.02;

/** Of four orders the first that is not noticeably longer than the shortest, the most verdicts soon first. */
export function chooseWay(cases: readonly Timed[], bounds: Bounds = {}): readonly Begun[] {
  const soonest = soonestOrder(cases, bounds.ofOne ?? defaultBounds.ofOne);
  const longest = cases.toSorted((a, b) => b.time.total - a.time.total || a.index - b.index);
  const ways = [soonest, longest]
    .map(byTurns)
    .flatMap((order) => [false, true].map((hides) => pack(order, bounds, hides)));
  const shortest = Math.min(...ways.map(endOf));
  const chosen = ways.find((begun) => endOf(begun) <= shortest * tolerance) ?? [];
  return chosen.toSorted((a, b) => a.begins - b.begins);
}

/** How a run goes: the bounds of what is open, and the order that was asked for in place of the planned one. */
export interface Way extends Bounds {
  readonly order?: CaseOrder | undefined;
}

const shuffled = 'shuffled=';

function orderedBy(cases: readonly Timed[], order: CaseOrder): readonly Timed[] {
  const listed = cases.toSorted((a, b) => a.index - b.index);
  if (order === 'listed') return listed;
  if (order === 'reversed') return listed.toReversed();
  return byLot(order.slice(shuffled.length), listed, ({ planned }) => planned.case.id);
}

export const startOrder = (cases: readonly Timed[], { order, ...bounds }: Way = {}): readonly Timed[] =>
  order === undefined ? chooseWay(cases, bounds).map(({ timed }) => timed) : orderedBy(cases, order);
