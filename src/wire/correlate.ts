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
   * By auth_req_id first, then by the bearer token, then by state. A carrier may get one of the three wrong; what has two
   * that are not the owner's is about another request, such as one of a run before this one with as short a token.
   */
  readonly find: (ties: Ties) => T | undefined;
  /** Gives up the ties of an owner; those it shares with an earlier one stay. */
  readonly forget: (owner: T, ties: Ties) => void;
}

const order = ['authReqId', 'bearer', 'state'] as const;

export function createCorrelator<T>(): Correlator<T> {
  const known = { authReqId: new Map<string, T>(), bearer: new Map<string, T>(), state: new Map<string, T>() };
  const own = new Map<T, Ties>();
  const isAnothers = (owner: T, ties: Ties): boolean => {
    const has = own.get(owner) ?? {};
    return (
      order.filter((tie) => ties[tie] !== undefined && has[tie] !== undefined && ties[tie] !== has[tie]).length > 1
    );
  };
  return {
    add: (owner, ties) => {
      own.set(owner, { ...own.get(owner), ...ties });
      for (const tie of order) {
        const value = ties[tie];
        if (value !== undefined && !known[tie].has(value)) known[tie].set(value, owner);
      }
    },
    find: (ties) => {
      for (const tie of order) {
        const value = ties[tie];
        const owner = value === undefined ? undefined : known[tie].get(value);
        if (owner !== undefined && (tie === 'authReqId' || !isAnothers(owner, ties))) return owner;
      }
      return undefined;
    },
    forget: (owner, ties) => {
      own.delete(owner);
      for (const tie of order) {
        const value = ties[tie];
        if (value !== undefined && known[tie].get(value) === owner) known[tie].delete(value);
      }
    },
  };
}
