import { basename, dirname, join } from 'node:path';
import { endsWithFooter, isJournal, readEntries } from '../../journal/read-entries.ts';
import { isJournalFile, readSummary } from '../../journal/read-result.ts';
import { makeFolders } from '../../files/folder.ts';
import { isFile, isLink, isThere, modifiedAt } from '../../files/look.ts';
import { moveFile, requireOwnPath } from '../../files/write.ts';
import { refusalReason } from '../../files/file-error.ts';
import { CarrierspecError } from '../../model/problem.ts';
import { isCompleteRun } from './interrupted-run.ts';

interface RunFiles {
  readonly journal: string;
  /** Its result, and other files that accompany the journal. */
  readonly beside: readonly string[];
}

interface ArchivedRun {
  readonly folder: string;
  /** The run did not finish, and `--resume` can still finish it. */
  readonly resumable: boolean;
}

/** Whether the run of the journal can be resumed: it has a record of what was sent, changed or judged. */
function isResumable(file: string): boolean {
  let hasRecord = false;
  try {
    if (endsWithFooter(file)) return false;
    for (const { entry } of readEntries(file)) {
      if (entry.kind === 'footer' && isCompleteRun(entry.footer)) return false;
      hasRecord ||= entry.kind === 'encrypted';
    }
  } catch (error) {
    // The operator may still want the intact beginning of a broken journal.
    if (!(error instanceof CarrierspecError)) throw error;
  }
  return hasRecord;
}

/** Time in a folder name: `20261123T021500Z`. */
const folderStamp = (milliseconds: number): string =>
  new Date(milliseconds).toISOString().replaceAll(/[-:]|\.\d+/g, '');

export const folderName = (began: number, run: string): string => `${folderStamp(began)}-${run}`;

/** Form of a run id that may be part of a path; other programs or broken files may have other ids. */
const runIdPattern = /^[\w-]{1,64}$/;

function archiveName(file: string): string {
  try {
    const { header, began } = readSummary(file);
    if (runIdPattern.test(header.run)) return folderName(began, header.run);
  } catch (error) {
    if (!(error instanceof CarrierspecError)) throw error;
  }
  return folderStamp(modifiedAt(file));
}

/** Picks a folder below `parent` without these files: one left half filled by a kill is reused, a link is not. */
function freeFolder(files: readonly string[], parent: string, name: string): string {
  const named = (count: number): string => join(parent, count === 1 ? name : `${name}-${count}`);
  let count = 1;
  while (isLink(named(count)) || files.some((file) => isThere(join(named(count), basename(file))))) count += 1;
  return named(count);
}

/** Folder of the earlier runs. Throws if it is no real folder: a link could lead the files elsewhere. */
function earlierFolder(folder: string): string {
  const earlier = join(folder, 'earlier');
  try {
    requireOwnPath(earlier, 'folder');
  } catch (cause) {
    const message = `the run that is in ${folder} cannot be moved to ${earlier}: ${refusalReason(cause)}`;
    throw new CarrierspecError(message, { code: 'out-unwritable', cause });
  }
  return earlier;
}

/** Whether the journal has an outcome, or a record that a resumed run needs. */
const isWorthKeeping = (journal: string): boolean =>
  isJournalFile(journal) && (endsWithFooter(journal) || isResumable(journal));

/** Moves a run to `earlier/<time>-<run id>/` before a new run writes in its place. Returns the new folder. */
export function archiveRun({ journal, beside }: RunFiles): ArchivedRun | undefined {
  const [result] = beside;
  const hasResult = result !== undefined && isFile(result);
  if (!hasResult && !isWorthKeeping(journal)) return undefined;
  const resumable = isFile(journal) && isJournal(journal) && isResumable(journal);
  const files = [...beside, journal].filter(isFile);
  const source = isJournalFile(journal) ? journal : (result ?? journal);
  const folder = freeFolder(files, earlierFolder(dirname(journal)), archiveName(source));
  makeFolders(folder);
  // The journal goes last: after a kill the next run finds it, and moves it to the other files.
  for (const file of files) moveFile(file, join(folder, basename(file)));
  return { folder, resumable };
}
