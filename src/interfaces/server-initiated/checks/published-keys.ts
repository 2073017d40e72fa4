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
  /** A token that came after the last reading of the keys is not judged: its key may have come with it. */
  readonly conclude: (judge: JudgeToken<Token>) => ReturnType<RunCheckState['conclude']>;
}

export function openSignedTokens<Token>(endpoint: 'jwks' | 'event_jwks'): SignedTokens<Token> {
  const published = new Map<string, JsonObject>();
  const tokens: { readonly token: Token; readonly place: ReturnType<typeof placeOf>; readonly cameAt: number }[] = [];
  let lastRead = -Infinity;
  return {
    observe: (message, token) => {
      if (token !== undefined) tokens.push({ token, place: placeOf(message), cameAt: momentOf(message) });
      if (!('response' in message) || message.response.endpoint !== endpoint) return;
      const keys = keysIn(message) ?? [];
      for (const key of keys) published.set(JSON.stringify(key), key);
      if (keys.length > 0) lastRead = Math.max(lastRead, momentOf(message));
    },
    conclude: (judge) => {
      const keys = [...published.values()];
      const judged = tokens.filter(({ cameAt }) => lastRead >= cameAt);
      const mismatches = judged.flatMap(({ token, place }) => {
        const wrong = judge(token, keys);
        return wrong === undefined ? [] : [{ ...wrong, ...place }];
      });
      return { mismatches, judged: judged.length };
    },
  };
}
