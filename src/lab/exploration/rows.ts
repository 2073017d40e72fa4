import { stepAction } from '../explore/chains/link.ts';
import { pickItem, type Random } from '../../lib/covering/random.ts';
import { isJsonObject, isList, type Json, type JsonObject, listItems } from '../../lib/json.ts';
import { escapeTemplates } from '../../suite/compile/suite.ts';
import type { TargetAbilities } from './abilities.ts';
import { outcomeExpectation, type RequestPoint } from './request-points.ts';

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

export type CaseSteps = readonly JsonObject[];
export type RowValues = JsonObject;

/** A request that every conforming carrier refuses. */
export type Deviation = Pick<RequestPoint, 'difference' | 'rule' | 'outcome' | 'error'>;

export interface ExplorationRow {
  readonly title: string;
  readonly json: JsonObject;
  readonly values: RowValues;
  /** Request objects that it sends. */
  readonly requests: number;
}

export interface RowGround {
  readonly abilities: TargetAbilities;
  readonly deviations: readonly Deviation[];
}

export const rowText = (json: Json | undefined): string =>
  typeof json === 'object' ? JSON.stringify(json) : String(json);
export const rowTexts = (json: Json | undefined): readonly string[] => listItems(json).map(rowText);
export const objectOrNone = (json: Json | undefined): JsonObject => (isJsonObject(json) ? json : {});
export const objectItems = (json: Json | undefined): CaseSteps => listItems(json).filter(isJsonObject);

/** Value at a path; items of lists by their index. */
function rowValueAt(values: RowValues, path: string): Json | undefined {
  let value: Json | undefined = values;
  for (const name of path.split('.')) {
    if (typeof value === 'string' && name === 'json') value = JSON.stringify(value);
    else if (typeof value === 'string' && name === 'literal') value = escapeTemplates(value);
    else if (isList(value)) value = value[Number(name)];
    else value = isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  }
  return value;
}

const referencePattern = /\$(?:\{([\w.-]+)\}|(\w+))/g;
const wholeReference = /^\$(?:\{([\w.-]+)\}|(\w+))$/;

/** Replaces the references in a value of a row. */
export function fillReferences(json: Json, values: RowValues): Json {
  if (isList(json)) return json.map((item) => fillReferences(item, values));
  if (isJsonObject(json)) {
    const { $with: written, ...own } = json;
    const members = Object.fromEntries(
      Object.entries(own).map(([name, value]) => [
        rowText(fillReferences(name, values)),
        fillReferences(value, values),
      ]),
    );
    if (written === undefined) return members;
    const base = fillReferences(written, values);
    // The reference to an unknown value stays.
    return { ...(isJsonObject(base) ? base : { $with: base }), ...members };
  }
  if (typeof json !== 'string') return json;
  const [, inBraces, bare] = wholeReference.exec(json) ?? [];
  const whole = rowValueAt(values, inBraces ?? bare ?? '');
  if (whole !== undefined) return typeof whole === 'object' ? fillReferences(whole, values) : whole;
  return json.replaceAll(referencePattern, (written, path: string | undefined, name: string | undefined) => {
    const value = rowValueAt(values, path ?? name ?? '');
    return value === undefined ? written : rowText(value);
  });
}

/** Values of each row that `each` and `differences` make. */
function rowValueSets({ each, differences }: JsonObject): readonly RowValues[] {
  if (isJsonObject(differences)) {
    return Object.entries(differences).map(([name, difference]) => ({ name, difference }));
  }
  if (isList(each)) return objectItems(each);
  return Object.entries(objectOrNone(each)).reduce<readonly RowValues[]>(
    (rows, [name, list]) =>
      rows.flatMap((row) => listItems(list).map((value) => ({ ...row, [name]: fillReferences(value, row) }))),
    [{}],
  );
}

function meetsNeed(need: string, abilities: TargetAbilities): boolean {
  if (need.startsWith('!')) return !meetsNeed(need.slice(1), abilities);
  const [kind = '', name = ''] = need.split(':');
  if (kind === 'action') return abilities.can(name);
  if (kind === 'case') return abilities.runs(name);
  if (kind === 'subscriber') return abilities.tagged(name);
  return Reflect.get(abilities, need) === true;
}

const meetsAllNeeds = ({ needs, within }: JsonObject, abilities: TargetAbilities): boolean =>
  rowTexts(needs).every((need) => meetsNeed(need, abilities)) &&
  Object.entries(objectOrNone(within)).every(
    ([name, most]) => Number(Reflect.get(abilities.latency, name)) <= Number(most),
  );

const commonKeys = ['title', 'each', 'differences', 'draw', 'needs', 'within', 'rule', 'requests', 'steps', 'largest'];
const caseKeys = ['client', 'subscriber', 'requires', 'receiver', 'alone', 'fixed'];
const singleKeys = ['difference', 'outcome', 'error', 'decision', 'after', 'shown', 'refusal', 'again'];
const memoryKeys = ['distances', 'opening', 'make', 'fill', 'ask', 'closing'];
const pairKeys = ['first', 'second', 'expectFirst', 'expectSecond', 'before', 'refused'];
const partKeys = ['id', 'values', 'ofClient', 'besideOnly'];
const rowKeys: ReadonlySet<string> = new Set([commonKeys, caseKeys, singleKeys, memoryKeys, pairKeys, partKeys].flat());

/** Throws TypeError if a key of a row is unknown, because that is a bug of ours. */
function requireKnownKeys(row: JsonObject): JsonObject {
  const unknown = Object.keys(row).find((key) => !rowKeys.has(key));
  if (unknown === undefined) return row;
  throw new TypeError(`a row of suites/exploration has no "${unknown}": ${JSON.stringify(row['title'])}`);
}

/** Rows of a list in suites/exploration whose needs the target meets. */
export function readListRows(list: Json | undefined, abilities: TargetAbilities): readonly ExplorationRow[] {
  return objectItems(list)
    .map((json) => requireKnownKeys(objectOrNone(fillReferences(json, {}))))
    .filter((json) => meetsAllNeeds(json, abilities))
    .flatMap((json) =>
      rowValueSets(json).map((values) => ({
        title: rowText(fillReferences(json['title'] ?? '', values)),
        json,
        values,
        requests: Number(json['requests'] ?? 1),
      })),
    );
}

/** Whether this can be drawn at the target: the end of a request, or a step. */
const isDrawable = (value: Json, abilities: TargetAbilities): boolean => {
  const action = isJsonObject(value) ? stepAction(value) : undefined;
  return value === 'cancel' ? abilities.cancel : action === undefined || abilities.can(action);
};

const sumTerms = (value: Json | undefined): number =>
  rowText(value)
    .split(' + ')
    .reduce((sum, one) => sum + Number(one), 0);

function drawRowValue(how: Json, random: Random, abilities: TargetAbilities): Json {
  if (isList(how)) return pickItem(how, random) ?? null;
  const { from, to, some, of, ending } = objectOrNone(how);
  if (ending !== undefined) {
    return drawRowValue(
      listItems(ending).filter((one) => isDrawable(one, abilities)),
      random,
      abilities,
    );
  }
  if (some === undefined) return sumTerms(from) + random.below(Math.max(1, sumTerms(to) - sumTerms(from)));
  const count = typeof some === 'number' ? some : Number(drawRowValue(some, random, abilities));
  return random.shuffled(listItems(of).filter((one) => isDrawable(one, abilities))).slice(0, count);
}

/** Values of a row, with the drawn ones. */
export function drawRowValues({ json, values }: ExplorationRow, random: Random, abilities: TargetAbilities): RowValues {
  const all: Record<string, Json> = { event: abilities.latency.event, ...values };
  for (const [name, how] of Object.entries(objectOrNone(json['draw']))) {
    all[name] = drawRowValue(fillReferences(how, all), random, abilities);
  }
  return all;
}

/** Most repetitions of a step (docs/suite-language.md). */
const maxStepTimes = 100;

/** Splits a step with too many repetitions into several. */
function splitRepetitions({ times, together, ...step }: JsonObject): CaseSteps {
  const count = Number(times);
  return Array.from({ length: Math.ceil(count / maxStepTimes) }, (_, at) => {
    const some = Math.min(maxStepTimes, count - at * maxStepTimes);
    const { as } = step;
    return {
      ...step,
      ...(as === undefined || count <= maxStepTimes ? {} : { as: `${rowText(as)}-${at + 1}` }),
      ...(some > 1 ? { times: some } : {}),
      ...(some > 1 && together !== undefined ? { together } : {}),
    };
  });
}

/** Decides while the request waits; if callbacks or others took longer, nothing is judged. */
export const decideStep = (action: string, of: string): JsonObject => ({
  as: `${of}-d`,
  by: `${of} + ${of}.granted - 2s`,
  trigger: { action, of, ifPossible: true },
});

/** §4.4: the SP cancels a request. */
const cancelSteps = (of: string): CaseSteps => [
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

function endSteps(of: string, how: string): CaseSteps {
  if (how === 'cancel') return cancelSteps(of);
  // An approved request brings its own tokens: invariants compare them with the request.
  const result = { as: `${of}-e`, await: 'callback', of, expect: { outcome: 'completed', rule: 'FLOW-002' } };
  if (how === 'approve') return [decideStep('approve', of), result];
  return [decideStep('deny', of), { ...result, expect: { outcome: 'failed', rule: 'FLOW-003' } }];
}

const acceptedOutcome: JsonObject = { outcome: 'accepted', rule: 'TRN-014' };

/** Sends a request for each difference in parallel, then decides all in parallel. */
function parallelSteps(differences: readonly Json[], actions: readonly string[]): CaseSteps {
  const names = differences.map((_, at) => `r${at + 1}`);
  const parallel = (at: number): JsonObject => (at === 0 ? {} : { parallel: true });
  const ends = names.map((name, at) => endSteps(name, actions[at % actions.length] ?? 'approve'));
  return [
    ...names.map((as, at) => ({ as, authorize: differences[at] ?? {}, expect: acceptedOutcome, ...parallel(at) })),
    ...ends.map(([decision], at) => ({ ...decision, ...parallel(at) })),
    ...ends.flatMap(([, ...result]) => result),
  ];
}

/** Whether the row changes only claims, and not the correlation_id. */
const changesOnlyClaims = ({ difference: { claims, ...others } }: Deviation): boolean =>
  isJsonObject(claims) && claims['correlation_id'] === undefined && Object.keys(others).length === 0;

/** Requests that are refused in any state, one per rule at most. */
function refusedSteps(step: JsonObject, deviations: readonly Deviation[]): CaseSteps {
  const { refuse, of, after = 0, as = 'refused', drop, also } = step;
  const able = of === 'claims' ? deviations.filter(changesOnlyClaims) : deviations;
  const ofRules = [...new Map(able.map((one) => [one.rule, one])).values()];
  return ofRules.slice(Number(after), Number(after) + Number(refuse)).map(({ difference, ...said }, at) => ({
    as: `${rowText(as)}${at + 1}`,
    authorize: { ...difference, ...(drop === undefined ? {} : { drop }) },
    expect: also === undefined ? outcomeExpectation(said) : [outcomeExpectation(said), also],
  }));
}

function expandRowStep(step: JsonObject, { deviations }: RowGround): CaseSteps {
  const { decide, end, how, results, reported, sideBySide: differences, actions, ...own } = step;
  if (own['refuse'] !== undefined) return refusedSteps(own, deviations);
  if (differences !== undefined) return parallelSteps(listItems(differences), rowTexts(actions));
  if (end !== undefined) return endSteps(rowText(end), rowText(how));
  if (decide !== undefined) {
    const { of, ...more } = own;
    return [{ ...decideStep(rowText(decide), rowText(of)), ...more }];
  }
  if (results !== undefined) {
    const until = `${rowText(results)} + ${rowText(results)}.claims.expires_in + target.latency.callback + 60s`;
    return [{ await: 'callback', of: results, until, ...own }];
  }
  if (reported !== undefined) {
    const until = `${rowText(reported)} + target.latency.event`;
    return [{ await: 'events', event: 'device_change', until, ...own }];
  }
  return own['times'] === undefined ? [own] : splitRepetitions(own);
}

const flattenExpectations = (step: JsonObject): JsonObject =>
  isList(step['expect']) ? { ...step, expect: step['expect'].flat() } : step;

/** Expands the steps of a row into steps of the suite language. */
export function expandSteps(steps: Json | undefined, values: RowValues, ground: RowGround): CaseSteps {
  return objectItems(fillReferences(steps ?? [], values)).flatMap((step) => {
    if (!meetsAllNeeds(step, ground.abilities)) return [];
    const { repeat, needs: _, ...own } = step;
    if (repeat === undefined) return expandRowStep(own, ground).map(flattenExpectations);
    const [[name, list] = ['', []]] = Object.entries(objectOrNone(repeat));
    const items = isList(list) ? list : Array.from({ length: Number(list) }, (_one, at) => at + 1);
    return items.flatMap((item) => expandSteps(own['steps'], { ...values, [name]: item }, ground));
  });
}
