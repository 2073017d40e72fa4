import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../testing/program/spawn-cli.ts';

/** Text of a file of the bundle, and of all files that Node loads with it. */
function loadedText(file: string, seen: Set<string> = new Set()): string {
  if (seen.has(file)) return '';
  seen.add(file);
  const text = readFileSync(join(root, 'dist/bundle', file), 'utf8');
  const imports = [...text.matchAll(/(?:\bfrom|\bimport)\s*["']\.\/([\w.-]+\.js)["']/g)];
  return [text, ...imports.map(([, name = '']) => loadedText(name, seen))].join('\n');
}

/** Description of a fault. */
const aFault = 'No jti is remembered.';

test.each(['main.js', 'carrier-worker.js', 'library.js', 'judge.js', 'expect.js'])(
  '%s loads nothing of the laboratory at its start',
  (file) => expect(loadedText(file).includes(aFault)).toBe(false),
);

test.each(['altered-carrier-worker.js', 'reference-carrier.js'])('%s has the faults', (file) =>
  expect(loadedText(file).includes(aFault)).toBe(true),
);
