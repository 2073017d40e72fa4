import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { describe, expect, test } from 'vitest';

interface Floor {
  /** Other floors it may import. */
  readonly floors: readonly string[];
  /** npm packages that what ships may import. */
  readonly packages: readonly string[];
  readonly because: string;
}

const everything = [
  'lib',
  'model',
  'suite',
  'target',
  'wire',
  'judge',
  'engine',
  'compare',
  'report',
  'certificate',
  'setup',
  'prove',
];

/** The house, from the ground up. An import goes down or stays on its floor. A test drives the real thing: any floor listed before its own. */
const house: Readonly<Record<string, Floor>> = {
  carrier: {
    floors: [],
    packages: ['fastify', 'jose', 'undici'],
    because: 'the reference carrier shares nothing with the tool: a shared bug would hide itself',
  },
  lib: { floors: [], packages: [], because: 'pure functions without a domain' },
  model: { floors: [], packages: [], because: 'nouns only: everybody may know them, they know nobody' },
  suite: {
    floors: ['model'],
    packages: ['ajv', 'yaml'],
    because: 'reads YAML and JSON Schema, so that nobody above sees either; sends nothing',
  },
  target: {
    floors: ['suite', 'model'],
    packages: ['ajv', 'yaml'],
    because: 'a target file is read with the same positions, templates and messages as a suite',
  },
  wire: {
    floors: ['model'],
    packages: ['jose', 'undici', 'fastify'],
    because: 'the only I/O with a carrier: bytes, keys and sockets, no case and no verdict',
  },
  judge: {
    floors: ['model'],
    packages: [],
    because: 'pure: what was observed goes in, findings and verdicts come out',
  },
  engine: {
    floors: ['judge', 'wire', 'target', 'suite', 'model'],
    packages: [],
    because: 'brings cases, clock, wire and judge together; what it needs of npm stands below it',
  },
  compare: {
    floors: ['model'],
    packages: [],
    because: 'pure: results go in, rows of rules come out; reports make them readable',
  },
  report: {
    floors: ['compare', 'model'],
    packages: ['ajv', 'chalk'],
    because:
      'a pure function of the result, and nothing but the result; what reads one back holds it to its JSON Schema',
  },
  certificate: {
    floors: ['model'],
    packages: ['ajv', 'jose'],
    because: 'pure: a result goes in and a signed manifest comes out, or the reason why not; no file and no terminal',
  },
  setup: {
    floors: ['judge', 'wire', 'target', 'suite', 'model', 'carrier'],
    packages: [],
    because: 'sets up what ships: the suites, a target file, the reference carrier in a thread of its own',
  },
  prove: {
    floors: ['setup', 'engine', 'judge', 'suite', 'model', 'carrier'],
    packages: [],
    because: 'runs the engine against the reference carrier, clean and with each of its faults, and compares',
  },
  cli: { floors: everything, packages: ['commander', 'chalk'], because: 'the top: one file a command, all wiring' },
  testing: { floors: [...everything, 'cli', 'carrier'], packages: [], because: 'samples for tests; never ships' },
};

/** The commands that are the reference carrier, or know its faults by name; the others know a target, as of any carrier. */
const carrierDoors: ReadonlySet<string> = new Set(
  ['carrier/carrier', 'carrier/describe', 'check/check', 'explain/explain'].map((name) => `cli/${name}.ts`),
);

const comments = /\/\*[\s\S]*?\*\/|(?<![:'"`\\])\/\/[^\n]*/g;
const specifiers = [
  /^\s*(?:import|export)\b[^;'"]*?\bfrom\s*(['"])([^'"\n]+)\1/gm,
  /^\s*import\s*(['"])([^'"\n]+)\1/gm,
  /\bimport\s*\(\s*(['"])([^'"\n]+)\1/g,
  /\bnew URL\(\s*(['"])(\.[^'"\n]+)\1\s*,\s*import\.meta\.url/g,
];
const computed = /\bimport\s*\(\s*(?!['"])[^)\n]*/g;

/** Everything a file imports: static, dynamic, type imports, and files named by URL as a worker's is. */
function importsOf(source: string): readonly string[] {
  const text = source.replace(comments, '');
  const found = specifiers.flatMap((pattern) => [...text.matchAll(pattern)].map((match) => match[2] ?? ''));
  return [...found, ...[...text.matchAll(computed)].map(([call]) => call)];
}

const order = Object.keys(house);

const floorOf = (path: string): string => (path.includes('/') ? (path.split('/')[0] ?? '') : '');

/** A package's name without what follows it: `ajv/dist/2020.js` is ajv. */
const packageOf = (specifier: string): string =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');

function strayFrom(file: string, specifier: string): string | undefined {
  const from = floorOf(file);
  const floor = house[from];
  if (floor === undefined) return `the folder ${from} is no floor of the house`;
  const isTest = file.endsWith('.test.ts') || from === 'testing';
  if (specifier.startsWith('node:')) return undefined;
  if (specifier.startsWith('import')) return 'its path is computed, so nobody can check it';
  if (!specifier.startsWith('.')) {
    const name = packageOf(specifier);
    return isTest || floor.packages.includes(name) ? undefined : `${from} may not use ${name}: ${floor.because}`;
  }
  const path = posix.join(posix.dirname(file), specifier);
  const to = floorOf(path);
  if (path.startsWith('..') || to === from) return undefined;
  if (isTest && (to === 'testing' || (house[to] !== undefined && order.indexOf(to) < order.indexOf(from))))
    return undefined;
  if (to === 'carrier' && from === 'cli') {
    return carrierDoors.has(file) ? undefined : `only ${[...carrierDoors].join(', ')} may import carrier`;
  }
  return floor.floors.includes(to) ? undefined : `${from} may not import ${to}: ${floor.because}`;
}

/** Stray imports of one file, `file` relative to src. */
function checkFloors(file: string, source: string): readonly string[] {
  return importsOf(source).flatMap((specifier) => {
    const stray = strayFrom(file, specifier);
    return stray === undefined ? [] : [`src/${file} imports ${specifier}: ${stray}`];
  });
}

const root = import.meta.dirname;
const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .map((name) => name.split('\\').join('/'))
  .filter((name) => name.endsWith('.ts') && name.includes('/'));

describe('the house', () => {
  test.each(Object.keys(house))('%s imports only what its floor may', (floor) => {
    const mine = files.filter((file) => floorOf(file) === floor);
    expect(mine.length).toBeGreaterThan(0);
    expect(mine.flatMap((file) => checkFloors(file, readFileSync(join(root, file), 'utf8')))).toEqual([]);
  });

  test('every folder is a floor', () => {
    expect([...new Set(files.map(floorOf))].filter((folder) => house[folder] === undefined)).toEqual([]);
  });
});

describe('a stray import is found', () => {
  const stray = (file: string, source: string): readonly string[] =>
    checkFloors(file, source).map((line) => line.split(': ').slice(0, 2).join(': '));

  test.each([
    ['up', 'model/a.ts', "import { run } from '../engine/run.ts';", 'model may not import engine'],
    ['sideways', 'report/a.ts', "import { x } from '../judge/x.ts';", 'report may not import judge'],
    ['of a type', 'judge/a.ts', "import type { X } from '../wire/x.ts';", 'judge may not import wire'],
    ['over lines', 'wire/a.ts', "import {\n  type A,\n  b,\n} from '../suite/b.ts';", 'wire may not import suite'],
    ['by export', 'suite/a.ts', "export { x } from '../target/x.ts';", 'suite may not import target'],
    ['for effect', 'suite/a.ts', "import '../wire/x.ts';", 'suite may not import wire'],
    ['later', 'judge/checks/a.ts', "const x = await import('../../wire/x.ts');", 'judge may not import wire'],
    ['of a typeof', 'model/a.ts', "type X = typeof import('../cli/x.ts');", 'model may not import cli'],
    ['of a worker', 'engine/a.ts', "new URL('../carrier/w.js', import.meta.url)", 'engine may not import carrier'],
    ['by the carrier', 'carrier/checks/a.ts', "import { x } from '../../model/x.ts';", 'carrier may not import model'],
    [
      'of the carrier',
      'cli/run.ts',
      "import { x } from '../carrier/x.ts';",
      'only cli/carrier/carrier.ts, .* may import carrier',
    ],
    ['of a package', 'engine/a.ts', "import { request } from 'undici';", 'engine may not use undici'],
    ['of a part of one', 'cli/a.ts', "import x from 'ajv/dist/2020.js';", 'cli may not use ajv'],
    ['of a scoped one', 'wire/a.ts', "import x from '@scope/name/part';", 'wire may not use @scope/name'],
    ['of samples', 'report/a.ts', "import { x } from '../testing/x.ts';", 'report may not import testing'],
    ['up by a test', 'suite/a.test.ts', "import { x } from '../wire/x.ts';", 'suite may not import wire'],
    [
      'by a test of the carrier',
      'carrier/a.test.ts',
      "import { x } from '../wire/x.ts';",
      'carrier may not import wire',
    ],
    ['from no floor', 'attic/a.ts', "import { x } from '../model/x.ts';", 'the folder attic is no floor of the house'],
    ['computed', 'cli/a.ts', 'await import(name);', 'its path is computed, so nobody can check it'],
  ])('%s', (_, file, source, why) => {
    const found = stray(file, source);
    expect(found).toHaveLength(1);
    expect(found[0]).toMatch(new RegExp(`^src/${file} imports .*: ${why.replace(/[/@]/g, '.')}$`));
  });

  test.each([
    ['down', 'cli/a.ts', "import { run } from '../engine/run.ts';"],
    ['on the same floor', 'judge/checks/a.ts', "import { x } from '../path.ts';"],
    ['of Node', 'model/a.ts', "import { join } from 'node:path';"],
    ['of the carrier by its command', 'cli/carrier/carrier.ts', "new URL('../../carrier/worker.js', import.meta.url)"],
    ['of samples by a test', 'report/a.test.ts', "import { x } from '../testing/x.ts';"],
    ['of any floor below by a test', 'judge/a.test.ts', "import { x } from '../suite/x.ts';"],
    ['of the carrier by a test', 'engine/a.test.ts', "import { x } from '../carrier/x.ts';"],
    ['of a package by a test', 'report/a.test.ts', "import fc from 'fast-check';"],
    ['in a comment', 'model/a.ts', "// import { x } from '../cli/x.ts';\n/* await import('../cli/x.ts') */"],
    ['that is a word', 'report/a.ts', "export const text = 'an import from ../cli';\nconst important = f(name);"],
    ['of the package itself', 'cli/a.ts', "new URL('../../', import.meta.url)"],
  ])('and none is found %s', (_, file, source) => {
    expect(checkFloors(file, source)).toEqual([]);
  });
});
