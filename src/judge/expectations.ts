import { memoizeByObject } from '../lib/lists.ts';
import {
  isJsonObject,
  type Json,
  readMember,
  parseJson,
  equalsJson,
  omitUndefined,
  renderPlain,
  valueAt,
} from '../lib/json.ts';
import { rankDistance } from '../lib/rank-test.ts';
import type { Outcome } from '../model/outcome.ts';
import {
  type TemplateMap,
  MissingValue,
  type SchemaCheck,
  type SchemaMismatch,
  type Scope,
  UnjudgedValue,
} from '../model/suite.ts';
import type { Expectation } from '../suite/expectations/expectations.ts';
import {
  type Judgeable,
  type ResponseObservation,
  acceptedResponses,
  type AwaitObservation,
  type EventsObservation,
  type Observation,
} from './observation.ts';
import type { Mismatch } from './rule-book.ts';

const responseError = ({ body }: ResponseObservation): Json => readMember(body, 'error') ?? null;

/** Standard deviations of a rank sum: chance exceeds them in one case of a thousand. */
const maxRankDistance = 3.29;
/** Two medians closer than this, in milliseconds, count as equal whatever the ranks. */
const minMedianDifference = 2;

function medianTime(samples: readonly number[]): number {
  const sorted = samples.toSorted((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? 0;
}

function findOtherResponse(step: string, scope: Scope): ResponseObservation {
  const other = scope.root(step);
  if (isResponse(other)) return other;
  throw new MissingValue(`response of step ${step}`);
}

const isResponse = (value: unknown): value is ResponseObservation =>
  typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'response';

/** Finds a difference between the times of two steps, by a rank test and by their medians. */
function judgeLatency(step: string, { samples: ours, beside }: ResponseObservation, scope: Scope): Mismatch[] {
  const theirs = beside?.step === step ? beside.samples : findOtherResponse(step, scope).samples;
  const distance = rankDistance(ours, theirs);
  const apart = Math.abs(medianTime(ours) - medianTime(theirs));
  if (Math.abs(distance) <= maxRankDistance || apart < minMedianDifference) return [];
  const text = (samples: readonly number[]): string =>
    `a median of ${medianTime(samples).toFixed(1)} ms of ${samples.length}`;
  const actual = `${text(ours)}, ${Math.abs(distance).toFixed(1)} standard deviations away by their ranks`;
  return [{ code: 'not-equal', path: 'latency', expected: text(theirs), actual }];
}

/** Headers that a carrier sends on purpose, and that differ from one response to another for no other reason. */
const tellingHeaders = ['retry-after', 'www-authenticate', 'location'] as const;

/** Names of what a refusal has beside its status and error: members of its body, and telling headers. */
function refusalParts({ body, headers }: ResponseObservation): string {
  const members = isJsonObject(body) ? Object.keys(body).sort() : [];
  return [...members, ...tellingHeaders.filter((name) => headers[name] !== undefined)].join(', ');
}

/** Finds what one response reveals and another does not (enumeration): by status and error, by its parts, or by its time. */
function judgeLikeness({ like, latencyLike }: Expectation, observation: Judgeable, scope: Scope): Mismatch[] {
  if (observation.kind !== 'response') return [];
  const found: Mismatch[] = [];
  if (like !== undefined) {
    const other = findOtherResponse(like, scope);
    if (other.status !== observation.status || responseError(other) !== responseError(observation)) {
      found.push({ code: 'not-equal', path: 'status and error', expected: other.summary, actual: observation.summary });
    } else if (refusalParts(other) !== refusalParts(observation)) {
      const [expected, actual] = [refusalParts(other), refusalParts(observation)];
      found.push({ code: 'not-equal', path: 'members and headers', expected, actual });
    }
  }
  return latencyLike === undefined ? found : [...found, ...judgeLatency(latencyLike, observation, scope)];
}

type Deliveries = AwaitObservation | EventsObservation;

const isDeliveries = (observation: Judgeable): observation is Deliveries =>
  observation.kind === 'await' || observation.kind === 'events';

/** Returns undefined if the outcome does not apply to this kind of observation. */
type OutcomeJudge = (observation: Judgeable) => boolean | undefined;

const judgeResponseOutcome =
  (holds: (response: ResponseObservation) => boolean): OutcomeJudge =>
  (observation) =>
    observation.kind === 'response' ? holds(observation) : undefined;

const judgeAwaitOutcome =
  (holds: (observation: AwaitObservation) => boolean): OutcomeJudge =>
  (observation) =>
    observation.kind === 'await' ? holds(observation) : undefined;

const judgeDeliveriesOutcome =
  (holds: (observation: Deliveries) => boolean): OutcomeJudge =>
  (observation) =>
    isDeliveries(observation) ? holds(observation) : undefined;

/** Outcomes of docs/suite-language.md, each with its condition. */
const outcomeJudges: Readonly<Record<Outcome, OutcomeJudge>> = {
  accepted: judgeResponseOutcome(({ outcome }) => outcome === 'accepted'),
  denied: judgeResponseOutcome(({ outcome }) => outcome === 'denied'),
  'denied-or-dropped': judgeResponseOutcome(
    // No repetition may bring tokens, even if the last one was denied.
    ({ outcome, dropped, noResponse, completed = 0 }) =>
      completed === 0 &&
      (outcome === 'denied' || dropped === true || (outcome === 'no-answer' && noResponse === 'reset')),
  ),
  'at-most-one': judgeResponseOutcome((response) => (response.completed ?? acceptedResponses(response).length) <= 1),
  answered: judgeResponseOutcome(({ status }) => status !== undefined && status < 500),
  completed: judgeAwaitOutcome(({ deliveries }) => deliveries.at(-1)?.tokens === true),
  failed: judgeAwaitOutcome(
    ({ deliveries }) => deliveries.at(-1)?.error === true && deliveries.at(-1)?.tokens === false,
  ),
  result: judgeAwaitOutcome(({ deliveries, sent }) => sent.outcome !== 'accepted' || deliveries.length > 0),
  'no-tokens': judgeAwaitOutcome(({ deliveries }) => deliveries.every(({ tokens }) => !tokens)),
  'no-error': judgeAwaitOutcome(({ deliveries }) => deliveries.every(({ error }) => !error)),
  silence: judgeDeliveriesOutcome(({ count }) => count === 0),
  delivered: judgeDeliveriesOutcome(({ count }) => count > 0),
};

/** Describes the actual outcome; for counted repetitions, how many were accepted. */
function describeOutcome(outcome: Outcome, observation: Observation): string {
  if (outcome !== 'at-most-one' || observation.kind !== 'response') return observation.summary;
  const { repetitions = [observation], completed, summary } = observation;
  return completed === undefined
    ? `${acceptedResponses(observation).length} of ${repetitions.length} accepted`
    : summary;
}

const outcomesWithoutTokens: ReadonlySet<Outcome> = new Set(['denied-or-dropped', 'failed', 'no-tokens', 'silence']);

/** Whether tokens came although the outcome forbids them. */
function broughtTokens(outcome: Outcome, observation: Judgeable): boolean {
  if (!outcomesWithoutTokens.has(outcome)) return false;
  if (observation.kind === 'response') return (observation.completed ?? 0) > 0;
  return observation.kind === 'await' && observation.deliveries.some(({ tokens }) => tokens);
}

/** Whether an endpoint gave tokens or data of a person although the request had to be denied. */
function disclosed(outcome: Outcome, observation: Judgeable): 'tokens' | 'data' | undefined {
  if (broughtTokens(outcome, observation)) return 'tokens';
  if (outcome !== 'denied' || observation.kind !== 'response' || observation.outcome !== 'accepted') return undefined;
  return observation.gives;
}

function judgeOutcome({ outcome }: Expectation, observation: Judgeable): Mismatch[] {
  const holds = outcome === undefined ? true : outcomeJudges[outcome](observation);
  if (outcome === undefined || holds === true) return [];
  const actual = holds === false && 'summary' in observation ? describeOutcome(outcome, observation) : observation.kind;
  const carries = disclosed(outcome, observation);
  return [{ code: 'outcome', expected: outcome, actual, ...omitUndefined({ carries }) }];
}

/** Copy of an observed value for a finding; null if there is none. */
const copyAsJson = (value: unknown): Json => parseJson(JSON.stringify(value) ?? 'null') ?? null;

const observedBody = (observation: Judgeable): Json | undefined =>
  'body' in observation ? observation.body : undefined;

/** Judges some keys of an expectation. Throws MissingValue. */
type KeyJudge = (expectation: Expectation, observation: Judgeable, scope: Scope) => readonly Mismatch[];

/** `error:` applies to refusals only: a dropped request, a timeout or silence has no error to compare. */
function isErrorExpected(observation: Judgeable): boolean {
  if (observation.kind === 'response') return observation.outcome === 'denied';
  if (observation.kind === 'await') return observation.deliveries.some(({ error }) => error);
  return observation.kind === 'callback';
}

const judgeError: KeyJudge = ({ error }, observation) => {
  if (error === undefined || !isErrorExpected(observation)) return [];
  const actual = readMember(observedBody(observation), 'error');
  if (typeof actual === 'string' && error.includes(actual)) return [];
  return [{ code: 'error-code', path: 'body.error', expected: [...error], actual: copyAsJson(actual) }];
};

const judgeStatus: KeyJudge = ({ status }, observation) => {
  if (status === undefined || observation.kind !== 'response') return [];
  const actual = observation.status;
  const fits = (one: number | string): boolean =>
    typeof one === 'number' ? one === actual : one[0] === String(actual)[0];
  if (actual !== undefined && status.some(fits)) return [];
  return [{ code: 'status', path: 'status', expected: [...status], actual: observation.summary }];
};

const judgedParts = ['body', 'idToken', 'card', 'set', 'setHeader'] as const;

/** Claims of a missing ID token are not judged: a separate rule reports that it is missing. */
function requireIdToken(path: string, observation: Judgeable): void {
  const isMissing =
    ('withoutIdToken' in observation && observation.withoutIdToken === true) ||
    (observation.kind === 'response' && observation.idToken === undefined);
  if (isMissing && path.split('.')[0] === 'idToken') throw new MissingValue('ID token');
}

/** Names the part in the error if the schema cannot judge it. */
function schemaMismatches(check: SchemaCheck, part: string, value: unknown): readonly SchemaMismatch[] {
  try {
    return check.mismatches(value);
  } catch (error) {
    throw error instanceof UnjudgedValue
      ? new UnjudgedValue(`the schema of ${part} cannot judge: ${error.message}`)
      : error;
  }
}

const judgeSchemas: KeyJudge = (expectation, observation) =>
  judgedParts.flatMap((part): readonly Mismatch[] => {
    const check = expectation[part];
    if (check === undefined) return [];
    requireIdToken(part, observation);
    const value = valueAt(observation, part);
    if (value === undefined) {
      return [{ code: 'schema', path: part, expected: `${part} is there, as JSON`, actual: null }];
    }
    return schemaMismatches(check, part, value).map(({ path, message, actual }) => ({
      code: 'schema',
      path: `${part}${path.replaceAll('/', '.')}`,
      expected: message,
      actual,
    }));
  });

function comparePaths(paths: TemplateMap, observation: Judgeable, scope: Scope): readonly Mismatch[] {
  return paths.flatMap(([path, template]) => {
    requireIdToken(path, observation);
    const expected = template.evaluate(scope);
    const actual = valueAt(observation, path);
    return equalsJson(expected, actual) ? [] : [{ code: 'not-equal', path, expected, actual: copyAsJson(actual) }];
  });
}

const judgeEquals: KeyJudge = ({ equals = [] }, observation, scope) => comparePaths(equals, observation, scope);

const judgeEqualsOrAbsent: KeyJudge = ({ equalsOrAbsent = [] }, observation, scope) => {
  const there = equalsOrAbsent.filter(([path]) => (valueAt(observation, path) ?? null) !== null);
  return comparePaths(there, observation, scope);
};

const judgeIncludes: KeyJudge = ({ includes = [] }, observation, scope) =>
  includes.flatMap(([path, template]) => {
    requireIdToken(path, observation);
    const wanted = template.evaluate(scope);
    const actual = valueAt(observation, path);
    const entries: readonly unknown[] = Array.isArray(actual) ? actual : [actual];
    if (entries.some((entry) => equalsJson(wanted, entry))) return [];
    const expected = `${renderPlain(wanted)}, alone or in a list`;
    return [{ code: 'check', path, expected, actual: copyAsJson(actual) }];
  });

const judgeDiffers: KeyJudge = ({ differs = [] }, observation, scope) =>
  differs.flatMap(([path, template]) => {
    const other = template.evaluate(scope);
    const actual = valueAt(observation, path);
    if (!equalsJson(other, actual)) return [];
    return [
      { code: 'check', path, expected: `another value than ${JSON.stringify(other)}`, actual: copyAsJson(actual) },
    ];
  });

/** Tokens or data of a person that a body has at a path where they must not be. */
function givenAt(path: string, observation: Judgeable): Pick<Mismatch, 'carries'> {
  const carries = observation.kind === 'response' && path.startsWith('body.') ? observation.gives : undefined;
  return omitUndefined({ carries });
}

const judgeAbsent: KeyJudge = ({ absent = [] }, observation) =>
  absent.flatMap((path) => {
    const value = valueAt(observation, path) ?? null;
    if (value === null) return [];
    return [{ code: 'not-absent', path, expected: null, actual: copyAsJson(value), ...givenAt(path, observation) }];
  });

const judgeEcho: KeyJudge = ({ echo = [] }, observation) => {
  const sent = observation.kind === 'response' ? observation : 'sent' in observation ? observation.sent : undefined;
  return echo.flatMap((name) => {
    const expected = sent?.claims?.[name] ?? undefined;
    const actual = readMember(observedBody(observation), name);
    // An empty value counts as absent, in the request and in the response.
    const isNothing = (expected ?? '') === '';
    // A value of another type may be passed over, so whether it comes back is open.
    if (!isNothing && typeof expected !== 'string') return [];
    if (isNothing ? actual === undefined || actual === '' : equalsJson(expected, actual)) return [];
    return [{ code: 'not-echoed', path: `body.${name}`, expected: expected ?? null, actual: copyAsJson(actual) }];
  });
};

const judgeCount: KeyJudge = ({ count }, observation) => {
  if (count === undefined || !isDeliveries(observation) || observation.count === count) return [];
  return [{ code: 'count', path: 'deliveries', expected: count, actual: observation.count }];
};

const judgeSpacing: KeyJudge = ({ spacing }, observation) => {
  if (spacing === undefined || !isDeliveries(observation)) return [];
  const { every, early, late } = spacing;
  const window = { from: every - early, to: every + late };
  const expected = `${every} s, at most ${early} s early and ${late} s late`;
  return observation.deliveries.flatMap(({ receivedAt, message }, index, all) => {
    const before = all[index - 1];
    if (before === undefined) return [];
    const gap = Math.round((receivedAt - before.receivedAt) * 1000) / 1000;
    if (gap >= window.from && gap <= window.to) return [];
    return [{ code: 'spacing', path: `deliveries.${index}`, expected, actual: gap, message, window }];
  });
};

/** Keys that are judged here: named checks are judged apart, and an outcome before the others. */
type JudgedKey = Exclude<keyof Expectation, 'rules' | 'position' | 'outcome' | 'checks'>;

/** Judge of each key of `expect`, in the order of findings. */
const keyJudges: Readonly<Record<JudgedKey, KeyJudge>> = {
  error: judgeError,
  status: judgeStatus,
  body: judgeSchemas,
  idToken: judgeSchemas,
  card: judgeSchemas,
  set: judgeSchemas,
  setHeader: judgeSchemas,
  equals: judgeEquals,
  equalsOrAbsent: judgeEqualsOrAbsent,
  differs: judgeDiffers,
  includes: judgeIncludes,
  absent: judgeAbsent,
  like: judgeLikeness,
  latencyLike: judgeLikeness,
  echo: judgeEcho,
  count: judgeCount,
  spacing: judgeSpacing,
};

const isJudgedKey = (key: string): key is JudgedKey => Object.hasOwn(keyJudges, key);

/** Chooses each judge once: an expectation has few keys, but judges many messages. */
const chooseJudges = memoizeByObject((expectation: Expectation): ReadonlySet<KeyJudge> => {
  const keys = Object.keys(keyJudges).filter(isJudgedKey);
  return new Set(keys.filter((key) => expectation[key] !== undefined).map((key) => keyJudges[key]));
});

/** Judges every key of one expectation on one observation, except named checks. Throws MissingValue. */
export function judgeExpectation(expectation: Expectation, observation: Judgeable, scope: Scope): Mismatch[] {
  const found = judgeOutcome(expectation, observation);
  if (found.length > 0) return found;
  for (const judge of chooseJudges(expectation)) found.push(...judge(expectation, observation, scope));
  return found;
}
