import { existsSync, lstatSync, readdirSync, renameSync, rmdirSync, rmSync, symlinkSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import process from 'node:process';
import { folderName } from '../../engine/resume/archive.ts';
import { createRunId } from '../../engine/resume/run-record.ts';
import { explainFileError } from '../../lib/errors.ts';
import { requireOwnPath, replaceOwnFile } from '../../lib/own-file.ts';
import { readUserText } from '../../lib/read-file.ts';
import { forTerminal } from '../../report/shared/sanitize.ts';
import { isFolder, makeFolder } from './files.ts';
import { defaultRunsFolder } from './flags.ts';
import { usageError } from './inputs.ts';
import type { Invocation } from './command.ts';
import { type FolderLock, type LockOptions, lockFolder } from './lock.ts';
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
  if (isFolder(linked) || !existsSync(text)) return linked;
  return join(root, basename(readUserText(text, 'note').trim()));
}

/** Result of the newest finished run; the file may not exist. */
export const latestResult = (root: string = defaultRunsFolder): string => join(latestFolder(root), 'result.json');

function replaceLatestText(root: string, name: string): void {
  const draft = join(root, `${latestText}.${process.pid}.tmp`);
  replaceOwnFile(draft, `${name}\n`);
  renameSync(draft, join(root, latestText));
}

/** Points `latest` to a sibling folder. Atomic: the link is replaced by a rename. */
export function pointLatest(root: string, folder: string): void {
  const name = basename(folder);
  const draft = join(root, `.${latestLink}.${process.pid}.tmp`);
  try {
    rmSync(draft, { force: true });
    symlinkSync(name, draft, 'dir');
    renameSync(draft, join(root, latestLink));
    rmSync(join(root, latestText), { force: true });
  } catch {
    rmSync(draft, { force: true });
    replaceLatestText(root, name);
  }
}

export interface OpenRunFolder {
  /** Call after the run, once its reports are written. */
  readonly finish: () => void;
  /** Releases the lock; removes the folder if it is new and empty. */
  readonly close: () => void;
}

function removeEmpty(folder: string): void {
  if (isFolder(folder) && readdirSync(folder).length === 0) rmdirSync(folder);
}

function lockOrRefuse(folder: string, options: LockOptions): FolderLock {
  try {
    return lockFolder(folder, options);
  } catch (cause) {
    if (cause instanceof Error && 'syscall' in cause)
      throw usageError(`--out: ${folder} cannot be written: ${explainFileError('write', cause)}`, cause);
    throw cause;
  }
}

/** File names chosen by a run, never by the user. */
const runFileNames = {
  file: ['journal.jsonl', 'journal.jsonl.tmp', 'result.json', 'junit.xml', 'report.html', 'certificate.jws'],
  folder: ['earlier'],
} as const;

/** Throws if a link or special file would redirect a run's output. */
function requireOwnFiles(folder: string): void {
  for (const kind of ['file', 'folder'] as const) {
    for (const path of runFileNames[kind].map((name) => join(folder, name))) {
      try {
        requireOwnPath(path, kind);
      } catch (cause) {
        throw usageError(`--out: ${path} is in the way: ${explainFileError('write', cause)}`, cause);
      }
    }
  }
}

/** Creates and locks a run folder. Throws if another process holds it. */
export function openRunFolder(
  { folder, root }: RunFolder,
  { argv, stderr }: Pick<Invocation, 'argv' | 'stderr'>,
): OpenRunFolder {
  const isNew = !existsSync(folder);
  makeFolder(folder, '--out');
  requireOwnFiles(folder);
  const command = ['carrierspec', ...argv].join(' ');
  const lock = lockOrRefuse(folder, { command, note: (text) => stderr.write(`carrierspec: ${forTerminal(text)}\n`) });
  return {
    finish: () => {
      if (root !== undefined) pointLatest(root, folder);
    },
    close: () => {
      lock.release();
      if (isNew) removeEmpty(folder);
      if (isNew && root !== undefined) removeEmpty(root);
    },
  };
}

/** Run folders below `root`, newest first by name, without `latest`. */
export function runFolders(root: string): readonly string[] {
  if (!isFolder(root)) return [];
  return readdirSync(root)
    .filter((name) => !name.startsWith('.') && lstatSync(join(root, name)).isDirectory())
    .map((name) => join(root, name))
    .toSorted((a, b) => (basename(a) < basename(b) ? 1 : -1));
}
