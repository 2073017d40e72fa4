import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runCli } from '../testing/program/run-cli.ts';
import { root, spawnCli } from '../testing/program/spawn-cli.ts';
import { makeFolder } from '../testing/program/target-file.ts';

const sample = join(root, 'reports/sample.result.json');

/** A call of each kind: the help, refusals, a run with its carrier, long outputs, a document, and a command of the laboratory. */
const calls: readonly (readonly string[])[] = [
  [],
  ['check', join(root, 'fixtures/broken/12-unknown-rule')],
  ['run', 'jti-absent', '--fault', 'jti-never-kept', '--out', 'here'],
  ['send', '--claim', 'context'],
  ['explain', 'jti-absent'],
  ['report', sample],
  ['compare', sample, sample, '--report', 'json=-'],
  ['carrier', '--fault', 'jti-nevr-kept'],
  ['prove', 'jti-nevr-kept'],
];

/** Removes what differs between runs: ids, times and ports. */
const plain = (text: string): string =>
  text
    .replaceAll(/[0-9a-f]{16}/g, 'ID')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .replaceAll(/127\.0\.0\.1:\d+/g, 'HOST')
    .replaceAll(/\b\d+(\.\d+)? (ms|s)\b/g, 'TOOK')
    .replaceAll(/file:\S+/g, 'URL');

/** Most tests run the program in their own process (`runCli`): it must behave like a separate one. */
test.each(calls.map((call) => [call]))('%j says as a process what it says in that of the test', async (args) => {
  const [spawned, here] = [await spawnCli(args, { cwd: makeFolder() }), await runCli(args, { cwd: makeFolder() })].map(
    ({ code, stdout, stderr }) => ({ code, stdout: plain(stdout), stderr: plain(stderr) }),
  );
  expect(here).toEqual(spawned);
  expect(`${spawned?.stdout}${spawned?.stderr}`).not.toBe('');
});
