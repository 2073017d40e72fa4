import type { Shard } from '../../model/result.ts';
import { type Suites, caseRuleIds } from '../../suite/suites.ts';
import type { Target } from '../../model/target.ts';
import { caseLocks } from '../case/locks.ts';
import { type PlannedCase, planRun, isAssigned, type AssignedCase } from './assign.ts';
import { planTime, type PlanServices } from './planned-time.ts';
import { invariantRules, type SelectedSuites } from './select.ts';

/** Cases that must stay together: those of one subscriber, or of several that share cases. */
interface CaseGroup {
  readonly subscribers: Set<string>;
  readonly cases: AssignedCase[];
}

/** Groups the cases, in plan order. */
function subscriberGroups(plan: readonly AssignedCase[], target: Target): readonly CaseGroup[] {
  let groups: CaseGroup[] = [];
  for (const planned of plan) {
    const locks = caseLocks(planned.case, planned.assignment, target);
    const subscribers = locks.flatMap(({ lock }) => (lock.startsWith('subscriber:') ? [lock] : []));
    const isMine = (group: CaseGroup): boolean => subscribers.some((name) => group.subscribers.has(name));
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
const exchangeSeconds = 0.1;

/** Planned seconds of a group: exclusive cases run in sequence, the others concurrently. */
function groupSeconds({ cases }: CaseGroup, services: PlanServices): number {
  let longest = 0;
  let sum = cases.length * exchangeSeconds;
  for (const { case: given, assignment } of cases) {
    const seconds = planTime(given, services).held;
    if (caseLocks(given, assignment, services.target).some(({ exclusive }) => exclusive)) sum += seconds;
    else longest = Math.max(longest, seconds);
  }
  return sum + longest;
}

/** Distributes the groups, the longest first, each to the part with the least time. */
function distributeGroups(
  groups: readonly CaseGroup[],
  of: number,
  services: PlanServices,
): readonly (readonly AssignedCase[])[] {
  const empty = (): { seconds: number; readonly cases: AssignedCase[] } => ({ seconds: 0, cases: [] });
  const parts = Array.from({ length: of }, empty);
  const weighed = groups.map((group) => ({ group, seconds: groupSeconds(group, services) }));
  for (const { group, seconds } of weighed.toSorted((a, b) => b.seconds - a.seconds)) {
    const least = parts.reduce((best, part) => (part.seconds < best.seconds ? part : best));
    least.seconds += seconds;
    least.cases.push(...group.cases);
  }
  return parts.map(({ cases }) => cases);
}

/** Cases of a shard, in plan order: cases of one subscriber stay together, and shards take about the same time. */
export function shardCases(
  plan: readonly PlannedCase[],
  { index, of }: Shard,
  services: PlanServices,
): readonly PlannedCase[] {
  const own = new Set<PlannedCase>(
    distributeGroups(subscriberGroups(plan.filter(isAssigned), services.target), of, services)[index - 1],
  );
  return plan.filter((planned) => (isAssigned(planned) ? own.has(planned) : index === 1));
}

/** Selection of a shard, with the rules it judges. Every machine must compute the same parts. */
export function selectShard(
  selected: SelectedSuites,
  shard: Shard,
  services: PlanServices & { readonly suites: Pick<Suites, 'cases'> },
): SelectedSuites {
  const plan = planRun(selected, services.target, { interface: services.interface, all: services.suites.cases });
  const cases = shardCases(plan, shard, services).map((planned) => planned.case);
  const { invariants } = selected;
  const standing = invariants.flatMap((invariant) => [...invariantRules(invariant)]);
  const own = new Set([...standing, ...cases.flatMap((given) => [...caseRuleIds(given)])]);
  const others = new Set(selected.cases.flatMap((given) => [...caseRuleIds(given)]));
  const isOurs = (id: string): boolean => own.has(id) || (shard.index === 1 && !others.has(id));
  return { ...selected, cases, rules: new Set([...selected.rules].filter(isOurs)) };
}
