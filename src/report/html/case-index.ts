import { groupBy } from '../../lib/lists.ts';
import { isJsonObject, parseJson } from '../../lib/json.ts';
import type { Delivery, Message } from '../../model/exchange.ts';
import type { CaseResult, InvariantResult, Result, RuleResult } from '../../model/result.ts';
import { timeOf } from '../shared/time.ts';
import { collectValid, type ValidView } from './message-view.ts';

/** What a search may ask of the messages of a case: each value once, as it came. */
interface Facets {
  /** As the purpose of the message says: `request`, `driver` with the name of its action; `callback` and `event`. */
  readonly kinds: readonly string[];
  /** Paths of what was sent to the carrier, and of what came in. */
  readonly endpoints: readonly string[];
  readonly statuses: readonly string[];
}

/** Values of one facet that are kept of one case. */
const mostValues = 12;

const receiver = 'http://receiver.test';

/** The path of a URL or of a request target; empty where it has none. */
const pathOf = (target: string): string => (URL.canParse(target, receiver) ? new URL(target, receiver).pathname : '');

/** An event is delivered as a signed token with the events in it. */
function kindOf({ idToken, request }: Delivery): string {
  if (idToken?.claims['events'] !== undefined) return 'event';
  const body = parseJson(request.body);
  return isJsonObject(body) && 'set' in body ? 'event' : 'callback';
}

/** What a search may ask of these messages. */
export function facetsOf(messages: readonly Message[]): Facets {
  const kinds = new Set<string>();
  const endpoints = new Set<string>();
  const statuses = new Set<string>();
  for (const message of messages) {
    if (message.kind === 'delivery') {
      kinds.add(kindOf(message));
      endpoints.add(pathOf(message.target));
    } else {
      kinds.add(message.purpose);
      // A driver is the operator's: its paths have names of their own in them.
      if (!message.purpose.startsWith('driver')) endpoints.add(pathOf(message.url));
      if (message.response !== undefined) statuses.add(String(message.response.status));
    }
  }
  endpoints.delete('');
  const some = (values: ReadonlySet<string>): readonly string[] => [...values].slice(0, mostValues);
  return { kinds: some(kinds), endpoints: some(endpoints), statuses: some(statuses) };
}

/** One try of a case, from its start or its first message to its last one; milliseconds since the epoch. */
export interface Try {
  readonly from: number;
  readonly to: number;
}

/** A case without its messages: what the page shows of it before it is opened. */
export interface CaseEntry extends Omit<CaseResult, 'messages' | 'findings'> {
  /** Place among the cases of the result, from 0. */
  readonly ordinal: number;
  readonly hasFindings: boolean;
  /** The first try, and those that came after it, perhaps much later. */
  readonly tries: readonly Try[];
  readonly sentAt: readonly number[];
  readonly receivedAt: readonly number[];
  readonly facets: Facets;
  /** The rule under which it is shown; undefined where the result does not name any of its rules. */
  readonly home: string | undefined;
  /** Rules that steps of it judge beside those of the case. */
  readonly also: readonly string[];
}

export interface CaseIndex {
  readonly cases: readonly CaseEntry[];
  /** Cases by the id of each rule they judge, with those that are shown there first. */
  readonly casesOf: ReadonlyMap<string, readonly CaseEntry[]>;
  readonly invariantsOf: ReadonlyMap<string, readonly InvariantResult[]>;
  readonly homeOf: ReturnType<typeof homesOf>;
  /** The valid request of each purpose. */
  readonly valid: readonly ValidView[];
}

/** A second try begins with its plain request, which is a part of it. */
function triesOf({ startedAt, messages }: CaseResult): readonly Try[] {
  const isOf = [undefined, 'again', 'later'].map(
    (name) =>
      ({ attempt }: Message): boolean =>
        (attempt === 'control' ? 'again' : attempt) === name,
  );
  return isOf.flatMap((isMeant, at) => {
    const moments = messages.filter(isMeant).map(timeOf);
    if (at > 0 && moments.length === 0) return [];
    return [{ from: at === 0 ? startedAt : Math.min(...moments), to: Math.max(startedAt, ...moments) }];
  });
}

function entryOf(ended: CaseResult, ordinal: number, place: Pick<CaseEntry, 'home' | 'also'>): CaseEntry {
  const { messages, findings, ...rest } = ended;
  const timesOf = (kind: Message['kind']) => messages.filter((message) => message.kind === kind).map(timeOf);
  return {
    ...rest,
    hasFindings: findings.length > 0,
    ordinal,
    tries: triesOf(ended),
    sentAt: timesOf('exchange'),
    receivedAt: timesOf('delivery'),
    facets: facetsOf(messages),
    ...place,
  };
}

type Judging = Pick<CaseResult, 'id' | 'rules'>;

/** Under each rule what judged it: what the rule names, and what names the rule; a step may judge another rule than its case. */
function listUnder<T extends Judging>(
  rules: readonly RuleResult[],
  values: readonly T[],
): ReadonlyMap<string, readonly T[]> {
  const byId = new Map(values.map((value) => [value.id, value]));
  const lists = new Map(
    rules.map(({ id, judgedBy }) => [id, new Set(judgedBy.flatMap((name) => byId.get(name) ?? []))]),
  );
  for (const value of values) for (const { rule } of value.rules) lists.get(rule)?.add(value);
  return new Map([...lists].map(([id, list]) => [id, [...list]]));
}

function namedBy(rules: readonly RuleResult[]): ReadonlyMap<string, readonly string[]> {
  const names = rules.flatMap(({ id, judgedBy }) => judgedBy.map((name) => ({ id, name })));
  return new Map([...groupBy(names, ({ name }) => name)].map(([name, own]) => [name, own.map(({ id }) => id)]));
}

/** The rule under which something is shown in full: the first it names that the result has, or else the first that names it. */
function homesOf(rules: readonly RuleResult[]): (value: Judging) => string | undefined {
  const known = new Set(rules.map(({ id }) => id));
  const names = namedBy(rules);
  return ({ id, rules: refs }) => refs.find(({ rule }) => known.has(rule))?.rule ?? names.get(id)?.[0];
}

/** Walks the result once and keeps what the page needs at several places; messages are not kept. Each case is handed to `takers`. */
export function indexCases(
  { cases, invariants, rules }: Result,
  takers: readonly ((ended: CaseResult) => void)[] = [],
): CaseIndex {
  const homeOf = homesOf(rules);
  const names = namedBy(rules);
  const entries: CaseEntry[] = [];
  const valid = collectValid();
  for (const ended of cases) {
    const also = (names.get(ended.id) ?? []).filter((id) => !ended.rules.some(({ rule }) => rule === id));
    entries.push(entryOf(ended, entries.length, { home: homeOf(ended), also }));
    valid.take(ended);
    for (const take of takers) take(ended);
  }
  return {
    cases: entries,
    casesOf: listUnder(rules, entries),
    invariantsOf: listUnder(rules, invariants),
    homeOf,
    valid: valid.end(),
  };
}
