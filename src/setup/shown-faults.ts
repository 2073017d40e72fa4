import { readFileSync } from 'node:fs';
import { isJsonObject, parseJson } from '../lib/json.ts';

/** The ids of the cases that a golden matrix has red with each fault. `jti-never-kept@a` is the same fault on a drawn carrier. */
export function readShown(file: string): Readonly<Record<string, readonly string[]>> {
  const matrix = parseJson(readFileSync(file, 'utf8'));
  const rows = isJsonObject(matrix) && isJsonObject(matrix['rows']) ? matrix['rows'] : {};
  const found = new Map<string, readonly string[]>();
  for (const [row, value] of Object.entries(rows)) {
    const name = row.replace(/@.*$/s, '');
    const red = isJsonObject(value) && Array.isArray(value['red']) ? value['red'].map(String) : [];
    found.set(name, [...new Set([...(found.get(name) ?? []), ...red])]);
  }
  return Object.fromEntries(found);
}
