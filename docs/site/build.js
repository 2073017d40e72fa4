// Makes the site: node docs/site/build.js [folder]. It installs its packages when they are not there yet.
import { spawnSync } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('.', import.meta.url));
const output = resolve(process.argv[2] ?? join(here, 'out'));

if (!existsSync(join(here, 'node_modules', '@11ty', 'eleventy'))) {
  console.log('npm ci in docs/site, once');
  const { status } = spawnSync('npm', ['ci', '--prefix', here, '--ignore-scripts'], { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

const begun = Date.now();
const { Eleventy } = await import('@11ty/eleventy');
rmSync(output, { recursive: true, force: true });
const eleventy = new Eleventy(join(here, 'pages'), output, {
  configPath: join(here, 'eleventy.config.js'),
  quietMode: true,
});
await eleventy.write();
console.log(`the site is in ${output}, made in ${((Date.now() - begun) / 1000).toFixed(1)} s`);
