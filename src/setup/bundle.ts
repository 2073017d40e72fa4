import { rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type OutputChunk, rolldown } from 'rolldown';
import { packageFile } from '../lib/package-file.ts';
import { externalAjv, embedAssets, replaceModules, unusedCodePlugins } from './build/bundle-plugins.ts';
import { rollUpDeclarations } from './build/declarations.ts';
import { modulePackage, writeNotices } from './build/notices.ts';
import { bundledPackages, hashProgram, preparedProgram } from './paths.ts';

// Build step: bundles the program into few files, which Node loads in half the time. The bundle is self-contained,
// because the installed package has no dependencies.
const bundleFolder = fileURLToPath(packageFile('dist/bundle/'));
const compiledFile = (name: string): string => fileURLToPath(packageFile(`dist/${name}.js`));

const inFolderPattern = (folders: string): RegExp => new RegExp(`/dist/(?:${folders})/[^/]+\\.js$`);

/** Modules bundled into one file although not every command needs all of them, so that the package does not have hundreds of files. */
const chunkGroups = [
  { name: 'start', test: /dist\/cli\/main\.js$/, priority: 9 },
  { name: 'nouns', test: /\/dist\/(?:model|lib)\/(?!validator)[^/]+\.js$/, priority: 8 },
  { name: 'words', test: inFolderPattern('report/shared|compare|compare/history'), priority: 7 },
  {
    name: 'shared',
    test: /\/dist\/cli\/shared\/(?:columns|files|invocation|live|lock|object-view|problems)\.js$/,
    priority: 6,
  },
  {
    name: 'faults',
    test: /\/dist\/lab\/(?:[^/]+|(?:faults|deep|variants|edit)\/[^/]+)\.js$/,
    priority: 6,
    // Carriers without faults need some of the modules that they import.
    includeDependenciesRecursively: false,
  },
  {
    name: 'proofs',
    test: /\/dist\/lab\/(?:commands|prove|space|explore|exploration)\/(?:[a-z]+\/)?(?!worker)[^/]+\.js$/,
    priority: 6,
    includeDependenciesRecursively: false,
  },
  { name: 'html', test: inFolderPattern('report/html|report/history|report/compare'), priority: 6 },
];

const banner = '/*! SPDX-License-Identifier: Apache-2.0 (of others: dist/THIRD-PARTY-NOTICES.txt) */';

/** Entries in `exports` of package.json: file of dist by name. */
const libraryEntries = {
  library: 'api/library',
  judge: 'api/judge',
  expect: 'api/expect',
  'reference-carrier': 'lab/reference/reference-carrier',
};

rmSync(bundleFolder, { recursive: true, force: true });
rollUpDeclarations(Object.values(libraryEntries));

const programBundle = await rolldown({
  input: {
    main: compiledFile('cli/main'),
    'carrier-worker': compiledFile('carrier/worker'),
    'altered-carrier-worker': compiledFile('lab/reference/worker'),
    'prove-worker': compiledFile('lab/prove/worker'),
    ...Object.fromEntries(Object.entries(libraryEntries).map(([name, file]) => [name, compiledFile(file)])),
  },
  platform: 'node',
  // Unused exports of ES modules are dropped; CommonJS is kept whole.
  resolve: { mainFields: ['module', 'main'] },
  plugins: [...unusedCodePlugins, externalAjv, embedAssets],
  // Otherwise a text of a hundred kilobytes, such as the public suffix list, would be copied into each file that reads it.
  optimization: { inlineConst: false },
});
const { output } = await programBundle.write({
  dir: bundleFolder,
  format: 'esm',
  chunkFileNames: '[name]-[hash].js',
  // Every command starts from one file, because finding a file takes as long as reading ten kilobytes.
  codeSplitting: { groups: chunkGroups },
  // A user reads the names of error classes.
  minify: { mangle: { keepNames: { function: false, class: true } } },
  comments: { legal: true, annotation: false, jsdoc: false },
  banner,
});
await programBundle.close();

// A schema unknown to the build is compiled synchronously, and only `require` loads ajv synchronously.
const ajvSource = `export { Ajv } from 'ajv';\nexport { Ajv2020 } from 'ajv/dist/2020.js';`;
const ajvBundle = await rolldown({
  input: { ajv: 'ajv-parts' },
  platform: 'node',
  plugins: [replaceModules({ name: 'ajv-parts', stands: (id) => id === 'ajv-parts', text: ajvSource })],
});
const besideBundle = await ajvBundle.write({
  dir: bundleFolder,
  format: 'cjs',
  entryFileNames: '[name].cjs',
  minify: true,
  banner,
});
await ajvBundle.close();

const chunks = [...output, ...besideBundle.output].filter((file): file is OutputChunk => file.type === 'chunk');

// Packages with code in each file.
const packagesByFile = Object.fromEntries(
  chunks.map(({ fileName, moduleIds }) => [
    fileName,
    [...new Set(moduleIds.flatMap((module) => modulePackage(module)?.name ?? []))],
  ]),
);
writeFileSync(bundledPackages, `${JSON.stringify(packagesByFile, undefined, 1)}\n`);

writeNotices(chunks.flatMap(({ moduleIds }) => moduleIds));

// The digest identifies the program in its results.
writeFileSync(preparedProgram, JSON.stringify({ digest: hashProgram() }));
