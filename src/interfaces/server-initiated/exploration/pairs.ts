import type { Kept, Probe } from '../../../explore/probe.ts';
import type { JsonObject } from '../../../lib/json.ts';
import { joined } from './difference-json.ts';
import { trigger } from './race-steps.ts';
import { acceptedRule, type Part, standsAlone } from './part.ts';
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
}

const accepted: JsonObject = { outcome: 'accepted', rule: acceptedRule };
const unknownSub = '{{ target.mccmnc }}-{{ fresh() }}{{ fresh() }}';

/** SEC-35: what is refused to an SP for one user is refused for the other in the same words. */
const alike = (tag: string): Pair => ({
  title: `A user who is ${tag} is refused as one who is unknown`,
  rule: 'SEC-35',
  needs: tag,
  first: { claims: { login_hint: unknownSub } },
  second: () => ({ claims: { login_hint: `{{ subscribers.${tag}.sub }}` } }),
  expectFirst: { outcome: 'denied', rule: 'FLOW-004' },
  expectSecond: (first) => ({ rule: 'SEC-35', like: first }),
  fixed: ['claims.login_hint', 'client and key', 'who and how'],
});

const pairs: readonly Pair[] = [
  {
    title: 'A jti is used once, whatever else is in the second request',
    rule: 'REQ-015',
    needs: '',
    first: {},
    second: (first) => ({ claims: { jti: `{{ ${first}.claims.jti }}` } }),
    expectFirst: accepted,
    expectSecond: () => ({ outcome: 'denied-or-dropped', rule: 'REQ-015' }),
    fixed: ['claims.jti'],
  },
  alike('unconsented'),
  alike('unenrolled'),
];

/** What is kept of a combination of either request: the first half of the parts is of the first. */
function differenceOf(combination: Combination, kept: Kept, first: JsonObject): JsonObject {
  return combination.reduce<JsonObject>(
    (all, { value }, at) => (kept[at] === true ? (joined(all, value.difference) ?? all) : all),
    first,
  );
}

/** Pairs of requests beside conforming values (§2.3 jti, SEC-35): of a replay each has its own values. */
export function pairProbes(
  parts: readonly Part[],
  seed: string,
  { count, has, denies }: { count: number; has: (tag: string) => boolean; denies: boolean },
): readonly Probe[] {
  const fitting = pairs.filter(({ needs }) => needs === '' || has(needs));
  const each = Math.floor(count / 2 / Math.max(1, fitting.length));
  return fitting.flatMap((pair, kind) => {
    const free = parts
      .filter(({ id }) => !pair.fixed.includes(id))
      .map(({ id, values }) => ({ id, values: values.filter(standsAlone) }));
    const wanted = { strength: 2 as const, count: each, perPart: 6 };
    const firsts = dealtCombinations(free, { ...wanted, seed: `${seed} pairs ${kind}` });
    const seconds = dealtCombinations(free, { ...wanted, seed: `${seed} pairs again ${kind}` });
    return firsts.map((one, at) => {
      const other = pair.rule === 'SEC-35' ? one : (seconds[at] ?? one);
      return pairProbe(pair, [one, other], denies);
    });
  });
}

function pairProbe(pair: Pair, [one, other]: readonly [Combination, Combination], denies: boolean): Probe {
  const shared = one === other;
  const names = shared
    ? one.map(({ value }) => value.name)
    : [...one.map(({ value }) => `first ${value.name}`), ...other.map(({ value }) => `then ${value.name}`)];
  return {
    kind: 'members',
    base: pair.title,
    rules: [pair.rule],
    title: (kept) => [pair.title, ...names.filter((_, at) => kept[at] === true)].join(', '),
    setting: () => ({}),
    parts: names,
    varies: shared ? one.map(({ part }) => part) : [...one, ...other].map(({ part }) => part),
    steps: (kept, prefix) => [
      { as: `${prefix}first`, authorize: differenceOf(one, kept, pair.first), expect: pair.expectFirst },
      {
        as: `${prefix}second`,
        authorize: differenceOf(other, shared ? kept : kept.slice(one.length), pair.second(`${prefix}first`)),
        expect: pair.expectSecond(`${prefix}first`),
      },
      // Few requests of one subscriber may wait.
      ...(pair.expectFirst === accepted && denies ? [trigger(`${prefix}end`, 'deny', `${prefix}first`)] : []),
    ],
    control: {},
    alone: false,
    requests: 2,
  };
}
