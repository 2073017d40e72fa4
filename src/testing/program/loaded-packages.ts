import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { isJsonObject, parseJson } from '../../lib/json.ts';
import { bundledPackages } from '../../setup/paths.ts';
import { type ProcessResult, spawnCli, type SpawnOptions } from './spawn-cli.ts';
import { makeFolder } from './target-file.ts';

/** Records the URL of every module that Node loads, from a separate thread (node:module, register). */
const hook = `
  import { appendFileSync } from 'node:fs';
  export const initialize = (path) => { globalThis.path = path; };
  export const load = (url, context, next) => { appendFileSync(globalThis.path, url + '\\n'); return next(url, context); };`;

function preloadOf(trace: string): string {
  const url = JSON.stringify(`data:text/javascript,${encodeURIComponent(hook)}`);
  const preload = `import { register } from 'node:module'; register(${url}, { data: ${JSON.stringify(trace)} });`;
  return `data:text/javascript,${encodeURIComponent(preload)}`;
}

/** Names of the npm packages in a bundle file, as the build recorded them. */
function packagesIn(url: string): readonly string[] {
  if (!url.includes('/dist/bundle/')) return [];
  const packages = parseJson(readFileSync(bundledPackages, 'utf8'));
  const names = isJsonObject(packages) ? packages[basename(url)] : undefined;
  if (!Array.isArray(names)) throw new Error(`the build has written nothing of ${url}`);
  return names.filter((name) => typeof name === 'string');
}

/** Runs a command; returns how it ended, and the npm packages that it loaded. */
export async function spawnAndSeePackages(
  args: readonly string[],
  options: SpawnOptions = {},
): Promise<ProcessResult & { readonly packages: ReadonlySet<string> }> {
  const trace = join(makeFolder(), 'modules');
  const ended = await spawnCli(args, { ...options, node: ['--import', preloadOf(trace)] });
  const urls = readFileSync(trace, 'utf8').split('\n');
  return { ...ended, packages: new Set(urls.flatMap(packagesIn)) };
}
