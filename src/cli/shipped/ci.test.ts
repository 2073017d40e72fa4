import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { beforeAll, describe, expect, test } from 'vitest';
import { followPath, isJsonObject } from '../../lib/json.ts';
import {
  type Ended,
  listAt,
  makePackedProject,
  readDocuments,
  runScript,
  textOf,
} from '../../testing/program/packed-project.ts';
import { parseWorkflowCommand } from '../../testing/results/report-parsers.ts';
import { root } from '../../testing/program/spawn-cli.ts';
import { makeFolder } from '../../testing/program/target-file.ts';

const [action] = readDocuments('action.yml');
const steps = listAt(action, 'runs', 'steps');
const memberOf = (value: unknown, name: string): unknown => followPath(value, [name]);

/** Temporary folder of the job. */
let temp = '';
let project: ReturnType<typeof makePackedProject>;

beforeAll(() => {
  temp = makeFolder();
  project = makePackedProject();
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
    return inputs[name] ?? textOf(followPath(action, ['inputs', name, 'default']));
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
    const { by, codes, outputs } = runAction({ package: project.tarball, what: 'context-absent', out: makeFolder() });
    expect(by['Install carrierspec']).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/added \d+ package/) as string,
    });
    expect(codes).toEqual([0, 0, 0]);
    expect(outputs).toMatchObject({ 'exit-code': '0' });
  }, 120_000);

  test('in the package installs nothing, and runs the package', () => {
    const { by, codes } = runAction({ what: 'context-absent', out: makeFolder() }, project.installed);
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
    const namesIn = (part: string): readonly string[] => {
      const found = memberOf(action, part);
      return Object.keys(isJsonObject(found) ? found : {});
    };
    for (const name of namesIn('inputs')) expect(text).toContain(`\n| \`${name}\` | `);
    for (const name of namesIn('outputs')) expect(text).toContain(`\`${name}\``);
  });
});
