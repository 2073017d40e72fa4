import type { Hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Adds the names, sizes and bytes of the files of a folder whose names match, in the order of their names. */
export function hashFolder(hash: Hash, folder: string, matches: RegExp): Hash {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => name.split('\\').join('/'));
  for (const name of names.filter((one) => matches.test(one)).toSorted()) {
    const bytes = readFileSync(join(folder, name));
    hash.update(`${name}\n${bytes.length}\n`).update(bytes);
  }
  return hash;
}
