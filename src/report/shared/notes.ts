import type { ResultFooter } from '../../model/result.ts';
import { cutText } from './sanitize.ts';
import { becameWords } from './expected-prose.ts';
import { gapWords, lagWords } from './listening.ts';
import { behaviourInWords, limitInWords } from './measured-prose.ts';

/** A short line about a run that changes no verdict, not yet made safe for where it is shown. */
export interface Note {
  readonly about: 'limit' | 'profile' | 'expected' | 'left' | 'gap' | 'receiver';
  readonly name: string;
  readonly words: string;
}

/** Characters of the words: a recorded value can be long. */
const longest = 400;

/** What was measured, expected and missed, for the formats that have a line for it and no more. Empty of a run without. */
export function notesOf({
  limits = [],
  profile = [],
  expected = [],
  left = [],
  gaps = [],
  receiverLag,
}: ResultFooter): readonly Note[] {
  const notes: readonly Note[] = [
    ...limits.map(limitInWords).map(({ name, found }) => ({ about: 'limit' as const, name, words: found })),
    ...profile.map(behaviourInWords).map(({ name, found }) => ({ about: 'profile' as const, name, words: found })),
    ...expected.map((entry) => ({ about: 'expected' as const, name: entry.name, words: becameWords(entry) })),
    ...left.map((words, index) => ({ about: 'left' as const, name: `${index + 1}`, words })),
    ...gaps.map((gap, index) => ({ about: 'gap' as const, name: `${index + 1}`, words: gapWords(gap) })),
    ...(receiverLag === undefined ? [] : [{ about: 'receiver' as const, name: 'lag', words: lagWords(receiverLag) }]),
  ];
  return notes.map((note) => ({ ...note, words: cutText(note.words, longest) }));
}
