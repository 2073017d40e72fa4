import type { Shard } from '../../model/result.ts';
import { type Suites, rulesOf } from '../../suite/suites.ts';
import type { Target } from '../../model/target.ts';
import { locksOf } from '../case/locks.ts';
import { type Planned, planRun, runs, type Runs } from './assign.ts';
import { planTime, type PlannedWorld } from './planned-time.ts';
import { rulesOfInvariant, type Selected } from './select.ts';

/** Cases that must stay together: those of one subscriber, or of several that share cases. */
interface Group {
  readonly subscribers: Set<string>;
  readonly cases: Runs[];
}

/** Groups the cases, in plan order. */
function groupsOf(plan: readonly Runs[], target: Target): readonly Group[] {
  let groups: Group[] = [];
  for (const planned of plan) {
    const locks = locksOf(planned.case, planned.assignment, target);
    const subscribers = locks.flatMap(({ lock }) => (lock.startsWith('subscriber:') ? [lock] : []));
    const isMine = (group: Group): boolean => subscribers.some((name) => group.subscribers.has(name));
    const [first = { subscribers: new Set<string>(), cases: [] }, ...more] = groups.filter(isMine);
    for (const { subscribers: others, cases } of more) {
      for (const name of others) first.subscribers.add(name);
      first.cases.push(...cases);
    }
    for (const name of subscribers) first.subscribers.add(name);
    first.cases.push(planned);
    groups = groups.includes(first) ? groups.filter((group) => !more.includes(group)) : [...groups, first];
  }
  return groups;
}

/** Seconds that a case takes even if it waits for nothing. */
const secondsOfExchange = 0.1;

/** Planned seconds of a group: exclusive cases run in sequence, the others concurrently. */
function secondsOf({ cases }: Group, world: PlannedWorld): number {
  let longest = 0;
  let sum = cases.length * secondsOfExchange;
  for (const { case: given, assignment } of cases) {
    const seconds = planTime(given, world).held;
    if (locksOf(given, assignment, world.target).some(({ exclusive }) => exclusive)) sum += seconds;
    else longest = Math.max(longest, seconds);
  }
  return sum + longest;
}

/** Distributes the groups, the longest first, each to the part with the least time. */
function divide(groups: readonly Group[], of: number, world: PlannedWorld): readonly (readonly Runs[])[] {
  const empty = (): { seconds: number; readonly cases: Runs[] } => ({ seconds: 0, cases: [] });
  const parts = Array.from({ length: of }, empty);
  const weighed = groups.map((group) => ({ group, seconds: secondsOf(group, world) }));
  for (const { group, seconds } of weighed.toSorted((a, b) => b.seconds - a.seconds)) {
    const least = parts.reduce((best, part) => (part.seconds < best.seconds ? part : best));
    least.seconds += seconds;
    least.cases.push(...group.cases);
  }
  return parts.map(({ cases }) => cases);
}

/** Cases of a shard, in plan order: cases of one subscriber stay together, and shards take about the same time. */
export function casesOfShard(plan: readonly Planned[], { index, of }: Shard, world: PlannedWorld): readonly Planned[] {
  const own = new Set<Planned>(divide(groupsOf(plan.filter(runs), world.target), of, world)[index - 1]);
  return plan.filter((planned) => (runs(planned) ? own.has(planned) : index === 1));
}

/** Selection of a shard, with the rules it judges. Every machine must compute the same parts. */
export function selectShard(
  selected: Selected,
  shard: Shard,
  world: PlannedWorld & { readonly suites: Pick<Suites, 'cases'> },
): Selected {
  const plan = planRun(selected, world.target, { interface: world.interface, all: world.suites.cases });
  const cases = casesOfShard(plan, shard, world).map((planned) => planned.case);
  const { invariants } = selected;
  const standing = invariants.flatMap((invariant) => [...rulesOfInvariant(invariant)]);
  const own = new Set([...standing, ...cases.flatMap((given) => [...rulesOf(given)])]);
  const others = new Set(selected.cases.flatMap((given) => [...rulesOf(given)]));
  const isOurs = (id: string): boolean => own.has(id) || (shard.index === 1 && !others.has(id));
  return { ...selected, cases, rules: new Set([...selected.rules].filter(isOurs)) };
}
