import { seededRandom } from '../../lib/covering/random.ts';
import type { Strength } from '../../lib/covering/uncovered-tuples.ts';
import type { JsonObject } from '../../lib/json.ts';
import type { CaseSetting, KeptParts, Probe } from '../explore/exploration.ts';
import type { TargetAbilities } from './abilities.ts';
import { acceptedSteps, type UserDecision } from './accepted-steps.ts';
import {
  addSenderClient,
  type Combination,
  combinationLabels,
  coverCombinations,
  dealCombinations,
  describeKeptValues,
  joinKeptValues,
  preparatorySteps,
  replaceHintPrefix,
} from './combinations.ts';
import { acceptedRule, type PartValue, type RequestPart } from './request-parts.ts';
import { outcomeExpectation, ownNeeds, type RequestPoint, touchedParts, touchSameParts } from './request-points.ts';

interface MembersGround {
  readonly parts: readonly RequestPart[];
  readonly points: readonly RequestPoint[];
  readonly abilities: TargetAbilities;
}

interface MembersLimits {
  readonly seed: string;
  readonly strength: Strength;
  /** Approximate number of request objects. */
  readonly requests: number;
}

/** Rule of a single value that is left; of several, the rule of valid requests. */
function combinationRule(combination: Combination, kept: KeptParts): string {
  const left = combination.filter((_, at) => kept[at] === true);
  return left.length === 1 ? (left[0]?.value.rule ?? acceptedRule) : acceptedRule;
}

const decisionCycle: readonly UserDecision[] = ['approve', 'approve partly', 'deny', 'approve', 'time-out'];

/** Prompt and scopes of a list to untick, as far as the combination leaves them open (§2.3 prompt, scope). */
export function consentDifference(combination: Combination, at: number): JsonObject {
  const touched = new Set(combination.map(({ part }) => part));
  const scope = untickScopeLists[at % untickScopeLists.length] ?? '';
  return {
    claims: {
      ...(touched.has('claims.prompt') ? {} : { prompt: 'consent' }),
      ...(touched.has('claims.scope') ? {} : { scope }),
    },
  };
}

const untickScopeLists = ['openid name email', 'openid email phone', 'openid name address'];

/** Combinations that must be accepted, with their results (§2.3, §2.6). */
function acceptedProbes(
  { parts, abilities }: MembersGround,
  { seed, strength, requests }: MembersLimits,
): readonly Probe[] {
  const wanted = {
    seed: `${seed} accepted`,
    strength,
    count: Math.ceil(requests / 3),
    perPart: strength === 3 ? 5 : 9,
  };
  return coverCombinations(parts, wanted).map((combination, at): Probe => {
    const decision = decisionCycle[at % decisionCycle.length] ?? 'approve';
    const asking = decision === 'approve partly' ? consentDifference(combination, at) : {};
    const names = combinationLabels(combination);
    return {
      kind: 'members',
      base: 'valid',
      rules: [],
      title: (kept) => `A request ${describeKeptValues(combination, kept)}is accepted, and ends as the user decides`,
      setting: (kept) => addSenderClient({}, combination, kept),
      parts: names,
      varies: combination.map(({ part }) => part),
      steps: (kept, prefix) => {
        const difference = joinKeptValues(combination, kept, asking);
        const flow = { rule: combinationRule(combination, kept), decision, prefix, abilities };
        return (
          difference && [
            ...preparatorySteps(combination, kept, prefix),
            ...acceptedSteps({ ...flow, difference: replaceHintPrefix(difference, prefix) }),
          ]
        );
      },
      alone: false,
      requests: 1,
    };
  });
}

/** Setting of the case that keeps the meaning of the request. */
export function pointSetting(point: RequestPoint): CaseSetting {
  const { client, subscriber } = point.case;
  const own = ownNeeds(point);
  return {
    ...(typeof client === 'string' && client !== 'main' ? { client } : {}),
    ...(subscriber === 'consented' ? {} : { subscriber }),
    ...(own.length === 0 ? {} : { requires: own }),
  };
}

/** Whether a difference reads a registration or a subscriber, so that the sender matters. */
const readsRegistration = (difference: JsonObject): boolean =>
  /\b(?:clients?|subscribers?)\./.test(JSON.stringify(difference));

/** Parts that may have other values beside a deviation. */
function partsBeside(
  { difference, control = {}, case: { client } }: RequestPoint,
  parts: readonly RequestPart[],
): readonly RequestPart[] {
  const touched = new Set([...touchedParts(difference), ...touchedParts(control)]);
  const fixed = client !== 'main' || readsRegistration(difference) || touched.has('key') || touched.has('client');
  const fits = ({ difference: one, client: other }: PartValue): boolean =>
    !touchSameParts(difference, one) && !(fixed && other !== undefined);
  return parts.map(({ id, values }) => ({ id, values: values.filter(fits) })).filter(({ values }) => values.length > 1);
}

/** Whether the request is a JSON body sent by POST, whose refusal has one form (§2.5). */
const isJsonPostRequest = (difference: JsonObject): boolean =>
  !['method', 'form', 'headers', 'text', 'body'].some((key) => Object.hasOwn(difference, key));

function refusedProbe(point: RequestPoint, combination: Combination): Probe {
  const { difference: deviation, rule, outcome, control = {} } = point;
  return {
    kind: 'members',
    base: point.from,
    rules: [rule],
    title: (kept) =>
      `${point.case.title}, also ${describeKeptValues(combination, kept)}`.replace(/, also $/, '').trim(),
    setting: (kept) => addSenderClient(pointSetting(point), combination, kept),
    parts: combinationLabels(combination),
    varies: combination.map(({ part }) => part),
    steps: (kept, prefix) => {
      const difference = joinKeptValues(combination, kept, deviation);
      const form =
        outcome === 'denied' && isJsonPostRequest(deviation) ? [{ rule: 'TRN-015', check: 'refusal-form' }] : [];
      const expect = [outcomeExpectation(point), ...form];
      return (
        difference && [
          ...preparatorySteps(combination, kept, prefix),
          { as: `${prefix}request`, authorize: replaceHintPrefix(difference, prefix), expect },
        ]
      );
    },
    control,
    alone: false,
    requests: 1,
  };
}

/** Values of each part, and rows, beside a deviation: each value is in one row, and many pairs are. */
const besideLimits = { perPart: 5, rows: 6 };

/** Unlisted objects that bring the key they are signed with, chosen by their sender (§2.2). */
function selfSignedPoints(points: readonly RequestPoint[]): readonly RequestPoint[] {
  const like = points.find(({ difference: { key, tamper } }) => key === 'unregistered' && tamper !== undefined);
  if (like === undefined) return [];
  const difference = { key: 'unregistered', tamper: 'claims-bind-signer' };
  return [difference, { ...difference, dropHeader: ['kid'] }].map((one, at) => ({
    ...like,
    from: `signed with its own referred_binding ${at + 1}`,
    difference: one,
  }));
}

/** Each listed deviation beside other conforming values: it must still be refused. */
function refusedProbes({ parts, points }: MembersGround, seed: string, refused: number): readonly Probe[] {
  const deviations = [
    ...points.filter(({ outcome, case: { receiver } }) => outcome !== 'accepted' && receiver.length === 0),
    ...selfSignedPoints(points),
  ];
  const rows = Math.max(1, Math.min(besideLimits.rows, Math.floor(refused / Math.max(1, deviations.length))));
  const all = deviations.map((point, at) =>
    dealCombinations(partsBeside(point, parts), {
      seed: `${seed} refused ${at}`,
      strength: 2,
      count: rows,
      perPart: besideLimits.perPart,
    }).map((combination) => refusedProbe(point, combination)),
  );
  // One row of each deviation, then the next, so that early findings come from every rule.
  const turns = Array.from({ length: rows }, (_, turn) =>
    seededRandom(`${seed} ${turn}`).shuffled(all.flatMap((one) => one[turn] ?? [])),
  );
  return turns.flat().slice(0, refused);
}

/** Combinations that must be accepted, and deviations that must be refused whatever stands beside them. */
export function memberProbes(ground: MembersGround, wanted: MembersLimits): readonly Probe[] {
  const accepted = acceptedProbes(ground, wanted);
  return [...accepted, ...refusedProbes(ground, wanted.seed, wanted.requests - accepted.length)];
}
