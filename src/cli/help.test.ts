import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { root, runCli } from '../testing/spawn-cli.ts';
import { makeFolder } from '../testing/target-file.ts';
import { commands } from './main.ts';

const names = commands.map(({ definition }) => definition.name);

/** Loaded only by the commands that need them. */
const heavy = ['fastify', 'undici', 'ajv', 'jose', 'yaml', 'chalk'];

/** Notes the URL of every module that Node loads, from a thread of its own (node:module, register). */
const hook = `
  import { appendFileSync } from 'node:fs';
  export const initialize = (path) => { globalThis.path = path; };
  export const load = (url, context, next) => { appendFileSync(globalThis.path, url + '\\n'); return next(url, context); };`;

function preloadOf(trace: string): string {
  const url = JSON.stringify(`data:text/javascript,${encodeURIComponent(hook)}`);
  const preload = `import { register } from 'node:module'; register(${url}, { data: ${JSON.stringify(trace)} });`;
  return `data:text/javascript,${encodeURIComponent(preload)}`;
}

/** Names of the npm packages that a command loads. */
async function packagesLoadedBy(...args: readonly string[]): Promise<ReadonlySet<string>> {
  const trace = join(makeFolder(), 'modules');
  const { code } = await runCli(args, { node: ['--import', preloadOf(trace)] });
  expect(code).toBe(0);
  const urls = readFileSync(trace, 'utf8').split('\n');
  return new Set(urls.flatMap((url) => /\/node_modules\/([^/]+)\//.exec(url)?.[1] ?? []));
}

describe('help and version', () => {
  test('--version prints the version of the package on stdout', async () => {
    const { code, stdout, stderr } = await runCli(['--version']);
    const manifest: unknown = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(manifest).toMatchObject({ version: stdout.trimEnd() });
  });

  test('--help names every command on stdout', async () => {
    const { code, stdout, stderr } = await runCli(['--help']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    for (const command of names) expect(stdout).toMatch(new RegExp(`^  ${command} `, 'm'));
  });

  test.each(names)('%s --help ends with examples', async (command) => {
    const { code, stdout, stderr } = await runCli([command, '--help']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(new RegExp(`\\nExamples:\\n(  carrierspec ${command}.*\\n)+`));
  });

  test('help COMMAND is the same as COMMAND --help', async () => {
    expect(await runCli(['help', 'run'])).toEqual(await runCli(['run', '--help']));
  });

  test('without a command there is the help, on stderr, and exit code 2', async () => {
    const { code, stdout, stderr } = await runCli([]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^Usage: carrierspec /);
  });

  test.each([[['--help']], [['--version']], [['run', '--help']]])('%j loads nothing but commander', async (args) => {
    expect(await packagesLoadedBy(...args)).toEqual(new Set(['commander']));
  });

  test('and what others load would have been seen', async () => {
    const loaded = await packagesLoadedBy('run', 'jti-absent', '--out', makeFolder());
    for (const name of heavy) expect(loaded).toContain(name);
  });
});
