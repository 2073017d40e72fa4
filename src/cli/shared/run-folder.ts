import { basename, dirname, join, resolve } from 'node:path';
import { folderName } from '../../engine/resume/archive.ts';
import { createRunId } from '../../engine/resume/run-record.ts';
import { FileError } from '../../files/file-error.ts';
import { removeEmptyFolder } from '../../files/folder.ts';
import { isFolder, isThere, listFolder } from '../../files/look.ts';
import { readText } from '../../files/read.ts';
import { removeFile, replaceFile, replaceLink, requireOwnPath } from '../../files/write.ts';
import { forTerminal } from '../../report/shared/sanitize.ts';
import { makeFolder, withFlag } from './files.ts';
import { defaultRunsFolder } from './flags.ts';
import type { Invocation } from './command.ts';
import { lockFolder } from './lock.ts';
import { reportFiles, type RequestedReport } from './reports.ts';

export interface RunFolder {
  readonly folder: string;
  /** Id of a run whose folder is new; part of the folder name. */
  readonly run?: string;
  /** Parent of all runs, whose `latest` points here once the run is over; absent with --out. */
  readonly root?: string;
}

export const journalPath = (folder: string): string => join(folder, 'journal.jsonl');

/** Files that belong with a folder's journal, result first: its reports and the certificate. */
export const filesBeside = (folder: string, reports: readonly RequestedReport[]): readonly string[] => [
  ...new Set([
    ...reportFiles(reports).filter((path) => resolve(dirname(path)) === resolve(folder)),
    join(folder, 'certificate.jws'),
  ]),
];

/** New run folder below `root`, named by local time. */
export function newRunFolder(root: string, run = createRunId(), now = Date.now()): RunFolder {
  return { folder: join(root, folderName(now, run)), run, root };
}

/** The `--out` folder, or a new one. */
export const chooseRunFolder = (out: string | undefined): RunFolder =>
  out === undefined ? newRunFolder(defaultRunsFolder) : { folder: out };

const latestLink = 'latest';
/** Holds the newest folder's name if the file system has no symbolic links. */
const latestText = 'latest.txt';

/** Newest finished run: `ROOT/latest`, or the folder that latest.txt names. */
export function latestFolder(root: string = defaultRunsFolder): string {
  const linked = join(root, latestLink);
  const text = join(root, latestText);
  if (isFolder(linked) || !isThere(text)) return linked;
  return join(root, basename(readText(text, 'note').trim()));
}

/** Result of the newest finished run; the file may not exist. */
export const latestResult = (root: string = defaultRunsFolder): string => join(latestFolder(root), 'result.json');

/** Points `latest` to a sibling folder. Atomic: the link is replaced by a rename. */
export function pointLatest(root: string, folder: string): void {
  const name = basename(folder);
  try {
    replaceLink(join(root, latestLink), name);
    removeFile(join(root, latestText));
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    replaceFile(join(root, latestText), [`${name}\n`]);
  }
}

export interface OpenRunFolder {
  /** Call after the run, once its reports are written. */
  readonly finish: () => void;
  /** Releases the lock; removes the folder if it is new and empty. */
  readonly close: () => void;
}

/** File names chosen by a run, never by the user. */
const runFileNames = [
  'journal.jsonl',
  'journal.jsonl.tmp',
  'result.json',
  'junit.xml',
  'report.html',
  'certificate.jws',
] as const;

/** Creates and locks a run folder. Throws if another process holds it. */
export function openRunFolder(
  { folder, root }: RunFolder,
  { argv, stderr }: Pick<Invocation, 'argv' | 'stderr'>,
): OpenRunFolder {
  const isNew = !isThere(folder);
  makeFolder(folder, '--out', runFileNames);
  withFlag('--out', () => requireOwnPath(join(folder, 'earlier'), 'folder'));
  const command = ['carrierspec', ...argv].join(' ');
  const note = (text: string): void => void stderr.write(`carrierspec: ${forTerminal(text)}\n`);
  const lock = withFlag('--out', () => lockFolder(folder, { command, note }));
  return {
    finish: () => {
      if (root !== undefined) pointLatest(root, folder);
    },
    close: () => {
      lock.release();
      if (isNew) removeEmptyFolder(folder);
      if (isNew && root !== undefined) removeEmptyFolder(root);
    },
  };
}

/** Run folders below `root`, newest first by name, without `latest`. */
export function runFolders(root: string): readonly string[] {
  if (!isFolder(root)) return [];
  return listFolder(root)
    .filter((entry) => !entry.name.startsWith('.') && entry.isDirectory())
    .map(({ name }) => join(root, name))
    .toSorted((a, b) => (basename(a) < basename(b) ? 1 : -1));
}
