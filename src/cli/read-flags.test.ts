import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseAst } from 'rolldown/parseAst';
import { expect, test } from 'vitest';
import * as certifying from './definitions/certify.ts';
import * as desk from './definitions/desk.ts';
import * as results from './definitions/results.ts';
import * as suite from './definitions/suite.ts';
import type { Definition } from './shared/help.ts';

// The compiler accepts a flag that no code reads. Comments and texts are no reads: the syntax tree has none of them.

type SyntaxNode = Readonly<Record<string, unknown>>;

const isNode = (value: unknown): value is SyntaxNode =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

function visit(value: unknown, see: (node: SyntaxNode) => void): void {
  for (const one of listOf(value)) visit(one, see);
  if (!isNode(value)) return;
  see(value);
  for (const child of Object.values(value)) visit(child, see);
}

function textAt(value: unknown, ...path: readonly string[]): string | undefined {
  const found = path.reduce<unknown>((node, key) => (isNode(node) ? node[key] : undefined), value);
  return typeof found === 'string' ? found : undefined;
}

const parseSource = (path: string): unknown => parseAst(readFileSync(path, 'utf8'), { lang: 'ts' }, path);

interface SourceFile {
  /** Members that the file reads: `out` of `flags.out`, and of `const { out } = flags`. */
  readonly reads: ReadonlySet<string>;
  /** Files that it imports, at its start or later. */
  readonly imports: ReadonlySet<string>;
}

function readSource(path: string): SourceFile {
  const reads = new Set<string>();
  const imports = new Set<string>();
  const called = new Set<unknown>();
  visit(parseSource(path), (node) => {
    const { type, computed, callee } = node;
    if (type === 'CallExpression') called.add(callee);
    const isRead = type === 'MemberExpression' && computed === false && !called.has(node);
    const read =
      isRead && textAt(node, 'object', 'type') === 'Identifier' ? textAt(node, 'property', 'name') : undefined;
    if (read !== undefined) reads.add(read);
    if (type === 'ObjectPattern') {
      for (const property of listOf(node['properties'])) {
        const key = textAt(property, 'key', 'name');
        if (key !== undefined) reads.add(key);
      }
    }
    const source = node['importKind'] === 'type' ? undefined : textAt(node, 'source', 'value');
    if (source?.startsWith('.') === true) imports.add(join(dirname(path), source));
  });
  return { reads, imports };
}

/** Files that handle flags: the commands, and the choice of the carrier. */
const handlesFlags = (path: string): boolean =>
  /^src\/(?:cli|lab\/commands)\/|^src\/setup\/reference\.ts$/.test(path) && !path.startsWith('src/cli/definitions/');

const sources = new Map<string, SourceFile>();

/** Members that a command's file reads, and every file behind it that handles flags. */
function commandReads(start: string): ReadonlySet<string> {
  const reads = new Set<string>();
  const files = new Set([start]);
  for (const path of files) {
    const source = sources.get(path) ?? readSource(path);
    sources.set(path, source);
    for (const name of source.reads) reads.add(name);
    for (const imported of source.imports) if (handlesFlags(imported)) files.add(imported);
  }
  return reads;
}

/** File of each command, by the name of its definition, as src/cli/main.ts loads it. */
function commandFiles(): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  visit(parseSource('src/cli/main.ts'), (node) => {
    if (node['type'] !== 'CallExpression' || textAt(node, 'callee', 'name') !== 'createCommandEntry') return;
    const [definition, load] = listOf(node['arguments']);
    visit(load, ({ type, source }) => {
      const path = type === 'ImportExpression' ? textAt(source, 'value') : undefined;
      if (path !== undefined) files.set(textAt(definition, 'property', 'name') ?? '', join('src/cli', path));
    });
  });
  return files;
}

const definitions: readonly (readonly [string, Definition])[] = Object.entries({
  ...certifying,
  ...desk,
  ...results,
  ...suite,
}).flatMap(([name, value]) => (name.endsWith('Definition') ? [[name, value as Definition] as const] : []));

const files = commandFiles();

test.each(definitions)('the command of %s reads all its arguments and flags', (name, { args, flags }) => {
  const reads = commandReads(files.get(name) ?? '');
  expect(Object.keys({ ...args, ...flags }).filter((key) => !reads.has(key))).toEqual([]);
});

test('every command has a definition', () => {
  expect([...files.keys()].toSorted()).toEqual(definitions.map(([name]) => name).toSorted());
});
