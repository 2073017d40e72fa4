import type { Kept, Probe } from '../../../explore/probe.ts';
import { pick, randomOf, type Random } from '../../../lib/covering/random.ts';
import { isJsonObject, type JsonObject } from '../../../lib/json.ts';
import { joined, overlap, touchedIn } from './difference-json.ts';
import { accepted, openForAll, type Pair, replay, replaysOfEqual, users } from './pair-rows.ts';
import { type Part, standsAlone } from './part.ts';
import type { Point } from './points.ts';
import { trigger } from './race-steps.ts';
import { type Combination, dealtCombinations } from './rows.ts';

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
  const kinds = [replay, replay, ...replaysOfEqual, ...fitting];
  const each = Math.max(1, Math.floor(requests / 2 / kinds.length));
  return kinds.flatMap((pair, kind) => {
    const free = parts
      .filter(({ id }) => !pair.fixed.includes(id))
      .map(({ id, values }) => ({ id, values: values.filter(standsAlone) }));
    const wanted = { strength: 2 as const, count: each, perPart: 6 };
    const firsts = dealtCombinations(free, { ...wanted, seed: `${seed} pairs ${kind}` });
    const seconds = dealtCombinations(free, { ...wanted, seed: `${seed} pairs again ${kind}` });
    return firsts.map((one, at) => {
      if (pair.refused !== true) return pairProbe(pair, [one, seconds[at] ?? one], { denies });
      return refusedPair(pair, one, { deviations, random });
    });
  });
}

interface Beside {
  readonly difference: JsonObject;
  readonly words: string;
  readonly expect: JsonObject;
}

/** What both requests of a pair have that is refused, or may be; most of the time nothing. */
function drawBeside(deviations: readonly Point[], random: Random): Beside | undefined {
  const kind = random.below(8);
  if (kind < 4) return undefined;
  if (kind === 4) {
    const difference = pick(openForAll, random) ?? {};
    const words = `with ${JSON.stringify(difference['claims'])}`;
    return { difference, words, expect: { outcome: 'answered', rule: 'TRN-015' } };
  }
  const point = pick(deviations, random);
  if (point === undefined) return undefined;
  const words = `where it breaks ${point.rule} (${point.from})`;
  return { difference: point.difference, words, expect: { outcome: 'denied', rule: point.rule } };
}

/** How often the request for the user who is known is sent, and for the other: what is counted by user shows then. */
const often = 7;

/** Half of the pairs have another reason to be refused as well; of a few, each request is sent many times over. */
function refusedPair(
  pair: Pair,
  combination: Combination,
  { deviations, random }: { readonly deviations: readonly Point[]; readonly random: Random },
): Probe {
  const more = drawBeside(deviations, random);
  const times = random.below(6) === 0 ? often : 1;
  if (more === undefined) return pairProbe(pair, [combination, combination], { times });
  const { difference: extra, words, expect } = more;
  const beside = combination.filter(({ value }) => !overlap(extra, value.difference));
  const with_ = (difference: JsonObject): JsonObject => joined(difference, extra) ?? difference;
  const both: Pair = {
    ...pair,
    title: `${pair.title}, also ${words}`,
    first: with_(pair.first),
    second: (first) => with_(pair.second(first)),
    expectFirst: expect,
  };
  return pairProbe(both, [beside, beside], { times });
}

/** What stands for the beginning of the names of steps. */
function named(difference: JsonObject, prefix: string): JsonObject {
  const parsed: unknown = JSON.parse(JSON.stringify(difference).replaceAll('@object', `${prefix}object`));
  return isJsonObject(parsed) ? parsed : difference;
}

interface Drawn {
  readonly pair: Pair;
  readonly one: Combination;
  readonly other: Combination;
  readonly denies: boolean;
  readonly times: number;
}

function stepsOf({ pair, one, other, denies, times }: Drawn, kept: Kept, prefix: string): readonly JsonObject[] {
  const first = `${prefix}first`;
  const ofSecond = one === other ? kept : kept.slice(one.length);
  return [
    ...(pair.before?.(prefix) ?? []),
    {
      as: first,
      authorize: named(differenceOf(one, kept, pair.first), prefix),
      ...repeated(times),
      expect: pair.expectFirst,
    },
    {
      as: `${prefix}second`,
      authorize: named(differenceOf(other, ofSecond, pair.second(first)), prefix),
      ...repeated(times),
      expect: pair.expectSecond(first),
    },
    // Few requests of one subscriber may wait.
    ...(pair.expectFirst === accepted && denies ? [trigger(`${prefix}end`, 'deny', first)] : []),
  ];
}

const repeated = (times: number): JsonObject => (times > 1 ? { times } : {});

function pairProbe(
  pair: Pair,
  [one, other]: readonly [Combination, Combination],
  { denies = false, times = 1 }: { readonly denies?: boolean; readonly times?: number },
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
    steps: (kept, prefix) => stepsOf({ pair, one, other, denies, times }, kept, prefix),
    control: {},
    alone: false,
    requests: 2 * times,
  };
}
