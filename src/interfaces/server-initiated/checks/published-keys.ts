import { type CheckMismatch, momentOf, placeOf, type RunCheckState, type RunMessage } from '../../../judge/check.ts';
import { isJsonObject, type JsonObject, memberOf } from '../../../lib/json.ts';

/** The keys of a JWK set, where a message of the run is the response with one; undefined where it is none. */
export function keysIn(message: RunMessage): readonly JsonObject[] | undefined {
  const response = 'response' in message ? message.response : undefined;
  const keys = response?.outcome === 'accepted' ? memberOf(response.body, 'keys') : undefined;
  return Array.isArray(keys) ? keys.filter(isJsonObject) : undefined;
}

/** Says what is wrong with a token; undefined where nothing is. */
type JudgeToken<Token> = (token: Token, keys: readonly JsonObject[]) => CheckMismatch | undefined;

/** The signed tokens of a run, judged by all keys that an endpoint published: a key may be rotated between signing and fetching. */
export interface SignedTokens<Token> {
  readonly observe: (message: RunMessage, token: Token | undefined) => void;
  /**
   * A token that came after the last reading of the keys is not judged: its key may have come with it. Nor is one found wrong
   * long before the first, or between two readings of different keys where none is near: its key may have come and gone.
   */
  readonly conclude: (judge: JudgeToken<Token>) => ReturnType<RunCheckState['conclude']>;
}

/** Seconds within which tokens of an old key are still valid, so that it stays published: a reading so near a token has seen its key. */
export const keysStay = 1800;

interface Reading {
  readonly at: number;
  readonly keys: string;
}

/** Whether readings around a moment tell which keys there were at it. */
function isKnown(readings: readonly Reading[], moment: number): boolean {
  if (readings.some(({ at }) => Math.abs(at - moment) <= keysStay)) return true;
  const before = readings.findLast(({ at }) => at <= moment);
  const after = readings.find(({ at }) => at >= moment);
  return before !== undefined && before.keys === after?.keys;
}

export function openSignedTokens<Token>(endpoint: 'jwks' | 'event_jwks'): SignedTokens<Token> {
  const published = new Map<string, JsonObject>();
  const tokens: { readonly token: Token; readonly place: ReturnType<typeof placeOf>; readonly cameAt: number }[] = [];
  const readings: Reading[] = [];
  return {
    observe: (message, token) => {
      if (token !== undefined) tokens.push({ token, place: placeOf(message), cameAt: momentOf(message) });
      if (!('response' in message) || message.response.endpoint !== endpoint) return;
      const read = new Map((keysIn(message) ?? []).map((key) => [JSON.stringify(key), key]));
      for (const [text, key] of read) published.set(text, key);
      if (read.size > 0) readings.push({ at: momentOf(message), keys: [...read.keys()].toSorted().join() });
    },
    conclude: (judge) => {
      const keys = [...published.values()];
      const inOrder = readings.toSorted((one, other) => one.at - other.at);
      const lastRead = inOrder.at(-1)?.at ?? -Infinity;
      const judged = tokens
        .filter(({ cameAt }) => lastRead >= cameAt)
        .map(({ token, place, cameAt }) => ({ wrong: judge(token, keys), place, cameAt }))
        .filter(({ wrong, cameAt }) => wrong === undefined || isKnown(inOrder, cameAt));
      const mismatches = judged.flatMap(({ wrong, place }) => (wrong === undefined ? [] : [{ ...wrong, ...place }]));
      return { mismatches, judged: judged.length };
    },
  };
}
