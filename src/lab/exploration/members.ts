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

interface CombinedRequest extends Pick<Probe, 'base' | 'rules' | 'control'> {
  readonly combination: Combination;
  /** Difference that no shrinking takes away. */
  readonly difference: JsonObject;
  readonly title: (values: string) => string;
  readonly setting: CaseSetting;
  readonly steps: (sent: JsonObject, kept: KeptParts, prefix: string) => readonly JsonObject[];
}

const combinedProbe = ({ combination, difference, title, setting, steps, ...own }: CombinedRequest): Probe => ({
  ...own,
  kind: 'members',
  title: (kept) => title(describeKeptValues(combination, kept)),
  setting: (kept) => addSenderClient(setting, combination, kept),
  parts: combinationLabels(combination),
  varies: combination.map(({ part }) => part),
  steps: (kept, prefix) => {
    const sent = joinKeptValues(combination, kept, difference);
    return (
      sent && [...preparatorySteps(combination, kept, prefix), ...steps(replaceHintPrefix(sent, prefix), kept, prefix)]
    );
  },
  alone: false,
  requests: 1,
});

/** Rule of a single value that is left; of several, the rule of valid requests. */
function combinationRule(combination: Combination, kept: KeptParts): string {
  const left = combination.filter((_, at) => kept[at] === true);
  return left.length === 1 ? (left[0]?.value.rule ?? acceptedRule) : acceptedRule;
}

const decisionCycle: readonly UserDecision[] = ['approve', 'approve partly', 'deny', 'approve', 'time-out'];
const untickScopeLists = ['openid name email', 'openid email phone', 'openid name address'];

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

/** Most rows of a round: the search for more takes long. */
const maxAcceptedRows = 600;

/** Combinations that must be accepted, with their results (§2.3, §2.6). */
function acceptedProbes({ parts, abilities }: MembersGround, wanted: MembersLimits): readonly Probe[] {
  const { seed, strength, requests } = wanted;
  const perPart = strength === 3 ? 5 : 9;
  const limits = {
    seed: `${seed} accepted`,
    strength,
    count: Math.min(maxAcceptedRows, Math.ceil(requests / 3)),
    perPart,
  };
  return coverCombinations(parts, limits).map((combination, at) => {
    const decision = decisionCycle[at % decisionCycle.length] ?? 'approve';
    return combinedProbe({
      base: 'valid',
      rules: [],
      combination,
      difference: decision === 'approve partly' ? consentDifference(combination, at) : {},
      title: (values) => `A request ${values}is accepted, and ends as the user decides`,
      setting: {},
      steps: (difference, kept, prefix) =>
        acceptedSteps({ difference, rule: combinationRule(combination, kept), decision, prefix, abilities }),
      control: {},
    });
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

/** Parts that may have other values beside a deviation; the sender matters if it reads a registration or a subscriber. */
function partsBeside({ difference, control = {}, case: { client } }: RequestPoint, parts: readonly RequestPart[]) {
  const touched = new Set([...touchedParts(difference), ...touchedParts(control)]);
  const readsRegistration = /\b(?:clients?|subscribers?)\./.test(JSON.stringify(difference));
  const fixed = client !== 'main' || readsRegistration || touched.has('key') || touched.has('client');
  const fits = ({ difference: one, client: other }: PartValue): boolean =>
    !touchSameParts(difference, one) && !(fixed && other !== undefined);
  return parts.map(({ id, values }) => ({ id, values: values.filter(fits) })).filter(({ values }) => values.length > 1);
}

/** Each listed deviation beside drawn conforming values: it must still be refused. */
function refusedProbes({ parts, points }: MembersGround, seed: string, count: number): readonly Probe[] {
  const deviations = points.filter(
    ({ outcome, case: { receiver } }) => outcome !== 'accepted' && receiver.length === 0,
  );
  const shuffled = seededRandom(`${seed} refused`).shuffled(deviations);
  return Array.from({ length: count }, (_, at) => at).flatMap((at) => {
    const point = shuffled[at % shuffled.length];
    if (point === undefined) return [];
    const limits = { seed: `${seed} ${at}`, strength: 2 as const, count: 1, perPart: 5 };
    return dealCombinations(partsBeside(point, parts), limits).map((combination) =>
      combinedProbe({
        base: point.from,
        rules: [point.rule],
        combination,
        difference: point.difference,
        title: (values) => `${point.case.title}, also ${values}`.replace(/, also $/, '').trim(),
        setting: pointSetting(point),
        steps: (authorize, _, prefix) => [{ as: `${prefix}request`, authorize, expect: outcomeExpectation(point) }],
        control: point.control ?? {},
      }),
    );
  });
}

/** Combinations that must be accepted, and deviations that must be refused whatever stands beside them. */
export function memberProbes(ground: MembersGround, wanted: MembersLimits): readonly Probe[] {
  const accepted = acceptedProbes(ground, wanted);
  return [...accepted, ...refusedProbes(ground, wanted.seed, wanted.requests - accepted.length)];
}
