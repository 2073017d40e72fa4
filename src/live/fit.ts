import type { Answer, Question } from '../engine/context/operator.ts';

/** What each kind of question can be answered with. */
const fitting: Readonly<Record<Question['kind'], readonly Answer['word'][]>> = {
  do: ['done', 'cannot'],
  holds: ['yes', 'no', 'cannot'],
  tell: ['done', 'cannot'],
};

/** An answer to `tell` says something. */
export function isFit({ kind }: Question, { word, note }: Answer): boolean {
  const saysNothing = kind === 'tell' && word === 'done' && note === undefined;
  return fitting[kind].includes(word) && !saysNothing;
}
