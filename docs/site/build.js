// Makes the site: node docs/site/build.js [folder]. Its packages are installed by npm ci --prefix docs/site --ignore-scripts.
import { rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('.', import.meta.url));
const output = resolve(process.argv[2] ?? join(here, 'out'));

const begun = Date.now();
const { Eleventy } = await import('@11ty/eleventy');
rmSync(output, { recursive: true, force: true });
const eleventy = new Eleventy(join(here, 'pages'), output, {
  configPath: join(here, 'eleventy.config.js'),
  quietMode: true,
});
await eleventy.write();
console.log(`the site is in ${output}, made in ${((Date.now() - begun) / 1000).toFixed(1)} s`);
