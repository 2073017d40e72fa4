import { quoted } from './near-misses.ts';
import type { Single } from './single.ts';

const repeated = (text: string, count: number): string => `{{ repeat(${quoted(text)}, ${count}) }}`;

const isRight = (length: number): Single => ({
  title: `A context of ${length} letters is accepted`,
  difference: { claims: { context: `{{ letters(${length}) }}` } },
  rule: 'REQ-073',
  outcome: 'accepted',
});

const isWrong = (words: string, context: string, rule: string): Single => ({
  title: `A context of ${words} is denied`,
  difference: { claims: { context } },
  rule,
  outcome: 'denied',
  error: ['invalid_request'],
});

const right = [8, 9, 63, 64, 65, 127, 128, 129, 199, 200, 201, 239, 240];
const short = [1, 2, 3, 5, 7];
const long = [241, 242, 255, 256, 257, 300, 480, 481, 512, 720, 961, 1024];
/** §2.3 context: from 8 to 240 characters, however they are counted. */
export const contextSingles = (): readonly Single[] => [
  ...right.map(isRight),
  ...long.flatMap((length) =>
    ['A', 'é', '😀', 'Ａ'].map((letter) => isWrong(`${length} times ${letter}`, repeated(letter, length), 'REQ-074')),
  ),
  ...short.map((length) => isWrong(`${length} letters`, `{{ letters(${length}) }}`, 'REQ-075')),
];
