import { charactersOf, renderMark } from '../../model/redaction-mark.ts';
import { hash } from 'node:crypto';

export interface Match {
  readonly start: number;
  readonly end: number;
  readonly mark: string;
}

/** Sorts by start, then the longest first. */
const inOrder = (matches: readonly Match[]): readonly Match[] =>
  matches.toSorted((a, b) => a.start - b.start || b.end - a.end);

/** Returns the replacement of a match. */
type Replace = (match: Match, found: string) => string;

/** Replaces the matches. Adjacent and overlapping ones become one, so that no part of a secret stays. */
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

/** Mark that replaces a secret in a record: equal secrets have equal marks; only the length can be learned. */
export const redactionMark = (what: string, secret: string): string =>
  renderMark({ secret: `[${what} sha256:${digest(secret)}]`, characters: charactersOf(secret) });

/** Characters that may still be compared, shared by texts that belong together. */
export interface Effort {
  left: number;
}

/** Limits shared by the parts of one text while secrets are removed from it. */
export interface Marking {
  readonly mark: (what: string, secret: string) => string;
  readonly effort: Effort;
  /** Whether one more JWS or JWE header may be decoded. */
  readonly mayDecode: () => boolean;
}

/** Digests of secrets found by form in one text, and decoded headers, so that a text full of them does not take long. */
const mostDigests = 200;

/** Characters that may be compared for a text, beyond those allowed for its length. */
const patience = 1_000_000;

/** Marks of one text: after the limit, a mark no longer identifies its secret. */
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
