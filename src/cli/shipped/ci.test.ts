import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { beforeAll, describe, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { isJsonObject, type JsonObject } from '../../lib/json.ts';
import { parseWorkflowCommand } from '../../testing/results/report-parsers.ts';
import { root } from '../../testing/program/spawn-cli.ts';
import { runCli } from '../../testing/program/run-cli.ts';
import { makeFolder, startCarrier, writeTarget } from '../../testing/program/target-file.ts';

function readYaml(name: string): JsonObject {
  const value: unknown = parse(readFileSync(join(root, name), 'utf8'));
  if (!isJsonObject(value)) throw new Error(`${name} is no mapping`);
  return value;
}

const memberOf = (value: unknown, name: string): unknown => (isJsonObject(value) ? value[name] : undefined);
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
}

/** Runs a script as a runner does. */
function runScript(script: string, env: Readonly<Record<string, string>>, cwd = root): Ended {
  const { status, stdout } = spawnSync('bash', ['-e', '-o', 'pipefail', '-c', script], {
    cwd,
    encoding: 'utf8',
    env: { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '', ...env },
  });
  return { code: status, stdout };
}

const carrier = await startCarrier(undefined, 300_000);
const target = writeTarget((given) => given);

const action = readYaml('action.yml');
const steps = listOf(memberOf(action['runs'], 'steps'));

/** Temporary folder of the job. */
let temp = '';
let tarball = '';
/** Project of a user, as docs/ci.md makes it: its package.json has carrierspec as a dependency, from the tarball beside it. */
let project = '';

const npm = (cwd: string, ...args: readonly string[]) =>
  execFileSync('npm', [...args, '--offline', '--no-audit', '--no-fund', '--silent'], { cwd });

beforeAll(() => {
  temp = makeFolder();
  project = makeFolder();
  // With --ignore-scripts: the build exists already.
  npm(root, 'pack', '--ignore-scripts', '--pack-destination', project);
  tarball = join(project, readdirSync(project)[0] ?? '');
  const install = /^npm install (.+)$/m.exec(readFileSync(join(root, 'docs/ci.md'), 'utf8'))?.[1] ?? '';
  npm(project, 'install', ...install.split(' '));
}, 60_000);

const installed = (): string => join(project, 'node_modules/carrierspec');

/** Copy of the project as a job checks it out: without node_modules. */
function checkOut(): string {
  const folder = makeFolder();
  cpSync(project, folder, { recursive: true, filter: (path) => !path.includes('node_modules') });
  return folder;
}

type Texts = Readonly<Record<string, string>>;

/** Outputs of a step, from the runner's file. */
const readOutputs = (file: string): Texts =>
  Object.fromEntries(
    readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line.includes('='))
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );

/** Evaluates the expressions of the action. */
function evaluate(text: string, inputs: Texts, outputs: Texts): string {
  return text.replace(/\$\{\{ (inputs|steps\.\w+\.outputs)\.([\w-]+) \}\}/g, (_, of: string, name: string) => {
    if (of !== 'inputs') return outputs[name] ?? '';
    return inputs[name] ?? textOf(memberOf(memberOf(action['inputs'], name), 'default'));
  });
}

/** Runs the action's scripts in order, as the runner does; results by step name. */
function runAction(inputs: Texts, place = root) {
  const folder = makeFolder();
  const files = { GITHUB_OUTPUT: join(folder, 'output'), GITHUB_STEP_SUMMARY: join(folder, 'summary') };
  for (const file of Object.values(files)) writeFileSync(file, 'before\n');
  const surroundings = { GITHUB_ACTION_PATH: place, RUNNER_TEMP: temp, ...files };
  const ended = steps
    .filter((step) => memberOf(step, 'run') !== undefined)
    .map((step): readonly [string, Ended] => {
      const given = memberOf(step, 'env');
      const env = Object.entries(isJsonObject(given) ? given : {}).map(([name, text]): [string, string] => [
        name,
        evaluate(textOf(text), inputs, readOutputs(files.GITHUB_OUTPUT)),
      ]);
      const done = runScript(textOf(memberOf(step, 'run')), { ...surroundings, ...Object.fromEntries(env) });
      return [textOf(memberOf(step, 'name')), done];
    });
  const { program: _, ...outputs } = readOutputs(files.GITHUB_OUTPUT);
  const by: Readonly<Record<string, Ended>> = Object.fromEntries(ended);
  const codes = ['Run carrierspec', 'Report', 'Verdict'].map((name) => by[name]?.code);
  return { by, codes, outputs, summary: readFileSync(files.GITHUB_STEP_SUMMARY, 'utf8') };
}

describe('action.yml', () => {
  test('takes its inputs from the environment, never into a script', () => {
    expect(steps.map((step) => memberOf(step, 'name'))).toEqual([
      'Install carrierspec',
      'Run carrierspec',
      'Report',
      'Verdict',
    ]);
    for (const step of steps) expect(textOf(memberOf(step, 'run'))).not.toContain('${{');
  });

  test('uses no other action', () => {
    expect(steps.flatMap((step) => memberOf(step, 'uses') ?? [])).toEqual([]);
  });

  test('installs the package that it is given, and runs that', () => {
    const { by, codes, outputs } = runAction({ package: tarball, what: 'context-absent', out: makeFolder() });
    expect(by['Install carrierspec']).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/added \d+ package/) as string,
    });
    expect(codes).toEqual([0, 0, 0]);
    expect(outputs).toMatchObject({ 'exit-code': '0' });
  }, 120_000);

  test('in the package installs nothing, and runs the package', () => {
    const { by, codes } = runAction({ what: 'context-absent', out: makeFolder() }, installed());
    expect([by['Install carrierspec'], codes]).toEqual([{ code: 0, stdout: '' }, [0, 0, 0]]);
  }, 60_000);

  test('in a checkout builds it first', () => {
    const [place, folder] = [makeFolder(), makeFolder()];
    writeFileSync(join(folder, 'npm'), '#!/bin/sh\necho "npm $*"\n', { mode: 0o755 });
    const env = { GITHUB_ACTION_PATH: place, GITHUB_OUTPUT: join(folder, 'output'), PACKAGE: '' };
    const path = { PATH: `${folder}:${process.env['PATH'] ?? ''}` };
    const { stdout } = runScript(textOf(memberOf(steps[0], 'run')), { ...env, ...path });
    expect(stdout).toBe(`npm ci --prefix ${place} --no-audit --no-fund\n`);
    expect(readOutputs(env.GITHUB_OUTPUT)).toEqual({ program: `${place}/bin/carrierspec.js` });
  });

  test('annotates, adds to the summary, and ends as the run did', () => {
    const out = makeFolder();
    const inputs = {
      what: 'denial-is-request-denied\ncontext-absent',
      args: '--fault\naccess-denied-as-user-denied',
      out,
    };
    const { by, codes, outputs, summary } = runAction(inputs);
    expect(codes).toEqual([0, 0, 1]);
    expect(outputs).toEqual({ 'exit-code': '1', out });
    expect(summary).toMatch(/^before\n# ❌ carrierspec: not conformant\n/);
    const commands = (by['Report']?.stdout ?? '').trimEnd().split('\n').map(parseWorkflowCommand);
    // The callback also breaks recommended rules: every invariant judges a named case.
    expect(commands.map((command) => command?.command)).toEqual([
      'error',
      'error',
      ...commands.slice(2).map(() => 'warning'),
    ]);
    expect(existsSync(join(out, 'junit.xml'))).toBe(true);
    // Nothing in the log of the run is a command.
    const lines = (by['Run carrierspec']?.stdout ?? '').trimEnd().split('\n');
    const token = /^::stop-commands::([0-9a-f]{64})$/.exec(lines[0] ?? '')?.[1];
    expect(token).toBeDefined();
    expect(lines.at(-1)).toBe(`::${token}::`);
  }, 60_000);

  test.each([
    ['tolerates an exit code that it was told to', { what: 'nothing-of-this-name', tolerate: '3 2' }, [0, 0, 0]],
    ['breaks for every other', { what: 'nothing-of-this-name', tolerate: '4' }, [0, 0, 2]],
  ])(
    '%s',
    (_, inputs, expected) => {
      expect(runAction({ ...inputs, out: makeFolder() }).codes).toEqual(expected);
    },
    60_000,
  );

  test('has each of its inputs and outputs in docs/ci.md', () => {
    const text = readFileSync(join(root, 'docs/ci.md'), 'utf8');
    const { inputs, outputs } = action;
    for (const name of Object.keys(isJsonObject(inputs) ? inputs : {})) expect(text).toContain(`\n| \`${name}\` | `);
    for (const name of Object.keys(isJsonObject(outputs) ? outputs : {})) expect(text).toContain(`\`${name}\``);
  });
});

const template = (name: string): string => readFileSync(join(installed(), 'ci-templates', name), 'utf8');

describe('docs/ci.md', () => {
  test('names every file to copy, and all are in the package', () => {
    const page = readFileSync(join(root, 'docs/ci.md'), 'utf8');
    const files = readdirSync(join(root, 'ci-templates'));
    expect(files.filter((name) => !page.includes(`ci-templates/${name}`))).toEqual([]);
    expect(readdirSync(join(installed(), 'ci-templates'))).toEqual(files);
  });

  test('and the README, templates and image name the version that npm pack makes, and no registry of carrierspec', () => {
    const pages = ['README.md', 'docs/ci.md', 'docs/container.md', 'action.yml', 'docs/container/Dockerfile'];
    const texts = [...pages.map((page) => readFileSync(join(root, page), 'utf8'))];
    texts.push(...readdirSync(join(root, 'ci-templates')).map(template));
    const all = texts.join('\n');
    const [, version] = /carrierspec-([^/]*)\.tgz$/.exec(tarball) ?? [];
    const named = [...all.matchAll(/carrierspec[-:@](\d[\w.-]*?)(?=\.tgz|[\s`])/g)].map(([, one]) => one);
    expect(new Set(named)).toEqual(new Set([version]));
    expect(all).not.toMatch(/<owner>|<group>|<commit>|registry\.example|npx carrierspec/);
  });
});

describe('ci-templates/github.yml', () => {
  test('installs the package of the repository, and uses its action', () => {
    const workflow: unknown = parse(template('github.yml'));
    const job = memberOf(memberOf(workflow, 'jobs'), 'certify');
    const all = listOf(memberOf(job, 'steps'));
    const clone = checkOut();
    for (const step of all) {
      const script = memberOf(step, 'run');
      if (script !== undefined) expect(runScript(textOf(script), {}, clone).code).toBe(0);
    }
    const [used] = all.map((step) => textOf(memberOf(step, 'uses'))).filter((name) => name.startsWith('./'));
    expect(existsSync(join(clone, used ?? '', 'action.yml'))).toBe(true);
    const given = memberOf(
      all.find((step) => memberOf(step, 'uses') === used),
      'with',
    );
    const known = Object.keys(isJsonObject(action['inputs']) ? action['inputs'] : {});
    expect(known).toEqual(expect.arrayContaining(Object.keys(isJsonObject(given) ? given : { none: 1 })));
  }, 60_000);
});

describe('ci-templates/Jenkinsfile', () => {
  test('installs, runs, and leaves what it keeps', () => {
    const text = template('Jenkinsfile');
    const clone = checkOut();
    cpSync(target, join(clone, 'carrier.yaml'));
    const [install = '', run = ''] = [...text.matchAll(/^ +sh '(.*)'$/gm)].map(([, line = '']) => line);
    expect(runScript(install, {}, clone).code).toBe(0);
    expect(runScript(run.replace(' run ', ' run context-absent '), carrier.env, clone).code).toBe(0);
    const [, junit = 'none'] = /junit '(.*)'/.exec(text) ?? [];
    expect(existsSync(join(clone, junit))).toBe(true);
  }, 60_000);
});

describe('ci-templates/kubernetes.yaml', () => {
  const documents = parseAllDocuments(readFileSync(join(root, 'ci-templates/kubernetes.yaml'), 'utf8')).map(
    (one): unknown => one.toJS(),
  );
  const ofKind = (kind: string): unknown => documents.find((one) => memberOf(one, 'kind') === kind);
  const pod = memberOf(memberOf(ofKind('Job'), 'spec'), 'template');
  const [container] = listOf(memberOf(memberOf(pod, 'spec'), 'containers'));
  const volumes = listOf(memberOf(memberOf(pod, 'spec'), 'volumes'));

  test('mounts what it has, and its service leads to the pod', () => {
    expect(memberOf(memberOf(ofKind('Service'), 'spec'), 'selector')).toEqual(
      memberOf(memberOf(pod, 'metadata'), 'labels'),
    );
    const mounted = listOf(memberOf(container, 'volumeMounts')).map((one) => memberOf(one, 'name'));
    expect(mounted.toSorted()).toEqual(volumes.map((one) => memberOf(one, 'name')).toSorted());
    const claims = volumes.map((one) => memberOf(memberOf(one, 'persistentVolumeClaim'), 'claimName')).filter(Boolean);
    expect(claims).toEqual([memberOf(memberOf(ofKind('PersistentVolumeClaim'), 'metadata'), 'name')]);
  });

  test('finds every key that init writes, at its place', async () => {
    const folder = makeFolder();
    expect((await runCli(['init', folder])).code).toBe(0);
    const keys = readdirSync(join(folder, 'keys')).filter((name) => /^[\w-]+\.json$/.test(name));
    const projected = volumes.flatMap((one) => listOf(memberOf(memberOf(one, 'projected'), 'sources')));
    const items = projected.flatMap((one) => listOf(memberOf(memberOf(one, 'secret'), 'items')));
    expect(items.map((one) => memberOf(one, 'path')).toSorted()).toEqual(keys.map((name) => `keys/${name}`).toSorted());
    expect(items.filter((one) => `keys/${textOf(memberOf(one, 'key'))}` !== memberOf(one, 'path'))).toEqual([]);
  });

  test('runs with its arguments, as the image would', async () => {
    const work = makeFolder();
    const args = listOf(memberOf(container, 'args')).map((one) =>
      textOf(one).replace('/target/carrier.yaml', target).replace('/work', work),
    );
    expect((await runCli([...args, 'context-absent'], { env: carrier.env })).code).toBe(0);
    expect(existsSync(join(work, 'report/report.html'))).toBe(true);
  }, 60_000);
});

describe('docs/container/Dockerfile', () => {
  test('installs the tarball without a registry, and links to files that are there', () => {
    const text = readFileSync(join(installed(), 'docs/container/Dockerfile'), 'utf8');
    const prefix = makeFolder();
    const [install = '', link = ''] = [...text.matchAll(/^RUN (npm install .*|ln -s .*)$/gm)].map(
      ([, line = '']) => line,
    );
    expect(runScript(install.replace('/opt/carrierspec', prefix), {}, project).code).toBe(0);
    expect(runScript(`"${prefix}/bin/carrierspec" --version`, {}).stdout).toMatch(/^\d/);
    const [, , source = ''] = link.split(' ');
    // Executable, as the image calls it.
    expect(statSync(source.replace('/opt/carrierspec', prefix)).mode & 0o111).toBe(0o111);
  }, 60_000);
});

describe('ci-templates/gitlab.yml', () => {
  const job = readYaml('ci-templates/gitlab.yml')['.carrierspec'];
  const script = (name: string): string => listOf(memberOf(job, name)).map(textOf).join('\n');

  test('installs, runs, leaves what it uploads, and makes JUnit of the journal where the run was cut off', () => {
    const clone = checkOut();
    const given = memberOf(job, 'variables');
    const variables = Object.entries(isJsonObject(given) ? given : {}).map(([name, text]) => [name, textOf(text)]);
    const env = { ...Object.fromEntries(variables), CARRIERSPEC_RUN: 'context-absent --profile strict' } as Texts;
    // The runner makes one script of these two.
    expect(runScript(`${script('before_script')}\n${script('script')}`, env, clone).code).toBe(0);
    const out = join(clone, env['CARRIERSPEC_OUT'] ?? '');
    const junit = textOf(memberOf(memberOf(memberOf(job, 'artifacts'), 'reports'), 'junit'));
    expect(existsSync(join(clone, junit.replace('$CARRIERSPEC_OUT', env['CARRIERSPEC_OUT'] ?? '')))).toBe(true);
    const journal = readFileSync(join(out, 'journal.jsonl'), 'utf8').split('\n');
    writeFileSync(join(out, 'journal.jsonl'), `${journal.slice(0, 2).join('\n')}\n`);
    runScript(`rm "${out}/result.json" "${out}/junit.xml"`, {});
    expect(runScript(script('after_script'), env, clone).code).toBe(0);
    expect(readFileSync(join(out, 'junit.xml'), 'utf8')).toContain('the run was cut off');
  }, 60_000);

  test('publishes the history by the script of the package', () => {
    const pages = readYaml('ci-templates/gitlab.yml')['.carrierspec-history'];
    const lines = ['before_script', 'script'].flatMap((name) => listOf(memberOf(pages, name)).map(textOf)).join('\n');
    const clone = checkOut();
    // Without a run it ends as the script does.
    const { code } = runScript(lines, { CARRIERSPEC_OUT: 'none', CARRIERSPEC: 'carrierspec' }, clone);
    expect(code).not.toBe(0);
    const found = lines.split(' ').find((word) => word.startsWith('node_modules/'));
    expect(existsSync(join(clone, (found ?? 'none').replace(')', '')))).toBe(true);
  }, 60_000);
});
