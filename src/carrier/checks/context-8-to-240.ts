import { check, type KeyContext, optionalString } from '../pipeline/context.ts';
import { refuse } from '../refusal.ts';

/** §2.3 context: 8 to 240 characters (code points) of the decoded form; other printable characters are let through (A17). */
export const context8To240 = check('context-8-to-240', (context: KeyContext) => {
  const text = optionalString(context, 'context');
  if (text === undefined) return;
  const { contextMin, contextMax } = context.policy;
  const length = countCodePoints(percentDecoded(text));
  if (length > contextMax) refuse('invalid_request', 'context exceeds 240 characters');
  if (length < contextMin) refuse('invalid_request', 'context is shorter than 8 characters');
});

/** Decoded once, and only to be counted: what is shown and signed stays as given (§2.3). */
export function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** As §8 counts; an emoji of two UTF-16 units is one. */
export function countCodePoints(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}
