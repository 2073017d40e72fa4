import { randomBytes } from 'node:crypto';

/** Minimum characters of an unguessable part of a URI: 88 bits in hexadecimal digits. */
const minPartLength = 22;

/** Maximum of other characters than letters and digits among those 22; base64url uses `-` and `_`. */
const maxOtherCharacters = 3;

/** Minimum digits: a random text of this length has them, a name made of words does not. */
const minDigits = 2;
const minLetters = 3;
const minDistinct = 9;
/** Minimum share of characters whose class (digit, capital, small letter) differs from the one before. */
const minChangeShare = 0.25;

const countMatches = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;

const characterClass = (character: string): number => (/\d/.test(character) ? 0 : /[A-Z]/.test(character) ? 1 : 2);

function countClassChanges(text: string): number {
  const classes = Array.from(text, characterClass);
  return classes.filter((one, at) => at > 0 && one !== classes[at - 1]).length;
}

function looksRandom(part: string): boolean {
  const text = part.replaceAll(/[-_.~]/g, '');
  return (
    part.length >= minPartLength &&
    text.length >= minPartLength - maxOtherCharacters &&
    /^[\dA-Za-z]+$/.test(text) &&
    countMatches(text, /\d/g) >= minDigits &&
    countMatches(text, /[A-Za-z]/g) >= minLetters &&
    new Set(text).size >= minDistinct &&
    countClassChanges(text) >= minChangeShare * text.length
  );
}

/** Draws an unguessable part of a URI. */
export function drawUnguessable(): string {
  for (;;) {
    const drawn = randomBytes(16).toString('hex');
    if (looksRandom(drawn)) return drawn;
  }
}

/** Unguessable parts of a URI's path and query, in lower case because a carrier may change the case. */
export const unguessableParts = (uri: string): readonly string[] =>
  uri
    .replace(/^[a-z]+:\/\/[^/?#]*/i, '')
    .split(/[/?#&=;]/)
    .filter(looksRandom)
    .map((part) => part.toLowerCase());
