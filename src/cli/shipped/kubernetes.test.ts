import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  at,
  carrierspecScript,
  envOf,
  folderOfPrograms,
  readManifests,
  runContainer,
} from '../../testing/manifests.ts';
import { makeFolder } from '../../testing/target-file.ts';

const manifests = readManifests('docs/kubernetes/job.yaml');
const container = (job: unknown): unknown => at(job, 'spec', 'template', 'spec', 'containers', 0);
const programs = folderOfPrograms({ carrierspec: carrierspecScript });

/** Runs the script of a job as the container does. */
const runPod = (job: unknown, env: Readonly<Record<string, string>>) => runContainer(container(job), { programs, env });

describe('the manifest for Kubernetes', () => {
  const [run, merge] = manifests;

  test('is an Indexed Job with as many pods as shards', () => {
    expect(manifests).toHaveLength(2);
    expect(at(run, 'spec', 'completionMode')).toBe('Indexed');
    expect(String(at(run, 'spec', 'completions'))).toBe(envOf(container(run))['SHARDS']);
  });

  test('runs a shard in each pod, and joins them; the verdict is that of the merge', async () => {
    const results = makeFolder();
    const what = { RESULTS: results, SHARDS: '2' };
    const broken = 'denial-is-request-denied jti-absent --fault access-denied-as-user-denied';
    for (const index of ['0', '1']) {
      const pod = await runPod(run, { ...what, CARRIERSPEC_RUN: broken, JOB_COMPLETION_INDEX: index });
      expect({ code: pod.code, wrong: pod.stderr.includes('carrierspec: ') }).toEqual({ code: 0, wrong: false });
      expect(existsSync(join(results, index, 'result.json'))).toBe(true);
    }
    const joined = await runPod(merge, { RESULTS: results });
    expect(joined.code).toBe(1);
    expect(joined.stdout).toContain('1 required rule is broken');
    expect(joined.stdout).not.toContain('missing');
    expect(existsSync(join(results, 'whole', 'report.html'))).toBe(true);
  });

  test('a pod that could not run has failed', async () => {
    const pod = await runPod(run, { RESULTS: makeFolder(), CARRIERSPEC_RUN: 'zebra', JOB_COMPLETION_INDEX: '0' });
    expect(pod.code).toBe(2);
  });
});
