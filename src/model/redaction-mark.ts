import { countNoun } from '../lib/lists.ts';

/**
 * Mark of a secret in a record: `[code sha256:0123456789ab, 1,024 characters]`, with the header of a JWS or JWE behind it.
 */
const marks = /\[([^[\]]{1,60}?)(?: sha256:([0-9a-f]{12}))?, ([\d,]{1,20}) characters?(, header [^[\]]{1,400})?\]/g;

export interface RedactionMark {
  /** Equal for equal secrets: `[code sha256:0123456789ab]`. */
  readonly secret: string;
  readonly characters: number;
  /** `header alg RS256, kid 1`. */
  readonly header?: string;
}

const countIn = ([, , , count = '']: RegExpExecArray): number => Number(count.replaceAll(',', ''));

/** The mark that a text is, where it is nothing else. */
export function parseMark(text: string): RedactionMark | undefined {
  const found = text.startsWith('[') ? text.matchAll(marks).next().value : undefined;
  if (found === undefined || found[0].length !== text.length) return undefined;
  const [, what, digest, , header] = found;
  if (digest === undefined) return undefined;
  const secret = `[${what} sha256:${digest}]`;
  const mark = { secret, characters: countIn(found) };
  return header === undefined ? mark : { ...mark, header: header.slice(', '.length) };
}

/** After many in one text, a mark no longer says which secret it was: `[code, 22 characters]`. */
export function renderMark({ secret, characters, header }: RedactionMark): string {
  const parts = [secret.slice(0, -1), countNoun(characters, 'character'), ...(header === undefined ? [] : [header])];
  return `${parts.join(', ')}]`;
}

/** Characters in which the longest mark has room. */
const longest = 600;

/** The mark that stands around a place in a text. */
export function markAround(text: string, at: number): { readonly start: number; readonly end: number } | undefined {
  const from = Math.max(0, at - longest);
  for (const found of text.slice(from, at + longest).matchAll(marks)) {
    const start = from + found.index;
    const end = start + found[0].length;
    if (start < at && at < end) return { start, end };
  }
  return undefined;
}

/** Surrogate pairs are one character. */
export function countCharacters(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/** Returns how many characters longer a text was before redaction. */
function takenOut(text: string): { readonly characters: number; readonly isRedacted: boolean } {
  const found = [...text.matchAll(marks)];
  const characters = found.reduce((sum, mark) => sum + countIn(mark) - mark[0].length, 0);
  return { characters, isRedacted: found.length > 0 };
}

/** Length of a text when it was sent: `1,024 characters, redacted`. */
export function sentLength(text: string): string {
  const { characters, isRedacted } = takenOut(text);
  const words = countNoun(countCharacters(text) + characters, 'character');
  return isRedacted ? `${words}, redacted` : words;
}

/** UTF-16 units of a text as it was sent. */
export const sentUnits = (text: string): number => text.length + takenOut(text).characters;
