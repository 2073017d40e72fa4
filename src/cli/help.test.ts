import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { spawnAndSeePackages } from '../testing/program/loaded-packages.ts';
import { runCli } from '../testing/program/run-cli.ts';
import { root } from '../testing/program/spawn-cli.ts';
import { makeFolder } from '../testing/program/target-file.ts';
import { commands } from './main.ts';

const names = commands.map(({ definition }) => definition.name);

/** Loaded only by the commands that need them. */
const heavy = ['fastify', 'undici', 'ajv', 'jose', 'yaml', 'chalk'];

/** Names of the npm packages loaded by a command. */
async function packagesLoadedBy(...args: readonly string[]): Promise<ReadonlySet<string>> {
  const { code, packages } = await spawnAndSeePackages(args);
  expect(code).toBe(0);
  return packages;
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
    const list = stdout.slice(0, stdout.indexOf('\nExamples:'));
    const headings = [...list.matchAll(/^(\S.*:)\n {2}[a-z]+ /gm)].map(([, heading]) => heading);
    expect(headings).toEqual(['Certify a carrier:', 'At the desk:', 'Results:', 'The suite itself:']);
    expect(stdout).toMatch(/\nExit codes:\n {2}0 {4}conformant\n[\s\S]* {2}130 {2}interrupted\n/);
  });

  test.each(names)('%s --help has examples, exit codes and where to read more, and no noise', async (command) => {
    const { code, stdout, stderr } = await runCli([command, '--help']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(new RegExp(`\\nExamples:\\n(  carrierspec ${command}.*\\n)+\\nExit codes:\\n  0 `));
    expect(stdout).toMatch(
      /\n {2}5 {4}a fault of carrierspec itself\n( {2}130 {2}interrupted\n)?\nMore: (docs\/|README)[a-z-]*\.md of the package\n$/,
    );
    expect(stdout).not.toMatch(/\(default: (\[\]|false)\)/);
  });

  test('the flags of run stand below headings, the common ones with a letter', async () => {
    const { stdout } = await runCli(['run', '--help']);
    const headings = ['Which carrier:', 'What is selected:', 'What is written:', 'How it runs:'];
    const at = headings.map((heading) => stdout.indexOf(`\n${heading}\n`));
    expect(at.every((place) => place > 0)).toBe(true);
    expect(at).toEqual(at.toSorted((one, other) => one - other));
    for (const flag of ['-t, --target', '-f, --fault', '-r, --report', '-o, --out']) {
      expect(stdout).toContain(`\n  ${flag} `);
    }
  });

  test('the commands that only prove the suite stand in a group of their own', () => {
    const own = commands.filter(({ definition }) => definition.group === 'suite');
    expect(own.map(({ definition }) => definition.name)).toEqual(['prove', 'explore']);
  });

  test('has at most 20 commands, and each at most 20 flags; run has two more, for phones and for production', () => {
    expect(names.length).toBe(20);
    const many = commands.filter(
      ({ definition }) => Object.keys(definition.flags).length > (definition.name === 'run' ? 22 : 20),
    );
    expect(many.map(({ definition }) => definition.name)).toEqual([]);
  });

  test('without a command there is the help, on stderr, and exit code 2', async () => {
    const { code, stdout, stderr } = await runCli([]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^Usage: carrierspec /);
  });

  test.each([[['--help']], [['run', '--help']]])('%j loads nothing but commander', async (args) =>
    expect(await packagesLoadedBy(...args)).toEqual(new Set(['commander'])),
  );

  test('--version loads no package', async () => expect(await packagesLoadedBy('--version')).toEqual(new Set()));

  test('and what others load would have been seen', async () => {
    const loaded = await packagesLoadedBy('run', 'jti-absent', '--out', makeFolder());
    for (const name of heavy) expect(loaded).toContain(name);
  });
});
