import { createHash, type Hash } from 'node:crypto';
import { closeSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { whyNot } from './errors.ts';
import { openToRead, readParts } from './read-file.ts';

export type Digested = { readonly sha256: string } | { readonly wrong: string };

const chunkBytes = 1024 * 1024;

/** SHA-256 of a file as `sha256:...`, or why there is none, in words; a pipe or a device is not waited for. */
export function digestFile(path: string): Digested {
  let descriptor: number | undefined;
  try {
    descriptor = openToRead(path, 'evidence');
    const hash = createHash('sha256');
    for (const part of readParts(descriptor, 'evidence', chunkBytes)) hash.update(part);
    return { sha256: `sha256:${hash.digest('hex')}` };
  } catch (error) {
    return { wrong: whyNot('read', error) };
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/** Adds the names, sizes and bytes of the files of a folder whose names match, in the order of their names. */
export function hashFolder(hash: Hash, folder: string, matches: RegExp): Hash {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => name.split('\\').join('/'));
  for (const name of names.filter((one) => matches.test(one)).toSorted()) {
    const bytes = readFileSync(join(folder, name));
    hash.update(`${name}\n${bytes.length}\n`).update(bytes);
  }
  return hash;
}
