import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants } from 'node:zlib';
import type { Plugin } from 'rolldown';
import { packageFile } from '../../lib/package-file.ts';

const folder = fileURLToPath(packageFile('reports/html'));

/** What pages run and are styled with, by their paths below reports/html. */
const readAssets = (): Readonly<Record<string, string>> =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(?:js|css)$/.test(name))
      .map((name) => [name.split('\\').join('/'), readFileSync(`${folder}/${name}`, 'utf8')]),
  );

/** As base64 of Brotli: the same bytes on every supported release of Node, and so the same digest of the program. */
const pack = (text: string): string =>
  brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } }).toString(
    'base64',
  );

/** In the bundle, `src/report/html/assets.ts` has the files inside that it reads elsewhere. */
export const assetsInside: Plugin = {
  name: 'assets-inside',
  load: (id) =>
    id.endsWith('/dist/report/html/assets.js')
      ? `import { brotliDecompressSync } from 'node:zlib';
const packed = JSON.parse(brotliDecompressSync(Buffer.from('${pack(JSON.stringify(readAssets()))}', 'base64')).toString());
export const readAsset = (path) => packed[path];
export const assetsIn = (folder) =>
  Object.keys(packed).flatMap((path) => (path.startsWith(folder) ? [path.slice(folder.length)] : []));`
      : undefined,
};
