import { readFileSync } from 'node:fs';
import { readPacked } from '../../lib/package-file.ts';
import { quoteWord } from '../../lib/shell.ts';
import type { Limits } from '../../model/limit.ts';
import { type Freedom, readFreedoms } from '../../prove/space/freedoms.ts';
import { type CarrierPositions, readPositions } from '../../setup/carrier-positions.ts';
import { packageRoot, shownFaults } from '../../setup/paths.ts';
import { readLimits } from '../../setup/read.ts';
import type { Suites } from '../../suite/suites.ts';

/** What names are looked up in; what takes time to read is read when a kind asks for it. */
export interface World {
  readonly suites: Suites;
  /** What a printed command has to end with to find them: ` --suites my-suites`; empty for those that ship. */
  readonly flags: string;
  readonly limits: () => Limits;
  readonly freedoms: () => readonly Freedom[];
  readonly positions: () => CarrierPositions;
  /** Cases that turn red with a fault, by its name, as the last proof saw them. */
  readonly shown: () => ReadonlyMap<string, readonly string[]>;
  /** The sentences of docs/corrections.md, by their ids. */
  readonly decisions: () => ReadonlyMap<string, string>;
}

function lazily<T>(read: () => T): () => T {
  let kept: { readonly value: T } | undefined;
  return () => {
    kept ??= { value: read() };
    return kept.value;
  };
}

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
  const text = readFileSync(`${packageRoot}/docs/corrections.md`, 'utf8');
  const rows = text.matchAll(/^\| ([PC]\d+(?:\.\d+)?) \|(?:.*\|)? ([^|]+) \|$/gm);
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
