import type { Effort } from './marking.ts';
import type { Match } from './matches.ts';

/** Secrets that are looked for in every text, and what stands for each. */
export interface Needles {
  /** False where the secret is known or too short, or where there are too many. */
  readonly add: (secret: string, mark: string) => boolean;
  readonly knows: (secret: string) => boolean;
  readonly remove: (secret: string) => void;
  /** There were too many: what is left cannot be told from a secret. */
  readonly isFull: () => boolean;
  /** Those whose first characters have this hash, the longest first; by hash, whether there are any. */
  readonly beginningWith: (hash: number) => readonly Needle[];
  readonly isHash: Uint8Array;
}

/** A case knows some hundreds at most; a hostile response may name thousands. */
export const mostNeedles = 5000;
/** Characters; shorter ones would hide innocent text. */
export const shortestNeedle = 8;

/** Rolling hash (Rabin and Karp) of as many characters as the shortest needle has. */
const [base, modulus] = [257, 16_381];
let highest = 1;
for (let at = 1; at < shortestNeedle; at += 1) highest = (highest * base) % modulus;

// oxlint-disable-next-line prefer-code-point -- each character of each message comes by here, and a half of one will do
const codeAt = (text: string, at: number): number => text.charCodeAt(at);
const roll = (hash: number, code: number): number => (hash * base + code) % modulus;

function hashAtStart(text: string): number {
  let hash = 0;
  if (text.length < shortestNeedle) return hash;
  for (let at = 0; at < shortestNeedle; at += 1) hash = roll(hash, codeAt(text, at));
  return hash;
}

/** The hash of the window behind the one at `at`. */
function hashBehind(text: string, at: number, hash: number): number {
  if (at + shortestNeedle >= text.length) return hash;
  const without = hash + modulus - ((codeAt(text, at) * highest) % modulus);
  return roll(without, codeAt(text, at + shortestNeedle));
}

/** Characters that may be compared for each of a text, before looking takes too long. */
const patience = 16;

/** Characters that the text at `at` has in common with the secret. */
function commonAt(text: string, at: number, secret: string): number {
  let length = 0;
  const most = Math.min(secret.length, text.length - at);
  while (length < most && codeAt(text, at + length) === codeAt(secret, length)) length += 1;
  return length;
}

export type Needle = readonly [secret: string, mark: string];

interface Place {
  readonly text: string;
  readonly start: number;
}

/** The longest of these that stands at `start`, or of which the text there is the beginning up to its end. */
function matchAt({ text, start }: Place, needles: readonly Needle[], effort: Effort): Match | undefined {
  for (const [secret, mark] of needles) {
    const common = commonAt(text, start, secret);
    effort.left -= common + 1;
    const isCut = start + common === text.length && common >= shortestNeedle;
    if (common === secret.length || isCut) return { start, end: start + common, mark };
  }
  return undefined;
}

/**
 * Where the secrets are, and where the text ends in the beginning of one: it may have been cut. Undefined where it cannot be told
 * from a secret: there are too many, or they are made so that looking for them takes long.
 */
export function findSecrets(text: string, all: readonly Needles[], effort: Effort): readonly Match[] | undefined {
  const found: Match[] = [];
  if (text.length < shortestNeedle) return found;
  if (all.some(({ isFull }) => isFull())) return undefined;
  effort.left += patience * text.length;
  let hash = hashAtStart(text);
  for (let start = 0; start + shortestNeedle <= text.length; start += 1) {
    for (const { isHash, beginningWith } of all) {
      if (isHash[hash] !== 1) continue;
      const match = matchAt({ text, start }, beginningWith(hash), effort);
      if (match !== undefined) found.push(match);
    }
    if (effort.left < 0) return undefined;
    hash = hashBehind(text, start, hash);
  }
  return found;
}

export function createNeedles(): Needles {
  const known = new Set<string>();
  const byHash = new Map<number, readonly Needle[]>();
  const isHash = new Uint8Array(modulus);
  let isFull = false;
  const put = (hash: number, needles: readonly Needle[]): void => {
    byHash.set(hash, needles);
    isHash[hash] = needles.length > 0 ? 1 : 0;
  };
  const beginningWith = (hash: number): readonly Needle[] => byHash.get(hash) ?? [];
  return {
    isHash,
    beginningWith,
    isFull: () => isFull,
    knows: (secret) => known.has(secret),
    add: (secret, mark) => {
      if (isFull || secret.length < shortestNeedle || known.has(secret)) return false;
      isFull = known.size === mostNeedles;
      if (isFull) return false;
      known.add(secret);
      const hash = hashAtStart(secret);
      // The longest first: a secret that begins like another must not leave the rest of it.
      put(
        hash,
        [...beginningWith(hash), [secret, mark] as const].toSorted(([a], [b]) => b.length - a.length),
      );
      return true;
    },
    remove: (secret) => {
      if (!known.delete(secret)) return;
      const hash = hashAtStart(secret);
      put(
        hash,
        beginningWith(hash).filter(([other]) => other !== secret),
      );
    },
  };
}
