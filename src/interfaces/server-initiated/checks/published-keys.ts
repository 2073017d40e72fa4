import { isJsonObject, type JsonObject, readMember } from '../../../lib/json.ts';
import { type LibraryRefusal, readAsLibrary } from '../../../judge/library-reading.ts';
import {
  type CheckMismatch,
  receivedTime,
  mismatchPlace,
  type RunCheckState,
  type RunMessage,
  type RunMismatch,
} from '../../../judge/check.ts';

/** Keys of the JWK set in a response; undefined for any other message. */
export function readPublishedKeys(message: RunMessage): readonly JsonObject[] | undefined {
  const response = 'response' in message ? message.response : undefined;
  const keys = response?.outcome === 'accepted' ? readMember(response.body, 'keys') : undefined;
  return Array.isArray(keys) ? keys.filter(isJsonObject) : undefined;
}

/** RFC 7515 §2: base64url without padding, line breaks or other characters. Decoders that pass over them accept what others refuse. */
const isBase64urlSignature = (jws: string): boolean => /^[A-Za-z0-9_-]+$/.test(jws.split('.')[2] ?? '');

/** Finds the mismatch of a token, or undefined. */
export interface TokenJudge<Token> {
  /** Whatever the keys: it has no signature that a key could verify. */
  readonly anyway: (token: Token) => CheckMismatch | undefined;
  readonly by: (token: Token, keys: readonly JsonObject[]) => CheckMismatch | undefined;
  /** For signatures: the form of each, and for one that a key verifies, how a library reads it by the keys of then (P23). */
  readonly signed?: {
    readonly jws: (token: Token) => string;
    /** Words for the token: `an id token`. */
    readonly token: string;
    readonly place: Pick<CheckMismatch, 'path' | 'aspect'>;
  };
}

/** Signed tokens of a run, judged by all keys that an endpoint published, because a key may rotate before it is fetched. */
export interface SignedTokens<Token> {
  readonly observe: (message: RunMessage, token: Token | undefined) => void;
  /** The endpoint, if no key read so far verifies a token that came since the last reading. */
  readonly lacks: () => string | undefined;
  /** Reads each token that a key verifies as a library does. */
  readonly prepare: () => Promise<void>;
  /** Leaves an unverified token unjudged if its key may have come and gone unread. */
  readonly conclude: () => ReturnType<RunCheckState['conclude']>;
}

/** Seconds for which an old key stays published, because its tokens are valid; a reading this near a token saw its key. */
export const keyRetentionSeconds = 1800;

interface KeyReading {
  readonly at: number;
  readonly keys: string;
  readonly set: readonly JsonObject[];
}

/** Seconds after a token within which a service provider that does not know its kid reads the keys again. */
const promptSeconds = 60;

/**
 * The key sets that a service provider could verify a token by: the last one before it came, and the one read at once.
 * If none was read at once, the next one counts as well: its keys may have been there when the token came.
 */
function setsAtHand(readings: readonly KeyReading[], moment: number): readonly KeyReading[] {
  const before = readings.findLast(({ at }) => at <= moment);
  const after = readings.find(({ at }) => at > moment && (before?.at !== moment || at <= moment + promptSeconds));
  return [before, after].filter((one) => one !== undefined);
}

/** How a library refuses a token by each of the key sets at hand; undefined if it takes it by one, or if its keys are not known. */
async function refusalByLibrary(
  jws: string,
  readings: readonly KeyReading[],
  moment: number,
): Promise<LibraryRefusal | undefined> {
  let refusal: LibraryRefusal | undefined;
  for (const { set } of setsAtHand(readings, moment)) {
    refusal = await readAsLibrary(jws, set, moment);
    if (refusal === undefined) return undefined;
  }
  return refusal;
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

interface SeenToken<Token> {
  readonly token: Token;
  readonly place: ReturnType<typeof mismatchPlace>;
  readonly cameAt: number;
}

/** Judges the tokens that no key verified on arrival, as far as they can be judged. */
function judgeOpenTokens<Token>(
  open: readonly SeenToken<Token>[],
  judge: (token: Token) => { readonly found: CheckMismatch | undefined; readonly isSure: boolean },
  readings: readonly KeyReading[],
) {
  const judged = open.flatMap((seen) => {
    const { found, isSure } = judge(seen.token);
    return isSure || areKeysKnown(readings, seen.cameAt) ? [{ found, seen }] : [];
  });
  const mismatches = judged.flatMap(({ found, seen }) => (found === undefined ? [] : [{ ...found, ...seen.place }]));
  const taken = judged.flatMap(({ found, seen }) => (found === undefined ? [seen] : []));
  return { mismatches, taken, judged: judged.length, unjudged: open.length - judged.length };
}

/** Mismatch of a token that no key can change: what the judge says, or the form of its signature. */
function findWithoutKey<Token>(token: Token, { anyway, signed }: TokenJudge<Token>): CheckMismatch | undefined {
  const found = anyway(token);
  if (found !== undefined || signed === undefined || isBase64urlSignature(signed.jws(token))) return found;
  const expected = 'a signature in base64url without padding';
  return { ...signed.place, expected, actual: 'a signature with other characters' };
}

export function collectSignedTokens<Token>(
  endpoint: 'jwks' | 'event_jwks',
  judged: TokenJudge<Token>,
): SignedTokens<Token> {
  const { by, signed } = judged;
  const anyway = (token: Token): CheckMismatch | undefined => findWithoutKey(token, judged);
  const published = new Map<string, JsonObject>();
  const keys = (): readonly JsonObject[] => [...published.values()];
  const open: SeenToken<Token>[] = [];
  const verified: SeenToken<Token>[] = [];
  const readings: KeyReading[] = [];
  const refused: RunMismatch[] = [];
  let unread = false;
  const add = (message: RunMessage, token: Token): void => {
    const seen = { token, place: mismatchPlace(message), cameAt: receivedTime(message) };
    if (anyway(token) === undefined && by(token, keys()) === undefined) {
      verified.push(seen);
      return;
    }
    open.push(seen);
    unread ||= anyway(token) === undefined;
  };
  const judge = (token: Token) => {
    const wrong = anyway(token);
    const found = wrong ?? by(token, keys());
    return { found, isSure: wrong !== undefined || found === undefined };
  };
  const inOrder = (): readonly KeyReading[] => readings.toSorted((one, other) => one.at - other.at);
  return {
    observe: (message, token) => {
      if (token !== undefined) add(message, token);
      if (!('response' in message) || message.response.endpoint !== endpoint) return;
      unread = false;
      const set = readPublishedKeys(message) ?? [];
      const read = new Map(set.map((key) => [JSON.stringify(key), key]));
      for (const [text, key] of read) published.set(text, key);
      if (read.size > 0) readings.push({ at: receivedTime(message), keys: [...read.keys()].toSorted().join(), set });
    },
    lacks: () => (unread ? endpoint : undefined),
    prepare: async () => {
      refused.length = 0;
      if (signed === undefined) return;
      const sorted = inOrder();
      for (const { token, place, cameAt } of [...verified, ...judgeOpenTokens(open, judge, sorted).taken]) {
        const refusal = await refusalByLibrary(signed.jws(token), sorted, cameAt);
        if (refusal === undefined) continue;
        const aspect = refusal.isLibraryLimit ? { aspect: 'library' } : {};
        const expected = `${signed.token} that a JOSE library of service providers takes, by the keys that were published when it came`;
        refused.push({ ...signed.place, ...aspect, expected, actual: refusal.reason, ...place });
      }
    },
    conclude: () => {
      const { mismatches, judged: count, unjudged } = judgeOpenTokens(open, judge, inOrder());
      return { mismatches: [...mismatches, ...refused], judged: verified.length + count, unjudged };
    },
  };
}
