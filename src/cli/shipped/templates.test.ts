import { existsSync, readdirSync, readFileSync, cpSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { followPath, isJsonObject } from '../../lib/json.ts';
import {
  checkOut,
  listAt,
  makePackedProject,
  readDocuments,
  runScript,
  textOf,
} from '../../testing/program/packed-project.ts';
import { runCli } from '../../testing/program/run-cli.ts';
import { root } from '../../testing/program/spawn-cli.ts';
import { makeFolder, startCarrier, writeTarget } from '../../testing/program/target-file.ts';

const carrier = await startCarrier(undefined, 300_000);
const target = writeTarget((given) => given);

let project: ReturnType<typeof makePackedProject>;
beforeAll(() => {
  project = makePackedProject();
}, 60_000);

const template = (name: string): string => readFileSync(join(project.installed, 'ci-templates', name), 'utf8');

describe('docs/ci.md', () => {
  test('names every file to copy, and all are in the package', () => {
    const page = readFileSync(join(root, 'docs/ci.md'), 'utf8');
    const files = readdirSync(join(root, 'ci-templates'));
    expect(files.filter((name) => !page.includes(`ci-templates/${name}`))).toEqual([]);
    expect(readdirSync(join(project.installed, 'ci-templates'))).toEqual(files);
  });

  test('and the README, templates and image name the version that npm pack makes, and no registry of carrierspec', () => {
    const pages = ['README.md', 'docs/ci.md', 'docs/container.md', 'action.yml', 'docs/container/Dockerfile'];
    const texts = pages.map((page) => readFileSync(join(root, page), 'utf8'));
    const all = [...texts, ...readdirSync(join(root, 'ci-templates')).map(template)].join('\n');
    const [, version] = /carrierspec-([^/]*)\.tgz$/.exec(project.tarball) ?? [];
    const named = [...all.matchAll(/carrierspec[-:@](\d[\w.-]*?)(?=\.tgz|[\s`])/g)].map(([, one]) => one);
    expect(new Set(named)).toEqual(new Set([version]));
    expect(all).not.toMatch(/<owner>|<group>|<commit>|registry\.example|npx carrierspec/);
  });
});

describe('ci-templates/github.yml', () => {
  test('installs the package of the repository, and uses its action with inputs that it has', () => {
    const [workflow] = readDocuments('ci-templates/github.yml');
    const steps = listAt(workflow, 'jobs', 'certify', 'steps');
    const clone = checkOut(project);
    for (const step of steps) {
      const script = textOf(followPath(step, ['run']));
      if (script !== '') expect(runScript(script, {}, clone).code).toBe(0);
    }
    const used = steps.find((step) => textOf(followPath(step, ['uses'])).startsWith('./'));
    const folder = join(clone, textOf(followPath(used, ['uses'])));
    expect(existsSync(join(folder, 'action.yml'))).toBe(true);
    const [inputs, given] = [followPath(readDocuments('action.yml')[0], ['inputs']), followPath(used, ['with'])];
    expect(Object.keys(isJsonObject(inputs) ? inputs : {})).toEqual(
      expect.arrayContaining(Object.keys(isJsonObject(given) ? given : { none: 1 })),
    );
  }, 60_000);
});

describe('ci-templates/Jenkinsfile', () => {
  test('installs, runs, and leaves what it keeps', () => {
    const text = template('Jenkinsfile');
    const clone = checkOut(project);
    cpSync(target, join(clone, 'carrier.yaml'));
    const [install = '', run = ''] = [...text.matchAll(/^ +sh '(.*)'$/gm)].map(([, line = '']) => line);
    expect(runScript(install, {}, clone).code).toBe(0);
    expect(runScript(run.replace(' run ', ' run context-absent '), carrier.env, clone).code).toBe(0);
    const [, junit = 'none'] = /junit '(.*)'/.exec(text) ?? [];
    expect(existsSync(join(clone, junit))).toBe(true);
  }, 60_000);
});

describe('ci-templates/kubernetes.yaml', () => {
  const documents = readDocuments('ci-templates/kubernetes.yaml');
  const at = (kind: string, ...path: readonly string[]): unknown =>
    followPath(
      documents.find((one) => followPath(one, ['kind']) === kind),
      path,
    );
  const pod = at('Job', 'spec', 'template');
  const [container] = listAt(pod, 'spec', 'containers');
  const volumes = listAt(pod, 'spec', 'volumes');
  const namesOf = (values: readonly unknown[], ...path: readonly string[]): ReadonlySet<string> =>
    new Set(values.map((one) => textOf(followPath(one, path))).filter((name) => name !== ''));

  test('mounts what it has, and its service leads to the pod', () => {
    expect(at('Service', 'spec', 'selector')).toEqual(followPath(pod, ['metadata', 'labels']));
    expect(namesOf(listAt(container, 'volumeMounts'), 'name')).toEqual(namesOf(volumes, 'name'));
    const claim = textOf(at('PersistentVolumeClaim', 'metadata', 'name'));
    expect(namesOf(volumes, 'persistentVolumeClaim', 'claimName')).toEqual(new Set([claim]));
  });

  test('finds every key that init writes, at its place', async () => {
    const folder = makeFolder();
    expect((await runCli(['init', folder])).code).toBe(0);
    const keys = readdirSync(join(folder, 'keys')).filter((name) => /^[\w-]+\.json$/.test(name));
    const sources = volumes.flatMap((one) => listAt(one, 'projected', 'sources'));
    const items = sources.flatMap((one) => listAt(one, 'secret', 'items'));
    expect(namesOf(items, 'key')).toEqual(new Set(keys));
    expect(namesOf(items, 'path')).toEqual(new Set(keys.map((name) => `keys/${name}`)));
  });

  test('runs with its arguments, as the image would', async () => {
    const work = makeFolder();
    const args = listAt(container, 'args').map((one) =>
      textOf(one).replace('/target/carrier.yaml', target).replace('/work', work),
    );
    expect((await runCli([...args, 'context-absent'], { env: carrier.env })).code).toBe(0);
    expect(existsSync(join(work, 'report/report.html'))).toBe(true);
  }, 60_000);
});

describe('docs/container/Dockerfile', () => {
  test('installs the tarball without a registry, and links to files that are there', () => {
    const text = readFileSync(join(project.installed, 'docs/container/Dockerfile'), 'utf8');
    const prefix = makeFolder();
    const [install = '', link = ''] = [...text.matchAll(/^RUN (npm install .*|ln -s .*)$/gm)].map(
      ([, line = '']) => line,
    );
    expect(runScript(install.replace('/opt/carrierspec', prefix), {}, project.folder).code).toBe(0);
    expect(runScript(`"${prefix}/bin/carrierspec" --version`, {}).stdout).toMatch(/^\d/);
    const [, , source = ''] = link.split(' ');
    // Executable, as the image calls it.
    expect(statSync(source.replace('/opt/carrierspec', prefix)).mode & 0o111).toBe(0o111);
  }, 60_000);
});

describe('ci-templates/gitlab.yml', () => {
  const [jobs] = readDocuments('ci-templates/gitlab.yml');
  const linesOf = (job: string, ...parts: readonly string[]): string =>
    parts.flatMap((part) => listAt(jobs, job, part).map(textOf)).join('\n');

  test('installs, runs, leaves what it uploads, and makes JUnit of the journal where the run was cut off', () => {
    const clone = checkOut(project);
    const variable = (name: string): string => textOf(followPath(jobs, ['.carrierspec', 'variables', name]));
    const CARRIERSPEC_OUT = variable('CARRIERSPEC_OUT');
    const env = { CARRIERSPEC_OUT, CARRIERSPEC_RUN: 'context-absent --profile strict' };
    // The runner makes one script of these two.
    expect(runScript(linesOf('.carrierspec', 'before_script', 'script'), env, clone).code).toBe(0);
    const junit = textOf(followPath(jobs, ['.carrierspec', 'artifacts', 'reports', 'junit']));
    expect(existsSync(join(clone, junit.replace('$CARRIERSPEC_OUT', CARRIERSPEC_OUT)))).toBe(true);
    const out = join(clone, CARRIERSPEC_OUT);
    const journal = readFileSync(join(out, 'journal.jsonl'), 'utf8').split('\n');
    writeFileSync(join(out, 'journal.jsonl'), `${journal.slice(0, 2).join('\n')}\n`);
    runScript(`rm "${out}/result.json" "${out}/junit.xml"`, {});
    expect(runScript(linesOf('.carrierspec', 'after_script'), env, clone).code).toBe(0);
    expect(readFileSync(join(out, 'junit.xml'), 'utf8')).toContain('the run was cut off');
  }, 60_000);

  test('publishes the history by the script of the package', () => {
    const clone = checkOut(project);
    const git = 'git -c user.name=a -c user.email=a@project.test';
    const prepare = [
      'git init --quiet --bare remote.git',
      'git init --quiet . && git remote add origin "$PWD/remote.git"',
      `echo 1 >one && git add one && ${git} commit --quiet --message One`,
      'mkdir report',
    ].join(' && ');
    expect(runScript(prepare, {}, clone).code).toBe(0);
    cpSync(join(root, 'reports/sample.result.json'), join(clone, 'report/result.json'));
    const env = { CARRIERSPEC: 'carrierspec', CARRIERSPEC_OUT: 'report', HISTORY_SITE: 'public' };
    expect(runScript(linesOf('.carrierspec-history', 'before_script', 'script'), env, clone).code).toBe(0);
    expect(existsSync(join(clone, 'public/index.html'))).toBe(true);
  }, 60_000);
});
