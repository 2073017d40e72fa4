import { omitUndefined, type Json, equalsJson } from '../lib/json.ts';
import type { Finding, FindingCode, Window } from '../model/finding.ts';
import { groupBy } from '../lib/lists.ts';
import type { NamedDifference } from '../model/exchange.ts';
import type { Position, AcceptedValue, Binding, Level, Rule, RuleRef } from '../model/rule.ts';

/** Rules by id, and the only source of severities. */
export interface RuleBook {
  readonly all: readonly Rule[];
  readonly find: (id: string) => Rule | undefined;
  readonly levelOf: (ref: RuleRef) => Level;
  readonly bindingOf: (ref: RuleRef) => Binding;
  /** Rule that requires a request with this difference from the plain one to be accepted. */
  readonly accepting: (difference: NamedDifference) => Rule | undefined;
}

function allowsValue({ values, like }: AcceptedValue, value: Json): boolean {
  if (like !== undefined) return typeof value === 'string' && new RegExp(like, 'u').test(value);
  return values === undefined || values.some((one) => equalsJson(one, value));
}

export function createRuleBook(all: readonly Rule[]): RuleBook {
  const byId = new Map(all.map((rule) => [rule.id, rule]));
  const byDifference = groupBy(
    all.flatMap((rule) => (rule.accepts ?? []).map((accepted) => ({ rule, accepted }))),
    ({ accepted: { change, what } }) => `${change} ${what}`,
  );
  const accepting: RuleBook['accepting'] = ({ change, what, value = null }) =>
    byDifference.get(`${change} ${what}`)?.find(({ accepted }) => allowsValue(accepted, value))?.rule;
  const bindingOf = ({ rule, aspect }: RuleRef): Binding => {
    const found = byId.get(rule);
    if (found === undefined) throw new TypeError(`unknown rule ${rule}`);
    const { level, stated } = found.aspects.find(({ id }) => id === aspect) ?? found;
    return { level, ...omitUndefined({ stated }) };
  };
  return { all, find: (id) => byId.get(id), levelOf: (ref) => bindingOf(ref).level, bindingOf, accepting };
}

/** A mismatch that an expectation found, before it is assigned to rules. */
export interface Mismatch {
  readonly code: FindingCode;
  readonly aspect?: string;
  readonly path?: string;
  readonly expected: Json;
  readonly actual: Json;
  readonly message?: string;
  readonly comparedWith?: readonly string[];
  /** Names of the header fields read. */
  readonly headers?: readonly string[];
  readonly window?: Window;
  /** The observation has tokens that must not have come. */
  readonly carries?: 'tokens' | 'data';
}

export interface FindingPlace {
  readonly step?: string;
  readonly message?: string;
  readonly seenIn?: string;
  readonly mayPass?: true;
  readonly position: Position;
}

/** Findings of a mismatch: one for each rule that it counts against. */
export function asFindings(
  mismatch: Mismatch,
  refs: readonly RuleRef[],
  { rules, ...place }: FindingPlace & { readonly rules: RuleBook },
): Finding[] {
  const { aspect, code, path, expected, actual, message = place.message } = mismatch;
  const { comparedWith, headers, window, carries } = mismatch;
  const { step, seenIn, mayPass, position } = place;
  return refs.map((given) => {
    const ref: RuleRef = aspect === undefined ? given : { rule: given.rule, aspect };
    return {
      ...ref,
      ...rules.bindingOf(ref),
      code,
      ...omitUndefined({ path }),
      expected,
      actual,
      ...omitUndefined({ step, message, seenIn, comparedWith, headers, window, carries, mayPass }),
      position,
    };
  });
}
