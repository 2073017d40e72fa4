import { encodingsOf } from './encodings.ts';
import { isJose } from './forms.ts';
import { redactionMark } from './marking.ts';
import { createNeedles, type Needles, shortestNeedle } from './needles.ts';
import { createPublicTexts } from './public-values.ts';

/** Tokens of the cases of a run that are looked for in those of all others; the oldest is given up for the newest. */
const mostRecent = 4000;
/** Places in the table of their beginnings. */
const table = 1 << 18;
/** Characters; and what a word has not: names of errors and kinds are no secrets. */
const shortestToken = 16;
const isToken = (secret: string): boolean =>
  secret.length >= shortestToken &&
  !isJose(secret) &&
  /^[!-~]+$/.test(secret) &&
  /\d/.test(secret) &&
  /[A-Za-z]/.test(secret);

/** What is secret in all messages of a run: credentials of the target file, and the tokens of its latest cases. */
export interface RunSecrets {
  /** A credential of the target file: it stays. */
  readonly keep: (what: string, secret: string) => void;
  /** What a case has learned, and its mark. */
  readonly share: (secret: string, mark: string) => void;
  readonly needles: Needles;
  /** Whether the target file or the interface states a text itself, so that it is no secret, whoever sends it. */
  readonly isStated: (text: string) => boolean;
  /** Whether a text stands in one that is stated. */
  readonly isPublic: (text: string) => boolean;
}

/** `stated` are values that no record hides. */
export function createRunSecrets(stated: readonly string[] = []): RunSecrets {
  const needles = createNeedles(table);
  const texts = createPublicTexts(stated);
  const recent = new Set<string>();
  return {
    keep: (what, secret) => {
      const mark = redactionMark(what, secret);
      for (const one of [secret, ...encodingsOf(secret)]) needles.add(one, mark);
    },
    share: (secret, mark) => {
      if (!isToken(secret) || !needles.add(secret, mark)) return;
      recent.add(secret);
      const [oldest] = recent;
      if (recent.size <= mostRecent || oldest === undefined) return;
      recent.delete(oldest);
      needles.remove(oldest);
    },
    needles,
    isStated: (text) => texts.has(text) && !needles.knows(text),
    isPublic: (text) => text.length >= shortestNeedle && texts.holds(text) && !needles.knows(text),
  };
}
