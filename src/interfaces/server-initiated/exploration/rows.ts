import { actionOf } from '../../../explore/chains/link.ts';
import { pick, type Random } from '../../../lib/covering/random.ts';
import { isJsonObject, isList, type Json, type JsonObject, itemsIn } from '../../../lib/json.ts';
import { literal } from '../../../suite/compile/suite.ts';
import type { Abilities } from './abilities.ts';
import { expectationOf, type Point } from './points.ts';

/*
 * Rows of suites/exploration: cases of the suite language with a few more words.
 *
 * `each` makes a row for each of its items, or for each combination of its lists. `differences` makes one for each of its members,
 * as `name` and `difference`. `draw` draws values: one of a list, a number { from, to }, or { some, of }. `$name` or
 * `${name.member}` stands for a value, `.json` and `.literal` for a text in JSON and in a template; `$with` takes the members of
 * a value. A row, or a step, is left out if the target lacks one of its `needs`: an ability, an action or a listed case.
 *
 * Further steps: `repeat: { name: list or number }, steps`; `end: request, how: approve | deny |
 * cancel`; `decide: action, of: request` while it waits; `results: request` for all its results; `reported: step` for a
 * device change; `sideBySide: differences, actions`; `refuse: count` for requests that every conforming carrier refuses.
 */

export type Steps = readonly JsonObject[];
export type Values = JsonObject;

/** A request that every conforming carrier refuses. */
export type Deviation = Pick<Point, 'difference' | 'rule' | 'outcome' | 'error'>;

export interface Row {
  readonly title: string;
  readonly json: JsonObject;
  readonly values: Values;
  /** Request objects that it sends. */
  readonly requests: number;
}

export interface RowGround {
  readonly abilities: Abilities;
  readonly deviations: readonly Deviation[];
}

export const textOf = (json: Json | undefined): string =>
  typeof json === 'object' ? JSON.stringify(json) : String(json);
export const textsOf = (json: Json | undefined): readonly string[] => itemsIn(json).map(textOf);
export const objectOf = (json: Json | undefined): JsonObject => (isJsonObject(json) ? json : {});
export const objectsOf = (json: Json | undefined): Steps => itemsIn(json).filter(isJsonObject);

/** Value at a path; items of lists by their index. */
function valueAt(values: Values, path: string): Json | undefined {
  let value: Json | undefined = values;
  for (const name of path.split('.')) {
    if (typeof value === 'string' && name === 'json') value = JSON.stringify(value);
    else if (typeof value === 'string' && name === 'literal') value = literal(value);
    else if (isList(value)) value = value[Number(name)];
    else value = isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  }
  return value;
}

const reference = /\$(?:\{([\w.-]+)\}|(\w+))/g;
const wholeReference = /^\$(?:\{([\w.-]+)\}|(\w+))$/;

/** Replaces the references in a value of a row. */
export function filled(json: Json, values: Values): Json {
  if (isList(json)) return json.map((item) => filled(item, values));
  if (isJsonObject(json)) {
    const { $with: written, ...own } = json;
    const members = Object.fromEntries(
      Object.entries(own).map(([name, value]) => [textOf(filled(name, values)), filled(value, values)]),
    );
    if (written === undefined) return members;
    const base = filled(written, values);
    // The reference to an unknown value stays.
    return { ...(isJsonObject(base) ? base : { $with: base }), ...members };
  }
  if (typeof json !== 'string') return json;
  const [, inBraces, bare] = wholeReference.exec(json) ?? [];
  const whole = valueAt(values, inBraces ?? bare ?? '');
  if (whole !== undefined) return typeof whole === 'object' ? filled(whole, values) : whole;
  return json.replaceAll(reference, (written, path: string | undefined, name: string | undefined) => {
    const value = valueAt(values, path ?? name ?? '');
    return value === undefined ? written : textOf(value);
  });
}

/** Values of each row that `each` and `differences` make. */
function valuesOf({ each, differences }: JsonObject): readonly Values[] {
  if (isJsonObject(differences)) {
    return Object.entries(differences).map(([name, difference]) => ({ name, difference }));
  }
  if (isList(each)) return objectsOf(each);
  return Object.entries(objectOf(each)).reduce<readonly Values[]>(
    (rows, [name, list]) =>
      rows.flatMap((row) => itemsIn(list).map((value) => ({ ...row, [name]: filled(value, row) }))),
    [{}],
  );
}

function isAble(need: string, abilities: Abilities): boolean {
  if (need.startsWith('!')) return !isAble(need.slice(1), abilities);
  const [kind = '', name = ''] = need.split(':');
  if (kind === 'action') return abilities.can(name);
  if (kind === 'case') return abilities.runs(name);
  if (kind === 'subscriber') return abilities.tagged(name);
  return Reflect.get(abilities, need) === true;
}

const hasAll = ({ needs, within }: JsonObject, abilities: Abilities): boolean =>
  textsOf(needs).every((need) => isAble(need, abilities)) &&
  Object.entries(objectOf(within)).every(
    ([name, most]) => Number(Reflect.get(abilities.latency, name)) <= Number(most),
  );

const common = ['title', 'each', 'differences', 'draw', 'needs', 'within', 'rule', 'requests', 'steps', 'largest'];
const ofCase = ['client', 'subscriber', 'requires', 'receiver', 'alone', 'fixed'];
const ofSingle = ['difference', 'outcome', 'error', 'decision', 'after', 'shown', 'refusal', 'again'];
const ofMemory = ['distances', 'opening', 'make', 'fill', 'ask', 'closing'];
const ofPair = ['first', 'second', 'expectFirst', 'expectSecond', 'before', 'refused'];
const ofPart = ['id', 'values', 'ofClient', 'besideOnly'];
const keys: ReadonlySet<string> = new Set([common, ofCase, ofSingle, ofMemory, ofPair, ofPart].flat());

/** Throws TypeError if a key of a row is unknown, because that is a bug of ours. */
function checked(row: JsonObject): JsonObject {
  const unknown = Object.keys(row).find((key) => !keys.has(key));
  if (unknown === undefined) return row;
  throw new TypeError(`a row of suites/exploration has no "${unknown}": ${JSON.stringify(row['title'])}`);
}

/** Rows of a list in suites/exploration whose needs the target meets. */
export function rowsIn(list: Json | undefined, abilities: Abilities): readonly Row[] {
  return objectsOf(list)
    .map((json) => checked(objectOf(filled(json, {}))))
    .filter((json) => hasAll(json, abilities))
    .flatMap((json) =>
      valuesOf(json).map((values) => ({
        title: textOf(filled(json['title'] ?? '', values)),
        json,
        values,
        requests: Number(json['requests'] ?? 1),
      })),
    );
}

/** Whether this can be drawn at the target: the end of a request, or a step. */
const isPossible = (value: Json, abilities: Abilities): boolean => {
  const action = isJsonObject(value) ? actionOf(value) : undefined;
  return value === 'cancel' ? abilities.cancel : action === undefined || abilities.can(action);
};

const sumOf = (value: Json | undefined): number =>
  textOf(value)
    .split(' + ')
    .reduce((sum, one) => sum + Number(one), 0);

function drawOne(how: Json, random: Random, abilities: Abilities): Json {
  if (isList(how)) return pick(how, random) ?? null;
  const { from, to, some, of, ending } = objectOf(how);
  if (ending !== undefined) {
    return drawOne(
      itemsIn(ending).filter((one) => isPossible(one, abilities)),
      random,
      abilities,
    );
  }
  if (some === undefined) return sumOf(from) + random.below(Math.max(1, sumOf(to) - sumOf(from)));
  const count = typeof some === 'number' ? some : Number(drawOne(some, random, abilities));
  return random.shuffled(itemsIn(of).filter((one) => isPossible(one, abilities))).slice(0, count);
}

/** Values of a row, with the drawn ones. */
export function drawn({ json, values }: Row, random: Random, abilities: Abilities): Values {
  const all: Record<string, Json> = { event: abilities.latency.event, ...values };
  for (const [name, how] of Object.entries(objectOf(json['draw']))) {
    all[name] = drawOne(filled(how, all), random, abilities);
  }
  return all;
}

/** Most repetitions of a step (docs/suite-language.md). */
const mostTimes = 100;

/** Splits a step with too many repetitions into several. */
function timesOver({ times, together, ...step }: JsonObject): Steps {
  const count = Number(times);
  return Array.from({ length: Math.ceil(count / mostTimes) }, (_, at) => {
    const some = Math.min(mostTimes, count - at * mostTimes);
    const { as } = step;
    return {
      ...step,
      ...(as === undefined || count <= mostTimes ? {} : { as: `${textOf(as)}-${at + 1}` }),
      ...(some > 1 ? { times: some } : {}),
      ...(some > 1 && together !== undefined ? { together } : {}),
    };
  });
}

/** Decides while the request waits; if callbacks or others took longer, nothing is judged. */
export const decided = (action: string, of: string): JsonObject => ({
  as: `${of}-d`,
  by: `${of} + ${of}.granted - 2s`,
  trigger: { action, of, ifPossible: true },
});

/** §4.4: the SP cancels a request. */
const cancelled = (of: string): Steps => [
  { as: `${of}-a`, sign: { base: 'client-assertion' } },
  {
    as: `${of}-x`,
    http: {
      to: 'cancel',
      parameters: {
        auth_req_id: `{{ ${of}.body.auth_req_id }}`,
        client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
        client_assertion: `{{ ${of}-a.jws }}`,
      },
    },
    expect: { outcome: 'accepted', rule: 'CXL-002' },
  },
];

function ended(of: string, how: string): Steps {
  if (how === 'cancel') return cancelled(of);
  // An approved request brings its own tokens: invariants compare them with the request.
  const result = { as: `${of}-e`, await: 'callback', of, expect: { outcome: 'completed', rule: 'FLOW-002' } };
  if (how === 'approve') return [decided('approve', of), result];
  return [decided('deny', of), { ...result, expect: { outcome: 'failed', rule: 'FLOW-003' } }];
}

const accepted: JsonObject = { outcome: 'accepted', rule: 'TRN-014' };

/** Sends a request for each difference in parallel, then decides all in parallel. */
function sideBySide(differences: readonly Json[], actions: readonly string[]): Steps {
  const names = differences.map((_, at) => `r${at + 1}`);
  const parallel = (at: number): JsonObject => (at === 0 ? {} : { parallel: true });
  const ends = names.map((name, at) => ended(name, actions[at % actions.length] ?? 'approve'));
  return [
    ...names.map((as, at) => ({ as, authorize: differences[at] ?? {}, expect: accepted, ...parallel(at) })),
    ...ends.map(([decision], at) => ({ ...decision, ...parallel(at) })),
    ...ends.flatMap(([, ...result]) => result),
  ];
}

/** Whether it changes only claims, and not the correlation_id. */
const isOfClaims = ({ difference: { claims, ...others } }: Deviation): boolean =>
  isJsonObject(claims) && claims['correlation_id'] === undefined && Object.keys(others).length === 0;

/** Requests that are refused in any state, one per rule at most. */
function refused(step: JsonObject, deviations: readonly Deviation[]): Steps {
  const { refuse, of, after = 0, as = 'refused', drop, also } = step;
  const able = of === 'claims' ? deviations.filter(isOfClaims) : deviations;
  const ofRules = [...new Map(able.map((one) => [one.rule, one])).values()];
  return ofRules.slice(Number(after), Number(after) + Number(refuse)).map(({ difference, ...said }, at) => ({
    as: `${textOf(as)}${at + 1}`,
    authorize: { ...difference, ...(drop === undefined ? {} : { drop }) },
    expect: also === undefined ? expectationOf(said) : [expectationOf(said), also],
  }));
}

function written(step: JsonObject, { deviations }: RowGround): Steps {
  const { decide, end, how, results, reported, sideBySide: differences, actions, ...own } = step;
  if (own['refuse'] !== undefined) return refused(own, deviations);
  if (differences !== undefined) return sideBySide(itemsIn(differences), textsOf(actions));
  if (end !== undefined) return ended(textOf(end), textOf(how));
  if (decide !== undefined) {
    const { of, ...more } = own;
    return [{ ...decided(textOf(decide), textOf(of)), ...more }];
  }
  if (results !== undefined) {
    const until = `${textOf(results)} + ${textOf(results)}.claims.expires_in + target.latency.callback + 60s`;
    return [{ await: 'callback', of: results, until, ...own }];
  }
  if (reported !== undefined) {
    const until = `${textOf(reported)} + target.latency.event`;
    return [{ await: 'events', event: 'device_change', until, ...own }];
  }
  return own['times'] === undefined ? [own] : timesOver(own);
}

const flat = (step: JsonObject): JsonObject =>
  isList(step['expect']) ? { ...step, expect: step['expect'].flat() } : step;

/** Expands the steps of a row into steps of the suite language. */
export function stepsWith(steps: Json | undefined, values: Values, ground: RowGround): Steps {
  return objectsOf(filled(steps ?? [], values)).flatMap((step) => {
    if (!hasAll(step, ground.abilities)) return [];
    const { repeat, needs: _, ...own } = step;
    if (repeat === undefined) return written(own, ground).map(flat);
    const [[name, list] = ['', []]] = Object.entries(objectOf(repeat));
    const items = isList(list) ? list : Array.from({ length: Number(list) }, (_one, at) => at + 1);
    return items.flatMap((item) => stepsWith(own['steps'], { ...values, [name]: item }, ground));
  });
}
