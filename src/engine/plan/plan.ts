import type { Client, Subscriber, Target } from '../../model/target.ts';
import type { Assignment } from '../world/case-room.ts';
import { planTime } from './planned-time.ts';
import type { Case, Suites } from '../../suite/suites.ts';

/** A case and who plays in it, or why it does not run. */
export type Planned =
  | { readonly case: Case; readonly assignment: Assignment }
  | { readonly case: Case; readonly verdict: 'not-run' | 'not-applicable'; readonly reason: string };

function findClient(given: Case, { clients }: Target): Client | undefined {
  const wanted = given.client;
  if (typeof wanted === 'string') return clients.find(({ name }) => name === wanted);
  return clients.find(
    ({ flags, keys }) => keys.length > 0 && Object.entries(wanted).every(([flag, on]) => (flags[flag] ?? false) === on),
  );
}

const describeClient = (wanted: Case['client']): string =>
  typeof wanted === 'string'
    ? `a client ${wanted}`
    : `a client with ${Object.entries(wanted)
        .map(([flag, on]) => `${flag} ${on ? 'on' : 'off'}`)
        .join(', ')}`;

type Lack = (name: string, target: Target, client: Client) => string | undefined;

/** What a need looks for in the target, by the word before the colon; undefined: it is there. */
const requires: Readonly<Record<string, Lack>> = {
  action: (name, { drivers, unattended = [] }) => {
    if (drivers[name] !== undefined) return undefined;
    return unattended.includes(name) ? `somebody at a terminal who is asked for ${name}` : `a driver for ${name}`;
  },
  client: (name, { clients }) => (clients.some((client) => client.name === name) ? undefined : `a client ${name}`),
  subscriber: (trait, { subscribers }) =>
    subscribers.some(({ tags }) => tags.includes(trait)) ? undefined : `a subscriber ${trait}`,
  'event-endpoint': (_, __, { eventUri }) => (eventUri === undefined ? 'a client with an event endpoint' : undefined),
  'second-key': (_, __, { keys }) => (keys.length > 1 ? undefined : 'a client with two keys'),
  secret: (_, __, { secret }) => (secret === undefined ? 'a client with a secret' : undefined),
};

function firstLack(given: Case, target: Target, client: Client): string | undefined {
  for (const need of given.requires) {
    const [word = '', ...rest] = need.split(':');
    const lack = Object.hasOwn(requires, word) ? requires[word]?.(rest.join(':'), target, client) : undefined;
    if (lack !== undefined) return lack;
  }
  return undefined;
}

/** A feature that the target declares not to have makes a case not applicable; silence means it is there. */
const undeclared = (given: Case, { supports }: Target): string | undefined =>
  given.requires.find((need) => supports[need] === false);

/**
 * A case that reaches another subscriber too is always with the first who has its trait: so few subscribers have to do with
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

/** Seconds from which on it counts for the whole run who has a case; shorter ones are spread within their suite. */
const long = 300;

/** What has its subscriber alone goes, the longest first, to the one who is free the soonest: hours hang on it. */
function spreadExclusive(all: readonly Case[], target: Target): Chosen {
  const loads = new Map<string, number>();
  const chosen = new Map<string, Subscriber>();
  // Without the time that people take: two machines cast alike, whoever attends, so that their shards go together.
  const world = { target: { ...target, drivers: {} }, base: { header: [], claims: [] } };
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

/** The other cases get the subscribers with their trait in turn, so that they spread. */
function spread(all: readonly Case[], target: Target): Chosen {
  const chosen = new Map(spreadExclusive(all, target));
  for (const [turn, given] of all.entries()) {
    const candidates = candidatesFor(given, target);
    const next = candidates[reachesOthers(given) ? 0 : turn % Math.max(1, candidates.length)];
    if (next !== undefined && !chosen.has(given.id)) chosen.set(given.id, next);
  }
  return chosen;
}

function planOne(given: Case, target: Target, chosen: Chosen): Planned {
  const notRun = (lack: string): Planned => ({ case: given, verdict: 'not-run', reason: `needs ${lack}` });
  const feature = undeclared(given, target);
  if (feature !== undefined) {
    return { case: given, verdict: 'not-applicable', reason: `the carrier declares that it has no ${feature}` };
  }
  const client = findClient(given, target);
  if (client === undefined) return notRun(describeClient(given.client));
  const subscriber = chosen.get(given.id);
  if (subscriber === undefined) return notRun(`a subscriber ${given.subscriber}`);
  const lack = firstLack(given, target, client);
  if (lack !== undefined) return notRun(lack);
  return {
    case: given,
    assignment: { client, subscriber, second: target.clients.find(({ name }) => name === 'second') },
  };
}

/** Casts every selected case, in the order of the suites; alone as it is cast among all. */
export function planRun(
  { cases }: Pick<Suites, 'cases'>,
  target: Target,
  all: readonly Case[] = cases,
): readonly Planned[] {
  const chosen = spread(all, target);
  return cases.map((given) => planOne(given, target, chosen));
}
