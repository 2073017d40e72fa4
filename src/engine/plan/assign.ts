import type { RunnableInterface, Assignment } from '../context/case-context.ts';
import type { Target, Subscriber } from '../../model/target.ts';
import { findClient } from '../../target/registrations.ts';
import { firstInapplicable, firstMissing, missingAttribute, undeclaredFeature } from './requirements.ts';
import type { Case, Suites } from '../../suite/suites.ts';
import { exclusiveSubscribers, caseLocks } from '../case/locks.ts';
import { isAttendedDriver } from '../drive/drive.ts';
import { comesLast, planTime, type PlannedTime, type PlanServices } from './planned-time.ts';
import type { LockRequest } from '../clock/scheduler.ts';

type SubscriberChoices = ReadonlyMap<string, Subscriber>;

/** Whether a case reaches another subscriber. It always gets the first one with its tag, so that shards can be split. */
const reachesOthers = ({ requires: wanted, subscriber }: Case): boolean =>
  wanted.some((need) => need.startsWith('subscriber:') && need !== `subscriber:${subscriber}`);

interface Distribution {
  readonly target: Target;
  readonly interface: RunnableInterface;
  /** Planned seconds of exclusive use of a subscriber. */
  readonly loads: Map<string, number>;
  readonly chosen: Map<string, Subscriber>;
  /** Candidate subscribers by case, computed on demand. */
  readonly candidates: Map<Case, readonly Subscriber[]>;
}

/** Candidate subscribers of a case; none if the target file excludes the case. */
function cachedCandidates(given: Case, spreading: Distribution): readonly Subscriber[] {
  const candidates = spreading.candidates.get(given) ?? findCandidates(given, spreading);
  spreading.candidates.set(given, candidates);
  return candidates;
}

function findCandidates(given: Case, { target, interface: certified }: Distribution): readonly Subscriber[] {
  const client = findClient(given, target);
  if (client === undefined || undeclaredFeature(given, target) !== undefined) return [];
  if (missingAttribute(given, target, certified) ?? firstInapplicable(given, target, client)) return [];
  return target.subscribers.filter(
    ({ tags, subs }) => tags.includes(given.subscriber) && subs[client.name] !== undefined,
  );
}

/** Shortest case that is balanced over the whole run, in seconds; shorter ones are spread within their suite. */
const minBalancedSeconds = 300;

interface WeighedCase {
  readonly given: Case;
  readonly fixed: boolean;
  readonly held: number;
}

const subscriberLoad = ({ loads }: Distribution, { name }: Subscriber, kind = ''): number =>
  loads.get(`${kind} ${name}`) ?? 0;

function addLoad(
  { loads }: Distribution,
  names: readonly string[],
  { kind = '', seconds }: { kind?: string; seconds: number },
) {
  for (const name of names) loads.set(`${kind} ${name}`, (loads.get(`${kind} ${name}`) ?? 0) + seconds);
}

/** Names of the subscribers that a case holds exclusively. */
function heldSubscribers(given: Case, subscriber: Subscriber, { target }: Distribution): readonly string[] {
  const client = findClient(given, target);
  return client === undefined
    ? []
    : exclusiveSubscribers(caseLocks(given, { client, subscriber, second: undefined }, target));
}

/** Returns the first candidate with the smallest amount. */
const findLeast = (candidates: readonly Subscriber[], amountOf: (one: Subscriber) => number): Subscriber | undefined =>
  candidates.toSorted((a, b) => amountOf(a) - amountOf(b))[0];

/** Assigns an exclusive case to the subscriber with the least exclusive time so far. */
function assignExclusive({ given, fixed, held }: WeighedCase, spreading: Distribution): void {
  const kind = held < minBalancedSeconds ? given.position.file : '';
  const candidates = cachedCandidates(given, spreading);
  const least = fixed ? candidates[0] : findLeast(candidates, (one) => subscriberLoad(spreading, one, kind));
  if (least === undefined) return;
  addLoad(spreading, heldSubscribers(given, least, spreading), { kind, seconds: held });
  spreading.chosen.set(given.id, least);
}

interface CaseSwap {
  readonly one: WeighedCase;
  readonly with: WeighedCase | undefined;
  readonly to: Subscriber;
  /** Difference of the two loads after the exchange, in seconds. */
  readonly apart: number;
}

/** Ways to move a case from the busiest subscriber to another, alone or in exchange for a shorter one. */
function possibleSwaps(
  busiest: Subscriber,
  movable: readonly WeighedCase[],
  spreading: Distribution,
): readonly CaseSwap[] {
  const { chosen } = spreading;
  const mine = movable.filter(({ given }) => chosen.get(given.id) === busiest);
  return mine.flatMap((one) =>
    cachedCandidates(one.given, spreading).flatMap((to) => {
      const apart = subscriberLoad(spreading, busiest) - subscriberLoad(spreading, to);
      const theirs = movable.filter(
        ({ given }) => chosen.get(given.id) === to && cachedCandidates(given, spreading).includes(busiest),
      );
      return [undefined, ...theirs].flatMap((other): CaseSwap[] => {
        const moved = one.held - (other?.held ?? 0);
        return moved > 0 && moved < apart ? [{ one, with: other, to, apart: Math.abs(apart - 2 * moved) }] : [];
      });
    }),
  );
}

/** Most exchanges that even out the load of the busiest subscriber. */
const maxSwaps = 20;

/** Evens out the loads by exchanges: after longest-first they differ by as much as the last cases. */
function balanceLoads(movable: readonly WeighedCase[], spreading: Distribution): void {
  const { chosen } = spreading;
  for (let count = 0; count < maxSwaps; count += 1) {
    const busy = movable.flatMap(({ given }) => chosen.get(given.id) ?? []);
    const busiest = busy.toSorted((a, b) => subscriberLoad(spreading, b) - subscriberLoad(spreading, a))[0];
    if (busiest === undefined) return;
    const [best] = possibleSwaps(busiest, movable, spreading).toSorted((a, b) => a.apart - b.apart);
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
const maxExtraLoad = 3 * 3600;

/** Assigns a shared case in turn, except to subscribers whose exclusive cases take hours longer. */
function assignShared(given: Case, turn: number, spreading: Distribution): void {
  const candidates = cachedCandidates(given, spreading);
  const least = Math.min(...candidates.map((one) => subscriberLoad(spreading, one)));
  const free = candidates.filter((one) => subscriberLoad(spreading, one) <= least + maxExtraLoad);
  const next = reachesOthers(given) ? candidates[0] : free[turn % Math.max(1, free.length)];
  if (next !== undefined) spreading.chosen.set(given.id, next);
}

function distributeCases(all: readonly Case[], written: Target, certified: RunnableInterface): SubscriberChoices {
  // Ignores attended drivers: assignments, and so shards, are the same on machines with and without an operator.
  const drivers = Object.fromEntries(Object.entries(written.drivers).filter(([, driver]) => !isAttendedDriver(driver)));
  const target = { ...written, drivers };
  const services = { target, suites: { bases: {} }, interface: certified };
  const spreading: Distribution = {
    target,
    interface: certified,
    loads: new Map(),
    chosen: new Map(),
    candidates: new Map(),
  };
  const exclusive = all
    .filter((given) => given.exclusive)
    .map((given): WeighedCase => {
      const time = planTime(given, services);
      // A case that comes last keeps its subscriber from no other.
      return { given, fixed: reachesOthers(given), held: comesLast(time) ? 0 : time.held };
    });
  const longestFirst = exclusive.toSorted((a, b) => Number(b.fixed) - Number(a.fixed) || b.held - a.held);
  for (const one of longestFirst) assignExclusive(one, spreading);
  const movable = exclusive.filter(({ fixed, held }) => !fixed && held >= minBalancedSeconds);
  balanceLoads(movable, spreading);
  for (const [turn, given] of all.entries()) if (!given.exclusive) assignShared(given, turn, spreading);
  return spreading.chosen;
}

/** Assignments by cases and target, reused by a process that runs many times. */
const distributions = new WeakMap<readonly Case[], WeakMap<Target, SubscriberChoices>>();

/** Assigns each case a subscriber with its tag, so that all subscribers finish at about the same time. */
function cachedDistribution(all: readonly Case[], target: Target, certified: RunnableInterface): SubscriberChoices {
  const ofCases = distributions.get(all) ?? new WeakMap<Target, SubscriberChoices>();
  distributions.set(all, ofCases);
  const chosen = ofCases.get(target) ?? distributeCases(all, target, certified);
  ofCases.set(target, chosen);
  return chosen;
}

export interface AssignedCase {
  readonly case: Case;
  readonly assignment: Assignment;
}

export interface UnplannedCase {
  readonly case: Case;
  readonly verdict: 'not-run' | 'not-applicable';
  readonly reason: string;
  /** Left out by `--without`. */
  readonly leftOut?: true;
}

export type PlannedCase = AssignedCase | UnplannedCase;

export const isAssigned = (planned: PlannedCase): planned is AssignedCase => 'assignment' in planned;

const describeClient = (wanted: Case['client']): string =>
  typeof wanted === 'string'
    ? `a client ${wanted}`
    : `a client with ${Object.entries(wanted)
        .map(([flag, on]) => `${flag} ${on ? 'on' : 'off'}`)
        .join(', ')}`;

interface PlanOptions {
  readonly target: Target;
  readonly chosen: SubscriberChoices;
  readonly interface: RunnableInterface;
}

function planCase(given: Case, { target, chosen, interface: certified }: PlanOptions): PlannedCase {
  const notRun = (missing: string): PlannedCase => ({ case: given, verdict: 'not-run', reason: `needs ${missing}` });
  const declared = undeclaredFeature(given, target) ?? missingAttribute(given, target, certified);
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
  { cases, leftOut }: Pick<Suites, 'cases' | 'leftOut'>,
  target: Target,
  { all = cases, interface: certified }: { readonly all?: readonly Case[]; readonly interface: RunnableInterface },
): readonly PlannedCase[] {
  const chosen = cachedDistribution(all, target, certified);
  return cases.map((given) => {
    const reason = leftOut?.get(given);
    return reason === undefined
      ? planCase(given, { target, chosen, interface: certified })
      : { case: given, verdict: 'not-run', reason, leftOut: true };
  });
}

export interface TimedCase {
  readonly planned: AssignedCase;
  /** Position in the plan. */
  readonly index: number;
  readonly time: PlannedTime;
  readonly wants: readonly LockRequest[];
}

export function timeCases(plan: readonly PlannedCase[], services: PlanServices): readonly TimedCase[] {
  return [...plan.entries()].flatMap(([index, planned]): TimedCase[] => {
    if (!isAssigned(planned)) return [];
    const wants = caseLocks(planned.case, planned.assignment, services.target);
    return [{ planned, index, time: planTime(planned.case, services), wants }];
  });
}
