import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { listPackageFiles, packageFile, readPackageText } from '../../lib/package-file.ts';

// The bundled program replaces this module with one that holds its values (src/setup/build/bundle-plugins.ts).
const folder = fileURLToPath(packageFile('reports/html/'));

/** Bundles a module of reports/html and its imports into one script. */
async function bundle(entry: string): Promise<string> {
  const made = await rolldown({ input: `${folder}${entry}`, tsconfig: false });
  const { output } = await made.generate({ format: 'iife', comments: false, intro: "'use strict';" });
  await made.close();
  return output[0].code;
}

export const styles: Readonly<Record<string, string>> = Object.fromEntries(
  listPackageFiles(`${folder}style`).map((name) => [
    name.replace('.css', ''),
    readPackageText(`${folder}style/${name}`),
  ]),
);

export const scripts = { report: await bundle('start.ts'), live: await bundle('live/start.ts') };
