import { groupBy } from '../../lib/lists.ts';
import type { Subscriber, Target } from '../../model/target.ts';
import type { RunOptions } from '../run-options.ts';
import { planRun, type Timed, timeCases } from './assign.ts';
import { chooseWay, endOf } from './order.ts';

interface More {
  readonly more: number;
  readonly seconds: number;
}

/** Gain from more of a kind, as long as more of them help. */
export interface Gain {
  readonly of: 'subscribers' | 'clients';
  /** Names of the existing ones that the others would resemble, and the tags of subscribers. */
  readonly like: readonly string[];
  readonly tags: readonly string[];
  readonly rows: readonly More[];
}

const steps = [1, 2, 4, 8, 16];
/** Factor by which another subscriber must shorten the run to be worth it. */
const worthwhile = 0.99;

/** Seconds of exclusive use of each lock of a kind, by name. */
function heldOf(cases: readonly Timed[], kind: string): ReadonlyMap<string, number> {
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

interface Group {
  readonly subscribers: readonly Subscriber[];
  /** Seconds of exclusive use of each, if evenly distributed. */
  readonly each: number;
}

/** Groups of interchangeable subscribers, which have the same tags; the longest held first. */
function groupsOf(cases: readonly Timed[], { subscribers }: Target): readonly Group[] {
  const held = heldOf(cases, 'subscriber:');
  const groups = [...groupBy(subscribers, ({ tags }) => tags.toSorted().join(' ')).values()];
  return groups
    .map((group) => {
      const sum = group.reduce((seconds, { name }) => seconds + (held.get(name) ?? 0), 0);
      return { subscribers: group, each: sum / group.length };
    })
    .toSorted((a, b) => b.each - a.each);
}

/** Lower bound of a run in seconds, for any order of its cases. */
export const boundOf = (cases: readonly Timed[], target: Target): number =>
  Math.max(0, groupsOf(cases, target)[0]?.each ?? 0, ...cases.map(({ time }) => time.total));

interface Wanted extends Pick<RunOptions, 'selected' | 'target' | 'interface'> {
  readonly suites: Pick<RunOptions['suites'], 'cases' | 'bases'>;
}

const secondsOf = (cases: readonly Timed[], { target }: Wanted): number =>
  endOf(chooseWay(cases, { ofOne: target.casesPerSubscriber }));

/** Rows up to the first that is not worthwhile. */
function rowsOf(now: number, secondsWith: (more: number) => number): readonly More[] {
  const rows: More[] = [];
  let before = now;
  for (const more of steps) {
    const seconds = secondsWith(more);
    if (seconds > before * worthwhile) break;
    rows.push({ more, seconds });
    before = seconds;
  }
  return rows;
}

/** Seconds of the plan with more subscribers like this one. */
function secondsWithSubscribers(like: Subscriber, more: number, wanted: Wanted): number {
  const { target, selected, suites, interface: certified } = wanted;
  const others = Array.from({ length: more }, (_, at) => ({ ...like, name: `${like.name} +${at + 1}` }));
  const larger = { ...wanted, target: { ...target, subscribers: [...target.subscribers, ...others] } };
  const plan = planRun(selected, larger.target, { interface: certified, all: suites.cases });
  return secondsOf(timeCases(plan, larger), larger);
}

/** Returns the cases with the changes of one registration spread over these registrations. */
function changingOthers(cases: readonly Timed[], client: string, names: readonly string[]): readonly Timed[] {
  const lock = `client:${client}`;
  const changing = cases.filter(({ wants }) => wants.some((want) => want.lock === lock && want.exclusive));
  const loads = names.map(() => 0);
  const taken = new Map<Timed, string>();
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
  cases: readonly Timed[],
  { client, more }: { client: string; more: number },
  wanted: Wanted,
) {
  const others = Array.from({ length: more }, (_, at) => `${client} +${at + 1}`);
  const ways = [others, [client, ...others]].map((names) => secondsOf(changingOthers(cases, client, names), wanted));
  return Math.min(...ways);
}

/** Gains from more subscribers like the longest held, and from more registrations like the longest held. */
export function gainsOf(cases: readonly Timed[], wanted: Wanted): readonly Gain[] {
  const now = secondsOf(cases, wanted);
  const [busiest] = groupsOf(cases, wanted.target);
  const like = busiest?.subscribers.at(-1);
  const clients = [...heldOf(cases, 'client:')].toSorted(([, a], [, b]) => b - a);
  const gains: Gain[] = [];
  if (busiest !== undefined && like !== undefined && busiest.each > 0) {
    const rows = rowsOf(now, (more) => secondsWithSubscribers(like, more, wanted));
    gains.push({ of: 'subscribers', like: busiest.subscribers.map(({ name }) => name), tags: like.tags, rows });
  }
  for (const [client, seconds] of clients.slice(0, 1)) {
    if (seconds === 0) continue;
    const rows = rowsOf(now, (more) => secondsWithClients(cases, { client, more }, wanted));
    gains.push({ of: 'clients', like: [client], tags: [], rows });
  }
  return gains;
}
