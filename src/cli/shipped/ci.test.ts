import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { isJsonObject, type JsonObject } from '../../lib/json.ts';
import { parseWorkflowCommand } from '../../testing/report-parsers.ts';
import { root } from '../../testing/spawn-cli.ts';
import { makeFolder } from '../../testing/target-file.ts';

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

/** Runs a script as a runner does, and gives what it wrote into the runner's files. */
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

/** The steps of the action after the installation, one after the other, as the runner goes through them. */
function runAction(inputs: Readonly<Record<string, string>>) {
  const folder = makeFolder();
  const files = { GITHUB_OUTPUT: join(folder, 'output'), GITHUB_STEP_SUMMARY: join(folder, 'summary') };
  for (const file of Object.values(files)) writeFileSync(file, 'before\n');
  const outputs = (): Record<string, string> =>
    Object.fromEntries(
      readFileSync(files.GITHUB_OUTPUT, 'utf8')
        .split('\n')
        .filter((line) => line.includes('='))
        .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
    );
  const evaluate = (text: string): string =>
    text.replace(/\$\{\{ (inputs|steps\.run\.outputs)\.([\w-]+) \}\}/g, (_, of: string, name: string) => {
      if (of !== 'inputs') return outputs()[name] ?? '';
      return inputs[name] ?? textOf(memberOf(memberOf(action['inputs'], name), 'default'));
    });
  const ended = steps.slice(1).map((step) => {
    const given = memberOf(step, 'env');
    const env = Object.entries(isJsonObject(given) ? given : {}).map(([name, text]): [string, string] => [
      name,
      evaluate(textOf(text)),
    ]);
    return runScript(textOf(memberOf(step, 'run')), { GITHUB_ACTION_PATH: root, ...files, ...Object.fromEntries(env) });
  });
  return { ended, outputs: outputs(), summary: readFileSync(files.GITHUB_STEP_SUMMARY, 'utf8') };
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

  test('annotates, adds to the summary, and ends as the run did', () => {
    const out = makeFolder();
    const inputs = {
      what: 'denial-is-request-denied\ncontext-absent',
      args: '--fault\naccess-denied-as-user-denied',
      out,
    };
    const { ended, outputs, summary } = runAction(inputs);
    expect(ended.map(({ code }) => code)).toEqual([0, 0, 1]);
    expect(outputs).toEqual({ 'exit-code': '1', out });
    expect(summary).toMatch(/^before\n# ❌ carrierspec: not conformant\n/);
    const commands = (ended[1]?.stdout ?? '').trimEnd().split('\n').map(parseWorkflowCommand);
    // The callback of the case breaks recommended rules too: all invariants judge a case that is named.
    expect(commands.map((command) => command?.command)).toEqual([
      'error',
      'error',
      ...commands.slice(2).map(() => 'warning'),
    ]);
    expect(existsSync(join(out, 'junit.xml'))).toBe(true);
  }, 60_000);

  test('lets nothing in the log of the run be a command', () => {
    const { ended } = runAction({ what: 'context-absent', out: makeFolder() });
    const lines = (ended[0]?.stdout ?? '').trimEnd().split('\n');
    const token = /^::stop-commands::([0-9a-f]{64})$/.exec(lines[0] ?? '')?.[1];
    expect(token).toBeDefined();
    expect(lines.at(-1)).toBe(`::${token}::`);
  }, 60_000);

  test.each([
    ['tolerates an exit code that it was told to', { what: 'nothing-of-this-name', tolerate: '3 2' }, [0, 0, 0]],
    ['breaks for every other', { what: 'nothing-of-this-name', tolerate: '4' }, [0, 0, 2]],
  ])(
    '%s',
    (_, inputs, codes) => {
      const { ended } = runAction({ ...inputs, out: makeFolder() });
      expect(ended.map(({ code }) => code)).toEqual(codes);
    },
    60_000,
  );
});

describe('ci-templates/gitlab.yml', () => {
  const job = readYaml('ci-templates/gitlab.yml')['.carrierspec'];
  const script = (name: string): string => listOf(memberOf(job, name)).map(textOf).join('\n');
  const carrierspec = `node ${join(root, 'bin/carrierspec.js')}`;

  test('runs, and leaves what it uploads', () => {
    const out = makeFolder();
    const env = { CARRIERSPEC: carrierspec, CARRIERSPEC_OUT: out, CARRIERSPEC_RUN: 'context-absent --level required' };
    expect(runScript(script('script'), env).code).toBe(0);
    const junit = textOf(memberOf(memberOf(memberOf(job, 'artifacts'), 'reports'), 'junit'));
    expect(existsSync(junit.replace('$CARRIERSPEC_OUT', out))).toBe(true);
  }, 60_000);

  test('makes JUnit of the journal where the run was cut off', () => {
    const out = makeFolder();
    const env = { CARRIERSPEC: carrierspec, CARRIERSPEC_OUT: out, CARRIERSPEC_RUN: 'context-absent' };
    runScript(script('script'), env);
    const journal = readFileSync(join(out, 'journal.jsonl'), 'utf8').split('\n');
    writeFileSync(join(out, 'journal.jsonl'), `${journal.slice(0, 2).join('\n')}\n`);
    runScript(`rm "${out}/result.json" "${out}/junit.xml"`, {});
    expect(runScript(script('after_script'), env).code).toBe(0);
    expect(readFileSync(join(out, 'junit.xml'), 'utf8')).toContain('the run was cut off');
  }, 60_000);
});
