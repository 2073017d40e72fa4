import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  at,
  carrierspecScript,
  folderOfPrograms,
  listAt,
  readManifests,
  runContainer,
  textAt,
} from '../../testing/manifests.ts';
import { makeFolder } from '../../testing/target-file.ts';

const nightly = readManifests('docs/fleet/nightly.yaml');
const receivers = readManifests('docs/fleet/receivers.yaml');
const morning = readManifests('docs/fleet/morning.yaml');

const named = (manifests: readonly unknown[], name: string): unknown =>
  manifests.find((one) => at(one, 'metadata', 'name') === name);
const job = at(named(nightly, 'fleet-night'), 'spec', 'jobTemplate', 'spec');
const pod = at(job, 'template', 'spec');
const [certify] = listAt(pod, 'initContainers');
const [keep] = listAt(pod, 'containers');
const morningPod = at(morning[0], 'spec', 'jobTemplate', 'spec', 'template', 'spec');
const carriers = textAt(named(nightly, 'fleet'), 'data', 'carriers').trimEnd().split('\n');

describe('the manifests', () => {
  test('have each of 50 carriers once: a line, files, a Service and a host, in one order', () => {
    expect(new Set(carriers).size).toBe(50);
    expect(at(job, 'completions')).toBe(50);
    const sources = listAt(pod, 'volumes', 3, 'projected', 'sources').map((one) => ({
      name: at(one, 'secret', 'name'),
      paths: listAt(one, 'secret', 'items').map((item) => at(item, 'path')),
    }));
    expect(sources).toEqual(
      carriers.map((name, index) => ({
        name: `carrier-${name}`,
        paths: [`${index}/carrier.yaml`, `${index}/main.json`],
      })),
    );
    const [ingress, ...services] = receivers;
    expect(services.map((one) => [at(one, 'metadata', 'name'), at(one, 'spec', 'selector')])).toEqual(
      carriers.map((name, index) => [
        `receiver-${name}`,
        { app: 'fleet-night', 'batch.kubernetes.io/job-completion-index': String(index) },
      ]),
    );
    const hosts = listAt(ingress, 'spec', 'rules').map((one) => [
      at(one, 'host'),
      at(one, 'http', 'paths', 0, 'backend', 'service', 'name'),
    ]);
    expect(hosts).toEqual(carriers.map((name) => [`${name}.receivers.sp.example`, `receiver-${name}`]));
    // A pod whose init container runs is not ready.
    for (const one of services) expect(at(one, 'spec', 'publishNotReadyAddresses')).toBe(true);
  });

  test('run nothing as root, with a root file system to write to, or without bounds of memory', () => {
    for (const one of [pod, morningPod]) {
      expect(at(one, 'securityContext')).toMatchObject({
        runAsNonRoot: true,
        seccompProfile: { type: 'RuntimeDefault' },
      });
      expect(at(one, 'automountServiceAccountToken')).toBe(false);
      for (const container of [...listAt(one, 'initContainers'), ...listAt(one, 'containers')]) {
        expect(at(container, 'securityContext')).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        });
        expect(at(container, 'resources', 'limits', 'memory')).toEqual(expect.any(String));
      }
    }
  });

  test('give the files of a carrier to its own run alone, and the keys of the storage to no run', () => {
    const mounts = listAt(certify, 'volumeMounts').filter((one) => at(one, 'name') === 'carriers');
    expect(mounts).toEqual([
      { name: 'carriers', mountPath: '/carrier', subPathExpr: '$(JOB_COMPLETION_INDEX)', readOnly: true },
    ]);
    expect(listAt(keep, 'volumeMounts').map((one) => at(one, 'name'))).toEqual(['work', 'tmp']);
    expect(at(certify, 'envFrom')).toBeUndefined();
  });

  test('do not run a carrier again for what would come out again', () => {
    const [disrupted, final] = listAt(job, 'podFailurePolicy', 'rules');
    expect(disrupted).toMatchObject({ action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget' }] });
    expect(final).toEqual({
      action: 'FailIndex',
      onExitCodes: { containerName: at(keep, 'name'), operator: 'In', values: [1, 2, 4] },
    });
    expect(at(job, 'backoffLimitPerIndex')).toBe(1);
  });
});

/** An object storage that is a folder: `storage:` is $STORAGE. Includes are not looked at: everything is copied. */
const rclone = `
case $1 in copy|sync) ;; *) exit 2 ;; esac
[ ! -e "$STORAGE.broken" ] || exit 5
from=$(echo "$2" | sed "s|^storage:|$STORAGE/|") to=$(echo "$3" | sed "s|^storage:|$STORAGE/|")
mkdir -p "$to" && cp -R "$from/." "$to"`;
/** Keeps what is sent to the webhook. */
const curl = `
for one in "$@"; do case $one in @*) cat "\${one#@}" >> "$SENT" ;; esac; done`;
const programs = folderOfPrograms({ carrierspec: carrierspecScript, rclone, curl });

const today = (): string => new Date().toISOString().slice(0, 10);

/** A pod of the night: its two containers, one after the other. */
async function runPod(index: number, env: Readonly<Record<string, string>>) {
  const work = makeFolder();
  const list = join(work, 'carriers');
  writeFileSync(list, 'north\nsouth\neast 1/2\neast 2/2\n');
  const given = { WORK: work, CARRIERS: list, JOB_COMPLETION_INDEX: String(index), ...env };
  const run = await runContainer(certify, { programs, env: given });
  expect(run.code).toBe(0);
  const kept = await runContainer(keep, { programs, env: given });
  return { code: kept.code, stderr: run.stderr };
}

const cases = 'denial-is-request-denied jti-absent';
const broken = `${cases} --fault access-denied-as-user-denied`;

describe('the night', () => {
  test.each([
    ['a carrier that conforms', cases, 0],
    ['one that does not', broken, 1],
    ['a mistake in a file', 'zebra', 2],
  ])('%s: the result is kept, and the code of the run is that of the pod', async (_, run, code) => {
    const storage = makeFolder();
    const pod = await runPod(1, { STORAGE: storage, CARRIERSPEC_RUN: run });
    expect(pod.code).toBe(code);
    const kept = join(storage, 'carrierspec/results/south', today(), 'result.json');
    expect(existsSync(kept)).toBe(code !== 2);
  });

  test('a storage that is out of reach has a code that is tried again', async () => {
    const storage = join(makeFolder(), 'storage');
    writeFileSync(`${storage}.broken`, '');
    expect((await runPod(0, { STORAGE: storage, CARRIERSPEC_RUN: broken })).code).toBe(74);
  });

  test('a pod that has to go lets the run end, and keeps what it has', async () => {
    const work = makeFolder();
    writeFileSync(join(work, 'carriers'), 'north\n');
    const env = { WORK: work, CARRIERS: join(work, 'carriers'), JOB_COMPLETION_INDEX: '0' };
    const onStart = (terminate: () => void): void => {
      const timer = setInterval(() => {
        // A run that is stopped before its first case has nothing to keep.
        const journal = join(work, 'out/journal.jsonl');
        if (!existsSync(journal) || readFileSync(journal, 'utf8').split('\n').length < 4) return;
        clearInterval(timer);
        terminate();
      }, 20);
    };
    const { code } = await runContainer(certify, { programs, env: { ...env, CARRIERSPEC_RUN: '' }, onStart });
    expect({ code, run: readFileSync(join(work, 'code'), 'utf8') }).toEqual({ code: 0, run: '130\n' });
    expect(existsSync(join(work, 'out/result.json'))).toBe(true);
  });
});

describe('the morning', () => {
  const storage = makeFolder();
  const sent = join(makeFolder(), 'sent');
  const results = join(storage, 'carrierspec/results');

  /** The containers of the pod, one after the other. */
  async function runMorning() {
    const env = { WORK: makeFolder(), STORAGE: storage, SENT: sent, WEBHOOK_URL: 'https://alerts.example/' };
    const ended = [];
    for (const container of [...listAt(morningPod, 'initContainers'), ...listAt(morningPod, 'containers')]) {
      ended.push(await runContainer(container, { programs, env }));
    }
    return ended;
  }

  test('joins shards, keeps and publishes, and says nothing of a first night', async () => {
    const env = { STORAGE: storage, CARRIERSPEC_RUN: cases };
    for (const index of [0, 2, 3]) expect(await runPod(index, env)).toMatchObject({ code: 0 });
    const ended = await runMorning();
    expect(ended.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
    expect(existsSync(join(results, 'east', today(), 'result.json'))).toBe(true);
    expect(existsSync(join(storage, 'carrierspec/site/index.html'))).toBe(true);
    expect(existsSync(sent)).toBe(false);
  });

  test('sends the rules that turned, beside a comparison, and ends with 1', async () => {
    const text = readFileSync(join(results, 'north', today(), 'result.json'), 'utf8');
    const startedAt = /"startedAt":"([^"]+)"/.exec(text)?.[1] ?? '';
    const yesterday = new Date(Date.parse(startedAt) - 86_400_000).toISOString();
    const before = join(results, 'north', yesterday.slice(0, 10));
    renameSync(join(results, 'north', today()), before);
    // The reference carrier with a fault is another carrier in a history: the flag is taken out.
    writeFileSync(join(before, 'result.json'), text.replaceAll(startedAt, yesterday));
    await runPod(0, { STORAGE: storage, CARRIERSPEC_RUN: broken });
    const last = join(results, 'north', today(), 'result.json');
    const flags = /"flags":\["--fault","[^"]+"\]/;
    writeFileSync(last, readFileSync(last, 'utf8').replace(flags, '"flags":[]'));
    const ended = await runMorning();
    expect(ended.map(({ code }) => code)).toEqual([0, 0, 0, 1]);
    const lines = readFileSync(sent, 'utf8').trimEnd().split('\n');
    expect(lines).toEqual([
      expect.stringMatching(/^Reference carrier .*, required, turned from pass \(.*\) to fail \(/),
    ]);
    expect(readdirSync(join(storage, 'carrierspec/site'))).toContain('compare-north.html');
  });
});
