import type { RunnableInterface, Assignment } from '../context/case-context.ts';
import type { Subscriber, Target } from '../../model/target.ts';
import { findClient } from '../../target/registrations.ts';
import { firstInapplicable, firstMissing, missingAttribute, undeclared } from './requirements.ts';
import { planTime } from './planned-time.ts';
import type { Case, Suites } from '../../suite/suites.ts';

/** A case with its assignment. */
export interface Runs {
  readonly case: Case;
  readonly assignment: Assignment;
}

/** Why a case does not run. */
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

/**
 * A case that reaches another subscriber too always has the first one with its tag: so few subscribers have to do with
 * each other, and a run can be split between them.
 */
const reachesOthers = ({ requires: wanted, subscriber }: Case): boolean =>
  wanted.some((need) => need.startsWith('subscriber:') && need !== `subscriber:${subscriber}`);

function candidatesFor(given: Case, target: Target): readonly Subscriber[] {
  const client = findClient(given, target);
  if (client === undefined) return [];
  return target.subscribers.filter(
    ({ tags, subs }) => tags.includes(given.subscriber) && subs[client.name] !== undefined,
  );
}

type Chosen = ReadonlyMap<string, Subscriber>;

/** Seconds from which on a case is balanced over the whole run; shorter ones are spread within their suite. */
const long = 300;

/** Exclusive cases go, the longest first, to the subscriber who is free the soonest: the length of the run depends on it. */
function spreadExclusive(all: readonly Case[], target: Target, certified: RunnableInterface): Chosen {
  const loads = new Map<string, number>();
  const chosen = new Map<string, Subscriber>();
  // Without the time that people take: machines with and without an operator make the same assignments, so that their shards
  // go together.
  const world = { target: { ...target, drivers: {} }, suites: { bases: {} }, interface: certified };
  const exclusive = all
    .filter((given) => given.exclusive)
    .map((given) => ({ given, fixed: Number(reachesOthers(given)), held: planTime(given, world).held }));
  for (const { given, fixed, held } of exclusive.toSorted((a, b) => b.fixed - a.fixed || b.held - a.held)) {
    const keyOf = ({ name }: Subscriber): string => `${held < long ? given.position.file : ''} ${name}`;
    const loadOf = (subscriber: Subscriber): number => loads.get(keyOf(subscriber)) ?? 0;
    const candidates = candidatesFor(given, target);
    const [least] = fixed === 1 ? candidates : candidates.toSorted((a, b) => loadOf(a) - loadOf(b));
    if (least === undefined) continue;
    loads.set(keyOf(least), loadOf(least) + held);
    chosen.set(given.id, least);
  }
  return chosen;
}

/** The other cases get the subscribers with their tag in turn, so that they spread. */
function spread(all: readonly Case[], target: Target, certified: RunnableInterface): Chosen {
  const chosen = new Map(spreadExclusive(all, target, certified));
  for (const [turn, given] of all.entries()) {
    const candidates = candidatesFor(given, target);
    const next = candidates[reachesOthers(given) ? 0 : turn % Math.max(1, candidates.length)];
    if (next !== undefined && !chosen.has(given.id)) chosen.set(given.id, next);
  }
  return chosen;
}

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

/** Assigns client and subscriber to every selected case, in the order of the suites; a selection does not change assignments. */
export function planRun(
  { cases }: Pick<Suites, 'cases'>,
  target: Target,
  { all = cases, interface: certified }: { readonly all?: readonly Case[]; readonly interface: RunnableInterface },
): readonly Planned[] {
  const chosen = spread(all, target, certified);
  return cases.map((given) => planOne(given, { target, chosen, interface: certified }));
}
