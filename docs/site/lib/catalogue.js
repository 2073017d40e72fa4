// What the pages are made of: everything that has a name, as `carrierspec explain` knows it.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../../..', import.meta.url));

/** More than the catalogue ever takes: 9 MB today. */
const most = 256 * 1024 * 1024;

export function readCatalogue() {
  const program = join(root, 'bin', 'carrierspec.js');
  const ran = spawnSync(process.execPath, [program, 'explain', '*', '--json'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: most,
  });
  if (ran.status !== 0) throw new Error(`carrierspec explain ended with ${ran.status ?? ran.signal}: ${ran.stderr}`);
  return JSON.parse(ran.stdout);
}

/** Pages come first where a name is of several kinds and the text does not say of which. */
const preferred = ['case', 'invariant', 'fault', 'variant', 'freedom', 'rule'];

/** The address of a page and of a place on it, from the root of the site. */
const hrefOf = ({ page, anchor }) => (anchor === '' ? page : `${page}#${anchor}`);

/** Finds the place of a name. */
export function placesOf({ kinds }) {
  const places = new Map();
  for (const { name: kind, entries } of kinds) {
    const own = new Map();
    for (const entry of entries) {
      own.set(entry.name, hrefOf(entry));
      for (const alias of entry.aliases) own.set(alias.name, hrefOf(alias));
    }
    places.set(kind, own);
  }
  return (kind, name) =>
    [kind, ...preferred].map((one) => places.get(one)?.get(name)).find((href) => href !== undefined);
}

/** Things that have a page of their own: what stands on the page of another has an anchor there. */
export const withPage = ({ entries }) => entries.filter(({ anchor }) => anchor === '');
