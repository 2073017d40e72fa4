import { existsSync, lstatSync, readdirSync, renameSync, rmdirSync, rmSync, symlinkSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import process from 'node:process';
import { folderName } from '../../engine/resume/archive.ts';
import { createRunId } from '../../engine/resume/record.ts';
import { whyNot } from '../../lib/errors.ts';
import { requireOwn, writeNew } from '../../lib/own-file.ts';
import { readTextOf } from '../../lib/read-file.ts';
import { forTerminal } from '../../report/shared/sanitize.ts';
import { isFolder, makeFolder } from './files.ts';
import { usualFolder } from './flags.ts';
import { usageError } from './inputs.ts';
import type { Invocation } from './command.ts';
import { type FolderLock, type LockOptions, lockFolder } from './lock.ts';
import { filesOf, type WantedReport } from './reports.ts';

export interface Place {
  readonly folder: string;
  /** Of a run that has no folder yet: its id, which is part of the name. */
  readonly run?: string;
  /** The folder of all runs, whose `latest` leads to this one when it is over; absent with --out. */
  readonly root?: string;
}

export const journalIn = (folder: string): string => join(folder, 'journal.jsonl');

/** What goes with the journal of a folder, the result first: what runs write there, and a certificate of the result. */
export const filesBeside = (folder: string, reports: readonly WantedReport[]): readonly string[] => [
  ...new Set([
    ...filesOf(reports).filter((path) => resolve(dirname(path)) === resolve(folder)),
    join(folder, 'certificate.jws'),
  ]),
];

/** A folder of its own below `root`, by the time of the machine. */
export function newPlace(root: string, run = createRunId(), now = Date.now()): Place {
  return { folder: join(root, folderName(now, run)), run, root };
}

/** What `--out` says; without it, a folder of its own. */
export const placeOf = (out: string | undefined): Place =>
  out === undefined ? newPlace(usualFolder) : { folder: out };

const link = 'latest';
/** Has the name of the newest folder where the file system has no symbolic links. */
const linkText = 'latest.txt';

/** The folder of the newest run that is over, as a path a reader knows: `ROOT/latest` where that leads to it. */
export function latestIn(root: string = usualFolder): string {
  const linked = join(root, link);
  const text = join(root, linkText);
  if (isFolder(linked) || !existsSync(text)) return linked;
  return join(root, basename(readTextOf(text, 'note').trim()));
}

/** The result of the newest run that is over; the file may not be there. */
export const latestResult = (root: string = usualFolder): string => join(latestIn(root), 'result.json');

function replaceText(root: string, name: string): void {
  const draft = join(root, `${linkText}.${process.pid}.tmp`);
  writeNew(draft, `${name}\n`);
  renameSync(draft, join(root, linkText));
}

/** Makes `latest` lead to a folder beside it. At no moment there is none: the link is replaced, not changed. */
export function pointLatest(root: string, folder: string): void {
  const name = basename(folder);
  const draft = join(root, `.${link}.${process.pid}.tmp`);
  try {
    rmSync(draft, { force: true });
    symlinkSync(name, draft, 'dir');
    renameSync(draft, join(root, link));
    rmSync(join(root, linkText), { force: true });
  } catch {
    rmSync(draft, { force: true });
    replaceText(root, name);
  }
}

export interface OpenPlace {
  /** The run is over and its reports are written. */
  readonly finish: () => void;
  /** Gives the folder back; one that was made for nothing goes. */
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
      throw usageError(`--out: ${folder} cannot be written: ${whyNot('write', cause)}`, cause);
    throw cause;
  }
}

/** Names that a run gives to what it writes into its folder; the user names none of them. */
const ownNames = {
  file: ['journal.jsonl', 'journal.jsonl.tmp', 'result.json', 'junit.xml', 'report.html', 'certificate.jws'],
  folder: ['earlier'],
} as const;

/** Throws where a link or another special file would send what a run writes somewhere else. */
function requireOwnFiles(folder: string): void {
  for (const kind of ['file', 'folder'] as const) {
    for (const path of ownNames[kind].map((name) => join(folder, name))) {
      try {
        requireOwn(path, kind);
      } catch (cause) {
        throw usageError(`--out: ${path} is in the way: ${whyNot('write', cause)}`, cause);
      }
    }
  }
}

/** Makes the folder of a run, and takes its lock. Throws where another process writes into it. */
export function openPlace({ folder, root }: Place, { argv, stderr }: Pick<Invocation, 'argv' | 'stderr'>): OpenPlace {
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

/** Folders of runs below a folder, the newest first by their names; `latest` is none of them. */
export function foldersIn(root: string): readonly string[] {
  if (!isFolder(root)) return [];
  return readdirSync(root)
    .filter((name) => !name.startsWith('.') && lstatSync(join(root, name)).isDirectory())
    .map((name) => join(root, name))
    .toSorted((a, b) => (basename(a) < basename(b) ? 1 : -1));
}
