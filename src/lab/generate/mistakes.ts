import { orderByLot } from '../../lib/covering/random.ts';
import { type Json, type JsonObject, omitUndefined } from '../../lib/json.ts';
import { groupBy } from '../../lib/lists.ts';
import type { Rule } from '../../model/rule.ts';
import { joinDifferences, ownNeeds, type RequestPoint, touchedParts } from '../requests/request-points.ts';
import { isSentDeviation } from './beside.ts';
import type { MadeCase } from './suite-text.ts';

/** Requests with a mistake in one case, at most. */
const stepsPerCase = 10;
const pairCount = 40;

/** Whether the request has one mistake that every carrier denies, whatever the target file declares. */
const isOneMistake = (point: RequestPoint): boolean =>
  isSentDeviation(point) && point.outcome === 'denied' && point.case.client === 'main' && ownNeeds(point).length === 0;

/** The mistakes of each required rule, by its id. */
export function mistakesByRule(
  points: readonly RequestPoint[],
  rules: readonly Rule[],
): ReadonlyMap<string, readonly RequestPoint[]> {
  const required = new Set(rules.flatMap(({ id, level }) => (level === 'required' ? [id] : [])));
  return groupBy(
    points.filter((point) => required.has(point.rule) && isOneMistake(point)),
    ({ rule }) => rule,
  );
}

/** A request that must be denied. */
export interface MistakeStep {
  /** Rule that its mistake breaks. */
  readonly rule: string;
  readonly step: JsonObject;
}

export const mistakeStep = (
  authorize: JsonObject,
  { rule, error }: Pick<RequestPoint, 'rule' | 'error'>,
): MistakeStep => ({
  rule,
  step: { authorize, expect: { outcome: 'denied', ...(error === undefined ? {} : { error: [...error] }), rule } },
});

/** The steps of one case after another. */
export const splitIntoCases = (steps: readonly MistakeStep[]): readonly (readonly MistakeStep[])[] =>
  Array.from({ length: Math.ceil(steps.length / stepsPerCase) }, (_, at) =>
    steps.slice(at * stepsPerCase, (at + 1) * stepsPerCase),
  );

export const rulesOf = (steps: readonly MistakeStep[]): Json => [...new Set(steps.map(({ rule }) => rule))];

/** Both mistakes in one request, which breaks the rules of both. Codes that both may have are those of either. */
function joinMistakes(one: RequestPoint, other: RequestPoint): MistakeStep | undefined {
  const authorize = joinDifferences(one.difference, other.difference);
  const error = one.error && other.error ? [...new Set([...one.error, ...other.error])] : undefined;
  return authorize && mistakeStep(authorize, { rule: one.rule, ...omitUndefined({ error }) });
}

/** Pairs of mistakes in different members: the mistake of each rule stands beside those of its next rules in a fixed order. */
function mistakePairs(byRule: ReadonlyMap<string, readonly RequestPoint[]>): readonly MistakeStep[] {
  const inOneMember = [...byRule.values()]
    .map((own) => own.filter(({ difference }) => touchedParts(difference).size === 1))
    .filter((own) => own.length > 0);
  const rules = orderByLot('two mistakes', inOneMember, ([one]) => one?.rule ?? '');
  const distances = rules.slice(1).map((_, at) => at + 1);
  return distances.flatMap((distance) =>
    rules.flatMap((own, at) => {
      const others = rules[(at + distance) % rules.length] ?? [];
      const [one, other] = [own[distance % own.length], others[at % others.length]];
      return (one && other && joinMistakes(one, other)) ?? [];
    }),
  );
}

/** Requests with two mistakes at once, which must be denied by the rule of the first. */
export function mistakeCases(points: readonly RequestPoint[], rules: readonly Rule[]): readonly MadeCase[] {
  const pairs = mistakePairs(mistakesByRule(points, rules)).slice(0, pairCount);
  return splitIntoCases(pairs).map((some, at) => ({
    id: `two-mistakes-in-different-members-${at + 1}`,
    title: `A request with mistakes in two members is denied (pairs ${at * stepsPerCase + 1} to ${at * stepsPerCase + some.length})`,
    rule: rulesOf(some),
    steps: [...some.map(({ step }) => step), { control: true, authorize: {}, expect: 'accepted' }],
  }));
}
