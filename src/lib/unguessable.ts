import { randomBytes } from 'node:crypto';

/** Minimum characters of an unguessable part of a URI: 88 bits in hexadecimal digits. */
const shortest = 22;

/** Maximum of other characters than letters and digits among those 22; base64url uses `-` and `_`. */
const mostOthers = 3;

/** Minimum digits: a random text of this length has them, a name made of words does not. */
const fewestDigits = 2;
const fewestLetters = 3;
const fewestKinds = 9;
/** Minimum share of characters whose class (digit, capital, small letter) differs from the one before. */
const leastChange = 0.25;

const countMatches = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;

const characterClass = (character: string): number => (/\d/.test(character) ? 0 : /[A-Z]/.test(character) ? 1 : 2);

function countClassChanges(text: string): number {
  const classes = Array.from(text, characterClass);
  return classes.filter((one, at) => at > 0 && one !== classes[at - 1]).length;
}

function isRandom(part: string): boolean {
  const text = part.replaceAll(/[-_.~]/g, '');
  return (
    part.length >= shortest &&
    text.length >= shortest - mostOthers &&
    /^[\dA-Za-z]+$/.test(text) &&
    countMatches(text, /\d/g) >= fewestDigits &&
    countMatches(text, /[A-Za-z]/g) >= fewestLetters &&
    new Set(text).size >= fewestKinds &&
    countClassChanges(text) >= leastChange * text.length
  );
}

/** Draws an unguessable part of a URI. */
export function drawUnguessable(): string {
  for (;;) {
    const drawn = randomBytes(16).toString('hex');
    if (isRandom(drawn)) return drawn;
  }
}

/** Unguessable parts of a URI's path and query, in lower case because a carrier may change the case. */
export const unguessableParts = (uri: string): readonly string[] =>
  uri
    .replace(/^[a-z]+:\/\/[^/?#]*/i, '')
    .split(/[/?#&=;]/)
    .filter(isRandom)
    .map((part) => part.toLowerCase());
