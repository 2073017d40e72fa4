import { isJsonObject, isList, type Json, type JsonObject } from '../../lib/json.ts';
import { memoizeByObject } from '../../lib/lists.ts';
import { type Level, type RuleRef, renderRuleRef } from '../../model/rule.ts';
import type { Difference, Template, TemplateMap } from '../../model/suite.ts';
import type { Expectation } from '../../suite/expectations/expectations.ts';
import type { Case, Step, Suites } from '../../suite/suites.ts';

/** The keys of a difference that map names to values. */
const mapKeys = ['claims', 'raw', 'header', 'beside', 'query', 'headers'] as const;
const listKeys = ['drop', 'dropHeader'] as const;
const templateKeys = ['append', 'request', 'body', 'text', 'jwk'] as const;
const wordKeys = ['client', 'key', 'alg', 'tamper', 'form', 'method', 'writing'] as const;

const differenceTemplates = (difference: Difference): readonly Template[] => [
  ...mapKeys.flatMap((key) => difference[key] ?? []).map(([, template]) => template),
  ...templateKeys.flatMap((key) => difference[key] ?? []),
];

const eachReference = /^\{\{ *each\.([\w-]+) *\}\}$/;

/** Value as it was written; undefined if it reads values of its case only. */
function writeTemplate({ source, paths }: Template, each: TemplateMap): Json | undefined {
  if (!paths.some(([root]) => root === 'each')) return source;
  const name = typeof source === 'string' ? eachReference.exec(source)?.[1] : undefined;
  const own = each.find(([key]) => key === name)?.[1];
  return own === undefined || own.paths.some(([root]) => root === 'each') ? undefined : own.source;
}

/** Difference as a suite writes it; undefined if a value reads values of its case only. */
function writeDifference(difference: Difference, each: TemplateMap): JsonObject | undefined {
  const written = new Map<string, Json | undefined>();
  for (const key of mapKeys) if (difference[key] !== undefined) written.set(key, writeMap(difference[key], each));
  for (const key of templateKeys)
    if (difference[key] !== undefined) written.set(key, writeTemplate(difference[key], each));
  for (const key of listKeys) if (difference[key] !== undefined) written.set(key, [...difference[key]]);
  for (const key of wordKeys) if (difference[key] !== undefined) written.set(key, difference[key]);
  return completeObject(written);
}

/** Undefined if a value is. */
function completeObject(written: ReadonlyMap<string, Json | undefined>): JsonObject | undefined {
  const members = [...written].flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));
  return members.length === written.size ? Object.fromEntries(members) : undefined;
}

const writeMap = (map: TemplateMap, each: TemplateMap): JsonObject | undefined =>
  completeObject(new Map(map.map(([name, template]) => [name, writeTemplate(template, each)])));

const memberNames = (value: Json | undefined): readonly string[] =>
  Array.isArray(value) ? value.map(String) : isJsonObject(value) ? Object.keys(value) : [];

/** Names of members in raw JSON text. */
const rawMemberNames = (value: Json): readonly string[] =>
  typeof value === 'string' ? [...value.matchAll(/"(\w+)" *:/g)].map(([, name = '']) => name) : [];

/** Parts of the request that a key of a difference changes, whatever the value. */
const touchReaders: Readonly<Record<string, (value: Json) => readonly string[]>> = {
  claims: (value) => memberNames(value).map((name) => `claims.${name}`),
  drop: (value) => memberNames(value).map((name) => `claims.${name}`),
  raw: (value) => memberNames(value).map((name) => `claims.${name}`),
  header: (value) => memberNames(value).map((name) => `header.${name}`),
  dropHeader: (value) => memberNames(value).map((name) => `header.${name}`),
  members: (value) => memberNames(value).map((name) => `members.${name}`),
  beside: (value) => memberNames(value).map((name) => `beside.${name}`),
  query: (value) => memberNames(value).map((name) => `query.${name}`),
  headers: (value) => memberNames(value).map((name) => `headers.${name.toLowerCase()}`),
  append: (value) => ['claims', ...rawMemberNames(value).map((name) => `claims.${name}`)],
  client: () => ['client', 'key', 'header.kid'],
  key: () => ['key', 'header.kid', 'header.alg'],
  jwk: () => ['key'],
  alg: () => ['key', 'header.alg'],
  tamper: () => ['jws'],
};

/** Parts of the request that a difference changes: `claims.iat`, `header.kid`, `key`, `body`. */
export const touchedParts = memoizeByObject(
  (difference: JsonObject): ReadonlySet<string> =>
    new Set(Object.entries(difference).flatMap(([key, value]) => touchReaders[key]?.(value) ?? ['body'])),
);

/** Whether the difference changes something beside the request object, which a body of its own would replace. */
const isBeside = (part: string): boolean => part.startsWith('beside.') || part.startsWith('members.');

export function touchSameParts(one: JsonObject, other: JsonObject): boolean {
  const touched = touchedParts(one);
  const hasBeside = [...touched].some(isBeside);
  for (const part of touchedParts(other)) {
    if (touched.has(part) || (part === 'body' && hasBeside) || (touched.has('body') && isBeside(part))) return true;
  }
  return false;
}

/** Joins two differences; undefined if they change the same part. */
export function joinDifferences(one: JsonObject, other: JsonObject): JsonObject | undefined {
  if (touchSameParts(one, other)) return undefined;
  const result: Record<string, Json> = { ...one };
  for (const [key, value] of Object.entries(other)) {
    const own = result[key];
    if (isJsonObject(own) && isJsonObject(value)) result[key] = { ...own, ...value };
    else if (isList(own) && isList(value)) result[key] = [...own, ...value];
    else result[key] = value;
  }
  return result;
}

/** Independent request of a listed case, with its required outcome. */
export interface RequestPoint {
  /** Case and step, by their names. */
  readonly from: string;
  readonly case: Case;
  readonly difference: JsonObject;
  /** Rule, or aspect, that requires the outcome. */
  readonly rule: string;
  readonly outcome: 'accepted' | 'denied' | 'denied-or-dropped';
  /** Error codes that may be answered. */
  readonly error?: readonly string[];
  /** Whether the case needs this outcome for its other requests to mean anything, so that its rule is not about it. */
  readonly isCondition: boolean;
  /** Difference of the case's control, which is right in the property under test. */
  readonly control?: JsonObject;
}

/** Features that the case of a point requires, beside its parties and actions. */
export const ownNeeds = ({ case: { requires } }: RequestPoint): readonly string[] =>
  requires.filter((need) => !/^(?:action|client|subscriber):/.test(need));

export const outcomeExpectation = ({
  outcome,
  error,
  rule,
}: Pick<RequestPoint, 'error' | 'rule'> & { readonly outcome: string }): JsonObject =>
  error === undefined ? { outcome, rule } : { outcome, error: [...error], rule };

interface SentDifference {
  readonly step: Step;
  readonly difference: Difference;
}

const isDifference = (value: unknown): value is Difference => typeof value === 'object' && value !== null;

/** Requests of a case before any other action. */
function leadingRequests({ steps }: Case): readonly SentDifference[] {
  const sent: SentDifference[] = [];
  for (const step of steps) {
    const { act } = step;
    if (act.verb === 'look') continue;
    if (act.verb !== 'authorize') break;
    const difference: unknown = Reflect.get(act, 'difference');
    if (isDifference(difference)) sent.push({ step, difference });
  }
  return sent;
}

/** Template roots that a case has before its first step. */
const initialRoots: ReadonlySet<string> = new Set([
  'now',
  'client',
  'subscriber',
  'clients',
  'subscribers',
  'target',
  'each',
  'jws',
]);

/** Whether a template reads no result of a step. */
const readsInitialRoots = ({ paths }: Template): boolean => paths.every(([root = '']) => initialRoots.has(root));

/** Whether a request needs no earlier step and is sent once. */
const isIndependent = ({ step, difference }: SentDifference): boolean =>
  step.at === undefined &&
  step.times === undefined &&
  step.interleave === undefined &&
  difference.again === undefined &&
  difference.writing === undefined &&
  differenceTemplates(difference).every(readsInitialRoots);

/** Whether the request is about its size, so that many of them would test nothing else. */
const isSizeTest = (difference: JsonObject): boolean =>
  /repeat\('[^']*', *\d{5,}\)|megabyte|-bomb|thousand-claims|deep-claims/.test(JSON.stringify(difference));

interface PointRules {
  readonly levelOf: (ref: RuleRef) => Level | undefined;
  readonly own: readonly RuleRef[];
}

const pointOutcomes: ReadonlySet<string> = new Set(['accepted', 'denied', 'denied-or-dropped']);

function requiredOutcome(
  { step }: SentDifference,
  { levelOf, own }: PointRules,
): Pick<RequestPoint, 'rule' | 'outcome' | 'error'> | undefined {
  // A step without expectations must be accepted for its case to mean anything.
  if (step.expectations.length === 0) {
    if (!step.control) return undefined;
    const ref = own.find((one) => levelOf(one) === 'required');
    return ref === undefined ? undefined : { rule: renderRuleRef(ref), outcome: 'accepted' };
  }
  const found = step.expectations.find(({ outcome }) => outcome !== undefined && pointOutcomes.has(outcome));
  const outcome = found?.outcome;
  if (outcome !== 'accepted' && outcome !== 'denied' && outcome !== 'denied-or-dropped') return undefined;
  // Acceptance must be required; a refusal, at least recommended.
  const isBinding = (level: Level | undefined): boolean =>
    level === 'required' || (level === 'recommended' && outcome !== 'accepted');
  const rule = found?.rules.find((ref) => isBinding(levelOf(ref)));
  if (rule === undefined) return undefined;
  const error = allowedCodes(step.expectations, rule);
  return { rule: renderRuleRef(rule), outcome, ...(error === undefined ? {} : { error }) };
}

const allowedCodes = (expectations: readonly Expectation[], { rule }: RuleRef): readonly string[] | undefined =>
  expectations.find(({ error, rules }) => error !== undefined && rules.some((one) => one.rule === rule))?.error;

/** Every independent request of the cases that people wrote, with the outcome at a conforming carrier. */
export function collectPoints(suites: Suites): readonly RequestPoint[] {
  const rules = new Map(suites.rules.map((rule) => [rule.id, rule]));
  const levelOf = ({ rule, aspect }: RuleRef): Level | undefined => {
    const found = rules.get(rule);
    return aspect === undefined ? found?.level : found?.aspects.find(({ id }) => id === aspect)?.level;
  };
  // Generated cases are made from these points.
  const listed = suites.cases.filter(({ generated }) => generated !== true);
  return listed.flatMap((one) => casePoints(one, { levelOf, own: one.rules }));
}

/** Whether a step expects a refusal. */
const isRefused = ({ expectations }: Step): boolean =>
  expectations.some(({ outcome }) => outcome === 'denied' || outcome === 'denied-or-dropped');

function casePoints(one: Case, known: PointRules): readonly RequestPoint[] {
  const requests = leadingRequests(one).filter(isIndependent);
  const written = (sent: SentDifference): JsonObject | undefined => writeDifference(sent.difference, one.each);
  const control = requests.find(({ step }) => step.control && !isRefused(step));
  const right = control === undefined ? undefined : written(control);
  return requests.flatMap((sent) => {
    const difference = written(sent);
    const said = requiredOutcome(sent, known);
    if (difference === undefined || said === undefined || isSizeTest(difference)) return [];
    const from = `${one.id} ${sent.step.name}`;
    const isCondition = sent.step.control && isRefused(sent.step);
    return [{ from, case: one, difference, ...said, isCondition, ...(right === undefined ? {} : { control: right }) }];
  });
}
