import type { Correlation, CorrelationKeys } from '../../model/interface.ts';

/** Finds the request that a delivery belongs to, never by a URL made for the case. */
export interface Correlator<T> {
  /**
   * The first request with a key keeps it: a replayed object has the keys of the first. A delivery with an unknown id is for the first of
   * them that has no response yet, which it may overtake.
   */
  readonly add: (owner: T, keys: CorrelationKeys) => void;
  /** Notes that the response of a request is there. */
  readonly answered: (owner: T, keys: CorrelationKeys) => void;
  /** Finds a request by its id, else by the SP's keys; a delivery for a finished request is unmatched. */
  readonly find: (keys: CorrelationKeys) => T | undefined;
  /** Gives up the keys of a finished owner, except those that belong to an earlier one. */
  readonly forget: (owner: T, keys: CorrelationKeys) => void;
  /** Registers the keys of a request that is finished, or that an earlier run sent. */
  readonly disown: (keys: CorrelationKeys) => void;
}

const makeCorrelationKey = (name: string, value: string | undefined): readonly string[] =>
  value === undefined ? [] : [`${name} ${value}`];

export function createCorrelator<T>(order: Correlation['order']): Correlator<T> {
  const [id, ...own] = order;
  /** Keys of a delivery, in the order of lookup. */
  const keysOf = (keys: CorrelationKeys): readonly string[] =>
    order.flatMap((name) => makeCorrelationKey(name, keys[name]));
  const idOf = (keys: CorrelationKeys): readonly string[] => makeCorrelationKey(id, keys[id]);
  /** The SP's own keys combined into one, if all are present. */
  const pairOf = (keys: CorrelationKeys): readonly string[] => {
    const values = own.flatMap((name) => keys[name] ?? []);
    return own.length > 1 && values.length === own.length ? [JSON.stringify([own.join('+'), ...values])] : [];
  };
  /** First owner of each key, and of the SP's keys combined. */
  const owners = new Map<string, T>();
  /** Owners of the SP's keys combined whose response is not there yet, in their order. */
  const waiting = new Map<string, readonly T[]>();
  const leave = (owner: T, keys: CorrelationKeys): void => {
    for (const pair of pairOf(keys)) {
      const others = (waiting.get(pair) ?? []).filter((one) => one !== owner);
      if (others.length === 0) waiting.delete(pair);
      else waiting.set(pair, others);
    }
  };
  /** Ids, and combined SP keys, of finished requests. */
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
      for (const pair of pairOf(keys)) waiting.set(pair, [...(waiting.get(pair) ?? []), owner]);
    },
    answered: leave,
    find: (keys) => {
      const isKnownById = idOf(keys).some((id) => owners.has(id));
      if (!isKnownById && isOver(keys)) return undefined;
      const [next] =
        isKnownById || idOf(keys).length === 0 ? [] : pairOf(keys).flatMap((pair) => waiting.get(pair) ?? []);
      if (next !== undefined) return next;
      const key = keysOf(keys).find((one) => owners.has(one));
      return key === undefined ? undefined : owners.get(key);
    },
    forget: (owner, keys) => {
      disown(keys);
      leave(owner, keys);
      for (const key of all(keys)) if (owners.get(key) === owner) owners.delete(key);
    },
    disown,
  };
}
