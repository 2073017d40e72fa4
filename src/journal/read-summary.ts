import { statSync } from 'node:fs';
import { defined } from '../lib/optional.ts';
import type { ResultFooter, ResultHeader } from '../model/result.ts';
import { parseEntry } from './entries.ts';
import { endOfFile, isJournal, readEntries } from './read-entries.ts';
import { readResult } from './read-result.ts';
import { refuse } from './refuse.ts';

/** What the head and the footer of a run say, without its cases. */
export interface RunSummary {
  readonly header: ResultHeader;
  /** Absent: the run was cut off, or is under way. */
  readonly footer?: ResultFooter;
  /** Milliseconds since the epoch, by the clock of the machine. */
  readonly began: number;
}

/** The clock of a run that is virtual says nothing of when it was; the file does. */
function beganAt(file: string, { clock, startedAt }: ResultHeader, footer: ResultFooter | undefined): number {
  if (clock.kind === 'real') return Date.parse(startedAt);
  const { mtimeMs } = statSync(file);
  return mtimeMs - (footer?.wallMilliseconds ?? 0);
}

function summarizeJournal(file: string): Omit<RunSummary, 'began'> {
  for (const { entry } of readEntries(file)) {
    if (entry.kind !== 'header') break;
    const last = endOfFile(file);
    const isFooter = last !== undefined && last['kind'] === 'footer';
    const footer = isFooter ? parseEntry(last, `${file}: the last line`) : undefined;
    return { header: entry.header, ...(footer?.kind === 'footer' ? { footer: footer.footer } : {}) };
  }
  throw refuse('result-cut-off', `${file}: the journal ends before its header does`);
}

function summarizeResult(file: string): Omit<RunSummary, 'began'> {
  const { header, footer } = readResult(file).result;
  return { header, ...defined({ footer }) };
}

/** Whether a file begins as a journal does; false for one that is not there. */
export const isJournalFile = (file: string): boolean =>
  statSync(file, { throwIfNoEntry: false })?.isFile() === true && isJournal(file);

/** Reads the first and the last line of a journal, or a whole result.json. Throws as `readResult` does. */
export function readSummary(file: string): RunSummary {
  const found = isJournalFile(file) ? summarizeJournal(file) : summarizeResult(file);
  return { ...found, began: beganAt(file, found.header, found.footer) };
}
