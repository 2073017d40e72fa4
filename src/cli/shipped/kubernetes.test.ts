import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import process from 'node:process';
import { describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { isJsonObject } from '../../lib/json.ts';
import { root } from '../../testing/spawn-cli.ts';
import { makeFolder } from '../../testing/target-file.ts';

const manifests: readonly unknown[] = parseAllDocuments(
  readFileSync(join(root, 'docs/kubernetes/job.yaml'), 'utf8'),
).map((document) => {
  const value: unknown = document.toJS();
  return value;
});

/** What stands at a path of names and indexes. */
const at = (value: unknown, ...path: readonly (string | number)[]): unknown =>
  path.reduce<unknown>((inside, name) => {
    if (Array.isArray(inside)) return inside[Number(name)] as unknown;
    return isJsonObject(inside) ? inside[name] : undefined;
  }, value);

const container = (job: unknown): unknown => at(job, 'spec', 'template', 'spec', 'containers', 0);

const envOf = (job: unknown): Record<string, string> => {
  const list = at(container(job), 'env');
  return Object.fromEntries(
    (Array.isArray(list) ? list : []).map((one: unknown) => [String(at(one, 'name')), String(at(one, 'value'))]),
  );
};

/** A folder whose `carrierspec` is this one. */
function folderOfProgram(): string {
  const folder = makeFolder();
  const path = join(folder, 'carrierspec');
  writeFileSync(path, `#!/bin/sh\nexec "${process.execPath}" "${join(root, 'bin/carrierspec.js')}" "$@"\n`);
  chmodSync(path, 0o755);
  return folder;
}

const program = folderOfProgram();

/** Runs the script of a job as the container does. */
function runPod(job: unknown, env: Readonly<Record<string, string>>) {
  const [shell, flag] = ['sh', '-c'];
  expect(at(container(job), 'command')).toEqual([shell, flag]);
  const script = String(at(container(job), 'args', 0));
  const path = `${program}${delimiter}${process.env['PATH'] ?? ''}`;
  return spawnSync(shell, [flag, script], { encoding: 'utf8', env: { PATH: path, ...envOf(job), ...env } });
}

describe('the manifest for Kubernetes', () => {
  const [run, merge] = manifests;

  test('is an Indexed Job with as many pods as shards', () => {
    expect(manifests).toHaveLength(2);
    expect(at(run, 'spec', 'completionMode')).toBe('Indexed');
    expect(String(at(run, 'spec', 'completions'))).toBe(envOf(run)['SHARDS']);
  });

  test('runs a shard in each pod, and joins them; the verdict is that of the merge', () => {
    const results = makeFolder();
    const what = { RESULTS: results, SHARDS: '2' };
    const broken = 'denial-is-request-denied jti-absent --fault access-denied-as-user-denied';
    for (const index of ['0', '1']) {
      const pod = runPod(run, { ...what, CARRIERSPEC_RUN: broken, JOB_COMPLETION_INDEX: index });
      expect({ code: pod.status, wrong: pod.stderr.includes('carrierspec: ') }).toEqual({ code: 0, wrong: false });
      expect(existsSync(join(results, index, 'result.json'))).toBe(true);
    }
    const joined = runPod(merge, { RESULTS: results });
    expect(joined.status).toBe(1);
    expect(joined.stdout).toContain('1 required rule is broken');
    expect(joined.stdout).not.toContain('missing');
    expect(existsSync(join(results, 'whole', 'report.html'))).toBe(true);
  });

  test('a pod that could not run has failed', () => {
    const pod = runPod(run, { RESULTS: makeFolder(), CARRIERSPEC_RUN: 'zebra', JOB_COMPLETION_INDEX: '0' });
    expect(pod.status).toBe(2);
  });
});
