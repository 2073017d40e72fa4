import { isDeepStrictEqual } from 'node:util';
import { applyFaults } from '../apply-faults.ts';
import { isJsonObject } from '../json.ts';
import type { Policy } from '../policy.ts';
import { Refusal } from '../refusal.ts';
import { rememberReplays } from '../state/replays.ts';
import { strictCarrier } from '../strict-carrier.ts';
import { type Builder, type Change, changesOf, type Step } from './changes.ts';

/** What a check or a reader came to: it let the request pass and gave something, or it refused. */
interface Came {
  readonly given?: unknown;
  readonly thrown?: unknown;
}

/** A fault that is asked, beside the clean carrier, what it would have come to. */
interface Alternative {
  readonly name: string;
  readonly policy: Policy;
  /** Its own memory: it sees the same requests in the same order. */
  readonly replays: ReturnType<typeof rememberReplays>;
}

interface Instead {
  readonly alternative: Alternative;
  readonly steps: readonly Step[];
}

/** Compares what the clean carrier does, call by call, with what each fault or variant would do in its place. */
export interface Alternatives {
  /** Names of those that differ wherever this part is used at all. */
  readonly using: (part: string) => readonly string[];
  /** Names of those whose builder gives something else than the clean one has given. */
  readonly making: (part: string, given: readonly unknown[], made: Came) => readonly string[];
  /** Names of those that differ in this call of a check or a reader, which read these values of the policy. */
  readonly calling: (part: string, call: Call) => readonly string[];
}

export interface Call {
  readonly act: (context: object) => unknown;
  readonly context: unknown;
  readonly came: Came;
  readonly read: ReadonlySet<string>;
}

export function come(act: () => unknown): Came {
  try {
    return { given: act() };
  } catch (thrown) {
    return { thrown };
  }
}

const policyPart = 'policy.';

function push<T>(lists: Map<string, T[]>, key: string, entry: T): void {
  const known = lists.get(key);
  if (known === undefined) lists.set(key, [entry]);
  else known.push(entry);
}

/** The memory and the policy of the one that is asked do not make its answer another one. */
function visible({ given, thrown }: Came): unknown {
  if (thrown instanceof Refusal) {
    const { error, description, status, headers } = thrown;
    return { error, description, status, headers };
  }
  if (thrown !== undefined) return { thrown: thrown instanceof Error ? thrown.message : 'no error' };
  return isJsonObject(given) ? { ...given, policy: undefined, replays: undefined } : given;
}

function inOrder(steps: readonly Step[], context: object): Came {
  return come(() => steps.reduce<unknown>((_, step) => step.act(context), undefined));
}

export function createAlternatives(names: readonly string[]): Alternatives {
  const inUse = new Map<string, string[]>();
  const byPart = new Map<string, Instead[]>();
  const byPolicy = new Map<string, Alternative[]>();
  const builders = new Map<string, { readonly name: string; readonly builder: Builder }[]>();
  const note = (alternative: Alternative, { part, instead, builder }: Change): void => {
    if (instead !== undefined) push(byPart, part, { alternative, steps: instead });
    else if (builder !== undefined) push(builders, part, { name: alternative.name, builder });
    else push(inUse, part, alternative.name);
    if (part.startsWith(policyPart)) push(byPolicy, part.slice(policyPart.length), alternative);
  };
  for (const name of names) {
    const changed = applyFaults(strictCarrier, [name]);
    const alternative = { name, policy: changed.policy, replays: rememberReplays() };
    for (const change of changesOf(strictCarrier, changed)) note(alternative, change);
  }
  return {
    using: (part) => inUse.get(part) ?? [],
    making: (part, given, made) =>
      (builders.get(part) ?? []).flatMap(({ name, builder }) => {
        const other = come(() => builder(...given));
        // A promise is not waited for.
        if (other.given instanceof Promise) return [name];
        return isDeepStrictEqual(visible(other), visible(made)) ? [] : [name];
      }),
    calling: (part, { act, context, came, read }) => {
      if (!isJsonObject(context)) return [];
      const clean = visible(came);
      const asked = new Map<Alternative, readonly Step[]>();
      for (const key of read)
        for (const alternative of byPolicy.get(key) ?? []) asked.set(alternative, [{ name: part, act }]);
      for (const { alternative, steps } of byPart.get(part) ?? []) asked.set(alternative, steps);
      return [...asked].flatMap(([{ name, policy, replays }, steps]) =>
        isDeepStrictEqual(visible(inOrder(steps, { ...context, policy, replays })), clean) ? [] : [name],
      );
    },
  };
}
