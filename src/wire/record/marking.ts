import { hash } from 'node:crypto';

const digest = (secret: string): string => hash('sha256', secret).slice(0, 12);

/** What stands for a secret in a record: equal secrets have equal marks, nothing else can be learned. */
export const redactionMark = (what: string, secret: string): string => `[${what} sha256:${digest(secret)}]`;

/** Whether a text is nothing but such a mark. */
export const isRedactionMark = (text: string): boolean => /^\[[^[\]]{1,60} sha256:[0-9a-f]{12}\]$/.test(text);

/** Characters that may still be compared; texts that belong together share it. */
export interface Effort {
  left: number;
}

/** What the parts of one text share while secrets are taken out of it. */
export interface Marking {
  readonly mark: (what: string, secret: string) => string;
  readonly effort: Effort;
}

/** Digests of what is found by its form in one text, so that a text of nothing else does not take long. */
const mostDigests = 200;

/** Characters that may be compared for a text, beside those for each of its own. */
const patience = 1_000_000;

/** Marks of one text: after so many, what stands for a secret no longer tells which it was. */
export function createMarking(): Marking {
  let digests = 0;
  const mark: Marking['mark'] = (what, secret) => {
    digests += 1;
    return digests > mostDigests ? `[${what}]` : redactionMark(what, secret);
  };
  return { mark, effort: { left: patience } };
}
