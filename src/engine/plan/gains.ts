import { groupBy } from '../../lib/lists.ts';
import type { Subscriber, Target } from '../../model/target.ts';
import type { RunOptions } from '../run-options.ts';
import { planRun, type TimedCase, timeCases } from './assign.ts';
import { chooseOrder, packedEnd } from './order.ts';

interface GainRow {
  readonly more: number;
  readonly seconds: number;
}

/** Planned time with more subscribers or clients like one; the list ends where another no longer helps. */
export interface Gain {
  readonly of: 'subscribers' | 'clients';
  /** Names of the existing ones that the others would resemble, and the tags of subscribers. */
  readonly like: readonly string[];
  readonly tags: readonly string[];
  readonly rows: readonly GainRow[];
}

const gainSteps = [1, 2, 4, 8, 16];
/** Factor by which another subscriber must shorten the run to be worth it. */
const worthwhileFactor = 0.99;

/** Seconds of exclusive use of each lock of a kind, by name. */
function exclusiveTimes(cases: readonly TimedCase[], kind: string): ReadonlyMap<string, number> {
  const held = new Map<string, number>();
  for (const { wants, time } of cases) {
    for (const { lock, exclusive } of wants) {
      if (!exclusive || !lock.startsWith(kind)) continue;
      const name = lock.slice(kind.length);
      held.set(name, (held.get(name) ?? 0) + time.held);
    }
  }
  return held;
}

interface SubscriberGroup {
  readonly subscribers: readonly Subscriber[];
  /** Seconds of exclusive use of each, if evenly distributed. */
  readonly each: number;
}

/** Groups of interchangeable subscribers, which have the same tags; the longest held first. */
function interchangeableGroups(cases: readonly TimedCase[], { subscribers }: Target): readonly SubscriberGroup[] {
  const held = exclusiveTimes(cases, 'subscriber:');
  const groups = [...groupBy(subscribers, ({ tags }) => tags.toSorted().join(' ')).values()];
  return groups
    .map((group) => {
      const sum = group.reduce((seconds, { name }) => seconds + (held.get(name) ?? 0), 0);
      return { subscribers: group, each: sum / group.length };
    })
    .toSorted((a, b) => b.each - a.each);
}

/** Lower bound of a run in seconds, for any order of its cases. */
export const lowerBound = (cases: readonly TimedCase[], target: Target): number =>
  Math.max(0, interchangeableGroups(cases, target)[0]?.each ?? 0, ...cases.map(({ time }) => time.total));

interface GainOptions extends Pick<RunOptions, 'selected' | 'target' | 'interface'> {
  readonly suites: Pick<RunOptions['suites'], 'cases' | 'bases'>;
}

const plannedSeconds = (cases: readonly TimedCase[], { target }: GainOptions): number =>
  packedEnd(chooseOrder(cases, { ofOne: target.casesPerSubscriber }));

/** Rows up to the first that is not worthwhile. */
function gainRows(now: number, secondsWith: (more: number) => number): readonly GainRow[] {
  const rows: GainRow[] = [];
  let before = now;
  for (const more of gainSteps) {
    const seconds = secondsWith(more);
    if (seconds > before * worthwhileFactor) break;
    rows.push({ more, seconds });
    before = seconds;
  }
  return rows;
}

/** Seconds of the plan with more subscribers like this one. */
function secondsWithSubscribers(like: Subscriber, more: number, wanted: GainOptions): number {
  const { target, selected, suites, interface: certified } = wanted;
  const others = Array.from({ length: more }, (_, at) => ({ ...like, name: `${like.name} +${at + 1}` }));
  const larger = { ...wanted, target: { ...target, subscribers: [...target.subscribers, ...others] } };
  const plan = planRun(selected, larger.target, { interface: certified, all: suites.cases });
  return plannedSeconds(timeCases(plan, larger), larger);
}

/** Returns the cases with the changes of one registration spread over these registrations. */
function spreadChanges(cases: readonly TimedCase[], client: string, names: readonly string[]): readonly TimedCase[] {
  const lock = `client:${client}`;
  const changing = cases.filter(({ wants }) => wants.some((want) => want.lock === lock && want.exclusive));
  const loads = names.map(() => 0);
  const taken = new Map<TimedCase, string>();
  for (const timed of changing.toSorted((a, b) => b.time.held - a.time.held)) {
    const least = loads.indexOf(Math.min(...loads));
    loads[least] = (loads[least] ?? 0) + timed.time.held;
    taken.set(timed, `client:${names[least]}`);
  }
  return cases.map((timed) => {
    const other = taken.get(timed);
    if (other === undefined) return timed;
    const wants = timed.wants.map((want) => (want.lock === lock ? { ...want, lock: other } : want));
    return { ...timed, wants };
  });
}

/** Seconds of the plan with more registrations like this one; it is changed as well, or left to the cases that share it. */
function secondsWithClients(
  cases: readonly TimedCase[],
  { client, more }: { client: string; more: number },
  wanted: GainOptions,
) {
  const others = Array.from({ length: more }, (_, at) => `${client} +${at + 1}`);
  const ways = [others, [client, ...others]].map((names) =>
    plannedSeconds(spreadChanges(cases, client, names), wanted),
  );
  return Math.min(...ways);
}

/** Gains from more subscribers like the longest held, and from more registrations like the longest held. */
export function computeGains(cases: readonly TimedCase[], wanted: GainOptions): readonly Gain[] {
  const now = plannedSeconds(cases, wanted);
  const [busiest] = interchangeableGroups(cases, wanted.target);
  const like = busiest?.subscribers.at(-1);
  const clients = [...exclusiveTimes(cases, 'client:')].toSorted(([, a], [, b]) => b - a);
  const gains: Gain[] = [];
  if (busiest !== undefined && like !== undefined && busiest.each > 0) {
    const rows = gainRows(now, (more) => secondsWithSubscribers(like, more, wanted));
    gains.push({ of: 'subscribers', like: busiest.subscribers.map(({ name }) => name), tags: like.tags, rows });
  }
  for (const [client, seconds] of clients.slice(0, 1)) {
    if (seconds === 0) continue;
    const rows = gainRows(now, (more) => secondsWithClients(cases, { client, more }, wanted));
    gains.push({ of: 'clients', like: [client], tags: [], rows });
  }
  return gains;
}
