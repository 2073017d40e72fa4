import { randomBytes } from 'node:crypto';

/** Hexadecimal digits that nobody guesses: those of 8 random bytes. */
const telling = 16;

/** So many of the last draws are always known again, and at most twice as many; a request of ours has some. */
const generation = 50_000;

/** What a run draws at random, and knows again. */
export interface Draws {
  /** Two hexadecimal digits for each byte. */
  readonly random: (bytes: number) => string;
  /** Whether a value has a part that this run drew and nobody guesses. */
  readonly isDrawn: (value: string) => boolean;
}

/** Digits from the system's random source, fetched in bulk: every request needs several. */
export function createDraws(): Draws {
  let pool = Buffer.alloc(0);
  let known = new Set<string>();
  let older: ReadonlySet<string> = new Set();
  const keep = (digits: string): void => {
    known.add(digits.slice(0, telling));
    if (known.size < generation) return;
    older = known;
    known = new Set();
  };
  const isKnown = (digits: string): boolean => known.has(digits) || older.has(digits);
  return {
    random: (bytes) => {
      if (pool.length < bytes) pool = randomBytes(Math.max(4096, bytes));
      const digits = pool.toString('hex', 0, bytes);
      pool = pool.subarray(bytes);
      if (digits.length >= telling) keep(digits);
      return digits;
    },
    isDrawn: (value) => {
      for (const [digits] of value.matchAll(/[\da-f]{16,}/g))
        for (let at = 0; at + telling <= digits.length; at += 1)
          if (isKnown(digits.slice(at, at + telling))) return true;
      return false;
    },
  };
}
