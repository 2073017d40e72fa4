import { findDoubledName } from '../lib/doubled-name.ts';
import { readFileOf } from '../lib/read-file.ts';
import { isJournal, readLines } from './read-entries.ts';

/**
 * Where a member stands twice in a result or a journal that was read: what other readers see in it may be another result. Undefined
 * where none does.
 */
export function doubledNameIn(file: string): string | undefined {
  const decoder = new TextDecoder('utf-8');
  if (!isJournal(file)) return findDoubledName(decoder.decode(readFileOf(file, 'result')));
  for (const { bytes, number } of readLines(file)) {
    const found = findDoubledName(decoder.decode(bytes));
    if (found !== undefined) return `${found} in line ${number}`;
  }
  return undefined;
}
