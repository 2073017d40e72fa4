import type { Plugin } from 'rolldown';
import { pathToFileURL } from 'node:url';
import { brotliCompressSync, constants } from 'node:zlib';

/** Base64 of Brotli: the same bytes, and so the same digest of the program, on every supported release of Node. */
const pack = (text: string): string =>
  brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } }).toString(
    'base64',
  );

/** In the bundle, `src/report/html/assets.ts` has the scripts and style sheets inside that it makes and reads elsewhere. */
export const assetsInside: Plugin = {
  name: 'assets-inside',
  load: async (id) => {
    if (!id.endsWith('/dist/report/html/assets.js')) return undefined;
    const values: unknown = await import(pathToFileURL(id).href);
    return `import { brotliDecompressSync } from 'node:zlib';
export const { scripts, styles } = JSON.parse(brotliDecompressSync(Buffer.from('${pack(JSON.stringify(values))}', 'base64')).toString());`;
  },
};

/** A module that stands for others in the bundle: which, and its text. */
interface Stand {
  readonly name: string;
  readonly stands: (id: string, importer: string | undefined) => boolean;
  readonly text: string;
}

/** One module of the bundle in the place of others. */
export const standIn = ({ name, stands, text }: Stand): Plugin => ({
  name,
  resolveId: (id, importer) => (stands(id, importer) ? `\0${name}` : undefined),
  load: (id) => (id === `\0${name}` ? text : undefined),
});

const from = (importer: string | undefined, packageName: string): boolean =>
  importer?.includes(`/node_modules/${packageName}/`) === true;

/** Parts of packages that the bundle leaves out because the program never reaches them: loading them takes longer than all our code. */
const stands: readonly Stand[] = [
  {
    // Without fetch and WebSocket above all.
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
    // No request of ours is a form of fetch, and none uses HTTP/2: undici offers that to a server only on request.
    name: 'no-forms-no-http2',
    stands: (id, importer) => from(importer, 'undici') && ['../web/fetch/body.js', './client-h2.js'].includes(id),
    text: 'export default {};',
  },
  {
    // If this HTTP parser does not load, undici uses its other one.
    name: 'no-simd-parser',
    stands: (id, importer) => from(importer, 'undici') && id === '../llhttp/llhttp_simd-wasm.js',
    text: 'export default {};',
  },
  {
    // commander starts subcommands in files of their own with it, which there are none of.
    name: 'no-child-process',
    stands: (id, importer) => id === 'node:child_process' && from(importer, 'commander'),
    text: 'export default {};',
  },
  {
    // No server of ours has a schema, a log of fastify, a route by version, a proxy before it, or a request without a socket.
    name: 'fastify-parts',
    stands: (id, importer) =>
      from(importer, 'fastify') &&
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
    // No route of ours has a regular expression.
    name: 'no-expressions-in-routes',
    stands: (id, importer) => from(importer, 'find-my-way') && id === 'safe-regex2',
    text: 'module.exports = () => true;',
  },
];

/** Plugins that leave out of the bundle what is never used. */
export const withoutUnused: readonly Plugin[] = stands.map(standIn);

const inBundle = 'require("./ajv.cjs")';

/** In the bundle, `src/lib/validator.ts` takes ajv from the file beside it: where the package is installed there is no other. */
export const ajvBeside: Plugin = {
  name: 'ajv-beside',
  transform: (code, id) => {
    if (!id.endsWith('/dist/lib/validator.js')) return undefined;
    const changed = code.replaceAll(/require\('ajv(?:\/dist\/2020\.js)?'\)/g, inBundle);
    if (changed.split(inBundle).length !== 3) throw new Error('dist/lib/validator.js asks for ajv in another way');
    return { code: changed };
  },
};
