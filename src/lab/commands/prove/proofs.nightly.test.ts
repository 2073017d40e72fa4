import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { faultSubjects } from '../../prove/catalogue.ts';
import { parseJson } from '../../../lib/json.ts';
import { spawnCli } from '../../../testing/program/spawn-cli.ts';
import { makeFolder } from '../../../testing/program/target-file.ts';

const timeLimit = 120 * 60_000;
const options = { timeout: timeLimit };
/** Runs a proof that only this project runs; rejects with its output if it does not end with 0. */
const runProof = (...args: readonly string[]) =>
  promisify(execFile)(process.execPath, ['dist/lab/commands/prove/proofs.js', ...args], { maxBuffer: 2 ** 26 });

test('every case turns with each fault as the golden matrix says', options, async () => {
  const { code, stdout, stderr } = await spawnCli(['prove', '--whole', '--out', makeFolder()], { timeLimit });
  expect(stdout, stderr).toContain(`${faultSubjects.length} killed`);
  expect(stdout).toContain('Proved: ');
  expect(code).toBe(0);
});

test('each fault turns one of its rules on two drawn carriers, and no other', options, async () => {
  const { stdout } = await runProof('drawn', '--out', makeFolder());
  expect(stdout).toContain(`${3 * faultSubjects.length} killed`);
});

/** Runs `prove:deep` for one fault, with one exploration of 2,500 requests. */
async function proveDeepFault(name: string) {
  const out = makeFolder();
  const { stdout } = await runProof('deep', name, '--seeds', '1', '--requests', '2500', '--out', out);
  return { stdout, written: parseJson(readFileSync(join(out, 'deep.json'), 'utf8')) };
}

test('runs all cases with a deep fault, and does not explore what the run has found', options, async () => {
  const { stdout, written } = await proveDeepFault('exp-measured-from-iat');
  expect(stdout).toMatch(/^ {2}interaction +1 +1 +0 +0$/m);
  expect(written).toMatchObject({
    format: 'carrierspec-deep',
    faults: [
      { name: 'exp-measured-from-iat', run: { red: expect.arrayContaining(['REQ-012']) as unknown }, tries: [] },
    ],
  });
});

test(
  'explores the carrier with a deep fault that no case shows, and says after how many requests',
  options,
  async () => {
    const { stdout, written } = await proveDeepFault('local-redirect-calls-back-at-the-first-uri');
    expect(stdout).toMatch(/^ {2}interaction +1 +0 +1 +0$/m);
    expect(stdout).toMatch(/1 of 1 found it, the median after [\d,]+\s+requests\.$/m);
    expect(written).toMatchObject({
      faults: [{ run: { red: [] }, tries: [{ seed: '1', shown: { rule: 'CB-001' } }] }],
    });
  },
);

test('explores drawn carriers that conform, and finds nothing', options, async () => {
  const out = makeFolder();
  const flags = ['--count', '2', '--requests', '400', '--seed', 'explored', '--out', out];
  const { stdout } = await runProof('space', ...flags);
  expect(stdout).toContain('Green: 2 conforming carriers explored, and nothing found.');
  expect(parseJson(readFileSync(join(out, 'explored-space.json'), 'utf8'))).toMatchObject({
    format: 'carrierspec-explored-space',
    seed: 'explored',
    carriers: [
      { number: 1, shown: [] },
      { number: 2, shown: [] },
    ],
  });
});
