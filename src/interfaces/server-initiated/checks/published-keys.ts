import { momentOf, placeOf, type RunMessage, type RunMismatch } from '../../../judge/check.ts';
import { isJsonObject, type JsonObject, memberOf } from '../../../lib/json.ts';

/** The keys of a JWK set, where a message of the run is the response with one. */
export function keysIn(message: RunMessage): readonly JsonObject[] {
  const response = 'response' in message ? message.response : undefined;
  const keys = response?.outcome === 'accepted' ? memberOf(response.body, 'keys') : undefined;
  return Array.isArray(keys) ? keys.filter(isJsonObject) : [];
}

/** A signed token of the run. */
export interface SignedToken extends Pick<RunMismatch, 'message' | 'seenIn'> {
  readonly jws: string;
  /** When it came; seconds since the epoch. */
  readonly at: number;
}

export const signedToken = (jws: string, message: RunMessage): SignedToken => ({
  jws,
  at: momentOf(message),
  ...placeOf(message),
});

/** The keys that an endpoint published during a run: a key may be rotated between signing and fetching. */
export interface PublishedKeys {
  readonly observe: (message: RunMessage) => void;
  readonly all: () => readonly JsonObject[];
  /** Whether the keys were read when the token had come: a key that is not among those read before may have come with it. */
  readonly readSince: (token: SignedToken) => boolean;
}

export function openPublishedKeys(endpoint: 'jwks' | 'event_jwks'): PublishedKeys {
  const keys = new Map<string, JsonObject>();
  let lastRead = -Infinity;
  return {
    observe: (message) => {
      const found = keysIn(message);
      if (found.length === 0 || !('response' in message) || message.response.endpoint !== endpoint) return;
      for (const key of found) keys.set(JSON.stringify(key), key);
      lastRead = Math.max(lastRead, momentOf(message));
    },
    all: () => [...keys.values()],
    readSince: ({ at }) => lastRead >= at,
  };
}
