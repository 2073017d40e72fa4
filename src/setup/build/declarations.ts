import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packageFile } from '../../lib/package-file.ts';

const sourceFolder = fileURLToPath(packageFile('dist/'));
const outputFolder = fileURLToPath(packageFile('dist/types/'));

/** Import or re-export of names from another file of dist. */
const importPattern = /^(?:import|export) (?:type )?\{ ([\w, ]+) \} from ['"](\.[\w./-]+)['"];\n/gm;
const declarationPattern =
  /^(?:export )?(?:declare )?(?:abstract )?(?:interface|type|class|function|const|enum) (\w+)/gm;
const sharedModule = './types.js';

interface Declarations {
  readonly text: string;
  /** Files it imports names from, as paths below dist. */
  readonly imports: readonly string[];
}

function readDeclarations(name: string): Declarations {
  const text = readFileSync(`${sourceFolder}${name}.d.ts`, 'utf8');
  const imports = [...text.matchAll(importPattern)].map(([, names = '', path = '']) => {
    if (/\bas\b/.test(names)) throw new Error(`${name}.d.ts gives another name to what it imports: ${names}`);
    return posix.join(posix.dirname(name), path.replace(/\.(?:js|ts)$/, ''));
  });
  if (/\bfrom ['"]|\bimport\(/.test(text.replace(importPattern, ''))) {
    throw new Error(`${name}.d.ts imports in a way that cannot be put into one file`);
  }
  return { text, imports };
}

/** Throws when two files declare the same name, because the single output file could not hold both. */
function requireUniqueNames(files: ReadonlyMap<string, Declarations>): void {
  const seen = new Map<string, string>();
  for (const [file, { text }] of files) {
    for (const [, name = ''] of text.matchAll(declarationPattern)) {
      const other = seen.get(name);
      if (other !== undefined && other !== file) throw new Error(`${file}.d.ts and ${other}.d.ts both declare ${name}`);
      seen.set(name, file);
    }
  }
}

/** Writes the declarations of the entries, and of everything they import, to `dist/types`. */
export function rollUpDeclarations(entries: readonly string[]): void {
  const others = new Map<string, Declarations>();
  const collect = (name: string): void => {
    if (others.has(name) || entries.includes(name)) return;
    const file = readDeclarations(name);
    others.set(name, file);
    file.imports.forEach(collect);
  };
  const own = entries.map((name) => [name, readDeclarations(name)] as const);
  for (const [, { imports }] of own) imports.forEach(collect);
  requireUniqueNames(others);
  rmSync(outputFolder, { recursive: true, force: true });
  mkdirSync(outputFolder, { recursive: true });
  for (const [name, { text }] of own) {
    const entry = text.replace(importPattern, (line, _, path: string) => line.replace(path, sharedModule));
    writeFileSync(`${outputFolder}${posix.basename(name)}.d.ts`, entry);
  }
  const texts = [...others.values()].map(({ text }) =>
    text.replace(importPattern, '').replace(/^export \{\};\n/gm, ''),
  );
  writeFileSync(`${outputFolder}types.d.ts`, `${texts.join('')}export {};\n`);
}
