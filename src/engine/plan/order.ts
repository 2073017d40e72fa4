import type { Hours } from '../../lib/hours.ts';
import { orderByLot } from '../../lib/covering/random.ts';
import type { CaseOrder } from './case-order.ts';
import { isRest } from '../../suite/verbs/http.ts';
import { type CaseBounds, defaultBounds } from '../case/locks.ts';
import { hasExclusive, type StartedCase, packCases } from './pack.ts';
import type { TimedCase } from './assign.ts';
import { comesLast } from './planned-time.ts';
import { caseRuleIds } from '../../suite/suites.ts';
import type { Interface } from '../../model/interface.ts';
import type { Target } from '../../model/target.ts';

interface OpenRule {
  readonly rule: string;
  readonly cases: Set<TimedCase>;
  /** Cost of its cases that are not ordered yet. */
  cost: number;
}

/** Rules with their cases, in the order of first mention. */
function groupCasesByRule(cases: readonly TimedCase[], costs: ReadonlyMap<TimedCase, number>): Map<string, OpenRule> {
  const rules = new Map<string, OpenRule>();
  for (const timed of cases) {
    for (const rule of caseRuleIds(timed.planned.case)) {
      const open = rules.get(rule) ?? { rule, cases: new Set(), cost: 0 };
      open.cases.add(timed);
      open.cost += costs.get(timed) ?? 0;
      rules.set(rule, open);
    }
  }
  return rules;
}

const cheapestRule = (rules: Iterable<OpenRule>): OpenRule | undefined => {
  let cheapest: OpenRule | undefined;
  for (const open of rules) if (cheapest === undefined || open.cost < cheapest.cost) cheapest = open;
  return cheapest;
};

/** Order that completes the most rules early: repeatedly the rule with the lowest remaining cost. */
function soonestOrder(cases: readonly TimedCase[], ofOne: number): readonly TimedCase[] {
  // Seconds by which a case delays others, at least one; a case that shares its subscriber counts only its part.
  const costs = new Map(
    cases.map((timed) => [
      timed,
      Math.max(1, hasExclusive(timed, 'subscriber:') ? timed.time.held : timed.time.total / ofOne),
    ]),
  );
  const rules = groupCasesByRule(cases, costs);
  const order = new Set<TimedCase>();
  for (let next = cheapestRule(rules.values()); next !== undefined; next = cheapestRule(rules.values())) {
    rules.delete(next.rule);
    const cheapestFirst = [...next.cases].toSorted((a, b) => (costs.get(a) ?? 0) - (costs.get(b) ?? 0));
    for (const timed of cheapestFirst) {
      if (order.has(timed)) continue;
      order.add(timed);
      for (const rule of caseRuleIds(timed.planned.case)) {
        const open = rules.get(rule);
        if (open !== undefined) open.cost -= costs.get(timed) ?? 0;
      }
    }
  }
  return [...order, ...cases.filter((timed) => !order.has(timed))];
}

/** Seconds that are short enough for all cases to wait. */
const shortWait = 10;

/** Turn of a case: short registration changes, shared cases, long registration changes, manual tasks, exclusive cases. */
function caseTurn(timed: TimedCase): number {
  if (hasExclusive(timed, 'client:')) return timed.time.held <= shortWait ? 0 : 2;
  if (timed.time.prompt.length > 0) return 3;
  return hasExclusive(timed, 'subscriber:') ? 4 : 1;
}

/** Orders cases by turn; within it cases with `rest` first, and short manual tasks first so that the operator waits less. */
function sortByTurn(cases: readonly TimedCase[]): readonly TimedCase[] {
  const weighed = cases.map((timed) => ({
    timed,
    turn: caseTurn(timed),
    // A case with `rest` comes early, because its subscriber has been idle since before the run.
    later: Number(!timed.planned.case.steps.some(({ act }) => isRest(act))),
    weight: timed.time.prompt.length > 0 ? timed.time.total : 0,
  }));
  return weighed
    .toSorted((a, b) => a.turn - b.turn || a.later - b.later || a.weight - b.weight)
    .map(({ timed }) => timed);
}

export const packedEnd = (begun: readonly StartedCase[]): number =>
  begun.reduce((end, { timed, begins }) => Math.max(end, begins + timed.time.total), 0);

/** Factor by which a run may exceed the shortest so that verdicts come sooner. */
const orderTolerance = 1.02;

/** Packs four orders and returns the first one close to the shortest; those with early verdicts come first. */
export function chooseOrder(cases: readonly TimedCase[], bounds: CaseBounds = {}): readonly StartedCase[] {
  const soonest = soonestOrder(cases, bounds.ofOne ?? defaultBounds.ofOne);
  const longest = cases.toSorted((a, b) => b.time.total - a.time.total || a.index - b.index);
  const ways = [soonest, longest]
    .map(sortByTurn)
    .flatMap((order) => [false, true].map((hides) => packCases(order, bounds, hides)));
  const shortest = Math.min(...ways.map(packedEnd));
  const chosen = ways.find((begun) => packedEnd(begun) <= shortest * orderTolerance) ?? [];
  return chosen.toSorted((a, b) => a.begins - b.begins);
}

/** Bounds of the open cases, and the requested order instead of the planned one. */
export interface RunOrder extends CaseBounds {
  readonly order?: CaseOrder | undefined;
  readonly hours?: PlannedHours | undefined;
}

/** Hours in which cases may reach phones and people, and the time of day at which the run begins, in seconds. */
export interface PlannedHours {
  readonly hours: Hours;
  readonly begins: number;
}

const shuffledPrefix = 'shuffled=';

function applyOrder(cases: readonly TimedCase[], order: CaseOrder): readonly TimedCase[] {
  const listed = cases.toSorted((a, b) => a.index - b.index);
  if (order === 'listed') return listed;
  if (order === 'reversed') return listed.toReversed();
  return orderByLot(order.slice(shuffledPrefix.length), listed, ({ planned }) => planned.case.id);
}

/** Order of the cases, with those that take longer than a week at the end. */
export function startOrder(cases: readonly TimedCase[], { order, ...bounds }: RunOrder = {}): readonly TimedCase[] {
  const orderOf = (some: readonly TimedCase[]): readonly TimedCase[] =>
    order === undefined ? chooseOrder(some, bounds).map(({ timed }) => timed) : applyOrder(some, order);
  return [
    ...orderOf(cases.filter(({ time }) => !comesLast(time))),
    ...orderOf(cases.filter(({ time }) => comesLast(time))),
  ];
}

interface PendingLimits {
  readonly target: Pick<Target, 'supports'> & { readonly casesPerSubscriber?: number };
  readonly interface: Pick<Interface, 'severalPending'>;
}

/** Cases of one subscriber that may be open at once: one if the target declares that one request waits. Undefined: the default. */
export const casesOfOne = ({ target, interface: { severalPending } }: PendingLimits): number | undefined =>
  target.supports[severalPending] === false ? 1 : target.casesPerSubscriber;
