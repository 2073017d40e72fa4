/** What ties a callback to the request it answers (§2.6, §5.3). */
export interface Ties {
  readonly authReqId?: string;
  readonly bearer?: string;
  readonly state?: string;
}

/** Finds the request that a delivery answers, never by a URL made up for the case. */
export interface Correlator<T> {
  /** What another request has already stays its own: a replayed object has the bearer and state of the first. */
  readonly add: (owner: T, ties: Ties) => void;
  /**
   * By auth_req_id first, then by the bearer token, then by state: a carrier may get some of them wrong. What comes late of a
   * request that is over has its auth_req_id, or its token and state both, and is nobody's, be the token as short as another's.
   */
  readonly find: (ties: Ties) => T | undefined;
  /** The owner is over: gives up its ties; those it shares with an earlier one stay. */
  readonly forget: (owner: T, ties: Ties) => void;
  /** Ties of a request that is over, or was sent by a run before this one. */
  readonly disown: (ties: Ties) => void;
}

const order = ['authReqId', 'bearer', 'state'] as const;

const pairOf = ({ bearer, state }: Ties): string | undefined =>
  bearer === undefined || state === undefined ? undefined : JSON.stringify([bearer, state]);

export function createCorrelator<T>(): Correlator<T> {
  const known = { authReqId: new Map<string, T>(), bearer: new Map<string, T>(), state: new Map<string, T>() };
  const pairs = new Map<string, T>();
  const over = { ids: new Set<string>(), pairs: new Set<string>() };
  const isOver = (ties: Ties): boolean => {
    const pair = pairOf(ties);
    if (ties.authReqId !== undefined && over.ids.has(ties.authReqId)) return true;
    return pair !== undefined && over.pairs.has(pair) && !pairs.has(pair);
  };
  const disown = (ties: Ties): void => {
    const pair = pairOf(ties);
    if (ties.authReqId !== undefined) over.ids.add(ties.authReqId);
    if (pair !== undefined) over.pairs.add(pair);
  };
  return {
    add: (owner, ties) => {
      const pair = pairOf(ties);
      if (pair !== undefined && !pairs.has(pair)) pairs.set(pair, owner);
      for (const tie of order) {
        const value = ties[tie];
        if (value !== undefined && !known[tie].has(value)) known[tie].set(value, owner);
      }
    },
    find: (ties) => {
      if (known.authReqId.get(ties.authReqId ?? '') === undefined && isOver(ties)) return undefined;
      for (const tie of order) {
        const value = ties[tie];
        const owner = value === undefined ? undefined : known[tie].get(value);
        if (owner !== undefined) return owner;
      }
      return undefined;
    },
    forget: (owner, ties) => {
      const pair = pairOf(ties);
      if (pair !== undefined && pairs.get(pair) === owner) pairs.delete(pair);
      disown(ties);
      for (const tie of order) {
        const value = ties[tie];
        if (value !== undefined && known[tie].get(value) === owner) known[tie].delete(value);
      }
    },
    disown,
  };
}
