import { existsSync, renameSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { endsComplete, isJournal, readEntries } from '../../journal/read-entries.ts';
import { CarrierspecError } from '../../model/problem.ts';
import { isComplete } from './interrupted-run.ts';

/** Whether a journal is of a run that can be resumed, and has something to lose: a case that ended. */
function isResumable(file: string): boolean {
  const kinds = new Set<string>();
  try {
    if (!isJournal(file) || endsComplete(file)) return false;
    for (const { entry } of readEntries(file)) {
      if (entry.kind === 'footer' && isComplete(entry.footer)) return false;
      kinds.add(entry.kind);
    }
  } catch (error) {
    // Of a journal that is broken further down, the operator may still want what stands before.
    if (!(error instanceof CarrierspecError)) throw error;
  }
  return kinds.has('encrypted') && kinds.has('case');
}

/** A name with the time at which the run was cut off, that no file has. */
function nameFor(journal: string): string {
  const until = statSync(journal)
    .mtime.toISOString()
    .replaceAll(/[-:]|\.\d+/g, '');
  const named = (more: string): string => join(dirname(journal), `journal-${until}${more}.jsonl`);
  let name = named('');
  for (let count = 2; existsSync(name); count += 1) name = named(`-${count}`);
  return name;
}

/** Renames a journal that can be resumed, before a new run writes one in its place. Gives its new name. */
export function archiveJournal(journal: string): string | undefined {
  if (statSync(journal, { throwIfNoEntry: false })?.isFile() !== true || !isResumable(journal)) return undefined;
  const archived = nameFor(journal);
  renameSync(journal, archived);
  return archived;
}
