import { isEvent } from '../shared/facts.ts';
import { groupBy } from '../../lib/lists.ts';
import { isJsonObject, parseJson } from '../../lib/json.ts';
import { type Delivery, isDriverCall, type Message } from '../../model/exchange.ts';
import type { CaseResult, InvariantResult, Result, RuleResult } from '../../model/result.ts';
import { messageTime } from '../shared/time.ts';
import { collectValid, type ValidView } from './message-view.ts';

/** Distinct values in a case's messages that a search can filter by, not sanitized yet. */
interface Facets {
  /** Purposes of exchanges (`request`, `driver` with the name of its action), and `callback` or `event`. */
  readonly kinds: readonly string[];
  /** Paths of requests to the carrier and of deliveries. */
  readonly endpoints: readonly string[];
  readonly statuses: readonly string[];
}

/** Maximum values of one facet per case. */
const maxFacetValues = 12;

const receiver = 'http://receiver.test';

/** Path of a URL or request target; empty if it cannot be parsed. */
const targetPath = (target: string): string =>
  URL.canParse(target, receiver) ? new URL(target, receiver).pathname : '';

/** An event is delivered as a signed token that contains it. */
function deliveryKind(delivery: Delivery): string {
  if (isEvent(delivery)) return 'event';
  const body = parseJson(delivery.request.body);
  return isJsonObject(body) && 'set' in body ? 'event' : 'callback';
}

export function collectFacets(messages: readonly Message[]): Facets {
  const kinds = new Set<string>();
  const endpoints = new Set<string>();
  const statuses = new Set<string>();
  for (const message of messages) {
    if (message.kind === 'delivery') {
      kinds.add(deliveryKind(message));
      endpoints.add(targetPath(message.target));
    } else {
      kinds.add(message.purpose);
      // A driver is the operator's, and its paths contain individual names.
      if (!isDriverCall(message)) endpoints.add(targetPath(message.url));
      if (message.response !== undefined) statuses.add(String(message.response.status));
    }
  }
  endpoints.delete('');
  const some = (values: ReadonlySet<string>): readonly string[] => [...values].slice(0, maxFacetValues);
  return { kinds: some(kinds), endpoints: some(endpoints), statuses: some(statuses) };
}

/** One try of a case, from its start or first message to its last message, in milliseconds since the epoch. */
interface CaseTry {
  readonly from: number;
  readonly to: number;
}

/** A case without its messages, as shown before it is opened. */
export interface CaseEntry extends Omit<CaseResult, 'messages' | 'findings'> {
  /** Index among the cases of the result. */
  readonly ordinal: number;
  /** The first try and any later ones. */
  readonly tries: readonly CaseTry[];
  /** Exchanges and deliveries, counted. */
  readonly sent: number;
  readonly received: number;
  readonly facets: Facets;
  /** Rule under which it is shown; undefined if the result has none of its rules. */
  readonly home: string | undefined;
  /** Rules that its steps judge beside those of the case. */
  readonly also: readonly string[];
}

export interface CaseIndex {
  readonly cases: readonly CaseEntry[];
  /** Cases by the id of each rule they judge. */
  readonly casesOf: ReadonlyMap<string, readonly CaseEntry[]>;
  readonly invariantsOf: ReadonlyMap<string, readonly InvariantResult[]>;
  readonly homeOf: ReturnType<typeof createHomeLookup>;
  /** The valid request of each purpose. */
  readonly valid: readonly ValidView[];
}

/** Tries of a case. The plain request (control) before a second try belongs to that try. */
function caseTries({ startedAt, messages }: CaseResult): readonly CaseTry[] {
  const isOf = [undefined, 'again', 'later'].map(
    (name) =>
      ({ attempt }: Message): boolean =>
        (attempt === 'control' ? 'again' : attempt) === name,
  );
  return isOf.flatMap((isMeant, at) => {
    const moments = messages.filter(isMeant).map(messageTime);
    if (at > 0 && moments.length === 0) return [];
    return [{ from: at === 0 ? startedAt : Math.min(...moments), to: Math.max(startedAt, ...moments) }];
  });
}

function makeCaseEntry(ended: CaseResult, ordinal: number, place: Pick<CaseEntry, 'home' | 'also'>): CaseEntry {
  const { messages, findings: _, ...rest } = ended;
  const received = messages.filter(({ kind }) => kind === 'delivery').length;
  return {
    ...rest,
    ordinal,
    tries: caseTries(ended),
    sent: messages.length - received,
    received,
    facets: collectFacets(messages),
    ...place,
  };
}

type RuleJudge = Pick<CaseResult, 'id' | 'rules'>;

/** Judges of each rule: those it names and those that name it, because a step may judge a rule that its case does not. */
function judgesByRule<T extends RuleJudge>(
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

function rulesByJudge(rules: readonly RuleResult[]): ReadonlyMap<string, readonly string[]> {
  const names = rules.flatMap(({ id, judgedBy }) => judgedBy.map((name) => ({ id, name })));
  return new Map([...groupBy(names, ({ name }) => name)].map(([name, own]) => [name, own.map(({ id }) => id)]));
}

/** Finds the rule under which a judge is shown in full: the first known rule it names, or the first that names it. */
function createHomeLookup(rules: readonly RuleResult[]): (value: RuleJudge) => string | undefined {
  const known = new Set(rules.map(({ id }) => id));
  const names = rulesByJudge(rules);
  return ({ id, rules: refs }) => refs.find(({ rule }) => known.has(rule))?.rule ?? names.get(id)?.[0];
}

/** Walks the result once and keeps what several parts of the page need, without messages. Passes each case to `takers`. */
export function indexCases(
  { cases, invariants, rules }: Result,
  takers: readonly ((ended: CaseResult) => void)[] = [],
): CaseIndex {
  const homeOf = createHomeLookup(rules);
  const names = rulesByJudge(rules);
  const entries: CaseEntry[] = [];
  const valid = collectValid();
  for (const ended of cases) {
    const also = (names.get(ended.id) ?? []).filter((id) => !ended.rules.some(({ rule }) => rule === id));
    entries.push(makeCaseEntry(ended, entries.length, { home: homeOf(ended), also }));
    valid.take(ended);
    for (const take of takers) take(ended);
  }
  return {
    cases: entries,
    casesOf: judgesByRule(rules, entries),
    invariantsOf: judgesByRule(rules, invariants),
    homeOf,
    valid: valid.end(),
  };
}
