import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { readFileOf } from '../lib/read-file.ts';
import type { Interface } from '../model/interface.ts';
import type { SuiteFile } from './find-files.ts';
import type { Suites } from './suites.ts';

type Named = Pick<SuiteFile, 'path' | 'name'>;

export type Bases = readonly Named[];

/** The base requests without which no suite means anything, in the folder that ships. */
export const requiredBases = (dir: string, baseFiles: Interface['baseFiles']): Bases =>
  Object.values(baseFiles).flatMap(({ file, required }) =>
    required === true ? [{ path: join(dir, file), name: file }] : [],
  );

/** Of the rules, and of the suites with the base requests. */
export const digestsOf = (files: readonly SuiteFile[], bases: Bases): Suites['digests'] => ({
  rules: digestOf(files.filter(({ kind }) => kind === 'rules')),
  suites: digestOf([...files.filter(({ kind }) => kind === 'suite'), ...bases]),
});

/** Over the names and bytes of the files, in the order of their names. */
function digestOf(files: readonly Named[]): string {
  const hash = createHash('sha256');
  const ordered = [...files].sort((left, right) => (left.name < right.name ? -1 : 1));
  for (const { path, name } of ordered) hash.update(`${name}\n`).update(readOrNothing(path));
  return `sha256:${hash.digest('hex')}`;
}

/** A file that cannot be read has been reported already. */
function readOrNothing(path: string): Uint8Array {
  try {
    return readFileOf(path, 'yaml');
  } catch {
    return new Uint8Array();
  }
}
