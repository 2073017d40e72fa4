/** Secrets that are looked for in every text, and what stands for each. */
export interface Needles {
  /** False where the secret is known, or where there are too many. */
  readonly add: (secret: string, mark: string) => boolean;
  readonly replaceIn: (text: string) => string;
  /** There were too many to look for: what is left cannot be told from a secret. */
  readonly isFull: () => boolean;
}

/** Looking for each takes a pass over the text. A case knows some hundreds at most; a hostile response may name thousands. */
export const mostNeedles = 1000;

export function createNeedles(): Needles {
  const known = new Set<string>();
  /** Longest first: a secret that begins like another must not leave the rest of it. */
  const marks: (readonly [secret: string, mark: string])[] = [];
  let isFull = false;
  return {
    add: (secret, mark) => {
      if (isFull || known.has(secret)) return false;
      isFull = known.size === mostNeedles;
      if (isFull) return false;
      known.add(secret);
      const place = marks.findIndex(([other]) => other.length < secret.length);
      marks.splice(place < 0 ? marks.length : place, 0, [secret, mark]);
      return true;
    },
    replaceIn: (text) => {
      let out = text;
      for (const [secret, mark] of marks) if (out.includes(secret)) out = out.replaceAll(secret, () => mark);
      return out;
    },
    isFull: () => isFull,
  };
}
