import type { Kept, Probe } from '../../../explore/probe.ts';
import { pick, randomOf, type Random } from '../../../lib/covering/random.ts';
import { isJsonObject, type JsonObject } from '../../../lib/json.ts';
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
  /** Steps before both, whose names begin with `prefix`. */
  readonly before?: (prefix: string) => readonly JsonObject[];
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

/** An object that is signed and not sent has a fresh jti, which the first request takes for another claim as well. */
const replaysOfEqual = ['nonce', 'state', 'correlation_id'].map(
  (claim): Pair => ({
    ...replay,
    title: `A jti is used once, also where ${claim} equals it`,
    before: (prefix) => [{ as: `${prefix}object`, sign: { base: 'request-object' } }],
    first: { claims: { jti: '{{ @object.claims.jti }}', [claim]: '{{ @object.claims.jti }}' } },
    second: () => ({ claims: { jti: '{{ @object.claims.jti }}', [claim]: '{{ @object.claims.jti }}' } }),
    fixed: ['claims.jti', `claims.${claim}`],
  }),
);

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
      return refusedPair(pair, one, deviations, random);
    });
  });
}

/** What is open for itself, yet as open for one user as for the other. */
const open: readonly JsonObject[] = [
  { claims: { prompt: 'none' } },
  { claims: { prompt: 'none', acr_values: 'a1' } },
  { claims: { prompt: 'select_account' } },
  { claims: { scope: 'openid unregistered' } },
];

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
    const difference = pick(open, random) ?? {};
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
function refusedPair(pair: Pair, combination: Combination, deviations: readonly Point[], random: Random): Probe {
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
    steps: (kept, prefix) => [
      ...(pair.before?.(prefix) ?? []),
      {
        as: `${prefix}first`,
        authorize: named(differenceOf(one, kept, pair.first), prefix),
        ...repeated(times),
        expect: pair.expectFirst,
      },
      {
        as: `${prefix}second`,
        authorize: named(
          differenceOf(other, shared ? kept : kept.slice(one.length), pair.second(`${prefix}first`)),
          prefix,
        ),
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
