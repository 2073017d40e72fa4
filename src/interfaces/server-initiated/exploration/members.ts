import type { Kept, Probe, Setting } from '../../../explore/exploration.ts';
import { randomOf } from '../../../lib/covering/random.ts';
import type { Strength } from '../../../lib/covering/uncovered.ts';
import type { JsonObject } from '../../../lib/json.ts';
import type { Abilities } from './abilities.ts';
import { acceptedSteps, type Decision } from './accepted.ts';
import {
  type Combination,
  combinationsOf,
  dealtCombinations,
  differenceOf,
  labels,
  named,
  stepsBefore,
  withClient,
  withNames,
} from './combinations.ts';
import { acceptedRule, type Part, type Value } from './parts.ts';
import { expectationOf, overlap, type Point, touchedIn } from './points.ts';

interface MembersGround {
  readonly parts: readonly Part[];
  readonly points: readonly Point[];
  readonly abilities: Abilities;
}

interface MembersWanted {
  readonly seed: string;
  readonly strength: Strength;
  /** Approximate number of request objects. */
  readonly requests: number;
}

/** Rule of a single value that is left; of several, the rule of valid requests. */
function ruleOf(combination: Combination, kept: Kept): string {
  const left = combination.filter((_, at) => kept[at] === true);
  return left.length === 1 ? (left[0]?.value.rule ?? acceptedRule) : acceptedRule;
}

const decisions: readonly Decision[] = ['approve', 'approve partly', 'deny', 'approve', 'time-out'];

/** Prompt and scopes of a list to untick, as far as the combination leaves them open (§2.3 prompt, scope). */
function askingFor(combination: Combination, at: number): JsonObject {
  const touched = new Set(combination.map(({ part }) => part));
  const scope = unticked[at % unticked.length] ?? '';
  return {
    claims: {
      ...(touched.has('claims.prompt') ? {} : { prompt: 'consent' }),
      ...(touched.has('claims.scope') ? {} : { scope }),
    },
  };
}

const unticked = ['openid name email', 'openid email phone', 'openid name address'];

/** Combinations that must be accepted, with their results (§2.3, §2.6). */
function acceptedProbes(
  { parts, abilities }: MembersGround,
  { seed, strength, requests }: MembersWanted,
): readonly Probe[] {
  const wanted = {
    seed: `${seed} accepted`,
    strength,
    count: Math.ceil(requests / 3),
    perPart: strength === 3 ? 5 : 9,
  };
  return combinationsOf(parts, wanted).map((combination, at): Probe => {
    const decision = decisions[at % decisions.length] ?? 'approve';
    const asking = decision === 'approve partly' ? askingFor(combination, at) : {};
    const names = labels(combination);
    return {
      kind: 'members',
      base: 'valid',
      rules: [],
      title: (kept) => `A request ${withNames(combination, kept)}is accepted, and ends as the user decides`,
      setting: (kept) => withClient({}, combination, kept),
      parts: names,
      varies: combination.map(({ part }) => part),
      steps: (kept, prefix) => {
        const difference = differenceOf(combination, kept, asking);
        const flow = { rule: ruleOf(combination, kept), decision, prefix, abilities };
        return (
          difference && [
            ...stepsBefore(combination, kept, prefix),
            ...acceptedSteps({ ...flow, difference: named(difference, prefix) }),
          ]
        );
      },
      alone: false,
      requests: 1,
    };
  });
}

/** Setting of the case that keeps the meaning of the request. */
function settingOf({ case: { client, subscriber, requires } }: Point): Setting {
  const own = requires.filter((need) => !/^(?:action|client|subscriber):/.test(need));
  return {
    ...(typeof client === 'string' && client !== 'main' ? { client } : {}),
    ...(subscriber === 'consented' ? {} : { subscriber }),
    ...(own.length === 0 ? {} : { requires: own }),
  };
}

/** Whether a difference reads a registration or a subscriber, so that the sender matters. */
const readsClients = (difference: JsonObject): boolean =>
  /\b(?:clients?|subscribers?)\./.test(JSON.stringify(difference));

/** Parts that may have other values beside a deviation. */
function partsBeside({ difference, control = {}, case: { client } }: Point, parts: readonly Part[]): readonly Part[] {
  const touched = new Set([...touchedIn(difference), ...touchedIn(control)]);
  const fixed = client !== 'main' || readsClients(difference) || touched.has('key') || touched.has('client');
  const fits = ({ difference: one, client: other }: Value): boolean =>
    !overlap(difference, one) && !(fixed && other !== undefined);
  return parts.map(({ id, values }) => ({ id, values: values.filter(fits) })).filter(({ values }) => values.length > 1);
}

/** Whether it is a JSON body sent by POST, whose refusal has one form (§2.5). */
const isJsonPost = (difference: JsonObject): boolean =>
  !['method', 'form', 'headers', 'text', 'body'].some((key) => Object.hasOwn(difference, key));

function refusedProbe(point: Point, combination: Combination): Probe {
  const { difference: deviation, rule, outcome, control = {} } = point;
  return {
    kind: 'members',
    base: point.from,
    rules: [rule],
    title: (kept) => `${point.case.title}, also ${withNames(combination, kept)}`.replace(/, also $/, '').trim(),
    setting: (kept) => withClient(settingOf(point), combination, kept),
    parts: labels(combination),
    varies: combination.map(({ part }) => part),
    steps: (kept, prefix) => {
      const difference = differenceOf(combination, kept, deviation);
      const form = outcome === 'denied' && isJsonPost(deviation) ? [{ rule: 'TRN-015', check: 'refusal-form' }] : [];
      const expect = [expectationOf(point), ...form];
      return (
        difference && [
          ...stepsBefore(combination, kept, prefix),
          { as: `${prefix}request`, authorize: named(difference, prefix), expect },
        ]
      );
    },
    control,
    alone: false,
    requests: 1,
  };
}

/** Values of each part, and rows, beside a deviation: each value is in one row, and many pairs are. */
const beside = { perPart: 5, rows: 6 };

/** Unlisted objects that bring the key they are signed with, chosen by their sender (§2.2). */
function selfSigned(points: readonly Point[]): readonly Point[] {
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
    ...selfSigned(points),
  ];
  const rows = Math.max(1, Math.min(beside.rows, Math.floor(refused / Math.max(1, deviations.length))));
  const all = deviations.map((point, at) =>
    dealtCombinations(partsBeside(point, parts), {
      seed: `${seed} refused ${at}`,
      strength: 2,
      count: rows,
      perPart: beside.perPart,
    }).map((combination) => refusedProbe(point, combination)),
  );
  // One row of each deviation, then the next, so that early findings come from every rule.
  const turns = Array.from({ length: rows }, (_, turn) =>
    randomOf(`${seed} ${turn}`).shuffled(all.flatMap((one) => one[turn] ?? [])),
  );
  return turns.flat().slice(0, refused);
}

/** Combinations that must be accepted, and deviations that must be refused whatever stands beside them. */
export function memberProbes(ground: MembersGround, wanted: MembersWanted): readonly Probe[] {
  const accepted = acceptedProbes(ground, wanted);
  return [...accepted, ...refusedProbes(ground, wanted.seed, wanted.requests - accepted.length)];
}
