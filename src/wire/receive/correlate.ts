/** What ties a callback to the request it answers (§2.6, §5.3). */
export interface CorrelationKeys {
  readonly authReqId?: string;
  readonly bearer?: string;
  readonly state?: string;
}

/** Finds the request that a delivery answers, never by a URL made up for the case. */
export interface Correlator<T> {
  /** What another request has already stays its own: a replayed object has the bearer and state of the first. */
  readonly add: (owner: T, correlationKeys: CorrelationKeys) => void;
  /**
   * By auth_req_id first, then by the bearer token, then by state: a carrier may get some of them wrong. What comes late of a
   * request that is over has its auth_req_id, or its token and state both, and is nobody's, be the token as short as another's.
   */
  readonly find: (correlationKeys: CorrelationKeys) => T | undefined;
  /** The owner is over: gives up its ties; those it shares with an earlier one stay. */
  readonly forget: (owner: T, correlationKeys: CorrelationKeys) => void;
  /** Ties of a request that is over, or was sent by a run before this one. */
  readonly disown: (correlationKeys: CorrelationKeys) => void;
}

const order = ['authReqId', 'bearer', 'state'] as const;

const pairOf = ({ bearer, state }: CorrelationKeys): string | undefined =>
  bearer === undefined || state === undefined ? undefined : JSON.stringify([bearer, state]);

export function createCorrelator<T>(): Correlator<T> {
  const known = { authReqId: new Map<string, T>(), bearer: new Map<string, T>(), state: new Map<string, T>() };
  const pairs = new Map<string, T>();
  const over = { ids: new Set<string>(), pairs: new Set<string>() };
  const isOver = (correlationKeys: CorrelationKeys): boolean => {
    const pair = pairOf(correlationKeys);
    if (correlationKeys.authReqId !== undefined && over.ids.has(correlationKeys.authReqId)) return true;
    return pair !== undefined && over.pairs.has(pair) && !pairs.has(pair);
  };
  const disown = (correlationKeys: CorrelationKeys): void => {
    const pair = pairOf(correlationKeys);
    if (correlationKeys.authReqId !== undefined) over.ids.add(correlationKeys.authReqId);
    if (pair !== undefined) over.pairs.add(pair);
  };
  return {
    add: (owner, correlationKeys) => {
      const pair = pairOf(correlationKeys);
      if (pair !== undefined && !pairs.has(pair)) pairs.set(pair, owner);
      for (const correlationKey of order) {
        const value = correlationKeys[correlationKey];
        if (value !== undefined && !known[correlationKey].has(value)) known[correlationKey].set(value, owner);
      }
    },
    find: (correlationKeys) => {
      if (known.authReqId.get(correlationKeys.authReqId ?? '') === undefined && isOver(correlationKeys))
        return undefined;
      for (const correlationKey of order) {
        const value = correlationKeys[correlationKey];
        const owner = value === undefined ? undefined : known[correlationKey].get(value);
        if (owner !== undefined) return owner;
      }
      return undefined;
    },
    forget: (owner, correlationKeys) => {
      const pair = pairOf(correlationKeys);
      if (pair !== undefined && pairs.get(pair) === owner) pairs.delete(pair);
      disown(correlationKeys);
      for (const correlationKey of order) {
        const value = correlationKeys[correlationKey];
        if (value !== undefined && known[correlationKey].get(value) === owner) known[correlationKey].delete(value);
      }
    },
    disown,
  };
}
