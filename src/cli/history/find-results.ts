import { readdirSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { whyNot } from '../../lib/errors.ts';
import { isFolder } from '../shared/files.ts';
import { usageError } from '../shared/inputs.ts';

const deepestFolder = 16;
const mostNames = 200_000;
const mostResults = 5000;

const isResultName = (name: string): boolean =>
  name === 'result.json' || name.endsWith('.result.json') || name.endsWith('.jsonl');

export interface FoundResults {
  /** Each with what says the same and is read in its place: the journal beside a result.json. */
  readonly files: readonly { readonly file: string; readonly otherwise?: string }[];
  /** What was not looked at, a sentence each. */
  readonly notes: readonly string[];
}

interface Search {
  readonly files: string[];
  readonly notes: string[];
  readonly skip: string | undefined;
  names: number;
}

/** The names in a folder, in an order that does not depend on the file system; none where it cannot be read. */
function namesIn(folder: string, search: Search) {
  try {
    return readdirSync(folder, { withFileTypes: true }).toSorted((one, other) => (one.name < other.name ? -1 : 1));
  } catch (cause) {
    search.notes.push(`${folder} cannot be read: ${whyNot('read', cause)}`);
    return [];
  }
}

/** Links are not followed: `latest` leads to a run that is found by its own name. */
function walk(folder: string, depth: number, search: Search): void {
  for (const entry of namesIn(folder, search)) {
    search.names += 1;
    if (search.names > mostNames) return;
    const path = join(folder, entry.name);
    if (entry.isFile() && isResultName(entry.name)) search.files.push(path);
    if (!entry.isDirectory() || sameFolder(path, search.skip)) continue;
    if (depth === deepestFolder) search.notes.push(`${path} is too deep: what is in it was not looked at`);
    else walk(path, depth + 1, search);
  }
}

function sameFolder(one: string, other: string | undefined): boolean {
  if (other === undefined) return false;
  const [a, b] = [one, other].map((path) => statSync(path, { throwIfNoEntry: false }));
  return a !== undefined && b !== undefined && a.dev === b.dev && a.ino === b.ino;
}

/** A journal beside a result.json says the same: it is read only where the result cannot be. */
function pairs(files: readonly string[]): FoundResults['files'] {
  const all = new Set(files);
  return files.flatMap((file) => {
    const beside = (name: string): string => join(dirname(file), name);
    if (basename(file) === 'journal.jsonl' && all.has(beside('result.json'))) return [];
    const journal = beside('journal.jsonl');
    return basename(file) === 'result.json' && all.has(journal) ? [{ file, otherwise: journal }] : [{ file }];
  });
}

/** Files below folders that have the name of a result, and files that are named themselves. `skip` is a folder not to look into. */
export function findResults(dirs: readonly string[], skip: string | undefined): FoundResults {
  const search: Search = { files: [], notes: [], skip, names: 0 };
  for (const dir of dirs) {
    if (isFolder(dir)) walk(dir, 1, search);
    else if (statSync(dir, { throwIfNoEntry: false }) === undefined) throw usageError(`there is no ${dir}`);
    else search.files.push(dir);
  }
  if (search.names > mostNames) search.notes.push(`there are more than ${mostNames} files: the rest was not looked at`);
  const files = pairs([...new Set(search.files)]);
  const left = files.length - mostResults;
  if (left > 0) search.notes.push(`there are more than ${mostResults} results: ${left} were not read`);
  return { files: files.slice(0, mostResults), notes: search.notes };
}
