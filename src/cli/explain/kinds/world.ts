import { readFileSync } from 'node:fs';
import { isJsonObject, parseJson } from '../../../lib/json.ts';
import { readFreedoms } from '../../../prove/space/freedoms.ts';
import { readPositions } from '../../../setup/carrier-positions.ts';
import { carrierPositions, packageRoot } from '../../../setup/paths.ts';
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

/** `jti-never-kept@a` is the same fault on a drawn carrier. */
function readShown(): ReadonlyMap<string, readonly string[]> {
  const matrix = parseJson(readShipped('fixtures/prove/matrix.json'));
  const rows = isJsonObject(matrix) && isJsonObject(matrix['rows']) ? matrix['rows'] : {};
  const found = new Map<string, readonly string[]>();
  for (const [row, value] of Object.entries(rows)) {
    const name = row.replace(/@.*$/s, '');
    const red = isJsonObject(value) && Array.isArray(value['red']) ? value['red'].map(String) : [];
    found.set(name, [...new Set([...(found.get(name) ?? []), ...red])]);
  }
  return found;
}

/** The tables of docs/corrections.md: the id is the first cell, the sentence the last. */
function readDecisions(): ReadonlyMap<string, string> {
  const rows = readShipped('docs/corrections.md').matchAll(/^\| ([PC]\d+(?:\.\d+)?) \|(?:.*\|)? ([^|]+) \|$/gm);
  return new Map([...rows].map(([, id = '', sentence = '']) => [id, sentence.replaceAll('`', '')] as const));
}

/** What names are looked up in: these suites, and what ships. */
export const worldOf = (suites: Suites): World => ({
  suites,
  limits: lazily(() => readLimits()),
  freedoms: lazily(() => readFreedoms()),
  positions: lazily(() => readPositions(carrierPositions)),
  shown: lazily(readShown),
  decisions: lazily(readDecisions),
});
