import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runCli } from '../testing/program/run-cli.ts';
import { root, spawnCli } from '../testing/program/spawn-cli.ts';
import { makeFolder } from '../testing/program/target-file.ts';
import { commands } from './main.ts';

const sample = join(root, 'reports/sample.result.json');

/** An action or refusal of each command, in an empty folder. */
const calls: Readonly<Record<string, readonly string[]>> = {
  init: ['--alg', 'RS265'],
  check: [join(root, 'fixtures/broken/12-unknown-rule')],
  plan: ['jti-absent'],
  run: ['jti-absent', '--fault', 'jti-never-kept', '--out', 'here'],
  measure: ['iat-aeg'],
  explore: ['REQ-999'],
  list: ['REQ-014'],
  explain: ['jti-absent'],
  send: ['--claim', 'context'],
  decode: ['{"auth_req_id":"x","error":"invalid_grant"}'],
  listen: ['--target', 'nowhere.yaml'],
  report: [sample],
  merge: [sample, '--out', 'merged'],
  compare: [sample, sample],
  history: [],
  certify: [sample, '--key', 'nowhere.json'],
  verify: ['nowhere.jws', '--key', 'nowhere.json'],
  carrier: ['--fault', 'jti-nevr-kept'],
  prove: ['jti-nevr-kept'],
};

/** Removes what differs between runs: ids, times and ports. */
const plain = (text: string): string =>
  text
    .replaceAll(/[0-9a-f]{16}/g, 'ID')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .replaceAll(/127\.0\.0\.1:\d+/g, 'HOST')
    .replaceAll(/\b\d+(\.\d+)? (ms|s)\b/g, 'TOOK')
    .replaceAll(/file:\S+/g, 'URL');

/** Except completion, whose library writes to process.stdout itself: all its tests spawn a process. */
const compared = commands.map(({ definition }) => definition.name).filter((name) => name !== 'completion');

/** Most tests run the program in their own process (`runCli`): it must behave like a separate one. */
test.each(compared)('%s says as a process what it says in that of the test', async (name) => {
  const args = [name, ...(calls[name] ?? [])];
  const [spawned, here] = [await spawnCli(args, { cwd: makeFolder() }), await runCli(args, { cwd: makeFolder() })].map(
    ({ code, stdout, stderr }) => ({ code, stdout: plain(stdout), stderr: plain(stderr) }),
  );
  expect(here).toEqual(spawned);
  expect(`${spawned?.stdout}${spawned?.stderr}`).not.toBe('');
});
