import { suggestKnown } from '../../lib/suggestion.ts';

/** Root names of templates with their members, also as `member.own`; undefined if any member is allowed. */
export type Names = ReadonlyMap<string, ReadonlySet<string> | undefined>;

const clientMembers = new Set([
  'name',
  'client_id',
  'redirect_uri',
  'redirect_uris',
  'notification_uri',
  'notification_uris',
  'event_uri',
  'key',
  'keys',
  'flags',
]);
const subscriberMembers = new Set(['name', 'sub', 'subs', 'phone']);

const targetMembers = new Set([
  'issuer',
  'mccmnc',
  'endpoints',
  'discovery',
  'latency',
  'latency.callback',
  'latency.event',
  'latency.sim_swap',
  'latency.consent',
  'margin',
  'own_codes',
  'foreign_codes',
  'assertion_audience',
  'wrong_receiver',
]);

/** Names that all templates of a case can read. */
export const commonNames: Names = new Map([
  ['now', new Set<string>()],
  ['client', clientMembers],
  ['subscriber', subscriberMembers],
  ['clients', undefined],
  ['subscribers', undefined],
  ['target', targetMembers],
  ['canary', new Set(['url', 'path'])],
]);

/** Names, and each name with each member: `second.client_id`. */
const qualifiedMembers = (names: Iterable<string>, members: ReadonlySet<string>): ReadonlySet<string> =>
  new Set([...names].flatMap((name) => [name, ...[...members].map((member) => `${name}.${member}`)]));

/** Names for templates when the clients and the tags of subscribers are known. */
export const partyNames = (clients: Iterable<string>, tags: Iterable<string>): Names =>
  new Map([
    ...commonNames,
    ['clients', qualifiedMembers(clients, clientMembers)],
    ['subscribers', qualifiedMembers(tags, subscriberMembers)],
    ['subscriber', new Set([...subscriberMembers, ...[...clients].map((name) => `subs.${name}`)])],
  ]);

/** Names for expectations on a message (docs/suite-language.md, Invariants). */
export const messageNames: Names = new Map([
  ...commonNames,
  ['sent', new Set(['claims', 'header', 'jws', 'sentAt'])],
  ['response', new Set(['status', 'headers', 'body', 'summary', 'granted', 'outcome'])],
  ['delivery', new Set(['body', 'headers', 'idToken', 'set', 'setHeader', 'summary', 'receivedAt'])],
]);

/** Mistake in an expression, at an index of its text. */
export class ExpressionMistake extends Error {
  readonly index: number;
  readonly hint: string | undefined;

  constructor(message: string, index: number, hint?: string) {
    super(message);
    this.name = 'ExpressionMistake';
    this.index = index;
    this.hint = hint;
  }
}

/** Unknown name. */
export class UnknownName extends ExpressionMistake {
  constructor(message: string, index: number, hint?: string) {
    super(message, index, hint);
    this.name = 'UnknownName';
  }
}

/** Throws UnknownName if the root or the first member of a path does not exist. */
export function requireKnownPath(path: readonly string[], names: Names, index: number): void {
  const [root = '', member, own] = path;
  if (!names.has(root)) {
    throw new UnknownName(
      `there is no "${root}" here`,
      index,
      minusHint(root, names) ?? suggestKnown(root, names.keys()),
    );
  }
  const members = names.get(root);
  if (members === undefined || member === undefined) return;
  if (members.has(member)) {
    requireOwnMember([member, own], members, index + root.length + 1);
    return;
  }
  const hint = minusHint(member, members) ?? suggestKnown(member, members);
  throw new UnknownName(`${root} has no "${member}"`, index + root.length + 1, hint);
}

/** Throws UnknownName if a member's own members are known and this one is not among them. */
function requireOwnMember(
  path: readonly [string, string | undefined],
  members: ReadonlySet<string>,
  index: number,
): void {
  const [member, own] = path;
  if (own === undefined) return;
  const known = [...members].flatMap((one) => (one.startsWith(`${member}.`) ? [one.slice(member.length + 1)] : []));
  if (known.length === 0 || known.includes(own)) return;
  throw new UnknownName(`${member} has no "${own}"`, index + member.length + 1, suggestKnown(own, known));
}

/** Hint for `now-5m`, which is one name because names may contain hyphens. */
function minusHint(written: string, known: Pick<ReadonlySet<string>, 'has'>): string | undefined {
  const before = /^(.+?)-\d/.exec(written)?.[1];
  return before !== undefined && known.has(before) ? 'a minus needs blanks around it' : undefined;
}
