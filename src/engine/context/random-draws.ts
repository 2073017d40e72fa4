import { randomBytes } from 'node:crypto';

/** Hexadecimal digits that make a value unguessable: 8 random bytes. */
const unguessableDigits = 16;

/** Number of latest draws that are certainly recognised, and at most twice as many; a request needs a few. */
const maxGenerationDraws = 50_000;

/** Random values of a run, which it recognises later. */
export interface RandomDraws {
  /** Returns two hexadecimal digits for each byte. */
  readonly random: (bytes: number) => string;
  /** Whether a value contains unguessable digits that this run drew. */
  readonly isDrawn: (value: string) => boolean;
}

/** Creates the source of random digits. Fetches them in bulk, because every request needs several. */
export function createRandomDraws(): RandomDraws {
  let pool = Buffer.alloc(0);
  let known = new Set<string>();
  let older: ReadonlySet<string> = new Set();
  const keep = (digits: string): void => {
    known.add(digits.slice(0, unguessableDigits));
    if (known.size < maxGenerationDraws) return;
    older = known;
    known = new Set();
  };
  const isKnown = (digits: string): boolean => known.has(digits) || older.has(digits);
  return {
    random: (bytes) => {
      if (pool.length < bytes) pool = randomBytes(Math.max(4096, bytes));
      const digits = pool.toString('hex', 0, bytes);
      pool = pool.subarray(bytes);
      if (digits.length >= unguessableDigits) keep(digits);
      return digits;
    },
    isDrawn: (value) => {
      for (const [digits] of value.matchAll(/[\da-f]{16,}/g))
        for (let at = 0; at + unguessableDigits <= digits.length; at += 1)
          if (isKnown(digits.slice(at, at + unguessableDigits))) return true;
      return false;
    },
  };
}
