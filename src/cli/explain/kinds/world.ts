import { readFileSync } from 'node:fs';
import { readPacked } from '../../../lib/package-file.ts';
import { quoteWord } from '../../../lib/shell.ts';
import { readFreedoms } from '../../../prove/space/freedoms.ts';
import { readPositions } from '../../../setup/carrier-positions.ts';
import { packageRoot, shownFaults } from '../../../setup/paths.ts';
import { readLimits } from '../../../setup/read.ts';
import type { Suites } from '../../../suite/suites.ts';
import type { World } from './kind.ts';

/** Reads when first asked. */
function lazily<T>(read: () => T): () => T {
  let kept: { readonly value: T } | undefined;
  return () => {
    kept ??= { value: read() };
    return kept.value;
  };
}

const readShipped = (path: string): string => readFileSync(`${packageRoot}/${path}`, 'utf8');

/** The ids of the cases that turn red with each fault, as the build has read them in the golden matrix. */
function readRed(): ReadonlyMap<string, readonly string[]> {
  const packed = readPacked(shownFaults);
  const faults = typeof packed === 'object' && packed !== null ? Object.entries(packed) : [];
  return new Map(
    faults.map(([name, red]: readonly [string, unknown]) => [name, Array.isArray(red) ? red.map(String) : []] as const),
  );
}

/** The tables of docs/corrections.md: the id is the first cell, the sentence the last. */
function readDecisions(): ReadonlyMap<string, string> {
  const rows = readShipped('docs/corrections.md').matchAll(/^\| ([PC]\d+(?:\.\d+)?) \|(?:.*\|)? ([^|]+) \|$/gm);
  return new Map([...rows].map(([, id = '', sentence = '']) => [id, sentence.replaceAll('`', '')] as const));
}

/** What names are looked up in: these suites, read from further folders as well, and what ships. */
export const worldOf = (suites: Suites, folders: readonly string[] = []): World => ({
  suites,
  flags: folders.map((folder) => ` --suites ${quoteWord(folder)}`).join(''),
  limits: lazily(() => readLimits()),
  freedoms: lazily(() => readFreedoms()),
  positions: lazily(() => readPositions(packageRoot)),
  shown: lazily(readRed),
  decisions: lazily(readDecisions),
});
