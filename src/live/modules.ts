import { readdirSync, readFileSync } from 'node:fs';
import { packageFile } from '../lib/package-file.ts';
import { readModules } from '../report/html/page.ts';

const folder = packageFile('reports/html/live/');

/** Every module of the page by its path: those that reports have too, and all that stand in reports/html/live. */
export const readLiveModules = (): ReadonlyMap<string, string> =>
  new Map([
    ...readModules(),
    ...readdirSync(folder).map((name) => [`live/${name}`, readFileSync(new URL(name, folder), 'utf8')] as const),
  ]);
