import { readdirSync, readFileSync } from 'node:fs';
import { packageFile } from '../../lib/package-file.ts';

// The bundle has another module in its place, with all of these files inside (src/setup/build/parts.ts).
const folder = packageFile('reports/html/');

/** The text of a file of reports/html, by its path from there. */
export const readAsset = (path: string): string => readFileSync(new URL(path, folder), 'utf8');

/** The names of the files in a folder of reports/html. */
export const assetsIn = (path: string): readonly string[] => readdirSync(new URL(path, folder));
