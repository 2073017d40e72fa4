import { isJsonObject, type Json, parseJson } from '../model/json.ts';
import type { Expectation, Outcome, SchemaCheck } from '../model/suite.ts';
import type { Scope } from '../model/template.ts';
import { judgeLikeness } from './likeness.ts';
import type { Judgeable, Mismatch } from './mismatch.ts';
import type { AnswerSeen, AwaitSeen, EventsSeen } from './observation.ts';
import { sameJson, valueAt } from './path.ts';

type Held = { readonly holds: boolean; readonly actual: string };

const ofAnswer =
  (holds: (answer: AnswerSeen) => boolean) =>
  (seen: Judgeable): Held =>
    seen.kind === 'answer' ? { holds: holds(seen), actual: seen.summary } : { holds: false, actual: seen.kind };

const ofAwait =
  (holds: (seen: AwaitSeen) => boolean) =>
  (seen: Judgeable): Held =>
    seen.kind === 'await' ? { holds: holds(seen), actual: seen.summary } : { holds: false, actual: seen.kind };

const ofDeliveries =
  (holds: (seen: AwaitSeen | EventsSeen) => boolean) =>
  (seen: Judgeable): Held =>
    seen.kind === 'await' || seen.kind === 'events'
      ? { holds: holds(seen), actual: seen.summary }
      : { holds: false, actual: seen.kind };

/** The outcomes of docs/suite-language.md, each with what makes it hold. */
const outcomes: Readonly<Record<Outcome, (seen: Judgeable) => Held>> = {
  accepted: ofAnswer(({ outcome }) => outcome === 'accepted'),
  denied: ofAnswer(({ outcome }) => outcome === 'denied'),
  'denied-or-dropped': ofAnswer(
    ({ outcome, dropped, noAnswer }) =>
      outcome === 'denied' || dropped === true || (outcome === 'no-answer' && noAnswer === 'reset'),
  ),
  'at-most-one': ofAnswer(({ completed = 0 }) => completed <= 1),
  answered: ofAnswer(({ status }) => status !== undefined && status < 500),
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

const parts: Readonly<Record<'body' | 'idToken' | 'card' | 'set' | 'setHeader', (seen: Judgeable) => unknown>> = {
  set: (seen) => ('set' in seen ? seen.set : undefined),
  setHeader: (seen) => ('setHeader' in seen ? seen.setHeader : undefined),
  body: (seen) => ('body' in seen ? seen.body : undefined),
  idToken: (seen) => ('idToken' in seen ? seen.idToken : undefined),
  card: (seen) => ('card' in seen ? seen.card : undefined),
};

const statusFits = (status: number | undefined, wanted: readonly (number | string)[]): boolean =>
  status !== undefined &&
  wanted.some((one) => (typeof one === 'number' ? one === status : one[0] === String(status)[0]));

function judgeEcho(names: readonly string[], seen: Judgeable): Mismatch[] {
  const sent = seen.kind === 'answer' ? seen.claims : 'sent' in seen ? seen.sent.claims : undefined;
  const body = parts.body(seen);
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
  seen: AwaitSeen | EventsSeen,
): Mismatch[] {
  const found: Mismatch[] = [];
  for (const [index, delivery] of seen.deliveries.entries()) {
    const before = seen.deliveries[index - 1];
    if (before === undefined) continue;
    const gap = Math.round((delivery.receivedAt - before.receivedAt) * 1000) / 1000;
    if (gap >= every - early && gap <= every + late) continue;
    const expected = `${every} s, at most ${early} s early and ${late} s late`;
    found.push({ code: 'spacing', path: `deliveries.${index}`, expected, actual: gap, message: delivery.message });
  }
  return found;
}

/** Judges every key of one expectation on one observation. Named checks are judged by the caller. Throws MissingValue. */
export function judgeExpectation(expectation: Expectation, seen: Judgeable, scope: Scope): Mismatch[] {
  const found: Mismatch[] = [];
  if (expectation.outcome !== undefined) {
    const { holds, actual } = outcomes[expectation.outcome](seen);
    if (!holds) return [{ code: 'outcome', expected: expectation.outcome, actual }];
  }
  const body = parts.body(seen);
  if (expectation.error !== undefined && isErrorExpected(seen)) {
    const actual = isJsonObject(body) ? body['error'] : undefined;
    if (typeof actual !== 'string' || !expectation.error.includes(actual)) {
      found.push({ code: 'error-code', path: 'body.error', expected: [...expectation.error], actual: asJson(actual) });
    }
  }
  if (expectation.status !== undefined && seen.kind === 'answer' && !statusFits(seen.status, expectation.status)) {
    found.push({ code: 'status', path: 'status', expected: [...expectation.status], actual: seen.summary });
  }
  for (const part of ['body', 'idToken', 'card', 'set', 'setHeader'] as const) {
    const check = expectation[part];
    if (check !== undefined) found.push(...judgeSchema(part, check, parts[part](seen)));
  }
  for (const [path, template] of expectation.equals ?? []) {
    const expected = template.evaluate(scope);
    const actual = valueAt(seen, path);
    if (!sameJson(expected, actual)) found.push({ code: 'not-equal', path, expected, actual: asJson(actual) });
  }
  for (const path of expectation.absent ?? []) {
    const actual = valueAt(seen, path);
    if (actual !== undefined) found.push({ code: 'not-absent', path, expected: null, actual: asJson(actual) });
  }
  if (seen.kind === 'answer') found.push(...judgeLikeness(expectation, seen, scope));
  if (expectation.echo !== undefined) found.push(...judgeEcho(expectation.echo, seen));
  if (seen.kind === 'await' || seen.kind === 'events') {
    if (expectation.count !== undefined && seen.count !== expectation.count) {
      found.push({ code: 'count', path: 'deliveries', expected: expectation.count, actual: seen.count });
    }
    if (expectation.spacing !== undefined) found.push(...judgeSpacing(expectation.spacing, seen));
  }
  return found;
}

/** `error:` speaks of refusals: a dropped request, a timeout or silence has no error to compare. */
function isErrorExpected(seen: Judgeable): boolean {
  if (seen.kind === 'answer') return seen.outcome === 'denied';
  if (seen.kind === 'await') return seen.deliveries.some(({ error }) => error);
  return seen.kind === 'callback';
}
