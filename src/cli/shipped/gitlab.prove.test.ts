import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { beforeAll, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { isJsonObject, type JsonObject } from '../../lib/json.ts';
import { describeUnless } from '../../testing/vitest/not-run.ts';
import { root } from '../../testing/program/spawn-cli.ts';
import { makeFolder } from '../../testing/program/target-file.ts';

/** gitlab-ci-local validates files against GitLab's schema and runs their jobs; it needs Node 22. */
const judge = join(root, 'ci/deploy/node_modules/gitlab-ci-local/dist/index.js');
const newer = join(root, 'ci/nodes/node_modules/n22/bin/node');
const node = Number(process.versions.node.split('.')[0]) >= 22 ? process.execPath : newer;
const missing =
  existsSync(judge) && existsSync(node) ? undefined : 'npm ci --prefix ci/deploy, and on Node 20 --prefix ci/nodes';

/** Programs on the image's PATH, and rsync, with which the runner copies projects and artifacts. */
const programs = {
  carrierspec: `#!/bin/sh\nexec "${process.execPath}" "${join(root, 'bin/carrierspec.js')}" "$@"\n`,
  'publish-history': `#!/bin/sh\nexec bash "${join(root, 'ci-templates/publish-history.sh')}" "$@"\n`,
  rsync: `#!${process.execPath}
const { cpSync, readFileSync, readdirSync } = require('node:fs');
const { join } = require('node:path');
const [from, to] = process.argv.slice(-2);
const list = process.argv.find((word) => word.startsWith('--files-from='));
const names = list === undefined ? readdirSync(from) : readFileSync(list.slice(13), 'utf8').split('\\n');
for (const name of names.filter((one) => one !== '' && !one.startsWith('.gitlab-ci-')))
  cpSync(join(from, name), join(to, name), { recursive: true });
`,
};

/** YAML examples of a page. */
const blocksOf = (page: string): readonly string[] =>
  [...readFileSync(join(root, page), 'utf8').matchAll(/^```yaml\n((?:(?!```).*\n)*)```/gm)].map(
    ([, text = '']) => text,
  );

/** Jobs of docs/ci.md, which include the template from its location. */
function documentedJobs(): JsonObject {
  const blocks = blocksOf('docs/ci.md').filter((text) => /^ {2}extends: \.carrierspec/m.test(text));
  const jobs = blocks.map((text): unknown => parse(text));
  return Object.assign({}, ...jobs.filter(isJsonObject), { include: [{ local: 'template.yml' }] }) as JsonObject;
}

interface Project {
  readonly folder: string;
  readonly bare: string;
}

let bin = '';

function git(cwd: string, ...args: readonly string[]): string {
  const identity = ['-c', 'user.name=a', '-c', 'user.email=a@project.test'];
  const { status, stdout, stderr } = spawnSync('git', [...identity, ...args], { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`);
  return stdout.trim();
}

/** Clone with the jobs of docs/ci.md and a modified template. */
function makeProject(change: (template: string) => string = (text) => text): Project {
  const home = makeFolder();
  const [folder, bare] = [join(home, 'project'), join(home, 'bare.git')];
  mkdirSync(folder);
  git(home, 'init', '--quiet', '--bare', '--initial-branch=main', bare);
  git(folder, 'init', '--quiet', '--initial-branch=main');
  const template = readFileSync(join(root, 'ci-templates/gitlab.yml'), 'utf8');
  writeFileSync(join(folder, 'template.yml'), change(template));
  writeFileSync(join(folder, '.gitlab-ci.yml'), stringify(documentedJobs()));
  cpSync(join(root, 'fixtures/reference/carrier.yaml'), join(folder, 'carrier.yaml'));
  git(folder, 'add', '--all');
  git(folder, 'commit', '--quiet', '--message', 'A project');
  // GitLab's address; the runner reads the branch name and fetches nothing.
  git(folder, 'remote', 'add', 'origin', 'https://gitlab.example/group/project.git');
  git(folder, 'symbolic-ref', 'refs/remotes/origin/HEAD', 'refs/remotes/origin/main');
  return { folder, bare };
}

/** Runs a pipeline with the user's variables. */
function runPipeline({ folder, bare }: Project, run: string, ...jobs: readonly string[]) {
  const variables = { CARRIERSPEC_RUN: run, HISTORY_REMOTE: bare };
  const given = Object.entries(variables).flatMap(([name, value]) => ['--variable', `${name}=${value}`]);
  const how = ['--force-shell-executor', '--shell-isolation', '--no-color', '--home', join(bare, '..')];
  const { status, stdout, stderr } = spawnSync(node, [judge, ...how, ...given, ...jobs], {
    cwd: folder,
    encoding: 'utf8',
    env: { PATH: `${bin}:${process.env['PATH'] ?? ''}`, HOME: join(bare, '..') },
    timeout: 100_000,
  });
  return { code: status, said: stdout + stderr };
}

const artifact = ({ folder }: Project, job: string, path: string): string =>
  join(folder, '.gitlab-ci-local/artifacts', job, path);

describeUnless(missing, 'the template, by a runner', () => {
  beforeAll(() => {
    bin = makeFolder();
    for (const [name, text] of Object.entries(programs)) writeFileSync(join(bin, name), text, { mode: 0o755 });
  });

  test('certifies, keeps the reports, and publishes the history', () => {
    const project = makeProject();
    const { code, said } = runPipeline(project, 'context-absent');
    expect(`${code}\n${said}`).toMatch(/^0\n/);
    for (const name of ['junit.xml', 'result.json', 'report.html'])
      expect(existsSync(artifact(project, 'certify', `carrierspec-report/${name}`))).toBe(true);
    expect(existsSync(artifact(project, 'pages', 'public/index.html'))).toBe(true);
    const files = git(project.bare, 'ls-tree', '-r', '--name-only', 'carrierspec-history').split('\n');
    expect(files.filter((name) => name.startsWith('results/'))).toEqual([
      expect.stringMatching(/^results\/.*\/result\.json$/),
    ]);
  }, 120_000);

  test('breaks the pipeline for a carrier that is not conformant, and keeps the reports', () => {
    const project = makeProject();
    const fault = '--fault access-denied-as-user-denied';
    // The runner returns 0 for every tolerated exit code; its summary distinguishes them, as GitLab does.
    const { said } = runPipeline(project, `denial-is-request-denied ${fault}`, 'certify');
    expect(said).toMatch(/^ FAIL {2}certify$/m);
    expect(existsSync(artifact(project, 'certify', 'carrierspec-report/junit.xml'))).toBe(true);
  }, 120_000);

  test('warns of an incomplete run, as docs/ci.md shows it', () => {
    const { said } = runPipeline(makeProject(), 'context-absent --shard 1/2', 'certify');
    expect(said).toMatch(/certify finished in .* WARN 4/);
    expect(said).not.toMatch(/^ FAIL /m);
  }, 120_000);

  test('would be refused with a member that GitLab does not know', () => {
    const project = makeProject((template) => template.replace('  after_script:', '  afterscript:'));
    const { code, said } = runPipeline(project, 'context-absent', '--list');
    expect([code, said]).toEqual([1, expect.stringContaining("'afterscript' property is not expected to be here")]);
  }, 120_000);
});
