import type { Finding } from '../model/finding.ts';
import type { Position } from '../model/position.ts';
import type { Level, Rule, RuleRef } from '../model/rule.ts';
import type { Verdict } from '../model/verdict.ts';
import type { Mismatch } from './mismatch.ts';

/** The rules by id, and the only place where a severity comes from. */
export interface RuleBook {
  readonly all: readonly Rule[];
  readonly find: (id: string) => Rule | undefined;
  readonly levelOf: (ref: RuleRef) => Level;
}

export function createRuleBook(all: readonly Rule[]): RuleBook {
  const byId = new Map(all.map((rule) => [rule.id, rule]));
  return {
    all,
    find: (id) => byId.get(id),
    levelOf: ({ rule, aspect }) => {
      const found = byId.get(rule);
      if (found === undefined) throw new TypeError(`unknown rule ${rule}`);
      return found.aspects.find(({ id }) => id === aspect)?.level ?? found.level;
    },
  };
}

/** fail only from required, warn only from recommended, recorded only from observed. */
export const verdictOf: Readonly<Record<Level, Verdict>> = {
  required: 'fail',
  recommended: 'warn',
  informational: 'informational',
};

export interface FindingPlace {
  readonly step?: string;
  readonly message?: string;
  readonly seenIn?: string;
  readonly position: Position;
}

/** A mismatch as findings: one for each rule it counts against. */
export function asFindings(
  mismatch: Mismatch,
  refs: readonly RuleRef[],
  place: FindingPlace,
  rules: RuleBook,
): Finding[] {
  return refs.map((given) => {
    const ref: RuleRef = mismatch.aspect === undefined ? given : { rule: given.rule, aspect: mismatch.aspect };
    const message = mismatch.message ?? place.message;
    return {
      ...ref,
      level: rules.levelOf(ref),
      code: mismatch.code,
      ...(mismatch.path === undefined ? {} : { path: mismatch.path }),
      expected: mismatch.expected,
      actual: mismatch.actual,
      ...(place.step === undefined ? {} : { step: place.step }),
      ...(message === undefined ? {} : { message }),
      ...(place.seenIn === undefined ? {} : { seenIn: place.seenIn }),
      position: place.position,
    };
  });
}
