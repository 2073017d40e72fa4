import { rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type OutputChunk, rolldown } from 'rolldown';
import { packageFile } from '../lib/package-file.ts';
import { ajvBeside, assetsInside, standIn, withoutUnused } from './build/parts.ts';
import { rollUpDeclarations } from './build/declarations.ts';
import { modulePackage, writeNotices } from './build/notices.ts';
import { bundledPackages, hashProgram, preparedProgram } from './paths.ts';

// Build step: bundles the program into few files, which Node loads in half the time of some nine hundred. The bundle is self-contained,
// because the installed package has no dependencies.
const folder = fileURLToPath(packageFile('dist/bundle/'));
const compiled = (name: string): string => fileURLToPath(packageFile(`dist/${name}.js`));

const ofFolder = (folders: string): RegExp => new RegExp(`/dist/(?:${folders})/[^/]+\\.js$`);

/** Modules bundled into one file although not every command needs all of them, so that the package does not have hundreds of files. */
const groups = [
  { name: 'start', test: /dist\/cli\/(?:main|definitions)\.js$/, priority: 9 },
  { name: 'nouns', test: /\/dist\/(?:model|lib)\/(?!validator)[^/]+\.js$/, priority: 8 },
  { name: 'words', test: ofFolder('report/shared|compare|compare/history'), priority: 7 },
  {
    name: 'shared',
    test: /\/dist\/cli\/shared\/(?:columns|files|invocation|live|lock|object-view|problems)\.js$/,
    priority: 6,
  },
  { name: 'html', test: ofFolder('report/html|report/history|report/compare'), priority: 6 },
];

const banner = '/*! SPDX-License-Identifier: Apache-2.0 (of others: dist/THIRD-PARTY-NOTICES.txt) */';

/** Entries in `exports` of package.json, by file name. */
const library = ['library', 'judge', 'reference-carrier', 'expect'];

rmSync(folder, { recursive: true, force: true });
rollUpDeclarations(library.map((name) => `api/${name}`));

const bundle = await rolldown({
  input: {
    main: compiled('cli/main'),
    'carrier-worker': compiled('carrier/worker'),
    'prove-worker': compiled('prove/worker'),
    ...Object.fromEntries(library.map((name) => [name, compiled(`api/${name}`)])),
  },
  platform: 'node',
  // Unused exports of ES modules are dropped; CommonJS is kept whole.
  resolve: { mainFields: ['module', 'main'] },
  plugins: [...withoutUnused, ajvBeside, assetsInside],
  // Otherwise a text of a hundred kilobytes, such as the public suffix list, would be copied into each file that reads it.
  optimization: { inlineConst: false },
});
const { output } = await bundle.write({
  dir: folder,
  format: 'esm',
  chunkFileNames: '[name]-[hash].js',
  // Every command starts from one file, because finding a file takes as long as reading ten kilobytes.
  codeSplitting: { groups },
  minify: true,
  comments: { legal: true, annotation: false, jsdoc: false },
  banner,
});
await bundle.close();

// A schema unknown to the build is compiled synchronously, and only `require` loads ajv synchronously.
const parts = `export { Ajv } from 'ajv';\nexport { Ajv2020 } from 'ajv/dist/2020.js';`;
const ajv = await rolldown({
  input: { ajv: 'ajv-parts' },
  platform: 'node',
  plugins: [standIn({ name: 'ajv-parts', stands: (id) => id === 'ajv-parts', text: parts })],
});
const beside = await ajv.write({ dir: folder, format: 'cjs', entryFileNames: '[name].cjs', minify: true, banner });
await ajv.close();

const chunks = [...output, ...beside.output].filter((file): file is OutputChunk => file.type === 'chunk');

// Packages with code in each file.
const packages = Object.fromEntries(
  chunks.map(({ fileName, moduleIds }) => [
    fileName,
    [...new Set(moduleIds.flatMap((module) => modulePackage(module)?.name ?? []))],
  ]),
);
writeFileSync(bundledPackages, `${JSON.stringify(packages, undefined, 1)}\n`);

writeNotices(chunks.flatMap(({ moduleIds }) => moduleIds));

// The digest identifies the program in its results.
writeFileSync(preparedProgram, JSON.stringify({ digest: hashProgram() }));
