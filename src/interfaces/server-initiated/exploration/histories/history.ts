import type { Setting } from '../../../../explore/probe.ts';
import type { Random } from '../../../../lib/covering/random.ts';
import type { JsonObject } from '../../../../lib/json.ts';
import type { Deviation } from '../commands.ts';
import { cancellation, completed, expectOf, trigger } from '../race-steps.ts';
import { expectationOf } from '../points.ts';
import type { ServiceAbilities, SessionAbilities } from '../session.ts';

export type Steps = readonly JsonObject[];
export type Abilities = SessionAbilities & ServiceAbilities;

/** Something that happened to a subscriber, and what a carrier that conforms does afterwards as if it had not (§2.3, §3, §6, §8). */
export interface History {
  readonly title: string;
  readonly setting?: Setting;
  readonly needs?: (abilities: Abilities) => boolean;
  readonly requests: number;
  readonly steps: (p: string, random: Random, ground: HistoryGround) => Steps;
  /** What other values stand in its requests says nothing of it. */
  readonly fixed?: true;
}

/** What histories are made of. */
export interface HistoryGround {
  readonly abilities: Abilities;
  /** Requests that every conforming carrier refuses, in an order of their own. */
  readonly deviations: readonly Deviation[];
}

/** Requests that are refused whatever was before; of each rule one at most. */
export function refused(name: string, { deviations }: HistoryGround, count: number): Steps {
  const ofRules = [...new Map(deviations.map((one) => [one.rule, one])).values()];
  return ofRules.slice(0, count).map(({ difference, ...said }, at) => ({
    as: `${name}${at + 1}`,
    authorize: difference,
    expect: expectationOf(said),
  }));
}

/** How a request ends. */
export function ended(name: string, how: string): Steps {
  if (how === 'approve') return [trigger(`${name}-d`, 'approve', name), completed(`${name}-e`, name)];
  if (how === 'cancel') return cancellation(name);
  return [
    trigger(`${name}-d`, 'deny', name),
    { as: `${name}-e`, await: 'callback', of: name, expect: expectOf('failed', 'FLOW-003') },
  ];
}

const showsOf = (rule: string, properties: JsonObject): JsonObject => ({
  rule,
  card: { type: 'object', required: Object.keys(properties), properties },
});

export const looks = (of: string, rule: string, properties: JsonObject): JsonObject => ({
  as: `${of}-c`,
  look: 'card',
  of,
  expect: showsOf(rule, properties),
});

export const asksFor = (scope: string): JsonObject => ({
  consentScreen: { type: 'array', contains: { const: scope } },
});

export const query = (as: string, check: string, rule: string): JsonObject => ({
  as,
  usertrait: {},
  expect: { rule, check },
});
