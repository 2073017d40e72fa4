import { byLot } from '../../lib/covering/random.ts';
import type { CaseOrder } from '../../model/order.ts';
import { isRest } from '../../suite/verbs/rest.ts';
import { type Bounds, defaultBounds } from '../case/locks.ts';
import { hasExclusive } from './item.ts';
import { type Begun, pack } from './pack.ts';
import type { Timed } from './timed.ts';
import { soonestOrder } from './soonest.ts';

/** Seconds that everybody can wait. */
const short = 10;

/**
 * What changes a registration stops all others of that client: in a moment before they begin, else when those are over that wait
 * side by side. These come before what is exclusive: they are over in minutes, and exclusive cases are most of the run. Of that,
 * manual tasks come first, so that the operator can leave when they are over.
 */
function turnOf(timed: Timed): number {
  if (hasExclusive(timed, 'client:')) return timed.time.held <= short ? 0 : 2;
  if (timed.time.prompt.length > 0) return 3;
  return hasExclusive(timed, 'subscriber:') ? 4 : 1;
}

/** Cases with a `rest` come early: their subscriber has been left alone since before the run. */
const rests = ({ planned }: Timed): boolean => planned.case.steps.some(({ act }) => isRest(act));

/** Within a turn what needs rest first, else in the order given; of manual tasks the shortest first, so that the operator waits less. */
function byTurns(cases: readonly Timed[]): readonly Timed[] {
  const weighed = cases.map((timed) => ({
    timed,
    turn: turnOf(timed),
    later: Number(!rests(timed)),
    weight: timed.time.prompt.length > 0 ? timed.time.total : 0,
  }));
  return weighed
    .toSorted((a, b) => a.turn - b.turn || a.later - b.later || a.weight - b.weight)
    .map(({ timed }) => timed);
}

const longestFirst = (cases: readonly Timed[]): readonly Timed[] =>
  cases.toSorted((a, b) => b.time.total - a.time.total || a.index - b.index);

/** When the last case has ended. */
export const endOf = (begun: readonly Begun[]): number =>
  begun.reduce((end, { timed, begins }) => Math.max(end, begins + timed.time.total), 0);

/** By how much a run may be longer than it could be, so that verdicts come sooner. */
const tolerance = 1.02;

/**
 * Ways to go, the one with the most verdicts soon first: by the rules that take the least, then by the longest cases; what only
 * shares its subscriber before what is exclusive, then as much of it as fits beside that.
 */
function waysOf(cases: readonly Timed[], bounds: Bounds): readonly (readonly Begun[])[] {
  const soonest = byTurns(soonestOrder(cases, bounds.ofOne ?? defaultBounds.ofOne));
  const longest = byTurns(longestFirst(cases));
  return [soonest, longest].flatMap((order) => [false, true].map((hides) => pack(order, bounds, hides)));
}

/** Of the ways that are not noticeably longer than the shortest, the one in which the rules have their verdicts the soonest. */
export function chooseWay(cases: readonly Timed[], bounds: Bounds = {}): readonly Begun[] {
  const ways = waysOf(cases, bounds);
  const shortest = Math.min(...ways.map(endOf));
  const chosen = ways.find((begun) => endOf(begun) <= shortest * tolerance) ?? [];
  return chosen.toSorted((a, b) => a.begins - b.begins);
}

/** How a run goes: the bounds of what is open, and the order that was asked for in place of the planned one. */
export interface Way extends Bounds {
  readonly order?: CaseOrder | undefined;
}

const shuffled = 'shuffled=';

/** The cases in an order that was asked for. */
function orderedBy(cases: readonly Timed[], order: CaseOrder): readonly Timed[] {
  const listed = cases.toSorted((a, b) => a.index - b.index);
  if (order === 'listed') return listed;
  if (order === 'reversed') return listed.toReversed();
  return byLot(order.slice(shuffled.length), listed, ({ planned }) => planned.case.id);
}

/** The order in which cases are begun. */
export const startOrder = (cases: readonly Timed[], { order, ...bounds }: Way = {}): readonly Timed[] =>
  order === undefined ? chooseWay(cases, bounds).map(({ timed }) => timed) : orderedBy(cases, order);
