import type { Effort, Match } from './redaction.ts';

/** Reused buffer for texts of usual length; a longer one gets its own. */
const usual = new Uint16Array(1 << 16);
const bytes = Buffer.from(usual.buffer);

/** UTF-16 units of a text, valid until the next call; faster to read than the string. */
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

/** Minimum characters of an encoding that identify a secret. */
const shortest = 8;

/** Base64 of a secret at this byte offset, without the characters that also encode its neighbours. */
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

/** Encodings in which a secret may come back: base64 and base64url at any offset, and percent-encoded. */
export function encodingsOf(secret: string): ReadonlySet<string> {
  const bytes = Buffer.from(secret, 'utf8');
  const base64 = [0, 1, 2].map((offset) => base64At(bytes, offset));
  const all = [...base64, ...base64.map(toBase64), ...percentOf(secret)];
  return new Set(all.filter((one) => one.length >= shortest && one !== secret));
}

/** Secrets looked for in every text, each with its mark. */
export interface Needles {
  /** False if the secret is known or too short, or the index is full. */
  readonly add: (secret: string, mark: string) => boolean;
  readonly knows: (secret: string) => boolean;
  readonly remove: (secret: string) => void;
  /** The index is full: a secret that it lacks would go unnoticed. */
  readonly isFull: () => boolean;
  /** Secrets whose first characters have this hash, longest first. */
  readonly beginningWith: (hash: number) => readonly Needle[] | undefined;
  /** Number of secrets by the top bits of that hash: most positions of a text need only this look-up. */
  readonly counts: Uint16Array;
}

/** A case knows some hundreds at most; a hostile response may name thousands. */
export const mostNeedles = 5000;
/** Minimum characters; shorter secrets would hide innocent text. */
export const shortestNeedle = 8;

/** Odd, so that no bit of a character is lost; the top bits depend on every character of the window. */
const base = 0x9e_37_79_b1 | 0;
const highest = Array.from({ length: shortestNeedle - 1 }, () => base).reduce((all, one) => Math.imul(all, one), 1);

/** Rolling hash (Rabin and Karp) over as many characters as the shortest needle has, modulo 2^32. */
const roll = (hash: number, code: number): number => (Math.imul(hash, base) + code) | 0;

/** Hash of the window at `start`. */
function hashAt(units: Uint16Array, start: number): number {
  let hash = 0;
  for (let at = start; at < start + shortestNeedle; at += 1) hash = roll(hash, units[at] ?? 0);
  return hash;
}

/** Shift that leaves the bits of a hash that index a table of counts. */
const shiftOf = (counts: Uint16Array): number => Math.clz32(counts.length - 1);

/** Comparisons allowed for each character of a text. */
const patience = 16;

/** Number of characters that the text at `start` shares with the secret. */
function commonAt({ units, start }: Place, secret: string): number {
  let length = 0;
  const most = Math.min(secret.length, units.length - start);
  // oxlint-disable-next-line prefer-code-point -- half a character is enough
  while (length < most && units[start + length] === secret.charCodeAt(length)) length += 1;
  return length;
}

type Needle = readonly [secret: string, mark: string];

interface Place {
  readonly units: Uint16Array;
  readonly start: number;
}

/** The longest secret at this position, or one cut off by the end of the text. */
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

/** Finds the starts of both kinds in one pass; undefined if that takes too long. */
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
    // Both indices are inside the text: the loop has returned after the last window.
    const [first, next] = [units[start], units[start + shortestNeedle]] as [number, number];
    hash = roll((hash - Math.imul(first, highest)) | 0, next);
  }
}

/** Secrets of a case, and of its run. */
type Both = readonly [Needles, Needles];

/** Secrets in a text, with one cut off by its end; undefined if the search would take too long. */
export function findSecrets(text: string, all: Both, effort: Effort): readonly Match[] | undefined {
  if (text.length < shortestNeedle) return [];
  if (all.some(({ isFull }) => isFull())) return undefined;
  effort.left += patience * text.length;
  return look(lendUnits(text), all, effort);
}

/** Table size of a case; a run has more secrets. */
const usualTable = 1 << 13;

/** `table` is a power of two: the larger it is than the number of secrets, the fewer look-ups are in vain. */
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
      // Longest first: a secret with the same beginning must not leave the rest of a longer one.
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
