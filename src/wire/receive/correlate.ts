import type { Correlation, CorrelationKeys } from '../../model/interface.ts';

/** Finds the request that a delivery is for, never by a URL made for the case. */
export interface Correlator<T> {
  /** Keys that an earlier request has stay with it: a replayed object has those of the first. */
  readonly add: (owner: T, keys: CorrelationKeys) => void;
  /** Finds a request by its id, else by the SP's keys; a delivery of a request that is over is unmatched. */
  readonly find: (keys: CorrelationKeys) => T | undefined;
  /** The owner is over: its keys are given up; those that it shares with an earlier owner stay. */
  readonly forget: (owner: T, keys: CorrelationKeys) => void;
  /** Keys of a request that is over, or was sent by an earlier run. */
  readonly disown: (keys: CorrelationKeys) => void;
}

const keyOf = (name: string, value: string | undefined): readonly string[] =>
  value === undefined ? [] : [`${name} ${value}`];

export function createCorrelator<T>(order: Correlation['order']): Correlator<T> {
  const [id, ...own] = order;
  /** The keys that a delivery has, in the order in which they are tried. */
  const keysOf = (keys: CorrelationKeys): readonly string[] => order.flatMap((name) => keyOf(name, keys[name]));
  const idOf = (keys: CorrelationKeys): readonly string[] => keyOf(id, keys[id]);
  /** The SP's own keys as one: a request has it where it has all of them. */
  const pairOf = (keys: CorrelationKeys): readonly string[] => {
    const values = own.flatMap((name) => keys[name] ?? []);
    return own.length > 1 && values.length === own.length ? [JSON.stringify([own.join('+'), ...values])] : [];
  };
  /** By each key, and by the SP's own together: the first owner. */
  const owners = new Map<string, T>();
  /** Ids, and the SP's own keys together, of requests that are over. */
  const over = new Set<string>();
  const all = (keys: CorrelationKeys): readonly string[] => [...keysOf(keys), ...pairOf(keys)];
  const isOver = (keys: CorrelationKeys): boolean =>
    idOf(keys).some((id) => over.has(id)) || pairOf(keys).some((pair) => over.has(pair) && !owners.has(pair));
  const disown = (keys: CorrelationKeys): void => {
    for (const key of [...idOf(keys), ...pairOf(keys)]) over.add(key);
  };
  return {
    add: (owner, keys) => {
      for (const key of all(keys)) if (!owners.has(key)) owners.set(key, owner);
    },
    find: (keys) => {
      const isKnownById = idOf(keys).some((id) => owners.has(id));
      if (!isKnownById && isOver(keys)) return undefined;
      const key = keysOf(keys).find((one) => owners.has(one));
      return key === undefined ? undefined : owners.get(key);
    },
    forget: (owner, keys) => {
      disown(keys);
      for (const key of all(keys)) if (owners.get(key) === owner) owners.delete(key);
    },
    disown,
  };
}
