import { existsSync } from 'node:fs';

/** The folder of package.json: above src, dist and the bundle, however deep a module stands. */
function findRoot(): URL {
  for (let folder = new URL('.', import.meta.url); ; folder = new URL('../', folder)) {
    if (existsSync(new URL('package.json', folder))) return folder;
    if (folder.pathname === '/') throw new Error('carrierspec does not stand in its package');
  }
}

const root = findRoot();

/** A file that ships, by its path from the root of the package. */
export const packageFile = (path: string): URL => new URL(path, root);
