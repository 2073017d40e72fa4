import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { root } from '../../testing/spawn-cli.ts';
import { makeFolder } from '../../testing/target-file.ts';
import { packParser, packSuffixes } from './packed.ts';

const require = createRequire(import.meta.url);

/** A file of a package, and the same as the bundle has it. */
function packed(path: string, change: (code: string) => string) {
  const original = join(root, 'node_modules', path);
  const code = readFileSync(original, 'utf8');
  const changed = change(code);
  const file = join(makeFolder(), path.endsWith('trie.js') ? 'packed.mjs' : 'packed.cjs');
  writeFileSync(file, changed);
  return { original, file, smaller: changed.length / code.length };
}

describe('data inside the bundle', () => {
  test.each(['llhttp-wasm.js', 'llhttp_simd-wasm.js'])('is the parser of undici: %s', (name) => {
    const { original, file, smaller } = packed(`undici/lib/llhttp/${name}`, packParser);
    const before: unknown = require(original);
    const after: unknown = require(file);
    expect(Buffer.isBuffer(before) && Buffer.isBuffer(after) && before.equals(after)).toBe(true);
    expect(smaller).toBeLessThan(0.3);
  });

  test('is the public suffix list', async () => {
    const { original, file, smaller } = packed('tldts/dist/es6/src/data/trie.js', packSuffixes);
    const load = async (path: string): Promise<Record<string, unknown>> => ({
      ...((await import(/* @vite-ignore */ pathToFileURL(path).href)) as Record<string, unknown>),
    });
    expect(await load(file)).toEqual(await load(original));
    expect(smaller).toBeLessThan(0.4);
  });

  test('has to be in the form that is known', () => {
    expect(() => packParser("const wasm = 'AAAA';")).toThrow('undici has its parser in another form');
    expect(() => packSuffixes('export const list = [1];')).toThrow('tldts has its list in another form');
  });
});
