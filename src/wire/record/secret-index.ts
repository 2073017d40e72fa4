import type { SearchEffort, SecretMatch } from './redaction-marks.ts';

/** Reused buffer for texts of usual length; a longer one gets its own. */
const sharedUnits = new Uint16Array(1 << 16);
const sharedBytes = Buffer.from(sharedUnits.buffer);

/** UTF-16 units of a text, valid until the next call; faster to read than the string. */
export function lendUnits(text: string): Uint16Array {
  const { length } = text;
  if (length <= sharedUnits.length) {
    sharedBytes.write(text, 'utf16le');
    return sharedUnits.subarray(0, length);
  }
  const units = new Uint16Array(length);
  Buffer.from(units.buffer).write(text, 'utf16le');
  return units;
}

/** Minimum characters of an encoding that identify a secret. */
const minEncodingLength = 8;

/** Base64 of a secret at this byte offset, without the characters that also encode its neighbours. */
function encodeAt(bytes: Buffer, offset: number): string {
  const encoded = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64url');
  const first = Math.ceil((offset * 8) / 6);
  const last = Math.floor(((offset + bytes.length) * 8) / 6);
  return encoded.slice(first, last);
}

const toBase64 = (encoded: string): string => encoded.replaceAll('-', '+').replaceAll('_', '/');

function percentEncodings(text: string): readonly string[] {
  const upper = encodeURIComponent(text.toWellFormed());
  const lower = upper.replaceAll(/%[\dA-F]{2}/g, (escaped) => escaped.toLowerCase());
  return [upper, lower, upper.replaceAll('%20', '+'), lower.replaceAll('%20', '+')];
}

/** Length up to which a secret is looked for in its encodings too: longer ones are blown up by the run, with no more of a secret in them. */
const maxEncodedLength = 256 * 1024;

/** Encodings in which a secret may come back: base64 and base64url at any offset, and percent-encoded. */
export function secretEncodings(secret: string): ReadonlySet<string> {
  if (secret.length > maxEncodedLength) return new Set();
  const bytes = Buffer.from(secret, 'utf8');
  const base64 = [0, 1, 2].map((offset) => encodeAt(bytes, offset));
  const all = [...base64, ...base64.map(toBase64), ...percentEncodings(secret)];
  return new Set(all.filter((one) => one.length >= minEncodingLength && one !== secret));
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
const maxNeedles = 5000;
/** Minimum characters; shorter secrets would hide innocent text. */
export const minNeedleLength = 8;

/** Odd, so that no bit of a character is lost; the top bits depend on every character of the window. */
const hashBase = 0x9e_37_79_b1 | 0;
const hashHighest = Array.from({ length: minNeedleLength - 1 }, () => hashBase).reduce(
  (all, one) => Math.imul(all, one),
  1,
);

/** Rolling hash (Rabin and Karp) over as many characters as the shortest needle has, modulo 2^32. */
const rollHash = (hash: number, code: number): number => (Math.imul(hash, hashBase) + code) | 0;

/** Hash of the window at `start`. */
function hashWindow(units: Uint16Array, start: number): number {
  let hash = 0;
  for (let at = start; at < start + minNeedleLength; at += 1) hash = rollHash(hash, units[at] ?? 0);
  return hash;
}

/** Shift that leaves the bits of a hash that index a table of counts. */
const tableShift = (counts: Uint16Array): number => Math.clz32(counts.length - 1);

/** Comparisons allowed for each character of a text. */
const effortPerCharacter = 16;

/** Number of characters that the text at `start` shares with the secret. */
function commonLength({ units, start }: WindowStart, secret: string): number {
  let length = 0;
  const most = Math.min(secret.length, units.length - start);
  // oxlint-disable-next-line prefer-code-point -- half a character is enough
  while (length < most && units[start + length] === secret.charCodeAt(length)) length += 1;
  return length;
}

type Needle = readonly [secret: string, mark: string];

interface WindowStart {
  readonly units: Uint16Array;
  readonly start: number;
}

/** The longest secret at this position, or one cut off by the end of the text. */
function matchNeedle(place: WindowStart, needles: readonly Needle[], effort: SearchEffort): SecretMatch | undefined {
  const { units, start } = place;
  for (const [secret, mark] of needles) {
    const common = commonLength(place, secret);
    effort.left -= common + 1;
    const isCut = start + common === units.length && common >= minNeedleLength;
    if (common === secret.length || isCut) return { start, end: start + common, mark };
  }
  return undefined;
}

/** Finds the starts of both kinds in one pass; undefined if that takes too long. */
function scanUnits(
  units: Uint16Array,
  [one, other]: NeedlePair,
  effort: SearchEffort,
): readonly SecretMatch[] | undefined {
  const found: SecretMatch[] = [];
  const take = ({ beginningWith }: Needles, hash: number, start: number): void => {
    const needles = beginningWith(hash);
    const match = needles && matchNeedle({ units, start }, needles, effort);
    if (match !== undefined) found.push(match);
  };
  const [counts, otherCounts] = [one.counts, other.counts];
  const [shift, otherShift] = [tableShift(counts), tableShift(otherCounts)];
  const last = units.length - minNeedleLength;
  let hash = hashWindow(units, 0);
  for (let start = 0; ; start += 1) {
    if (counts[hash >>> shift] !== 0) take(one, hash, start);
    if (otherCounts[hash >>> otherShift] !== 0) take(other, hash, start);
    if (effort.left < 0) return undefined;
    if (start === last) return found;
    // Both indices are inside the text: the loop has returned after the last window.
    const [first, next] = [units[start], units[start + minNeedleLength]] as [number, number];
    hash = rollHash((hash - Math.imul(first, hashHighest)) | 0, next);
  }
}

/** Secrets of a case, and of its run. */
type NeedlePair = readonly [Needles, Needles];

/** Secrets in a text, with one cut off by its end; undefined if the search would take too long. */
export function findSecrets(text: string, all: NeedlePair, effort: SearchEffort): readonly SecretMatch[] | undefined {
  if (text.length < minNeedleLength) return [];
  if (all.some(({ isFull }) => isFull())) return undefined;
  effort.left += effortPerCharacter * text.length;
  return scanUnits(lendUnits(text), all, effort);
}

/** Table size of a case; a run has more secrets. */
const caseTableSize = 1 << 13;

/** `table` is a power of two: the larger it is than the number of secrets, the fewer look-ups are in vain. */
export function createNeedles(table: number = caseTableSize): Needles {
  const known = new Set<string>();
  const byHash = new Map<number, readonly Needle[]>();
  const counts = new Uint16Array(table);
  const shift = tableShift(counts);
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
      if (isFull || secret.length < minNeedleLength || known.has(secret)) return false;
      isFull = known.size === maxNeedles;
      if (isFull) return false;
      known.add(secret);
      const hash = hashWindow(lendUnits(secret), 0);
      // Longest first: a secret with the same beginning must not leave the rest of a longer one.
      put(
        hash,
        [...knownWith(hash), [secret, mark] as const].toSorted(([a], [b]) => b.length - a.length),
      );
      return true;
    },
    remove: (secret) => {
      if (!known.delete(secret)) return;
      const hash = hashWindow(lendUnits(secret), 0);
      put(
        hash,
        knownWith(hash).filter(([other]) => other !== secret),
      );
    },
  };
}
