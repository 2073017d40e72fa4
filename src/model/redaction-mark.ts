import { countOf } from '../lib/lists.ts';
import { defined } from '../lib/optional.ts';

/**
 * What stands for a secret in a record: `[code sha256:0123456789ab, 1,024 characters]`, with the header of a JWS or JWE behind it.
 * Records of earlier versions have no length.
 */
const marks =
  /\[([^[\]]{1,60}?)(?: sha256:([0-9a-f]{12}))?(?:, ([\d,]{1,20}) characters?(, header [^[\]]{1,400})?)?\]/g;

export interface RedactionMark {
  /** Equal for equal secrets: `[code sha256:0123456789ab]`. */
  readonly secret: string;
  /** Characters of the secret. */
  readonly characters?: number;
  /** `header alg RS256, kid 1`. */
  readonly header?: string;
}

/** What else stands in brackets has neither a digest nor a length. */
const isMark = ([, , digest, count]: RegExpExecArray): boolean => digest !== undefined || count !== undefined;

const countIn = (found: RegExpExecArray): number | undefined =>
  found[3] === undefined ? undefined : Number(found[3].replaceAll(',', ''));

/** The mark that a text is, where it is nothing else. */
export function parseMark(text: string): RedactionMark | undefined {
  const found = text.startsWith('[') ? text.matchAll(marks).next().value : undefined;
  if (found === undefined || found[0].length !== text.length) return undefined;
  const [, what, digest, , header] = found;
  if (digest === undefined) return undefined;
  const secret = `[${what} sha256:${digest}]`;
  return { secret, ...defined({ characters: countIn(found), header: header?.slice(', '.length) }) };
}

/** After many in one text, a mark no longer says which secret it was: `[code, 22 characters]`. */
export function renderMark({ secret, characters, header }: RedactionMark): string {
  const more = [characters === undefined ? [] : countOf(characters, 'character'), header ?? []].flat();
  return `${[secret.slice(0, -1), ...more].join(', ')}]`;
}

/** Characters in which the longest mark has room. */
const longest = 600;

/** The mark that stands around a place in a text. */
export function markAround(text: string, at: number): { readonly start: number; readonly end: number } | undefined {
  const from = Math.max(0, at - longest);
  for (const found of text.slice(from, at + longest).matchAll(marks)) {
    const start = from + found.index;
    const end = start + found[0].length;
    if (start < at && at < end && isMark(found)) return { start, end };
  }
  return undefined;
}

/** Surrogate pairs are one character. */
export function charactersOf(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/** By how many characters a text was longer before its secrets were taken out; undefined where a mark does not say. */
function takenOut(text: string): { readonly characters: number; readonly isRedacted: boolean } | undefined {
  let characters = 0;
  let isRedacted = false;
  for (const found of text.matchAll(marks)) {
    if (!isMark(found)) continue;
    const ofSecret = countIn(found);
    if (ofSecret === undefined) return undefined;
    characters += ofSecret - found[0].length;
    isRedacted = true;
  }
  return { characters, isRedacted };
}

/** How long a text was when it was sent, in words: `1,024 characters, redacted`; undefined where its record does not say. */
export function sentLength(text: string): string | undefined {
  const taken = takenOut(text);
  if (taken === undefined) return undefined;
  const words = countOf(charactersOf(text) + taken.characters, 'character');
  return taken.isRedacted ? `${words}, redacted` : words;
}

/** UTF-16 units of a text as it was sent. */
export const sentUnits = (text: string): number => text.length + (takenOut(text)?.characters ?? 0);
