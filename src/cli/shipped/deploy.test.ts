import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { follow } from '../../lib/json.ts';
import { root } from '../../testing/spawn-cli.ts';
import { makeFolder } from '../../testing/target-file.ts';

/** What the linters of ci/deploy say of files: an empty text where nothing is wrong. */
function lint(files: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, 'ci/deploy/check.js'), ...files], {
    cwd: root,
    encoding: 'utf8',
  });
  expect(status).toBe(stdout === '' ? 0 : 1);
  return `${stdout}${stdout === '' ? stderr.replace(/^added .*$/m, '').trim() : ''}`;
}

const workflows = readdirSync(join(root, '.github/workflows')).map((name) => `.github/workflows/${name}`);

describe('what deploys', () => {
  test('has no mistake that its linters see', () => {
    expect(workflows.length).toBeGreaterThanOrEqual(3);
    const others = ['action.yml', 'ci-templates/github-history.yml', 'docs/ci.md', 'docs/site.md'];
    expect(lint([...workflows, ...others, 'docs/container/Dockerfile', 'docs/kubernetes/job.yaml'])).toBe('');
  }, 120_000);

  test('would be told if it had', () => {
    const file = join(makeFolder(), 'wrong.yml');
    const steps = '[{ uses: actions/checkout@v5, wiht: { ref: x } }]';
    writeFileSync(file, `on: push\njobs:\n  a:\n    runs-on: ubuntu-latest\n    steps: ${steps}\n`);
    expect(lint([file])).toMatch(/wrong\.yml:5: .*wiht/);
  }, 120_000);
});

describe('the workflow of the site', () => {
  const workflow: unknown = parse(readFileSync(join(root, '.github/workflows/site.yml'), 'utf8'));

  test('publishes with a job that sees no code and holds no other right', () => {
    expect(follow(workflow, ['permissions'])).toEqual({ contents: 'read' });
    expect(follow(workflow, ['jobs', 'publish', 'permissions'])).toEqual({ pages: 'write', 'id-token': 'write' });
    expect(JSON.stringify(follow(workflow, ['jobs', 'publish', 'steps']))).not.toMatch(/checkout|"run"/);
    expect(JSON.stringify(follow(workflow, ['jobs', 'build', 'permissions']))).not.toContain('write');
  });

  test('is called by a release, which gives it no more than that', () => {
    const release: unknown = parse(readFileSync(join(root, '.github/workflows/release.yml'), 'utf8'));
    expect(follow(release, ['jobs', 'site'])).toEqual({
      needs: 'test',
      permissions: { contents: 'read', pages: 'write', 'id-token': 'write' },
      uses: './.github/workflows/site.yml',
    });
  });
});
