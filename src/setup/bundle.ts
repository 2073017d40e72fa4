import { rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Plugin, rolldown } from 'rolldown';
import { textMemberOf } from '../lib/json.ts';
import { packageFile } from '../lib/package-file.ts';
import { bundledPackages, preparedProgram } from './paths.ts';
import { hashProgram } from './program.ts';

// A step of the build: the program in few files, which Node finds and loads in half the time of some nine hundred.
const folder = fileURLToPath(packageFile('dist/bundle/'));
const compiled = (name: string): string => fileURLToPath(packageFile(`dist/${name}.js`));

const parts = '\0undici-parts';

/** undici without what the program does not use, fetch and WebSocket above all: loading that takes as long as all else of it. */
const undiciParts: Plugin = {
  name: 'undici-parts',
  resolveId: (id) => (id === 'undici' ? parts : undefined),
  load: (id) =>
    id === parts
      ? `import api from 'undici/lib/api/index.js';
import Agent from 'undici/lib/dispatcher/agent.js';
import Dispatcher from 'undici/lib/dispatcher/dispatcher.js';
import ProxyAgent from 'undici/lib/dispatcher/proxy-agent.js';
import redirect from 'undici/lib/interceptor/redirect.js';
Object.assign(Dispatcher.prototype, api);
export const interceptors = { redirect };
export { Agent, ProxyAgent };`
      : undefined,
};

const noChildren = '\0no-child-process';

/** commander without what it starts subcommands in files of their own with, which there are none of: loading it is half of a start. */
const commanderParts: Plugin = {
  name: 'commander-parts',
  resolveId: (id, importer) =>
    id === 'node:child_process' && importer?.includes('/commander/') === true ? noChildren : undefined,
  load: (id) => (id === noChildren ? 'export default {};' : undefined),
};

const packagesHere = createRequire(import.meta.url);

/** OpenTelemetry as modules, of which what is used comes: its CommonJS would come whole, and be five times as large. */
const telemetryModules: Plugin = {
  name: 'telemetry-modules',
  resolveId: (id) => {
    // Of the others, their exports say it.
    if (
      !/^@opentelemetry\/(?:core|exporter-trace-otlp-http|otlp-transformer|resources|sdk-trace|sdk-trace-base)$/.test(
        id,
      )
    )
      return undefined;
    const manifest = packagesHere.resolve(`${id}/package.json`);
    const module = textMemberOf(packagesHere(manifest), 'module');
    return module === undefined ? undefined : join(dirname(manifest), module);
  },
};

rmSync(folder, { recursive: true, force: true });
const bundle = await rolldown({
  input: {
    main: compiled('cli/main'),
    'carrier-worker': compiled('carrier/worker'),
    'prove-worker': compiled('prove/worker'),
    'prove-deep-worker': compiled('prove/deep/worker'),
    'explore-worker': compiled('prove/explore/worker'),
  },
  platform: 'node',
  plugins: [undiciParts, commanderParts, telemetryModules],
});
const { output } = await bundle.write({
  dir: folder,
  format: 'esm',
  chunkFileNames: '[name]-[hash].js',
  // What every command begins with is one file: finding a file takes as long as reading ten kilobytes of it.
  codeSplitting: { groups: [{ name: 'start', test: /dist\/cli\/(?:main|definitions)\.js$/ }] },
  minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
});
await bundle.close();

/** The package that a module comes from; nothing where it is ours. */
const packageOf = (module: string): readonly string[] =>
  /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(module)?.slice(1, 2) ?? [];

// Of which packages each file has something.
const packages = Object.fromEntries(
  output.flatMap((file) =>
    file.type === 'chunk' ? [[file.fileName, [...new Set(file.moduleIds.flatMap(packageOf))]]] : [],
  ),
);
writeFileSync(bundledPackages, `${JSON.stringify(packages, undefined, 1)}\n`);

// What the program is known by, in the results that it makes.
writeFileSync(preparedProgram, JSON.stringify({ digest: hashProgram() }));
