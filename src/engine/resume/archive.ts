import { existsSync, readFileSync, renameSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isJsonObject, parseOwnJson } from '../../model/json.ts';
import { cameToItsEnd } from './read-kept.ts';

/** Whether a journal is of a run that could go on, and has something to lose: a case that ended. */
function isWorthKeeping(file: string): boolean {
  if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true) return false;
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
  const has = (kind: string): boolean => lines.some((line) => line.startsWith(`{"kind":"${kind}"`));
  const last = parseOwnJson(lines.at(-1) ?? '');
  const ended = isJsonObject(last) && last['kind'] === 'footer' && cameToItsEnd(last);
  return !ended && has('encrypted') && has('case');
}

/** A name with the time at which the run was cut off, that nothing has. */
function nameFor(journal: string): string {
  const until = statSync(journal)
    .mtime.toISOString()
    .replaceAll(/[-:]|\.\d+/g, '');
  const named = (more: string): string => join(dirname(journal), `journal-${until}${more}.jsonl`);
  let name = named('');
  for (let count = 2; existsSync(name); count += 1) name = named(`-${count}`);
  return name;
}

/** A new run does not write over the journal of one that could go on: that is put aside. Gives where it is now. */
export function archiveJournal(journal: string): string | undefined {
  if (!isWorthKeeping(journal)) return undefined;
  const recoveryRecord = nameFor(journal);
  renameSync(journal, recoveryRecord);
  return recoveryRecord;
}
