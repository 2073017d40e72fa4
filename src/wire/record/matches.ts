/** A part of a text that is a secret, and what stands for it. */
export interface Match {
  readonly start: number;
  readonly end: number;
  readonly mark: string;
}

/** Those that begin first, and of them the longest, go first. */
const inOrder = (matches: readonly Match[]): readonly Match[] =>
  matches.toSorted((a, b) => a.start - b.start || b.end - a.end);

/** What stands for a match, whose text is given. */
type Replace = (match: Match, found: string) => string;

/** The text without them. What is found next to another or in it is one with it: no part of a secret stays. */
export function replaceMatches(text: string, matches: readonly Match[], replace: Replace = ({ mark }) => mark): string {
  if (matches.length === 0) return text;
  let out = '';
  let done = 0;
  for (const match of inOrder(matches)) {
    const { start, end } = match;
    if (start >= done) out += text.slice(done, start) + replace(match, text.slice(start, end));
    done = Math.max(done, end);
  }
  return out + text.slice(done);
}
