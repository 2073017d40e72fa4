import { spawnSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { describe, expect, test } from 'vitest';
import { root } from '../../testing/program/spawn-cli.ts';
import { makeFolder } from '../../testing/program/target-file.ts';

/** Runs the linters of ci/deploy: actionlint for workflows, and one for container files. */
const judge = (...paths: readonly string[]) => {
  const checker = join(root, 'ci/deploy/check.js');
  const { status, stdout, stderr } = spawnSync(process.execPath, [checker, ...paths], { cwd: root, encoding: 'utf8' });
  return { status, stdout, stderr };
};

const filesIn = (folder: string): readonly string[] =>
  readdirSync(join(root, folder)).flatMap((name) => (name.endsWith('.yml') ? [`${folder}/${name}`] : []));

/** Writes a file that every linter rejects; returns its path. */
function write(name: string, text: string): string {
  const path = join(makeFolder(), name);
  writeFileSync(path, text);
  return path;
}

describe('what deploys', () => {
  const workflows = filesIn('.github/workflows');

  test('has no mistake that its linters see', () => {
    expect(workflows.length).toBeGreaterThanOrEqual(2);
    const templates = ['ci-templates/github.yml', 'ci-templates/github-history.yml'];
    const others = ['action.yml', ...templates, 'docs/ci.md', 'docs/container/Dockerfile'];
    expect(judge(...workflows, ...others)).toEqual({ status: 0, stdout: '', stderr: '' });
  }, 240_000);

  test('would be told of a workflow with a member that no step has', () => {
    const steps = '[{ uses: actions/checkout@v5, wiht: { ref: x } }]';
    const text = `on: push\njobs:\n  a:\n    runs-on: ubuntu-latest\n    steps: ${steps}\n`;
    const { status, stdout } = judge(write('wrong.yml', text));
    expect(status).toBe(1);
    expect(stdout).toMatch(/wrong\.yml:5: .*wiht/);
  }, 120_000);
});
