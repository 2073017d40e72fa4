import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { copyJson, followPath, isJsonObject, renderPlain } from '../../lib/json.ts';
import { runCli } from '../../testing/program/run-cli.ts';
import { root } from '../../testing/program/spawn-cli.ts';
import { makeFolder } from '../../testing/program/target-file.ts';

const script = join(root, 'ci-templates/publish-history.sh');

function shell(command: string, args: readonly string[], cwd: string, env: Readonly<Record<string, string>> = {}) {
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd,
    encoding: 'utf8',
    env: { PATH: process.env['PATH'] ?? '', HOME: cwd, ...env },
  });
  return { code: status, stdout, stderr };
}

/** A bare repository and a clone, as in a CI job. */
function makeClone() {
  const folder = makeFolder();
  const git = (...args: readonly string[]) => shell('git', args, folder);
  const bare = join(folder, 'bare.git');
  const clone = join(folder, 'clone');
  expect(git('init', '--quiet', '--bare', bare).code).toBe(0);
  expect(git('clone', '--quiet', bare, clone).code).toBe(0);
  const publish = (env: Readonly<Record<string, string>>, ...folders: readonly string[]) =>
    shell('bash', [script, ...folders], clone, {
      CARRIERSPEC: `${process.execPath} ${join(root, 'bin/carrierspec.js')}`,
      ...env,
    });
  const branch = (...args: readonly string[]): string =>
    shell('git', ['--git-dir', bare, ...args], folder).stdout.trim();
  return { clone, publish, branch };
}

async function makeRun(folder: string, name: string): Promise<void> {
  await runCli(['run', 'context-absent', '--out', join(folder, name), '--quiet']);
}

/** Makes folders that the script takes for runs, where nothing of them is read. */
function makeFolders(clone: string, ...names: readonly string[]): void {
  for (const name of names) {
    mkdirSync(join(clone, name));
    writeFileSync(join(clone, name, 'result.json'), '{}');
  }
}

/** A program in place of ours that makes an empty page: `carrierspec history RESULTS --out FOLDER`. */
const emptyPage = 'mkdir -p "$4"';

describe('publish-history.sh', () => {
  test('keeps the results of one job after another on a branch of one commit, and their page', async () => {
    const { clone, publish, branch } = makeClone();
    for (const name of ['first', 'second']) await makeRun(clone, name);
    cpSync(join(clone, 'first'), join(clone, 'third'), { recursive: true });
    // The program starts where its page is read.
    writeFileSync(join(clone, 'page.sh'), emptyPage);
    const stub = { CARRIERSPEC: 'bash page.sh' };
    expect(publish({ HISTORY_NAME: '1', ...stub }, 'first').code).toBe(0);
    const second = publish({ HISTORY_NAME: '2', HISTORY_SITE: 'public' }, 'second');
    expect(second.code).toBe(0);
    expect(second.stdout).toMatch(/^2 results read; the history is in /m);
    expect(branch('rev-list', '--count', 'carrierspec-history')).toBe('1');
    const files = branch('ls-tree', '-r', '--name-only', 'carrierspec-history').split('\n');
    expect(files).toEqual([
      'docs/.nojekyll',
      'docs/history.json',
      'docs/index.html',
      'results/1-1/result.json',
      'results/2-1/result.json',
    ]);
    expect(readFileSync(join(clone, 'public/index.html'), 'utf8')).toContain('1 carrier, 2 runs.');
    const paths = readFileSync(join(clone, 'public/history.json'), 'utf8').match(/"file":"[^"]*"/g);
    expect(paths).toEqual(['"file":"../results/1-1/result.json"', '"file":"../results/2-1/result.json"']);
    expect(publish({ HISTORY_NAME: '3', HISTORY_KEEP: '2', ...stub }, 'third').code).toBe(0);
    const kept = branch('ls-tree', '--name-only', 'carrierspec-history', 'results/').split('\n');
    expect(kept).toEqual(['results/2-1', 'results/3-1']);
    // The job's checkout stays as it was.
    expect(shell('git', ['status', '--short'], clone).stdout.split('\n').toSorted()).toEqual([
      '',
      '?? first/',
      '?? page.sh',
      '?? public/',
      '?? second/',
      '?? third/',
    ]);
  }, 60_000);

  test('begins again where another job was faster, and loses nothing', () => {
    const { clone, publish, branch } = makeClone();
    makeFolders(clone, 'one', 'other');
    writeFileSync(join(clone, 'page.sh'), emptyPage);
    expect(publish({ HISTORY_NAME: '0', CARRIERSPEC: 'bash page.sh' }, 'one').code).toBe(0);
    // Another job pushes while the page is first made.
    const inner = `cd '${clone}' && CARRIERSPEC='bash page.sh' HISTORY_NAME=1 bash '${script}' one`;
    const race = `if [[ ! -e raced ]]; then touch raced; (${inner}) >&2; fi\n${emptyPage}\n`;
    writeFileSync(join(clone, 'slow.sh'), race);
    const { code, stderr } = publish({ HISTORY_NAME: '2', CARRIERSPEC: 'bash slow.sh' }, 'other');
    expect({ code, said: /^try 1: the branch was not pushed$/m.test(stderr) }).toEqual({ code: 0, said: true });
    expect(branch('ls-tree', '--name-only', 'carrierspec-history', 'results/').split('\n')).toEqual([
      'results/0-1',
      'results/1-1',
      'results/2-1',
    ]);
  });

  test('pushes nothing where the history cannot be made', () => {
    const { clone, publish, branch } = makeClone();
    makeFolders(clone, 'one');
    writeFileSync(join(clone, 'page.sh'), emptyPage);
    expect(publish({ CARRIERSPEC: 'false' }, 'one').code).toBe(1);
    const nowhere = { CARRIERSPEC: 'bash page.sh', HISTORY_REMOTE: join(clone, 'nowhere.git') };
    expect(publish(nowhere, 'one').code).toBe(1);
    expect(branch('branch', '--list')).toBe('');
  });

  test.each([
    ['no folder', {}, [], 'usage: publish-history.sh FOLDER..., each with the result.json or journal.jsonl of a run\n'],
    ['a folder without a result', {}, ['empty'], 'empty has no result.json and no journal.jsonl\n'],
    ['no number to keep', { HISTORY_KEEP: '0; ls' }, ['empty'], 'HISTORY_KEEP: "0; ls" is no number of runs\n'],
  ])('2: %s, and nothing is pushed', (_, env, folders, message) => {
    const { clone, publish, branch } = makeClone();
    mkdirSync(join(clone, 'empty'));
    const { code, stderr } = publish(env, ...folders);
    expect({ code, stderr }).toEqual({ code: 2, stderr: message });
    expect(branch('branch', '--list')).toBe('');
  });
});

test('github-history.yml is YAML, and calls the script where the package has it', () => {
  const text = readFileSync(join(root, 'ci-templates/github-history.yml'), 'utf8');
  expect(isJsonObject(parse(text))).toBe(true);
  const [, path = ''] = /node_modules\/carrierspec\/(\S+\.sh)/.exec(text) ?? [];
  expect(existsSync(join(root, path))).toBe(true);
  expect(path).not.toBe('');
});

test('gitlab.yml calls the script by the name that it has in the image', () => {
  const jobs: unknown = parse(readFileSync(join(root, 'ci-templates/gitlab.yml'), 'utf8'));
  const line = renderPlain(copyJson(followPath(jobs, ['.carrierspec-history', 'script', '0'])));
  const [, command = ''] = /command -v (\S+)/.exec(line) ?? [];
  const image = readFileSync(join(root, 'docs/container/Dockerfile'), 'utf8');
  const [, path = ''] = new RegExp(String.raw`^RUN ln -s (\S+) /usr/local/bin/${command}$`, 'm').exec(image) ?? [];
  expect(path).toMatch(/\/node_modules\/carrierspec\/ci-templates\/publish-history\.sh$/);
});
