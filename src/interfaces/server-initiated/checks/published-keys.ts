import { isJsonObject, type JsonObject, readMember } from '../../../lib/json.ts';
import {
  type CheckMismatch,
  receivedTime,
  mismatchPlace,
  type RunCheckState,
  type RunMessage,
} from '../../../judge/check.ts';

/** Keys of the JWK set in a response; undefined for any other message. */
export function readPublishedKeys(message: RunMessage): readonly JsonObject[] | undefined {
  const response = 'response' in message ? message.response : undefined;
  const keys = response?.outcome === 'accepted' ? readMember(response.body, 'keys') : undefined;
  return Array.isArray(keys) ? keys.filter(isJsonObject) : undefined;
}

/** Finds the mismatch of a token, or undefined. */
export interface TokenJudge<Token> {
  /** Whatever the keys: it has no signature that a key could verify. */
  readonly anyway: (token: Token) => CheckMismatch | undefined;
  readonly by: (token: Token, keys: readonly JsonObject[]) => CheckMismatch | undefined;
}

/** Signed tokens of a run, judged by all keys that an endpoint published, because a key may rotate before it is fetched. */
export interface SignedTokens<Token> {
  readonly observe: (message: RunMessage, token: Token | undefined) => void;
  /** The endpoint, if no key read so far verifies a token that came since the last reading. */
  readonly lacks: () => string | undefined;
  /** Leaves an unverified token unjudged if its key may have come and gone unread. */
  readonly conclude: () => ReturnType<RunCheckState['conclude']>;
}

/** Seconds for which an old key stays published, because its tokens are valid; a reading this near a token saw its key. */
export const keyRetentionSeconds = 1800;

interface KeyReading {
  readonly at: number;
  readonly keys: string;
}

/** Whether the readings around a moment show which keys were published then. */
function areKeysKnown(readings: readonly KeyReading[], moment: number): boolean {
  const last = readings.at(-1);
  if (last === undefined || last.at < moment) return false;
  if (readings.some(({ at }) => Math.abs(at - moment) <= keyRetentionSeconds)) return true;
  const before = readings.findLast(({ at }) => at <= moment);
  const after = readings.find(({ at }) => at >= moment);
  return before !== undefined && before.keys === after?.keys;
}

interface OpenToken<Token> {
  readonly token: Token;
  readonly place: ReturnType<typeof mismatchPlace>;
  readonly cameAt: number;
}

/** Judges the tokens that no key verified on arrival, as far as they can be judged. */
function judgeOpenTokens<Token>(
  open: readonly OpenToken<Token>[],
  judge: (token: Token) => { readonly found: CheckMismatch | undefined; readonly isSure: boolean },
  readings: readonly KeyReading[],
) {
  const inOrder = readings.toSorted((one, other) => one.at - other.at);
  const judged = open.flatMap(({ token, place, cameAt }) => {
    const { found, isSure } = judge(token);
    return isSure || areKeysKnown(inOrder, cameAt) ? [{ found, place }] : [];
  });
  const mismatches = judged.flatMap(({ found, place }) => (found === undefined ? [] : [{ ...found, ...place }]));
  return { mismatches, judged: judged.length, unjudged: open.length - judged.length };
}

export function collectSignedTokens<Token>(
  endpoint: 'jwks' | 'event_jwks',
  { anyway, by }: TokenJudge<Token>,
): SignedTokens<Token> {
  const published = new Map<string, JsonObject>();
  const keys = (): readonly JsonObject[] => [...published.values()];
  const open: OpenToken<Token>[] = [];
  const readings: KeyReading[] = [];
  let verified = 0;
  let unread = false;
  const add = (message: RunMessage, token: Token): void => {
    if (anyway(token) === undefined && by(token, keys()) === undefined) {
      verified += 1;
      return;
    }
    open.push({ token, place: mismatchPlace(message), cameAt: receivedTime(message) });
    unread ||= anyway(token) === undefined;
  };
  return {
    observe: (message, token) => {
      if (token !== undefined) add(message, token);
      if (!('response' in message) || message.response.endpoint !== endpoint) return;
      unread = false;
      const read = new Map((readPublishedKeys(message) ?? []).map((key) => [JSON.stringify(key), key]));
      for (const [text, key] of read) published.set(text, key);
      if (read.size > 0) readings.push({ at: receivedTime(message), keys: [...read.keys()].toSorted().join() });
    },
    lacks: () => (unread ? endpoint : undefined),
    conclude: () => {
      const judge = (token: Token) => {
        const wrong = anyway(token);
        const found = wrong ?? by(token, keys());
        return { found, isSure: wrong !== undefined || found === undefined };
      };
      const { judged, ...others } = judgeOpenTokens(open, judge, readings);
      return { ...others, judged: verified + judged };
    },
  };
}
