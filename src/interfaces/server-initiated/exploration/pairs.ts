import type { Kept, Probe } from '../../../explore/probe.ts';
import { pick, randomOf, type Random } from '../../../lib/covering/random.ts';
import type { JsonObject } from '../../../lib/json.ts';
import { joined, overlap, touchedIn } from './difference-json.ts';
import { acceptedRule, type Part, standsAlone } from './part.ts';
import type { Point } from './points.ts';
import { trigger } from './race-steps.ts';
import { type Combination, dealtCombinations } from './rows.ts';

/** Two requests, of which the second is judged by the first. */
interface Pair {
  readonly title: string;
  readonly rule: string;
  readonly needs: string;
  /** What each of them has beside the combination. */
  readonly first: JsonObject;
  readonly second: (first: string) => JsonObject;
  readonly expectFirst: JsonObject;
  readonly expectSecond: (first: string) => JsonObject;
  /** Parts that do not vary. */
  readonly fixed: readonly string[];
  /** Both are refused, and may be so for another reason as well. */
  readonly refused?: true;
}

const accepted: JsonObject = { outcome: 'accepted', rule: acceptedRule };
const unknownSub = '{{ target.mccmnc }}-{{ fresh() }}{{ fresh() }}';
const unknownPhone = '+19995550199';

/** SEC-35: what is refused to an SP for one user is refused for the other in the same words. */
const alike = (needs: string, who: string, [known, unknown]: readonly [string, string]): Pair => ({
  title: `${who} is refused as one that is unknown`,
  rule: 'SEC-35',
  needs,
  first: { claims: { login_hint: unknown } },
  second: () => ({ claims: { login_hint: known } }),
  expectFirst: { outcome: 'denied', rule: 'FLOW-004' },
  expectSecond: (first) => ({ rule: 'SEC-35', like: first }),
  fixed: ['claims.login_hint', 'client and key', 'who and how'],
  refused: true,
});

const replay: Pair = {
  title: 'A jti is used once, whatever else is in the second request',
  rule: 'REQ-015',
  needs: '',
  first: {},
  second: (first) => ({ claims: { jti: `{{ ${first}.claims.jti }}` } }),
  expectFirst: accepted,
  expectSecond: () => ({ outcome: 'denied-or-dropped', rule: 'REQ-015' }),
  fixed: ['claims.jti'],
};

const users: readonly Pair[] = [
  alike('unconsented', 'A user who is unconsented', ['{{ subscribers.unconsented.sub }}', unknownSub]),
  alike('unenrolled', 'A user who is unenrolled', ['{{ subscribers.unenrolled.sub }}', unknownSub]),
  alike('second client', 'A subscriber id of another SP', ['{{ subscriber.subs.second }}', unknownSub]),
  alike('no enum', 'The phone number of a user', ['{{ subscriber.phone }}', unknownPhone]),
];

/** What is kept of a combination of either request: the first half of the parts is of the first. */
function differenceOf(combination: Combination, kept: Kept, first: JsonObject): JsonObject {
  return combination.reduce<JsonObject>(
    (all, { value }, at) => (kept[at] === true ? (joined(all, value.difference) ?? all) : all),
    first,
  );
}

export interface PairsGround {
  readonly parts: readonly Part[];
  readonly points: readonly Point[];
  /** Request objects, about. */
  readonly requests: number;
  /** What the target has: a tag, or another word of `Pair.needs`. */
  readonly has: (need: string) => boolean;
  readonly denies: boolean;
}

/** A deviation that names neither a user nor a registration: it is refused whoever is asked for. */
const isOfAnyUser = ({ outcome, difference, case: { client, subscriber, receiver } }: Point): boolean =>
  outcome === 'denied' &&
  client === 'main' &&
  subscriber === 'consented' &&
  receiver.length === 0 &&
  !/login_hint|subscriber|client|"(?:key|again|text|body|request)"/.test(JSON.stringify(difference)) &&
  [...touchedIn(difference)].every((one) => one !== 'key' && one !== 'claims.jti');

/** Pairs of requests beside conforming values (§2.3 jti, SEC-35): of a replay each has its own values. */
export function pairProbes(seed: string, { parts, points, requests, has, denies }: PairsGround): readonly Probe[] {
  const fitting = users.filter(({ needs }) => has(needs));
  const deviations = points.filter(isOfAnyUser);
  const random = randomOf(`${seed} pairs`);
  const each = Math.max(1, Math.floor(requests / 2 / (fitting.length + 2)));
  const drawn = [replay, replay, ...fitting].flatMap((pair, kind) => {
    const free = parts
      .filter(({ id }) => !pair.fixed.includes(id))
      .map(({ id, values }) => ({ id, values: values.filter(standsAlone) }));
    const wanted = { strength: 2 as const, count: each, perPart: 6 };
    const firsts = dealtCombinations(free, { ...wanted, seed: `${seed} pairs ${kind}` });
    const seconds = dealtCombinations(free, { ...wanted, seed: `${seed} pairs again ${kind}` });
    return firsts.map((one, at) => {
      if (pair.refused !== true) return pairProbe(pair, [one, seconds[at] ?? one], denies);
      return refusedPair(pair, one, deviations, random);
    });
  });
  return drawn;
}

/** How often the request for the user who is known is sent, and for the other: what is counted by user shows then. */
const often = 7;

/** Half of the pairs are refused for another reason too; of a few, each request is sent many times over. */
function refusedPair(pair: Pair, combination: Combination, deviations: readonly Point[], random: Random): Probe {
  const point = random.below(2) === 0 ? pick(deviations, random) : undefined;
  const times = random.below(6) === 0 ? often : 1;
  if (point === undefined) return pairProbe(pair, [combination, combination], false, times);
  const beside = combination.filter(({ value }) => !overlap(point.difference, value.difference));
  const with_ = (difference: JsonObject): JsonObject => joined(difference, point.difference) ?? difference;
  const both: Pair = {
    ...pair,
    title: `${pair.title}, also where it breaks ${point.rule} (${point.from})`,
    first: with_(pair.first),
    second: (first) => with_(pair.second(first)),
    expectFirst: { outcome: 'denied', rule: point.rule },
  };
  return pairProbe(both, [beside, beside], false, times);
}

const repeated = (times: number): JsonObject => (times > 1 ? { times } : {});

function pairProbe(
  pair: Pair,
  [one, other]: readonly [Combination, Combination],
  denies: boolean,
  times = 1,
): Probe {
  const shared = one === other;
  const names = shared
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
    varies: shared ? one.map(({ part }) => part) : [...one, ...other].map(({ part }) => part),
    steps: (kept, prefix) => [
      {
        as: `${prefix}first`,
        authorize: differenceOf(one, kept, pair.first),
        ...repeated(times),
        expect: pair.expectFirst,
      },
      {
        as: `${prefix}second`,
        authorize: differenceOf(other, shared ? kept : kept.slice(one.length), pair.second(`${prefix}first`)),
        ...repeated(times),
        expect: pair.expectSecond(`${prefix}first`),
      },
      // Few requests of one subscriber may wait.
      ...(pair.expectFirst === accepted && denies ? [trigger(`${prefix}end`, 'deny', `${prefix}first`)] : []),
    ],
    control: {},
    alone: false,
    requests: 2 * times,
  };
}
