import type { Kept, Probe } from '../../../explore/probe.ts';
import type { Strength } from '../../../lib/covering/uncovered.ts';
import type { JsonObject } from '../../../lib/json.ts';
import { type Abilities, acceptedSteps, type Decision } from './accepted.ts';
import { differenceOf, labels, stepsBefore, withClient, withNames, withPrefix } from './combined.ts';
import { acceptedRule } from './part.ts';
import { type RefusedGround, refusedProbes } from './refused.ts';
import { type Combination, combinationsOf } from './rows.ts';

/** What members are tried with. */
export interface MembersGround extends RefusedGround {
  readonly abilities: Abilities;
}

export interface MembersWanted {
  readonly seed: string;
  readonly strength: Strength;
  /** Request objects, about. */
  readonly requests: number;
}

/** The rule of the one value that is left; of several, the rule of all that is valid. */
function ruleOf(combination: Combination, kept: Kept): string {
  const left = combination.filter((_, at) => kept[at] === true);
  return left.length === 1 ? (left[0]?.value.rule ?? acceptedRule) : acceptedRule;
}

const decisions: readonly Decision[] = ['approve', 'approve partly', 'deny', 'approve', 'time-out'];

/** Where scopes are taken off the list, a list is shown, and has some: what the combination leaves open (§2.3 prompt, scope). */
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

/** Combinations that must be accepted, and what must come of them (§2.3, §2.6). */
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
            ...acceptedSteps({ ...flow, difference: withPrefix(difference, prefix) }),
          ]
        );
      },
      alone: false,
      requests: 1,
    };
  });
}

/** Combinations that must be accepted, and deviations that must be refused whatever stands beside them. */
export function memberProbes(ground: MembersGround, wanted: MembersWanted): readonly Probe[] {
  const accepted = acceptedProbes(ground, wanted);
  return [...accepted, ...refusedProbes(ground, wanted.seed, wanted.requests - accepted.length)];
}
