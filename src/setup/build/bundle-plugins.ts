import type { Plugin } from 'rolldown';
import { pathToFileURL } from 'node:url';
import { brotliCompressSync, constants } from 'node:zlib';

/** Brotli, then Base64. Every supported Node release gives the same bytes, so the program's digest is the same. */
const packAsset = (text: string): string =>
  brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } }).toString(
    'base64',
  );

/** Embeds the scripts and style sheets in the bundle, in place of the code in `src/report/html/assets.ts` that builds and reads them. */
export const embedAssets: Plugin = {
  name: 'assets-inside',
  load: async (id) => {
    if (!id.endsWith('/dist/report/html/assets.js')) return undefined;
    const values: unknown = await import(pathToFileURL(id).href);
    return `import { brotliDecompressSync } from 'node:zlib';
export const { scripts, styles } = JSON.parse(brotliDecompressSync(Buffer.from('${packAsset(JSON.stringify(values))}', 'base64')).toString());`;
  },
};

/** A replacement module: which imports it replaces, and its text. */
interface ModuleReplacement {
  readonly name: string;
  readonly stands: (id: string, importer: string | undefined) => boolean;
  readonly text: string;
}

/** Replaces the imports that match with one module. */
export const replaceModules = ({ name, stands, text }: ModuleReplacement): Plugin => ({
  name,
  resolveId: (id, importer) => (stands(id, importer) ? `\0${name}` : undefined),
  load: (id) => (id === `\0${name}` ? text : undefined),
});

const isImportedBy = (importer: string | undefined, packageName: string): boolean =>
  importer?.includes(`/node_modules/${packageName}/`) === true;

/** Parts of packages that the program never reaches. The bundle leaves them out because loading them takes longer than all our code. */
const moduleReplacements: readonly ModuleReplacement[] = [
  {
    // Leaves out fetch and WebSocket above all.
    name: 'undici-parts',
    stands: (id) => id === 'undici',
    text: `import api from 'undici/lib/api/index.js';
import Agent from 'undici/lib/dispatcher/agent.js';
import Dispatcher from 'undici/lib/dispatcher/dispatcher.js';
import ProxyAgent from 'undici/lib/dispatcher/proxy-agent.js';
import redirect from 'undici/lib/interceptor/redirect.js';
Object.assign(Dispatcher.prototype, api);
export const interceptors = { redirect };
export { Agent, ProxyAgent };`,
  },
  {
    // Our requests send no fetch form and never use HTTP/2, which undici uses only on request.
    name: 'no-forms-no-http2',
    stands: (id, importer) =>
      isImportedBy(importer, 'undici') && ['../web/fetch/body.js', './client-h2.js'].includes(id),
    text: 'export default {};',
  },
  {
    // undici falls back to its other HTTP parser when this one does not load.
    name: 'no-simd-parser',
    stands: (id, importer) => isImportedBy(importer, 'undici') && id === '../llhttp/llhttp_simd-wasm.js',
    text: 'export default {};',
  },
  {
    // commander needs it only for subcommands in files of their own; we have none.
    name: 'no-child-process',
    stands: (id, importer) => id === 'node:child_process' && isImportedBy(importer, 'commander'),
    text: 'export default {};',
  },
  {
    // Our servers use no schemas, fastify logging, version routes, trusted proxy or injected requests.
    name: 'fastify-parts',
    stands: (id, importer) =>
      isImportedBy(importer, 'fastify') &&
      [
        '@fastify/ajv-compiler',
        '@fastify/fast-json-stringify-compiler',
        '@fastify/proxy-addr',
        'light-my-request',
        './logger-pino.js',
        'semver',
      ].includes(id),
    text: 'export default {};',
  },
  {
    // No route of ours contains a regular expression.
    name: 'no-expressions-in-routes',
    stands: (id, importer) => isImportedBy(importer, 'find-my-way') && id === 'safe-regex2',
    text: 'module.exports = () => true;',
  },
];

/** Plugins that leave unused code out of the bundle. */
export const unusedCodePlugins: readonly Plugin[] = moduleReplacements.map(replaceModules);

const bundledAjv = 'require("./ajv.cjs")';

/** In the bundle, `src/lib/validator.ts` loads ajv from the file beside it, because the installed package has no dependencies. */
export const externalAjv: Plugin = {
  name: 'ajv-beside',
  transform: (code, id) => {
    if (!id.endsWith('/dist/lib/validator.js')) return undefined;
    const changed = code.replaceAll(/require\('ajv(?:\/dist\/2020\.js)?'\)/g, bundledAjv);
    if (changed.split(bundledAjv).length !== 3) throw new Error('dist/lib/validator.js asks for ajv in another way');
    return { code: changed };
  },
};
