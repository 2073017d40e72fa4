import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { follow } from '../../lib/json.ts';
import { root } from '../../testing/spawn-cli.ts';

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
