import { countCharacters, renderMark } from '../../model/redaction-mark.ts';
import { hash } from 'node:crypto';

export interface SecretMatch {
  readonly start: number;
  readonly end: number;
  readonly mark: string;
}

/** Sorts by start, then the longest first. */
const sortMatches = (matches: readonly SecretMatch[]): readonly SecretMatch[] =>
  matches.toSorted((a, b) => a.start - b.start || b.end - a.end);

/** Returns the replacement of a match. */
type MatchReplacer = (match: SecretMatch, found: string) => string;

/** Replaces the matches. Adjacent and overlapping ones become one, so that no part of a secret stays. */
export function replaceMatches(
  text: string,
  matches: readonly SecretMatch[],
  replace: MatchReplacer = ({ mark }) => mark,
): string {
  if (matches.length === 0) return text;
  let out = '';
  let done = 0;
  for (const match of sortMatches(matches)) {
    const { start, end } = match;
    if (start >= done) out += text.slice(done, start) + replace(match, text.slice(start, end));
    done = Math.max(done, end);
  }
  return out + text.slice(done);
}

const secretDigest = (secret: string): string => hash('sha256', secret).slice(0, 12);

/** Mark that replaces a secret in a record: equal secrets have equal marks; only the length can be learned. */
export const redactionMark = (what: string, secret: string): string =>
  renderMark({ secret: `[${what} sha256:${secretDigest(secret)}]`, characters: countCharacters(secret) });

/** Characters that may still be compared, shared by texts that belong together. */
export interface SearchEffort {
  left: number;
}

/** Limits shared by the parts of one text while secrets are removed from it. */
export interface MarkBudget {
  readonly mark: (what: string, secret: string) => string;
  readonly effort: SearchEffort;
  /** Whether one more JWS or JWE header may be decoded. */
  readonly mayDecode: () => boolean;
}

/** Digests of secrets found by form in one text, and decoded headers, so that a text full of them does not take long. */
const maxDigests = 200;

/** Characters that may be compared for a text, beyond those allowed for its length. */
const textEffort = 1_000_000;

/** Marks of one text: after the limit, a mark no longer identifies its secret. */
export function createMarkBudget(): MarkBudget {
  let [digests, headers] = [0, 0];
  const mark: MarkBudget['mark'] = (what, secret) => {
    digests += 1;
    if (digests <= maxDigests) return redactionMark(what, secret);
    return renderMark({ secret: `[${what}]`, characters: countCharacters(secret) });
  };
  const mayDecode = (): boolean => {
    headers += 1;
    return headers <= maxDigests;
  };
  return { mark, effort: { left: textEffort }, mayDecode };
}
