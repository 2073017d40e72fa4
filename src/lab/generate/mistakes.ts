import { orderByLot } from '../../lib/covering/random.ts';
import type { JsonObject } from '../../lib/json.ts';
import { groupBy } from '../../lib/lists.ts';
import type { Rule } from '../../model/rule.ts';
import { joinDifferences, ownNeeds, type RequestPoint, touchedParts } from '../exploration/request-points.ts';
import { isSentDeviation } from './beside.ts';
import type { MadeCase } from './suite-text.ts';

const pairsPerCase = 10;
const pairCount = 40;

/** Whether the request has one mistake that every carrier denies, whatever the target file declares. */
const isPlainMistake = (point: RequestPoint): boolean =>
  isSentDeviation(point) &&
  point.outcome === 'denied' &&
  point.case.client === 'main' &&
  ownNeeds(point).length === 0 &&
  touchedParts(point.difference).size === 1;

interface MistakePair {
  /** Rule that the first mistake breaks. */
  readonly rule: string;
  readonly step: JsonObject;
}

/** Both mistakes in one request, which breaks the rules of both. Codes that both may have are those of either. */
function joinMistakes(one: RequestPoint, other: RequestPoint): MistakePair | undefined {
  const authorize = joinDifferences(one.difference, other.difference);
  const error = one.error && other.error ? { error: [...new Set([...one.error, ...other.error])] } : {};
  return authorize && { rule: one.rule, step: { authorize, expect: { outcome: 'denied', ...error, rule: one.rule } } };
}

/** Pairs of mistakes in different members: the mistake of each rule stands beside those of its next rules in a fixed order. */
function mistakePairs(points: readonly RequestPoint[]): readonly MistakePair[] {
  const rules = orderByLot(
    'two mistakes',
    [...groupBy(points, ({ rule }) => rule).values()],
    ([one]) => one?.rule ?? '',
  );
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
  const required = new Set(rules.flatMap(({ id, level }) => (level === 'required' ? [id] : [])));
  const usable = points.filter((point) => required.has(point.rule) && isPlainMistake(point));
  const pairs = mistakePairs(usable).slice(0, pairCount);
  return Array.from({ length: Math.ceil(pairs.length / pairsPerCase) }, (_, at) => {
    const some = pairs.slice(at * pairsPerCase, (at + 1) * pairsPerCase);
    return {
      id: `two-mistakes-in-different-members-${at + 1}`,
      title: `A request with mistakes in two members is denied (pairs ${at * pairsPerCase + 1} to ${at * pairsPerCase + some.length})`,
      rule: [...new Set(some.map(({ rule }) => rule))],
      steps: [...some.map(({ step }) => step), { control: true, authorize: {}, expect: 'accepted' }],
    };
  });
}
