import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { isJsonObject, type JsonObject } from '../../lib/json.ts';
import { parseWorkflowCommand } from '../../testing/results/report-parsers.ts';
import { root } from '../../testing/program/spawn-cli.ts';
import { makeFolder } from '../../testing/program/target-file.ts';

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
function runScript(script: string, env: Readonly<Record<string, string>>): Ended {
  const { status, stdout } = spawnSync('bash', ['-e', '-o', 'pipefail', '-c', script], {
    cwd: root,
    encoding: 'utf8',
    env: { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '', ...env },
  });
  return { code: status, stdout };
}

const action = readYaml('action.yml');
const steps = listOf(memberOf(action['runs'], 'steps'));

/** Temporary folder of the job. */
let temp = '';
let tarball = '';

beforeAll(() => {
  temp = makeFolder();
  const packed = makeFolder();
  // With --ignore-scripts: the build exists already.
  execFileSync('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', packed], { cwd: root });
  tarball = join(packed, readdirSync(packed)[0] ?? '');
}, 60_000);

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
function runAction(inputs: Texts) {
  const folder = makeFolder();
  const files = { GITHUB_OUTPUT: join(folder, 'output'), GITHUB_STEP_SUMMARY: join(folder, 'summary') };
  for (const file of Object.values(files)) writeFileSync(file, 'before\n');
  const surroundings = { GITHUB_ACTION_PATH: root, RUNNER_TEMP: temp, ...files };
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
  const { spec: _, folder: __, ...outputs } = readOutputs(files.GITHUB_OUTPUT);
  const by: Readonly<Record<string, Ended>> = Object.fromEntries(ended);
  const codes = ['Run carrierspec', 'Report', 'Verdict'].map((name) => by[name]?.code);
  return { by, codes, outputs, summary: readFileSync(files.GITHUB_STEP_SUMMARY, 'utf8') };
}

describe('action.yml', () => {
  test('takes its inputs from the environment, never into a script', () => {
    expect(steps.map((step) => memberOf(step, 'name'))).toEqual([
      'Find carrierspec',
      'Cache carrierspec',
      'Install carrierspec',
      'Run carrierspec',
      'Report',
      'Verdict',
    ]);
    for (const step of steps) expect(textOf(memberOf(step, 'run'))).not.toContain('${{');
  });

  test('asks for one version, pins what it uses, and builds nothing', () => {
    const used = steps.flatMap((step) => memberOf(step, 'uses') ?? []);
    expect(used).toEqual([expect.stringMatching(/^actions\/cache@[0-9a-f]{40}$/)]);
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
    const folder = makeFolder();
    const env = { GITHUB_ACTION_PATH: root, RUNNER_TEMP: folder, GITHUB_OUTPUT: join(folder, 'output'), PACKAGE: '' };
    expect(runScript(textOf(memberOf(steps[0], 'run')), env).code).toBe(0);
    expect(readOutputs(env.GITHUB_OUTPUT)).toEqual({ spec: `carrierspec@${version}`, folder: `${folder}/carrierspec` });
  });

  test('installs the package, and runs what it has installed', () => {
    const { by, codes, outputs } = runAction({ package: tarball, what: 'context-absent', out: makeFolder() });
    expect(by['Install carrierspec']).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/added \d+ package/) as string,
    });
    expect(codes).toEqual([0, 0, 0]);
    expect(outputs).toMatchObject({ 'exit-code': '0' });
    // Restores the cache for the jobs below, which name no package.
    cpSync(join(temp, 'carrierspec-given'), join(temp, 'carrierspec'), { recursive: true, verbatimSymlinks: true });
  }, 120_000);

  test('annotates, adds to the summary, and ends as the run did', () => {
    const out = makeFolder();
    const inputs = {
      what: 'denial-is-request-denied\ncontext-absent',
      args: '--fault\naccess-denied-as-user-denied',
      out,
    };
    const { by, codes, outputs, summary } = runAction(inputs);
    expect(by['Install carrierspec']?.stdout).toMatch(/^carrierspec@\S+ comes from the cache\n$/);
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

describe('ci-templates/gitlab.yml', () => {
  const job = readYaml('ci-templates/gitlab.yml')['.carrierspec'];
  const script = (name: string): string => listOf(memberOf(job, name)).map(textOf).join('\n');
  const carrierspec = `node ${join(root, 'bin/carrierspec.js')}`;

  test('runs, leaves what it uploads, and makes JUnit of the journal where the run was cut off', () => {
    const out = makeFolder();
    const env = { CARRIERSPEC: carrierspec, CARRIERSPEC_OUT: out, CARRIERSPEC_RUN: 'context-absent --profile strict' };
    expect(runScript(script('script'), env).code).toBe(0);
    const junit = textOf(memberOf(memberOf(memberOf(job, 'artifacts'), 'reports'), 'junit'));
    expect(existsSync(junit.replace('$CARRIERSPEC_OUT', out))).toBe(true);
    const journal = readFileSync(join(out, 'journal.jsonl'), 'utf8').split('\n');
    writeFileSync(join(out, 'journal.jsonl'), `${journal.slice(0, 2).join('\n')}\n`);
    runScript(`rm "${out}/result.json" "${out}/junit.xml"`, {});
    expect(runScript(script('after_script'), env).code).toBe(0);
    expect(readFileSync(join(out, 'junit.xml'), 'utf8')).toContain('the run was cut off');
  }, 60_000);
});
