import { isJsonObject, type Json, parseJson } from '../model/json.ts';
import type { SchemaCheck } from '../model/suite.ts';
import type { Scope } from '../model/template.ts';
import { judgeLikeness } from './likeness.ts';
import type { Judgeable, Mismatch } from './mismatch.ts';
import type { ResponseObservation, AwaitObservation, EventsObservation } from './observation.ts';
import { sameJson, valueAt } from './path.ts';
import type { Expectation } from '../suite/expectations/expectation.ts';
import type { Outcome } from '../model/outcome.ts';

type Held = { readonly holds: boolean; readonly actual: string };

const ofResponse =
  (holds: (response: ResponseObservation) => boolean) =>
  (observation: Judgeable): Held =>
    observation.kind === 'response'
      ? { holds: holds(observation), actual: observation.summary }
      : { holds: false, actual: observation.kind };

const ofAwait =
  (holds: (observation: AwaitObservation) => boolean) =>
  (observation: Judgeable): Held =>
    observation.kind === 'await'
      ? { holds: holds(observation), actual: observation.summary }
      : { holds: false, actual: observation.kind };

const ofDeliveries =
  (holds: (observation: AwaitObservation | EventsObservation) => boolean) =>
  (observation: Judgeable): Held =>
    observation.kind === 'await' || observation.kind === 'events'
      ? { holds: holds(observation), actual: observation.summary }
      : { holds: false, actual: observation.kind };

/** The outcomes of docs/suite-language.md, each with what makes it hold. */
const outcomes: Readonly<Record<Outcome, (observation: Judgeable) => Held>> = {
  accepted: ofResponse(({ outcome }) => outcome === 'accepted'),
  denied: ofResponse(({ outcome }) => outcome === 'denied'),
  'denied-or-dropped': ofResponse(
    ({ outcome, dropped, noResponse }) =>
      outcome === 'denied' || dropped === true || (outcome === 'no-answer' && noResponse === 'reset'),
  ),
  'at-most-one': ofResponse(({ completed = 0 }) => completed <= 1),
  answered: ofResponse(({ status }) => status !== undefined && status < 500),
  completed: ofAwait(({ deliveries }) => deliveries.at(-1)?.tokens === true),
  failed: ofAwait(({ deliveries }) => deliveries.at(-1)?.error === true && deliveries.at(-1)?.tokens === false),
  'no-tokens': ofAwait(({ deliveries }) => deliveries.every(({ tokens }) => !tokens)),
  silence: ofDeliveries(({ count }) => count === 0),
  delivered: ofDeliveries(({ count }) => count > 0),
};

/** What a finding keeps of an observed value: a copy, null where there is none. */
const asJson = (value: unknown): Json => parseJson(JSON.stringify(value) ?? 'null') ?? null;

function judgeSchema(part: string, check: SchemaCheck, value: unknown): Mismatch[] {
  if (value === undefined) {
    return [{ code: 'schema', path: part, expected: `${part} is there, as JSON`, actual: null }];
  }
  return check.mismatches(value).map(({ path, message, actual }) => ({
    code: 'schema',
    path: `${part}${path.replaceAll('/', '.')}`,
    expected: message,
    actual,
  }));
}

const parts: Readonly<Record<'body' | 'idToken' | 'card' | 'set' | 'setHeader', (observation: Judgeable) => unknown>> =
  {
    set: (observation) => ('set' in observation ? observation.set : undefined),
    setHeader: (observation) => ('setHeader' in observation ? observation.setHeader : undefined),
    body: (observation) => ('body' in observation ? observation.body : undefined),
    idToken: (observation) => ('idToken' in observation ? observation.idToken : undefined),
    card: (observation) => ('card' in observation ? observation.card : undefined),
  };

const statusFits = (status: number | undefined, wanted: readonly (number | string)[]): boolean =>
  status !== undefined &&
  wanted.some((one) => (typeof one === 'number' ? one === status : one[0] === String(status)[0]));

function judgeEcho(names: readonly string[], observation: Judgeable): Mismatch[] {
  const sent =
    observation.kind === 'response' ? observation.claims : 'sent' in observation ? observation.sent.claims : undefined;
  const body = parts.body(observation);
  return names.flatMap((name) => {
    const expected = sent?.[name];
    const actual = isJsonObject(body) ? body[name] : undefined;
    if (expected === undefined ? actual === undefined || actual === '' : sameJson(expected, actual)) return [];
    const path = `body.${name}`;
    return [{ code: 'not-echoed' as const, path, expected: expected ?? null, actual: asJson(actual) }];
  });
}

function judgeSpacing(
  { every, early, late }: { every: number; early: number; late: number },
  observation: AwaitObservation | EventsObservation,
): Mismatch[] {
  const found: Mismatch[] = [];
  for (const [index, delivery] of observation.deliveries.entries()) {
    const before = observation.deliveries[index - 1];
    if (before === undefined) continue;
    const gap = Math.round((delivery.receivedAt - before.receivedAt) * 1000) / 1000;
    if (gap >= every - early && gap <= every + late) continue;
    const expected = `${every} s, at most ${early} s early and ${late} s late`;
    found.push({ code: 'spacing', path: `deliveries.${index}`, expected, actual: gap, message: delivery.message });
  }
  return found;
}

/** Judges every key of one expectation on one observation. Named checks are judged by the caller. Throws MissingValue. */
export function judgeExpectation(expectation: Expectation, observation: Judgeable, scope: Scope): Mismatch[] {
  const found: Mismatch[] = [];
  if (expectation.outcome !== undefined) {
    const { holds, actual } = outcomes[expectation.outcome](observation);
    if (!holds) return [{ code: 'outcome', expected: expectation.outcome, actual }];
  }
  const body = parts.body(observation);
  if (expectation.error !== undefined && isErrorExpected(observation)) {
    const actual = isJsonObject(body) ? body['error'] : undefined;
    if (typeof actual !== 'string' || !expectation.error.includes(actual)) {
      found.push({ code: 'error-code', path: 'body.error', expected: [...expectation.error], actual: asJson(actual) });
    }
  }
  if (
    expectation.status !== undefined &&
    observation.kind === 'response' &&
    !statusFits(observation.status, expectation.status)
  ) {
    found.push({ code: 'status', path: 'status', expected: [...expectation.status], actual: observation.summary });
  }
  for (const part of ['body', 'idToken', 'card', 'set', 'setHeader'] as const) {
    const check = expectation[part];
    if (check !== undefined) found.push(...judgeSchema(part, check, parts[part](observation)));
  }
  for (const [path, template] of expectation.equals ?? []) {
    const expected = template.evaluate(scope);
    const actual = valueAt(observation, path);
    if (!sameJson(expected, actual)) found.push({ code: 'not-equal', path, expected, actual: asJson(actual) });
  }
  for (const path of expectation.absent ?? []) {
    const actual = valueAt(observation, path);
    if (actual !== undefined) found.push({ code: 'not-absent', path, expected: null, actual: asJson(actual) });
  }
  if (observation.kind === 'response') found.push(...judgeLikeness(expectation, observation, scope));
  if (expectation.echo !== undefined) found.push(...judgeEcho(expectation.echo, observation));
  if (observation.kind === 'await' || observation.kind === 'events') {
    if (expectation.count !== undefined && observation.count !== expectation.count) {
      found.push({ code: 'count', path: 'deliveries', expected: expectation.count, actual: observation.count });
    }
    if (expectation.spacing !== undefined) found.push(...judgeSpacing(expectation.spacing, observation));
  }
  return found;
}

/** `error:` speaks of refusals: a dropped request, a timeout or silence has no error to compare. */
function isErrorExpected(observation: Judgeable): boolean {
  if (observation.kind === 'response') return observation.outcome === 'denied';
  if (observation.kind === 'await') return observation.deliveries.some(({ error }) => error);
  return observation.kind === 'callback';
}
