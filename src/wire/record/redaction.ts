import { charactersOf, renderMark } from '../../model/redaction-mark.ts';
import { hash } from 'node:crypto';

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

const digest = (secret: string): string => hash('sha256', secret).slice(0, 12);

/** What stands for a secret in a record: equal secrets have equal marks; nothing but its length can be learned. */
export const redactionMark = (what: string, secret: string): string =>
  renderMark({ secret: `[${what} sha256:${digest(secret)}]`, characters: charactersOf(secret) });

/** Characters that may still be compared; texts that belong together share it. */
export interface Effort {
  left: number;
}

/** What the parts of one text share while secrets are taken out of it. */
export interface Marking {
  readonly mark: (what: string, secret: string) => string;
  readonly effort: Effort;
  /** Whether the header of one more JWS or JWE may be decoded. */
  readonly mayDecode: () => boolean;
}

/** Digests of what is found by its form in one text, and headers, so that a text of nothing else does not take long. */
const mostDigests = 200;

/** Characters that may be compared for a text, beside those for each of its own. */
const patience = 1_000_000;

/** Marks of one text: after so many, what stands for a secret no longer tells which it was. */
export function createMarking(): Marking {
  let [digests, headers] = [0, 0];
  const mark: Marking['mark'] = (what, secret) => {
    digests += 1;
    if (digests <= mostDigests) return redactionMark(what, secret);
    return renderMark({ secret: `[${what}]`, characters: charactersOf(secret) });
  };
  const mayDecode = (): boolean => {
    headers += 1;
    return headers <= mostDigests;
  };
  return { mark, effort: { left: patience }, mayDecode };
}
