import { randomBytes } from 'node:crypto';

/** Characters of a part of a URI that nobody guesses: 88 bits in hexadecimal digits. */
const shortest = 22;

/** Characters of those 22 that are none of letters and digits: base64url has `-` and `_` among 64. */
const mostOthers = 3;

/** What a random text of this length has, and a name made of words has not. */
const fewestDigits = 2;
const fewestLetters = 3;
const fewestKinds = 9;
/** Of its characters, how many follow one of another class: digit, capital, small letter. */
const leastChange = 0.25;

const countOf = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;

const classOf = (character: string): number => (/\d/.test(character) ? 0 : /[A-Z]/.test(character) ? 1 : 2);

function changesOf(text: string): number {
  const classes = Array.from(text, classOf);
  return classes.filter((one, at) => at > 0 && one !== classes[at - 1]).length;
}

function isRandom(part: string): boolean {
  const text = part.replaceAll(/[-_.~]/g, '');
  return (
    part.length >= shortest &&
    text.length >= shortest - mostOthers &&
    /^[\dA-Za-z]+$/.test(text) &&
    countOf(text, /\d/g) >= fewestDigits &&
    countOf(text, /[A-Za-z]/g) >= fewestLetters &&
    new Set(text).size >= fewestKinds &&
    changesOf(text) >= leastChange * text.length
  );
}

/** A part of a URI that nobody guesses. */
export function drawUnguessable(): string {
  for (;;) {
    const drawn = randomBytes(16).toString('hex');
    if (isRandom(drawn)) return drawn;
  }
}

/** The parts of a URI's path and query that only who was told them can know, in lower case: a carrier may change that. */
export const unguessableParts = (uri: string): readonly string[] =>
  uri
    .replace(/^[a-z]+:\/\/[^/?#]*/i, '')
    .split(/[/?#&=;]/)
    .filter(isRandom)
    .map((part) => part.toLowerCase());
