import type { KeptParts, Probe } from '../explore/exploration.ts';
import { pickItem, type Random, seededRandom } from '../../lib/covering/random.ts';
import { type Json, type JsonObject, readMember } from '../../lib/json.ts';
import type { TargetAbilities } from './abilities.ts';
import { type Combination, dealCombinations, joinFittingValues } from './combinations.ts';
import { type RequestPart, isSelfContained } from './request-parts.ts';
import { joinDifferences, touchSameParts, type RequestPoint, touchedParts } from './request-points.ts';
import { decideStep, fillReferences, objectOrNone, objectItems, readListRows, rowText, rowTexts } from './rows.ts';

/** Two requests; the second is judged by the first, whose name is `$first`. */
interface RequestPair {
  readonly title: string;
  readonly rule: string;
  /** Difference of each request beside the combination. */
  readonly first: JsonObject;
  readonly second: JsonObject;
  readonly expectFirst: JsonObject;
  readonly expectSecond: JsonObject;
  /** Parts that do not vary. */
  readonly fixed: readonly string[];
  /** Steps before both. */
  readonly before: readonly JsonObject[];
  /** Both are refused, and may have another reason for it as well. */
  readonly refused: boolean;
}

const readPairs = (file: Json | undefined, abilities: TargetAbilities): readonly RequestPair[] =>
  readListRows(readMember(file, 'pairs'), abilities).map(({ title, json, values }) => {
    const at = (name: string): Json => fillReferences(json[name] ?? null, values);
    const object = (name: string): JsonObject => objectOrNone(at(name));
    return {
      title,
      rule: rowText(json['rule']),
      first: object('first'),
      second: object('second'),
      expectFirst: object('expectFirst'),
      expectSecond: object('expectSecond'),
      fixed: rowTexts(at('fixed')),
      before: objectItems(at('before')),
      refused: json['refused'] === true,
    };
  });

interface PairsGround {
  readonly parts: readonly RequestPart[];
  readonly points: readonly RequestPoint[];
  /** Content of suites/exploration/parts.yaml. */
  readonly file: Json | undefined;
  readonly abilities: TargetAbilities;
}

/** Whether a deviation names no user and no registration, so that it is refused for every user. */
const isUserIndependent = ({ outcome, difference, case: { client, subscriber, receiver } }: RequestPoint): boolean =>
  outcome === 'denied' &&
  client === 'main' &&
  subscriber === 'consented' &&
  receiver.length === 0 &&
  !/login_hint|subscriber|client|"(?:key|again|text|body|request)"/.test(JSON.stringify(difference)) &&
  [...touchedParts(difference)].every((one) => one !== 'key' && one !== 'claims.jti');

/** Pairs of requests beside conforming values (§2.3 jti, SEC-35); in a replay, each has its own values. */
export function pairProbes(
  seed: string,
  requests: number,
  { parts, points, file, abilities }: PairsGround,
): readonly Probe[] {
  const pairs = readPairs(file, abilities);
  const ground = {
    deviations: points.filter(isUserIndependent),
    open: objectItems(readMember(file, 'open')),
    random: seededRandom(`${seed} pairs`),
  };
  const each = Math.max(1, Math.floor(requests / 2 / pairs.length));
  return pairs.flatMap((pair, kind) => {
    const free = parts
      .filter(({ id }) => !pair.fixed.includes(id))
      .map(({ id, values }) => ({ id, values: values.filter(isSelfContained) }));
    const wanted = { strength: 2 as const, count: each, perPart: 6 };
    const firsts = dealCombinations(free, { ...wanted, seed: `${seed} pairs ${kind}` });
    const seconds = dealCombinations(free, { ...wanted, seed: `${seed} pairs again ${kind}` });
    return firsts.map((one, at) =>
      pair.refused
        ? refusedPairProbe(pair, one, ground)
        : pairProbe({ pair, one, other: seconds[at] ?? one, denies: abilities.deny, times: 1 }),
    );
  });
}

interface BesideSources {
  readonly deviations: readonly RequestPoint[];
  /** Claims whose outcome is open, but the same for one user as for the other. */
  readonly open: readonly JsonObject[];
  readonly random: Random;
}

interface BesideReason {
  readonly difference: JsonObject;
  readonly words: string;
  readonly expect: JsonObject;
}

/** Reason for a refusal, certain or possible, that both requests get; undefined at least half of the time. */
function drawBesideReason({ deviations, open, random }: BesideSources): BesideReason | undefined {
  const kind = random.below(8);
  if (kind < 4) return undefined;
  if (kind === 4) {
    const claims = pickItem(open, random) ?? {};
    const words = `with ${JSON.stringify(claims)}`;
    return { difference: { claims }, words, expect: { outcome: 'answered', rule: 'TRN-015' } };
  }
  const point = pickItem(deviations, random);
  if (point === undefined) return undefined;
  const words = `where it breaks ${point.rule} (${point.from})`;
  return { difference: point.difference, words, expect: { outcome: 'denied', rule: point.rule } };
}

/** Repetitions of each request of a pair, to show limits counted by user. */
const pairRepetitions = 7;

/** Probe of a refused pair: half have another reason for a refusal too; one in six sends each request many times. */
function refusedPairProbe(pair: RequestPair, combination: Combination, drawing: BesideSources): Probe {
  const more = drawBesideReason(drawing);
  const times = drawing.random.below(6) === 0 ? pairRepetitions : 1;
  if (more === undefined) return pairProbe({ pair, one: combination, other: combination, denies: false, times });
  const { difference: extra, words, expect } = more;
  const beside = combination.filter(({ value }) => !touchSameParts(extra, value.difference));
  const both: RequestPair = {
    ...pair,
    title: `${pair.title}, also ${words}`,
    first: joinDifferences(pair.first, extra) ?? pair.first,
    second: joinDifferences(pair.second, extra) ?? pair.second,
    expectFirst: expect,
  };
  return pairProbe({ pair: both, one: beside, other: beside, denies: false, times });
}

interface DrawnPair {
  readonly pair: RequestPair;
  readonly one: Combination;
  readonly other: Combination;
  readonly denies: boolean;
  readonly times: number;
}

function pairSteps(
  { pair, one, other, denies, times }: DrawnPair,
  kept: KeptParts,
  prefix: string,
): readonly JsonObject[] {
  const first = `${prefix}first`;
  const ofSecond = one === other ? kept : kept.slice(one.length);
  const repeated = times > 1 ? { times } : {};
  const steps = [
    ...pair.before,
    { as: first, authorize: joinFittingValues(one, kept, pair.first), ...repeated, expect: pair.expectFirst },
    {
      as: `${prefix}second`,
      authorize: joinFittingValues(other, ofSecond, pair.second),
      ...repeated,
      expect: pair.expectSecond,
    },
    // A subscriber may have only few pending requests.
    ...(pair.refused || !denies ? [] : [{ ...decideStep('deny', first), as: `${prefix}end` }]),
  ];
  return objectItems(fillReferences(steps, { first, object: `${prefix}object` }));
}

function pairProbe(drawn: DrawnPair): Probe {
  const { pair, one, other, times } = drawn;
  const isShared = one === other;
  const names = isShared
    ? one.map(({ value }) => value.name)
    : [...one.map(({ value }) => `first ${value.name}`), ...other.map(({ value }) => `then ${value.name}`)];
  const title = times > 1 ? `${pair.title}, ${times} times` : pair.title;
  return {
    kind: 'members',
    base: title,
    rules: [pair.rule],
    title: (kept) => [title, ...names.filter((_, at) => kept[at] === true)].join(', '),
    setting: () => ({}),
    parts: names,
    varies: (isShared ? one : [...one, ...other]).map(({ part }) => part),
    steps: (kept, prefix) => pairSteps(drawn, kept, prefix),
    control: {},
    alone: false,
    requests: 2 * times,
  };
}
