import { basename, resolve } from 'node:path';
import type { Answer, Evidence, Question } from '../../engine/world/operator.ts';
import { digestFile } from '../../target/file-digest.ts';

type Word = Answer['word'];

const words: Readonly<Record<Question['kind'], Readonly<Record<string, Word>>>> = {
  do: { d: 'done', done: 'done', c: 'cannot', cannot: 'cannot' },
  holds: { y: 'yes', yes: 'yes', n: 'no', no: 'no', c: 'cannot', cannot: 'cannot' },
  tell: { c: 'cannot', cannot: 'cannot' },
};

/** What can be typed, in one line for each kind of question. */
export const answerHelp: Readonly<Record<Question['kind'], string>> = {
  do: 'd (done) or c (cannot), then a note if you like; @PATH names a file as evidence',
  holds: 'y (yes), n (no) or c (cannot say), then a note if you like; @PATH names a file as evidence',
  tell: 'what you see, in your words, or c (cannot say); @PATH names a file as evidence',
};

/** `@card.png`, or `@"my card.png"` where the path has blanks. */
const evidencePattern = /(?:^|\s)@(?:"([^"]+)"|(\S+))/;

type Parsed = Answer | { readonly mistake: string };

function readEvidence(path: string, folder: string): Evidence | { readonly mistake: string } {
  const digested = digestFile(resolve(folder, path));
  if ('wrong' in digested) return { mistake: `${path} cannot be read: ${digested.wrong}` };
  return { name: basename(path), sha256: digested.sha256 };
}

/** A typed line as an answer, or what is wrong with it. Paths begin from `folder`. */
export function parseAnswer(line: string, kind: Question['kind'], folder: string): Parsed {
  const found = evidencePattern.exec(line);
  const path = found?.[1] ?? found?.[2];
  const evidence = path === undefined ? undefined : readEvidence(path, folder);
  if (evidence !== undefined && 'mistake' in evidence) return evidence;
  const plain = line.replace(evidencePattern, ' ').trim();
  const [first = '', ...rest] = plain.split(/\s+/);
  const known = words[kind];
  const key = first.toLowerCase().replace(/[:,.]$/, '');
  const word = Object.hasOwn(known, key) ? known[key] : undefined;
  // Where the answer is free text, a c with more words behind it is no "cannot".
  const isWord = word !== undefined && (kind !== 'tell' || rest.length === 0);
  if (!isWord && kind !== 'tell') return { mistake: `"${first}" is no answer here` };
  if (!isWord && plain === '' && evidence === undefined) return { mistake: 'say what you see' };
  const note = isWord ? rest.join(' ') : plain;
  return {
    word: isWord ? word : 'done',
    ...(note === '' ? {} : { note }),
    ...(evidence === undefined ? {} : { evidence }),
  };
}
