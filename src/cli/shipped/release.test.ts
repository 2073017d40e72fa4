import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { isJsonObject } from '../../lib/json.ts';
import { root } from '../../testing/program/spawn-cli.ts';

const checker = join(root, 'ci/release/check.js');
const [, version = ''] = /"version": "([^"]+)"/.exec(readFileSync(join(root, 'package.json'), 'utf8')) ?? [];

function check(...args: readonly string[]): readonly [code: number | null, output: string] {
  const { status, stdout, stderr } = spawnSync(process.execPath, [checker, ...args], { encoding: 'utf8' });
  return [status, stdout + stderr];
}

describe('a release', () => {
  test('has one version in its tag, the package, the lock file and the changelog', () =>
    expect(check(`v${version}`)).toEqual([0, `version ${version}\n`]));

  test('has the notes of its version and of no other', () => {
    const [code, notes] = check(`v${version}`, '--notes');
    expect(code).toBe(0);
    expect(notes).toContain('### Added');
    expect(notes).not.toMatch(/^## /m);
  });

  test.each([
    ['of another version', 'v99.0.0', /package\.json has .*, the tag 99\.0\.0/],
    ['that is none', '1.0', /1\.0 is not as v1\.0\.0 or v1\.0\.0-rc\.1/],
    ['that is missing', '', / is not as v1\.0\.0/],
  ])('is refused for a tag %s', (_, tag, words) => expect(check(tag)).toEqual([1, expect.stringMatching(words)]));
});

describe('the workflow of a release', () => {
  const workflow: unknown = parse(readFileSync(join(root, '.github/workflows/release.yml'), 'utf8'));
  const jobs = isJsonObject(workflow) && isJsonObject(workflow['jobs']) ? workflow['jobs'] : {};

  test('publishes nothing before all tests have passed', () => {
    expect(JSON.stringify(jobs['test'])).toContain('.ci/run');
    const others = Object.entries(jobs).filter(([name]) => name !== 'test');
    expect(others.length).toBeGreaterThan(0);
    for (const [name, job] of others) expect([name, isJsonObject(job) ? job['needs'] : '']).toEqual([name, 'test']);
  });

  test('publishes with provenance', () => {
    expect(JSON.stringify(jobs['package'])).toContain('npm publish carrierspec-*.tgz --provenance');
    expect(isJsonObject(jobs['package']) ? jobs['package']['permissions'] : {}).toMatchObject({ 'id-token': 'write' });
  });
});
