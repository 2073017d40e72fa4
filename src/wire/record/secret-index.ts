import type { Effort, Match } from './redaction.ts';

/** Most texts are shorter; a longer one has a place of its own. */
const usual = new Uint16Array(1 << 16);
const bytes = Buffer.from(usual.buffer);

/** The UTF-16 units of a text, valid until the next call: faster than looking into a string. */
export function lendUnits(text: string): Uint16Array {
  const { length } = text;
  if (length <= usual.length) {
    bytes.write(text, 'utf16le');
    return usual.subarray(0, length);
  }
  const units = new Uint16Array(length);
  Buffer.from(units.buffer).write(text, 'utf16le');
  return units;
}

/** Characters of an encoding that say enough of a secret to look for them. */
const shortest = 8;

/** Base64 of a text that stands so many bytes into what was encoded, without the characters that its neighbours share. */
function base64At(bytes: Buffer, offset: number): string {
  const encoded = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64url');
  const first = Math.ceil((offset * 8) / 6);
  const last = Math.floor(((offset + bytes.length) * 8) / 6);
  return encoded.slice(first, last);
}

const toBase64 = (encoded: string): string => encoded.replaceAll('-', '+').replaceAll('_', '/');

function percentOf(text: string): readonly string[] {
  const upper = encodeURIComponent(text.toWellFormed());
  const lower = upper.replaceAll(/%[\dA-F]{2}/g, (escaped) => escaped.toLowerCase());
  return [upper, lower, upper.replaceAll('%20', '+'), lower.replaceAll('%20', '+')];
}

/** How a secret may come back: in base64 and base64url, wherever it stands in what was encoded, and percent-encoded. */
export function encodingsOf(secret: string): ReadonlySet<string> {
  const bytes = Buffer.from(secret, 'utf8');
  const base64 = [0, 1, 2].map((offset) => base64At(bytes, offset));
  const all = [...base64, ...base64.map(toBase64), ...percentOf(secret)];
  return new Set(all.filter((one) => one.length >= shortest && one !== secret));
}

/** Secrets that are looked for in every text, and what stands for each. */
export interface Needles {
  /** False where the secret is known or too short, or where there are too many. */
  readonly add: (secret: string, mark: string) => boolean;
  readonly knows: (secret: string) => boolean;
  readonly remove: (secret: string) => void;
  /** There were too many: what is left cannot be told from a secret. */
  readonly isFull: () => boolean;
  /** Those whose first characters have this hash, the longest first. */
  readonly beginningWith: (hash: number) => readonly Needle[] | undefined;
  /** How many there are, by the uppermost bits of that hash: most places of a text need no more than this. */
  readonly counts: Uint16Array;
}

/** A case knows some hundreds at most; a hostile response may name thousands. */
export const mostNeedles = 5000;
/** Characters; shorter ones would hide innocent text. */
export const shortestNeedle = 8;

/** Odd, so that no bit of a character is lost; the uppermost bits depend on all characters of the window. */
const base = 0x9e_37_79_b1 | 0;
const highest = Array.from({ length: shortestNeedle - 1 }, () => base).reduce((all, one) => Math.imul(all, one), 1);

/** Rolling hash (Rabin and Karp) of as many characters as the shortest needle has, modulo 2^32. */
const roll = (hash: number, code: number): number => (Math.imul(hash, base) + code) | 0;

/** Of the window at `start`. */
function hashAt(units: Uint16Array, start: number): number {
  let hash = 0;
  for (let at = start; at < start + shortestNeedle; at += 1) hash = roll(hash, units[at] ?? 0);
  return hash;
}

/** Bits of a hash that a table of counts goes by. */
const shiftOf = (counts: Uint16Array): number => Math.clz32(counts.length - 1);

/** Characters that may be compared for each of a text, before looking takes too long. */
const patience = 16;

/** Characters that the text at `start` has in common with the secret. */
function commonAt({ units, start }: Place, secret: string): number {
  let length = 0;
  const most = Math.min(secret.length, units.length - start);
  // oxlint-disable-next-line prefer-code-point -- a half of a character will do
  while (length < most && units[start + length] === secret.charCodeAt(length)) length += 1;
  return length;
}

type Needle = readonly [secret: string, mark: string];

interface Place {
  readonly units: Uint16Array;
  readonly start: number;
}

/** The longest of these that stands at a place, or of which the text there is the beginning up to its end. */
function matchAt(place: Place, needles: readonly Needle[], effort: Effort): Match | undefined {
  const { units, start } = place;
  for (const [secret, mark] of needles) {
    const common = commonAt(place, secret);
    effort.left -= common + 1;
    const isCut = start + common === units.length && common >= shortestNeedle;
    if (common === secret.length || isCut) return { start, end: start + common, mark };
  }
  return undefined;
}

/** Where one of either begins, in one pass; undefined where looking for them takes too long. */
function look(units: Uint16Array, [one, other]: Both, effort: Effort): readonly Match[] | undefined {
  const found: Match[] = [];
  const take = ({ beginningWith }: Needles, hash: number, start: number): void => {
    const needles = beginningWith(hash);
    const match = needles && matchAt({ units, start }, needles, effort);
    if (match !== undefined) found.push(match);
  };
  const [counts, otherCounts] = [one.counts, other.counts];
  const [shift, otherShift] = [shiftOf(counts), shiftOf(otherCounts)];
  const last = units.length - shortestNeedle;
  let hash = hashAt(units, 0);
  for (let start = 0; ; start += 1) {
    if (counts[hash >>> shift] !== 0) take(one, hash, start);
    if (otherCounts[hash >>> otherShift] !== 0) take(other, hash, start);
    if (effort.left < 0) return undefined;
    if (start === last) return found;
    // Both stand in the text: the last window has been looked at.
    const [first, next] = [units[start], units[start + shortestNeedle]] as [number, number];
    hash = roll((hash - Math.imul(first, highest)) | 0, next);
  }
}

/** Secrets of a case, and of its run. */
type Both = readonly [Needles, Needles];

/** The secrets in a text, and where a cut one begins; undefined where looking would take too long. */
export function findSecrets(text: string, all: Both, effort: Effort): readonly Match[] | undefined {
  if (text.length < shortestNeedle) return [];
  if (all.some(({ isFull }) => isFull())) return undefined;
  effort.left += patience * text.length;
  return look(lendUnits(text), all, effort);
}

/** Places in the table of a case; a run has more secrets than one of its cases. */
const usualTable = 1 << 13;

/** `table` is a power of two: the more there are beside the secrets, the fewer places are looked at in vain. */
export function createNeedles(table: number = usualTable): Needles {
  const known = new Set<string>();
  const byHash = new Map<number, readonly Needle[]>();
  const counts = new Uint16Array(table);
  const shift = shiftOf(counts);
  let isFull = false;
  const knownWith = (hash: number): readonly Needle[] => byHash.get(hash) ?? [];
  const put = (hash: number, needles: readonly Needle[]): void => {
    const more = needles.length - knownWith(hash).length;
    counts[hash >>> shift] = (counts[hash >>> shift] ?? 0) + more;
    if (needles.length > 0) byHash.set(hash, needles);
    else byHash.delete(hash);
  };
  return {
    counts,
    beginningWith: (hash) => byHash.get(hash),
    isFull: () => isFull,
    knows: (secret) => known.has(secret),
    add: (secret, mark) => {
      if (isFull || secret.length < shortestNeedle || known.has(secret)) return false;
      isFull = known.size === mostNeedles;
      if (isFull) return false;
      known.add(secret);
      const hash = hashAt(lendUnits(secret), 0);
      // The longest first: a secret that begins like another must not leave the rest of it.
      put(
        hash,
        [...knownWith(hash), [secret, mark] as const].toSorted(([a], [b]) => b.length - a.length),
      );
      return true;
    },
    remove: (secret) => {
      if (!known.delete(secret)) return;
      const hash = hashAt(lendUnits(secret), 0);
      put(
        hash,
        knownWith(hash).filter(([other]) => other !== secret),
      );
    },
  };
}
