import type { Case, Suites } from '../model/suite.ts';
import type { Client, Subscriber, Target } from '../model/target.ts';
import type { Cast } from './case-room.ts';

/** A case and who plays in it, or why it does not run. */
export type Planned =
  | { readonly case: Case; readonly cast: Cast }
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
const needs: Readonly<Record<string, Lack>> = {
  action: (name, { drivers, unattended = [] }) => {
    if (drivers[name] !== undefined) return undefined;
    return unattended.includes(name) ? `somebody at a terminal who is asked for ${name}` : `a driver for ${name}`;
  },
  client: (name, { clients }) => (clients.some((client) => client.name === name) ? undefined : `a client ${name}`),
  subscriber: (trait, { subscribers }) =>
    subscribers.some(({ traits }) => traits.includes(trait)) ? undefined : `a subscriber ${trait}`,
  'event-endpoint': (_, __, { eventUri }) => (eventUri === undefined ? 'a client with an event endpoint' : undefined),
  'second-key': (_, __, { keys }) => (keys.length > 1 ? undefined : 'a client with two keys'),
  secret: (_, __, { secret }) => (secret === undefined ? 'a client with a secret' : undefined),
};

function firstLack(given: Case, target: Target, client: Client): string | undefined {
  for (const need of given.needs) {
    const [word = '', ...rest] = need.split(':');
    const lack = Object.hasOwn(needs, word) ? needs[word]?.(rest.join(':'), target, client) : undefined;
    if (lack !== undefined) return lack;
  }
  return undefined;
}

/** A feature that the target declares not to have makes a case not applicable; silence means it is there. */
const undeclared = (given: Case, { supports }: Target): string | undefined =>
  given.needs.find((need) => supports[need] === false);

/** Subscribers with a trait are given out in turn, so that cases spread and two runs cast alike. */
function pickSubscriber(trait: string, target: Target, client: Client, turn: number): Subscriber | undefined {
  const candidates = target.subscribers.filter(
    ({ traits, subs }) => traits.includes(trait) && subs[client.name] !== undefined,
  );
  return candidates[turn % Math.max(1, candidates.length)];
}

function planOne(given: Case, target: Target, turn: number): Planned {
  const notRun = (lack: string): Planned => ({ case: given, verdict: 'not-run', reason: `needs ${lack}` });
  const feature = undeclared(given, target);
  if (feature !== undefined) {
    return { case: given, verdict: 'not-applicable', reason: `the carrier declares that it has no ${feature}` };
  }
  const client = findClient(given, target);
  if (client === undefined) return notRun(describeClient(given.client));
  const subscriber = pickSubscriber(given.subscriber, target, client, turn);
  if (subscriber === undefined) return notRun(`a subscriber ${given.subscriber}`);
  const lack = firstLack(given, target, client);
  if (lack !== undefined) return notRun(lack);
  return { case: given, cast: { client, subscriber, second: target.clients.find(({ name }) => name === 'second') } };
}

/** Casts every selected case, in the order of the suites; alone as it is cast among all. */
export function planRun(
  { cases }: Pick<Suites, 'cases'>,
  target: Target,
  all: readonly Case[] = cases,
): readonly Planned[] {
  const turns = new Map(all.map(({ id }, turn) => [id, turn]));
  return cases.map((given) => planOne(given, target, turns.get(given.id) ?? 0));
}
