import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { differingChoices, drawRows, readFreedoms } from '../../lab/space/freedoms.ts';
import { serveDrawnCarrier } from '../../lab/space/draw.ts';
import { foreignCarriers, missingPython, startForeign } from '../carriers/foreign-carrier.ts';
import { compareLines, expectGolden, goldenLines } from './golden-lines.ts';
import { spawnCli } from './spawn-cli.ts';
import { makeFolder } from './target-file.ts';
import { wholeRun } from './whole-run.ts';

const timeLimit = 400_000;

let plain: Promise<readonly string[]> | undefined;
/** Lines of a run without faults, against which the other files are compared. */
function plainLines(): Promise<readonly string[]> {
  plain ??= wholeRun().then(({ out }) => goldenLines(join(out, 'result.json')));
  return plain;
}

async function changesWith(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const out = makeFolder();
  const { code, stderr } = await spawnCli(['run', ...args, '--out', out], { env, timeLimit });
  expect([0, 1], stderr).toContain(code);
  return compareLines(goldenLines(join(out, 'result.json')), await plainLines());
}

/** Faults of each area and kind of consequence: one rule, many rules, only warnings, a root cause. */
const faults = [
  'access-token-unusable',
  'callback-state-missing',
  'consent-revoked-missing',
  'context-limit-241',
  'event-retried-4-times',
  'exp-window-10-minutes',
  'kid-ignored-first-key',
  'tenure-always-false',
  'unknown-client-500',
  'userinfo-any-token',
];

const freedoms = readFreedoms();
const drawn = drawRows(freedoms, { seed: 'golden', count: 3 }).rows.map((row) => differingChoices(row, freedoms));

const variable = /^(\w+)='(.*)'$/;
/** Environment of a drawn carrier's target file. */
const readEnv = (file: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    readFileSync(file, 'utf8')
      .split('\n')
      .flatMap((one) => {
        const [, name, value] = variable.exec(one) ?? [];
        return name === undefined || value === undefined ? [] : [[name, value]];
      }),
  );

describe('what a whole run decides', { timeout: 2 * timeLimit }, () => {
  it('of the plain carrier', async () => expectGolden('plain', await plainLines()));

  it.each(faults)('of the fault %s', async (name) => {
    expectGolden(`fault-${name}`, await changesWith(['--fault', name]));
  });

  it.each(drawn.map((choices, at) => [at + 1, choices] as const))('of drawn carrier %d', async (number, choices) => {
    const { target, env, close } = await serveDrawnCarrier(choices, makeFolder());
    const changes = await changesWith(['--target', target], readEnv(env));
    await close();
    expectGolden(`drawn-${number}`, changes);
  });

  it('of the foreign carrier in JavaScript', async () => {
    const { target, stop } = await startForeign(foreignCarriers.node);
    const changes = await changesWith(['--target', target]);
    stop();
    expectGolden('foreign-node', changes);
  });

  it.skipIf(missingPython() !== undefined)('of the foreign carrier in Python', async () => {
    const { target, stop } = await startForeign(foreignCarriers.python);
    const changes = await changesWith(['--target', target]);
    stop();
    expectGolden('foreign-python', changes);
  });
});
