import type { RunnableInterface, Assignment } from '../context/case-context.ts';
import type { Target, Subscriber } from '../../model/target.ts';
import { findClient } from '../../target/registrations.ts';
import { firstInapplicable, firstMissing, missingAttribute, undeclared } from './requirements.ts';
import type { Case, Suites } from '../../suite/suites.ts';
import { heldBy, locksOf } from '../case/locks.ts';
import { isAttended } from '../drive/drive.ts';
import { planTime, type PlannedTime, type PlannedWorld } from './planned-time.ts';
import type { Want } from '../clock/scheduler.ts';

type Chosen = ReadonlyMap<string, Subscriber>;

/** Whether a case reaches another subscriber. It always gets the first one with its tag, so that shards can be split. */
const reachesOthers = ({ requires: wanted, subscriber }: Case): boolean =>
  wanted.some((need) => need.startsWith('subscriber:') && need !== `subscriber:${subscriber}`);

interface Spreading {
  readonly target: Target;
  readonly interface: RunnableInterface;
  /** Planned seconds of exclusive use of a subscriber. */
  readonly loads: Map<string, number>;
  readonly chosen: Map<string, Subscriber>;
  /** Candidate subscribers by case, computed on demand. */
  readonly candidates: Map<Case, readonly Subscriber[]>;
}

/** Candidate subscribers of a case; none if the target file excludes the case. */
function candidatesFor(given: Case, spreading: Spreading): readonly Subscriber[] {
  const candidates = spreading.candidates.get(given) ?? findCandidates(given, spreading);
  spreading.candidates.set(given, candidates);
  return candidates;
}

function findCandidates(given: Case, { target, interface: certified }: Spreading): readonly Subscriber[] {
  const client = findClient(given, target);
  if (client === undefined || undeclared(given, target) !== undefined) return [];
  if (missingAttribute(given, target, certified) ?? firstInapplicable(given, target, client)) return [];
  return target.subscribers.filter(
    ({ tags, subs }) => tags.includes(given.subscriber) && subs[client.name] !== undefined,
  );
}

/** Shortest case that is balanced over the whole run, in seconds; shorter ones are spread within their suite. */
const long = 300;

interface Weighed {
  readonly given: Case;
  readonly fixed: boolean;
  readonly held: number;
}

const loadOf = ({ loads }: Spreading, { name }: Subscriber, kind = ''): number => loads.get(`${kind} ${name}`) ?? 0;

function addLoad(
  { loads }: Spreading,
  names: readonly string[],
  { kind = '', seconds }: { kind?: string; seconds: number },
) {
  for (const name of names) loads.set(`${kind} ${name}`, (loads.get(`${kind} ${name}`) ?? 0) + seconds);
}

/** Names of the subscribers that a case holds exclusively. */
function heldWith(given: Case, subscriber: Subscriber, { target }: Spreading): readonly string[] {
  const client = findClient(given, target);
  return client === undefined ? [] : heldBy(locksOf(given, { client, subscriber, second: undefined }, target));
}

/** Returns the first candidate with the smallest amount. */
const leastOf = (candidates: readonly Subscriber[], amountOf: (one: Subscriber) => number): Subscriber | undefined =>
  candidates.toSorted((a, b) => amountOf(a) - amountOf(b))[0];

/** Assigns an exclusive case to the subscriber with the least exclusive time so far. */
function assignExclusive({ given, fixed, held }: Weighed, spreading: Spreading): void {
  const kind = held < long ? given.position.file : '';
  const candidates = candidatesFor(given, spreading);
  const least = fixed ? candidates[0] : leastOf(candidates, (one) => loadOf(spreading, one, kind));
  if (least === undefined) return;
  addLoad(spreading, heldWith(given, least, spreading), { kind, seconds: held });
  spreading.chosen.set(given.id, least);
}

interface Exchange {
  readonly one: Weighed;
  readonly with: Weighed | undefined;
  readonly to: Subscriber;
  /** Difference of the two loads after the exchange, in seconds. */
  readonly apart: number;
}

/** Possible exchanges of a case of the busiest subscriber for none, or a shorter one, of another subscriber. */
function exchangesOf(busiest: Subscriber, movable: readonly Weighed[], spreading: Spreading): readonly Exchange[] {
  const { chosen } = spreading;
  const mine = movable.filter(({ given }) => chosen.get(given.id) === busiest);
  return mine.flatMap((one) =>
    candidatesFor(one.given, spreading).flatMap((to) => {
      const apart = loadOf(spreading, busiest) - loadOf(spreading, to);
      const theirs = movable.filter(
        ({ given }) => chosen.get(given.id) === to && candidatesFor(given, spreading).includes(busiest),
      );
      return [undefined, ...theirs].flatMap((other): Exchange[] => {
        const moved = one.held - (other?.held ?? 0);
        return moved > 0 && moved < apart ? [{ one, with: other, to, apart: Math.abs(apart - 2 * moved) }] : [];
      });
    }),
  );
}

/** Most exchanges that even out the load of the busiest subscriber. */
const mostExchanges = 20;

/** Evens out the loads by exchanges: after longest-first they differ by as much as the last cases. */
function evenOut(movable: readonly Weighed[], spreading: Spreading): void {
  const { chosen } = spreading;
  for (let count = 0; count < mostExchanges; count += 1) {
    const busy = movable.flatMap(({ given }) => chosen.get(given.id) ?? []);
    const busiest = busy.toSorted((a, b) => loadOf(spreading, b) - loadOf(spreading, a))[0];
    if (busiest === undefined) return;
    const [best] = exchangesOf(busiest, movable, spreading).toSorted((a, b) => a.apart - b.apart);
    if (best === undefined) return;
    const { one, with: other, to } = best;
    const seconds = one.held - (other?.held ?? 0);
    addLoad(spreading, [busiest.name], { seconds: -seconds });
    addLoad(spreading, [to.name], { seconds });
    chosen.set(one.given.id, to);
    if (other !== undefined) chosen.set(other.given.id, busiest);
  }
}

/** Exclusive seconds by which a subscriber may exceed the least busy one and still get shared cases. */
const muchBusier = 3 * 3600;

/** Assigns a shared case in turn, except to subscribers whose exclusive cases take hours longer. */
function assignShared(given: Case, turn: number, spreading: Spreading): void {
  const candidates = candidatesFor(given, spreading);
  const least = Math.min(...candidates.map((one) => loadOf(spreading, one)));
  const free = candidates.filter((one) => loadOf(spreading, one) <= least + muchBusier);
  const next = reachesOthers(given) ? candidates[0] : free[turn % Math.max(1, free.length)];
  if (next !== undefined) spreading.chosen.set(given.id, next);
}

function spreadAnew(all: readonly Case[], written: Target, certified: RunnableInterface): Chosen {
  // Ignores attended drivers: assignments, and so shards, are the same on machines with and without an operator.
  const drivers = Object.fromEntries(Object.entries(written.drivers).filter(([, driver]) => !isAttended(driver)));
  const target = { ...written, drivers };
  const world = { target, suites: { bases: {} }, interface: certified };
  const spreading: Spreading = {
    target,
    interface: certified,
    loads: new Map(),
    chosen: new Map(),
    candidates: new Map(),
  };
  const exclusive = all
    .filter((given) => given.exclusive)
    .map((given) => ({ given, fixed: reachesOthers(given), held: planTime(given, world).held }));
  const longestFirst = exclusive.toSorted((a, b) => Number(b.fixed) - Number(a.fixed) || b.held - a.held);
  for (const one of longestFirst) assignExclusive(one, spreading);
  const movable = exclusive.filter(({ fixed, held }) => !fixed && held >= long);
  evenOut(movable, spreading);
  for (const [turn, given] of all.entries()) if (!given.exclusive) assignShared(given, turn, spreading);
  return spreading.chosen;
}

/** Assignments by cases and target, reused by a process that runs many times. */
const known = new WeakMap<readonly Case[], WeakMap<Target, Chosen>>();

/** Assigns each case a subscriber with its tag, so that all subscribers finish at about the same time. */
function spread(all: readonly Case[], target: Target, certified: RunnableInterface): Chosen {
  const ofCases = known.get(all) ?? new WeakMap<Target, Chosen>();
  known.set(all, ofCases);
  const chosen = ofCases.get(target) ?? spreadAnew(all, target, certified);
  ofCases.set(target, chosen);
  return chosen;
}

export interface Runs {
  readonly case: Case;
  readonly assignment: Assignment;
}

export interface Unplanned {
  readonly case: Case;
  readonly verdict: 'not-run' | 'not-applicable';
  readonly reason: string;
}

export type Planned = Runs | Unplanned;

export const runs = (planned: Planned): planned is Runs => 'assignment' in planned;

const describeClient = (wanted: Case['client']): string =>
  typeof wanted === 'string'
    ? `a client ${wanted}`
    : `a client with ${Object.entries(wanted)
        .map(([flag, on]) => `${flag} ${on ? 'on' : 'off'}`)
        .join(', ')}`;

interface Planning {
  readonly target: Target;
  readonly chosen: Chosen;
  readonly interface: RunnableInterface;
}

function planOne(given: Case, { target, chosen, interface: certified }: Planning): Planned {
  const notRun = (missing: string): Planned => ({ case: given, verdict: 'not-run', reason: `needs ${missing}` });
  const declared = undeclared(given, target) ?? missingAttribute(given, target, certified);
  if (declared !== undefined) return { case: given, verdict: 'not-applicable', reason: declared };
  const client = findClient(given, target);
  if (client === undefined) return notRun(describeClient(given.client));
  const pointless = firstInapplicable(given, target, client);
  if (pointless !== undefined) return { case: given, verdict: 'not-applicable', reason: pointless };
  const subscriber = chosen.get(given.id);
  if (subscriber === undefined) return notRun(`a subscriber ${given.subscriber}`);
  const missing = firstMissing(given, target, client);
  if (missing !== undefined) return notRun(missing);
  return {
    case: given,
    assignment: { client, subscriber, second: target.clients.find(({ name }) => name === 'second') },
  };
}

/** Assigns client and subscriber to every selected case, in suite order; a selection does not change assignments. */
export function planRun(
  { cases }: Pick<Suites, 'cases'>,
  target: Target,
  { all = cases, interface: certified }: { readonly all?: readonly Case[]; readonly interface: RunnableInterface },
): readonly Planned[] {
  const chosen = spread(all, target, certified);
  return cases.map((given) => planOne(given, { target, chosen, interface: certified }));
}

export interface Timed {
  readonly planned: Runs;
  /** Position in the plan. */
  readonly index: number;
  readonly time: PlannedTime;
  readonly wants: readonly Want[];
}

export function timeCases(plan: readonly Planned[], world: PlannedWorld): readonly Timed[] {
  return [...plan.entries()].flatMap(([index, planned]): Timed[] => {
    if (!runs(planned)) return [];
    const wants = locksOf(planned.case, planned.assignment, world.target);
    return [{ planned, index, time: planTime(planned.case, world), wants }];
  });
}
