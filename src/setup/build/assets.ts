import { pathToFileURL } from 'node:url';
import { brotliCompressSync, constants } from 'node:zlib';
import type { Plugin } from 'rolldown';

/** As base64 of Brotli: the same bytes on every supported release of Node, and so the same digest of the program. */
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
