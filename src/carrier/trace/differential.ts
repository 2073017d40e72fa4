import { isDeepStrictEqual } from 'node:util';
import { applyFaults } from '../catalogue.ts';
import { isJsonObject } from '../json.ts';
import type { Policy } from '../policy.ts';
import { Refusal } from '../refusal.ts';
import { rememberReplays, type Replays } from '../state/records.ts';
import { strictCarrier } from '../strict-carrier.ts';
import { type Builder, changesOf, type Step } from './changes.ts';

/** What a check, a reader or a builder did: it returned a value, or it threw. */
export interface Outcome {
  readonly returned?: unknown;
  readonly thrown?: unknown;
}

/** A fault or a variant that runs beside the clean carrier. */
interface Alternative {
  readonly name: string;
  readonly policy: Policy;
  /** Its own memory: it sees the same requests in the same order. */
  readonly replays: Replays;
}

/** Compares what the clean carrier does, call by call, with what each fault or variant would do in its place. */
export interface Alternatives {
  /** Names of those that differ wherever this part is used at all. */
  readonly using: (part: string) => readonly string[];
  /** Names of those whose builder returns another value than the clean one has. */
  readonly building: (part: string, given: readonly unknown[], clean: Outcome) => readonly string[];
  /** Names of those that differ in this call of a check or a reader. */
  readonly calling: (part: string, call: Call) => readonly string[];
}

/** A call of a check or a reader of the clean carrier. */
export interface Call {
  readonly act: (context: object) => unknown;
  readonly context: unknown;
  readonly clean: Outcome;
  /** Values of the policy that it read. */
  readonly read: ReadonlySet<string>;
}

export function outcomeOf(act: () => unknown): Outcome {
  try {
    return { returned: act() };
  } catch (thrown) {
    return { thrown };
  }
}

/** An outcome without the memory and the policy of the alternative, which make no difference to an SP. */
function visible({ returned, thrown }: Outcome): unknown {
  if (thrown instanceof Refusal) {
    const { error, description, status, headers } = thrown;
    return { error, description, status, headers };
  }
  if (thrown !== undefined) return { thrown: thrown instanceof Error ? thrown.message : 'no error' };
  return isJsonObject(returned) ? { ...returned, policy: undefined, replays: undefined } : returned;
}

function isSame(one: Outcome, other: Outcome): boolean {
  return isDeepStrictEqual(visible(one), visible(other));
}

function push<T>(lists: Map<string, T[]>, key: string, entry: T): void {
  const known = lists.get(key);
  if (known === undefined) lists.set(key, [entry]);
  else known.push(entry);
}

const policyPart = 'policy.';

/** A function that writes to a connection: to compare it is to answer in place of the clean carrier. */
const answers = (part: string): boolean => /^routes\..*\.respond$/.test(part);

/** Where the alternatives of these names differ from the clean carrier, by part. */
function sortChanges(names: readonly string[]) {
  const inUse = new Map<string, string[]>();
  const steps = new Map<string, { readonly alternative: Alternative; readonly instead: readonly Step[] }[]>();
  const policies = new Map<string, Alternative[]>();
  const builders = new Map<string, { readonly name: string; readonly builder: Builder }[]>();
  for (const name of names) {
    const changed = applyFaults(strictCarrier, [name]);
    const alternative = { name, policy: changed.policy, replays: rememberReplays() };
    for (const { part, instead, builder } of changesOf(strictCarrier, changed)) {
      if (instead !== undefined) push(steps, part, { alternative, instead });
      else if (builder !== undefined) push(builders, part, { name, builder });
      else push(inUse, part, name);
      if (part.startsWith(policyPart)) push(policies, part.slice(policyPart.length), alternative);
    }
  }
  return { inUse, steps, policies, builders };
}

export function createAlternatives(names: readonly string[]): Alternatives {
  const { inUse, steps, policies, builders } = sortChanges(names);
  return {
    using: (part) => inUse.get(part) ?? [],
    building: (part, given, clean) =>
      (builders.get(part) ?? []).flatMap(({ name, builder }) => {
        if (answers(part)) return [name];
        const other = outcomeOf(() => builder(...given));
        if (!(other.returned instanceof Promise)) return isSame(other, clean) ? [] : [name];
        // A promise is not waited for: what becomes of it is nobody's.
        other.returned.catch(() => undefined);
        return [name];
      }),
    calling: (part, { act, context, clean, read }) => {
      if (!isJsonObject(context)) return [];
      const others = new Map<Alternative, readonly Step[]>();
      for (const key of read) for (const one of policies.get(key) ?? []) others.set(one, [{ name: part, act }]);
      for (const { alternative, instead } of steps.get(part) ?? []) others.set(alternative, instead);
      return [...others].flatMap(([{ name, policy, replays }, instead]) => {
        const own = { ...context, policy, replays };
        const other = outcomeOf(() => instead.reduce<unknown>((_, step) => step.act(own), undefined));
        return isSame(other, clean) ? [] : [name];
      });
    },
  };
}
