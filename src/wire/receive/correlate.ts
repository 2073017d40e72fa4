/** What a callback has in common with the request that it is for (§2.6, §5.3). */
export interface CorrelationKeys {
  readonly authReqId?: string;
  readonly bearer?: string;
  readonly state?: string;
}

/** Finds the request that a delivery is for, never by a URL made for the case. */
export interface Correlator<T> {
  /** Keys that an earlier request has stay with it: a replayed object has the bearer and state of the first. */
  readonly add: (owner: T, keys: CorrelationKeys) => void;
  /**
   * By auth_req_id first, then by the bearer token, then by state: a carrier may get some of them wrong. A delivery that has
   * the auth_req_id of a request that is over, or both its token and state, is unmatched, even where another request has the
   * same token.
   */
  readonly find: (keys: CorrelationKeys) => T | undefined;
  /** The owner is over: its keys are given up; those that it shares with an earlier owner stay. */
  readonly forget: (owner: T, keys: CorrelationKeys) => void;
  /** Keys of a request that is over, or was sent by an earlier run. */
  readonly disown: (keys: CorrelationKeys) => void;
}

const order = ['authReqId', 'bearer', 'state'] as const;

/** The keys that a delivery has, in the order in which they are tried. */
const keysOf = (keys: CorrelationKeys): readonly string[] =>
  order.flatMap((kind) => (keys[kind] === undefined ? [] : [JSON.stringify([kind, keys[kind]])]));

const idOf = ({ authReqId }: CorrelationKeys): readonly string[] =>
  keysOf(authReqId === undefined ? {} : { authReqId });

const pairOf = ({ bearer, state }: CorrelationKeys): readonly string[] =>
  bearer === undefined || state === undefined ? [] : [JSON.stringify([bearer, state])];

export function createCorrelator<T>(): Correlator<T> {
  /** By auth_req_id, bearer, state, and by bearer and state together: the first owner. */
  const owners = new Map<string, T>();
  /** Ids, and pairs of bearer and state, of requests that are over. */
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
