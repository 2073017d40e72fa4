import { countNoun } from '../lib/lists.ts';

/** Marks of secrets in records: `[code sha256:0123456789ab, 1,024 characters]`, for a JWS or JWE with its header at the end. */
const markPattern =
  /\[([^[\]]{1,60}?)(?: sha256:([0-9a-f]{12}))?, ([\d,]{1,20}) characters?(, header [^[\]]{1,400})?\]/g;

export interface RedactionMark {
  /** Equal for equal secrets: `[code sha256:0123456789ab]`. */
  readonly secret: string;
  readonly characters: number;
  /** `header alg RS256, kid 1`. */
  readonly header?: string;
}

const markedCharacters = ([, , , count = '']: RegExpExecArray): number => Number(count.replaceAll(',', ''));

/** Parses a text that is exactly one mark with a digest; undefined for any other text. */
export function parseMark(text: string): RedactionMark | undefined {
  const found = text.startsWith('[') ? text.matchAll(markPattern).next().value : undefined;
  if (found === undefined || found[0].length !== text.length) return undefined;
  const [, what, digest, , header] = found;
  if (digest === undefined) return undefined;
  const secret = `[${what} sha256:${digest}]`;
  const mark = { secret, characters: markedCharacters(found) };
  return header === undefined ? mark : { ...mark, header: header.slice(', '.length) };
}

/** Renders a mark. After many marks in one text, `secret` has no digest: `[code, 22 characters]`. */
export function renderMark({ secret, characters, header }: RedactionMark): string {
  const parts = [secret.slice(0, -1), countNoun(characters, 'character'), ...(header === undefined ? [] : [header])];
  return `${parts.join(', ')}]`;
}

/** Maximum length of a mark, in UTF-16 units. */
const maxMarkLength = 600;

/** Returns the range of the mark that contains an index of a text. */
export function findMarkAround(text: string, at: number): { readonly start: number; readonly end: number } | undefined {
  const from = Math.max(0, at - maxMarkLength);
  for (const found of text.slice(from, at + maxMarkLength).matchAll(markPattern)) {
    const start = from + found.index;
    const end = start + found[0].length;
    if (start < at && at < end) return { start, end };
  }
  return undefined;
}

/** Counts a surrogate pair as one character. */
export function countCharacters(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/** Number of characters by which redaction shortened a text. */
function redactedLength(text: string): { readonly characters: number; readonly isRedacted: boolean } {
  const found = [...text.matchAll(markPattern)];
  const characters = found.reduce((sum, mark) => sum + markedCharacters(mark) - mark[0].length, 0);
  return { characters, isRedacted: found.length > 0 };
}

/** Length of a text before redaction: `1,024 characters, redacted`. */
export function sentLength(text: string): string {
  const { characters, isRedacted } = redactedLength(text);
  const words = countNoun(countCharacters(text) + characters, 'character');
  return isRedacted ? `${words}, redacted` : words;
}

/** Length of a text before redaction, in UTF-16 units. */
export const sentUnits = (text: string): number => text.length + redactedLength(text).characters;
