import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseJson } from '../../../lib/json.ts';
import { spawnCli } from '../../../testing/program/spawn-cli.ts';
import { makeFolder } from '../../../testing/program/target-file.ts';

const timeLimit = 600_000;

test('prove --deep explores the carrier with each fault, and says which was found after how many requests', {
  timeout: timeLimit,
}, async () => {
  const out = makeFolder();
  const names = ['a1-raised-by-offline-access'];
  const flags = ['--seeds', '1', '--requests', '2500', '--out', out];
  const { stdout, stderr } = await spawnCli(['prove', '--deep', ...names, ...flags], { timeLimit });
  expect(stdout, stderr).toMatch(/^ {2}interaction +1 fault, /m);
  expect(stdout).toMatch(
    /found by one exploration of 2,500 requests, 1 of 1 by 1 exploration; median of [\d,]+ requests\.$/m,
  );
  expect(parseJson(readFileSync(join(out, 'deep.json'), 'utf8'))).toMatchObject({
    format: 'carrierspec-deep',
    faults: [
      { name: 'a1-raised-by-offline-access', tries: [{ seed: '1', shown: { rule: 'REQ-056', kind: 'members' } }] },
    ],
  });
});
