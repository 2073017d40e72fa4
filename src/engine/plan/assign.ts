import type { RunnableInterface, Assignment } from '../context/case-context.ts';
import type { Client, Subscriber, Target } from '../../model/target.ts';
import { hasAttribute } from '../../model/declared.ts';
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

type Missing = (name: string, target: Target, client: Client) => string | undefined;

/** What the target is missing for a requirement, by the word before the colon; undefined: nothing. */
const requirements: Readonly<Record<string, Missing>> = {
  action: (name, { drivers, unattended = [] }) => {
    if (drivers[name] !== undefined) return undefined;
    return unattended.includes(name) ? `an operator at a terminal for ${name}` : `a driver for ${name}`;
  },
  client: (name, { clients }) => (clients.some((client) => client.name === name) ? undefined : `a client ${name}`),
  subscriber: (tag, { subscribers }) =>
    subscribers.some(({ tags }) => tags.includes(tag)) ? undefined : `a subscriber ${tag}`,
  'event-endpoint': (_, __, { eventUri }) => (eventUri === undefined ? 'a client with an event endpoint' : undefined),
  'second-key': (_, __, { keys }) => (keys.length > 1 ? undefined : 'a client with two keys'),
  'foreign-code': (_, { carrierCodes }) =>
    (carrierCodes?.foreign.length ?? 0) > 0
      ? undefined
      : 'the code of another carrier: name one under carrier_codes.foreign',
  'wrong-receiver': (_, { receiver }) =>
    receiver.wrongCertificate === undefined
      ? 'a receiver with a wrong certificate: name one under receiver.wrong_certificate'
      : undefined,
  secret: (_, __, { secret }) => (secret === undefined ? 'a client with a secret' : undefined),
  'kid-length': (wanted, { clients }) => {
    const [length = '', name = ''] = wanted.split(':');
    const keys = clients.find((client) => client.name === name)?.keys ?? [];
    return keys.some(({ kid }) => kid.length === Number(length))
      ? undefined
      : `a key of client ${name} whose kid has ${length} characters`;
  },
};

const byProgram = (proof: Target['proof'], part: string): string | undefined =>
  typeof proof === 'object'
    ? `a program makes the proofs of possession, and only it knows whether they say anything of ${part}`
    : undefined;

/** What makes a requirement meaningless for a target, by the word before the colon; undefined: nothing. */
const inapplicable: Readonly<Record<string, Missing>> = {
  scope: (name, _, { name: client, scopes }) =>
    scopes === undefined || scopes.includes(name)
      ? undefined
      : `client ${client} is not registered for the scope ${name}`,
  'virtual-clock': (_, { clock }) =>
    clock === undefined ? 'the run is in real time, where a second is not exact' : undefined,
  'second-notification-uri': (_, __, { name, notificationUris }) =>
    notificationUris.length > 1 ? undefined : `client ${name} has registered one URI for notifications`,
  'known-proof-format': (_, { proof }) =>
    typeof proof === 'object' ? 'a program makes the proofs of possession, and only it knows their format' : undefined,
  'proof-of-the-body': (_, { proof }) =>
    proof === 'dpop' || proof === 'jwt'
      ? `a proof of the format ${proof} says nothing of the body`
      : byProgram(proof, 'the body'),
  'proof-of-the-method': (_, { proof }) =>
    proof === 'jwt' ? 'a proof of the format jwt says nothing of the method' : byProgram(proof, 'the method'),
  'redirect-uri': (kind, _, { name, redirectUris }) =>
    redirectUris.some((uri) => uri.startsWith('https:') === (kind === 'https'))
      ? undefined
      : `client ${name} has no redirect_uri with ${kind === 'https' ? 'https' : 'a custom scheme'}`,
};

type Lookup = (given: Case, target: Target, client: Client) => string | undefined;

const firstOf =
  (table: Readonly<Record<string, Missing>>): Lookup =>
  (given, target, client) => {
    for (const need of given.requires) {
      const [word = '', ...rest] = need.split(':');
      const missing = Object.hasOwn(table, word) ? table[word]?.(rest.join(':'), target, client) : undefined;
      if (missing !== undefined) return missing;
    }
    return undefined;
  };

/** What the target is missing for a case of this client; undefined: nothing. */
export const firstMissing = firstOf(requirements);
const firstInapplicable = firstOf(inapplicable);

/** A feature that the target declares not to have makes a case not applicable; silence means it is there. */
export const undeclared = ({ requires }: Case, { supports }: Target): string | undefined => {
  const feature = requires.find((need) => supports[need] === false);
  return feature === undefined ? undefined : `the carrier declares that it has no ${feature}`;
};

const attributeWord = 'attribute:';

/** The same of an attribute: the target file lists those that the carrier has, else the usual ones are there. */
function missingAttribute(
  { requires }: Case,
  { attributes }: Target,
  { attributes: ofInterface }: Pick<RunnableInterface, 'attributes'>,
): string | undefined {
  const there = attributes ?? ofInterface?.usual ?? [];
  const name = requires
    .flatMap((need) => (need.startsWith(attributeWord) ? [need.slice(attributeWord.length)] : []))
    .find((one) => !hasAttribute(there, one));
  if (name === undefined) return undefined;
  return attributes === undefined
    ? `no attribute ${name} is declared: it is not among those that a carrier usually has`
    : `the carrier declares its attributes, and ${name} is not among them`;
}

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
