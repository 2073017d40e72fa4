import { isDeepStrictEqual } from 'node:util';
import { type Change, changesOf, type Doer, type Maker } from './changes.ts';
import { strictCarrier } from '../definition.ts';
import { applyFaults } from '../faults/catalogue.ts';
import { isJsonObject } from '../json.ts';
import type { Policy } from '../policy.ts';
import { Refusal } from '../refusal.ts';
import { rememberReplays } from '../state/replays.ts';

/** What a check or a reader came to: it let the request pass and gave something, or it refused. */
interface Came {
  readonly given?: unknown;
  readonly thrown?: unknown;
}

/** A fault that is asked, beside the clean carrier, what it would have come to. */
interface Shadow {
  readonly name: string;
  readonly policy: Policy;
  /** Its own memory: it sees the same requests in the same order. */
  readonly replays: ReturnType<typeof rememberReplays>;
}

interface Instead {
  readonly shadow: Shadow;
  readonly doers: readonly Doer[];
}

/** Compares what the clean carrier does, call by call, with what each fault or variant would do in its place. */
export interface Shadows {
  /** Names of those that differ wherever this part is used at all. */
  readonly using: (part: string) => readonly string[];
  /** Names of those whose maker gives something else than the clean one has given. */
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

function inOrder(doers: readonly Doer[], context: object): Came {
  return come(() => doers.reduce<unknown>((_, doer) => doer.act(context), undefined));
}

export function createShadows(names: readonly string[]): Shadows {
  const inUse = new Map<string, string[]>();
  const byPart = new Map<string, Instead[]>();
  const byPolicy = new Map<string, Shadow[]>();
  const makers = new Map<string, { readonly name: string; readonly maker: Maker }[]>();
  const note = (shadow: Shadow, { part, instead, maker }: Change): void => {
    if (instead !== undefined) push(byPart, part, { shadow, doers: instead });
    else if (maker !== undefined) push(makers, part, { name: shadow.name, maker });
    else push(inUse, part, shadow.name);
    if (part.startsWith(policyPart)) push(byPolicy, part.slice(policyPart.length), shadow);
  };
  for (const name of names) {
    const changed = applyFaults(strictCarrier, [name]);
    const shadow = { name, policy: changed.policy, replays: rememberReplays() };
    for (const change of changesOf(strictCarrier, changed)) note(shadow, change);
  }
  return {
    using: (part) => inUse.get(part) ?? [],
    making: (part, given, made) =>
      (makers.get(part) ?? []).flatMap(({ name, maker }) => {
        const other = come(() => maker(...given));
        // What takes its time is not waited for.
        if (other.given instanceof Promise) return [name];
        return isDeepStrictEqual(visible(other), visible(made)) ? [] : [name];
      }),
    calling: (part, { act, context, came, read }) => {
      if (!isJsonObject(context)) return [];
      const clean = visible(came);
      const asked = new Map<Shadow, readonly Doer[]>();
      for (const key of read) for (const shadow of byPolicy.get(key) ?? []) asked.set(shadow, [{ name: part, act }]);
      for (const { shadow, doers } of byPart.get(part) ?? []) asked.set(shadow, doers);
      return [...asked].flatMap(([{ name, policy, replays }, doers]) =>
        isDeepStrictEqual(visible(inOrder(doers, { ...context, policy, replays })), clean) ? [] : [name],
      );
    },
  };
}
