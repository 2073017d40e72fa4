import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { serveDrawnCarrier } from '../../lab/space/draw.ts';
import { differingChoices, drawRows, readFreedoms } from '../../lab/space/freedoms.ts';
import { foreignCarriers, startForeign } from '../carriers/foreign-carrier.ts';
import { compareLines, expectGolden, goldenLines } from './golden-lines.ts';
import { spawnCli } from './spawn-cli.ts';
import { makeFolder } from './target-file.ts';
import { wholeRun } from './whole-run.ts';

/** Milliseconds for a whole run on a busy machine. */
export const timeLimit = 400_000;

let plain: Promise<readonly string[]> | undefined;
/** Lines of a run without faults, against which the other files are compared. */
export function plainLines(): Promise<readonly string[]> {
  plain ??= wholeRun().then(({ out }) => goldenLines(join(out, 'result.json')));
  return plain;
}

async function changesWith(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const out = makeFolder();
  const { code, stderr } = await spawnCli(['run', ...args, '--out', out], { env, timeLimit });
  expect([0, 1], stderr).toContain(code);
  return compareLines(goldenLines(join(out, 'result.json')), await plainLines());
}

/** Expects of a run with this fault what `fixtures/golden` says. */
export async function expectGoldenFault(name: string): Promise<void> {
  expectGolden(`fault-${name}`, await changesWith(['--fault', name]));
}

const variable = /^(\w+)='(.*)'$/;
/** Environment of a drawn carrier's target file. */
export const readEnv = (file: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    readFileSync(file, 'utf8')
      .split('\n')
      .flatMap((one) => {
        const [, name, value] = variable.exec(one) ?? [];
        return name === undefined || value === undefined ? [] : [[name, value]];
      }),
  );

const freedoms = readFreedoms();
const drawn = drawRows(freedoms, { seed: 'golden', count: 3 }).rows.map((row) => differingChoices(row, freedoms));

/** The same of a run against drawn carrier 1, 2 or 3. */
export async function expectGoldenDrawn(number: number): Promise<void> {
  const { target, env, close } = await serveDrawnCarrier(drawn[number - 1] ?? {}, makeFolder());
  const changes = await changesWith(['--target', target], readEnv(env));
  await close();
  expectGolden(`drawn-${number}`, changes);
}

/** The same of a run against a carrier of `fixtures/foreign`. */
export async function expectGoldenForeign(name: keyof typeof foreignCarriers): Promise<void> {
  const { target, stop } = await startForeign(foreignCarriers[name]);
  const changes = await changesWith(['--target', target]);
  stop();
  expectGolden(`foreign-${name}`, changes);
}
