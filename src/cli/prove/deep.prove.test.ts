import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseJson } from '../../lib/json.ts';
import { spawnCli } from '../../testing/spawn-cli.ts';
import { makeFolder } from '../../testing/target-file.ts';

const timeLimit = 600_000;

test('prove --deep explores the carrier with each fault, and says which was found after how many requests', {
  timeout: timeLimit,
}, async () => {
  const out = makeFolder();
  const names = ['exp-unbounded-with-nbf'];
  const flags = ['--seeds', '1', '--requests', '5000', '--out', out];
  const { stdout, stderr } = await spawnCli(['prove', '--deep', ...names, ...flags], { timeLimit });
  expect(stdout, stderr).toMatch(/^ {2}interaction +1 fault, /m);
  expect(stdout).toMatch(
    /found by one exploration of 5,000 requests, 1 of 1 by 1 exploration; median of [\d,]+ requests\.$/m,
  );
  // An exp without a bound breaks each: one too far ahead, one that is no date, and one that is left of two mistakes.
  const rule = expect.stringMatching(/^(REQ-012|SEC-15|ERR-006)$/) as string;
  expect(parseJson(readFileSync(join(out, 'deep.json'), 'utf8'))).toMatchObject({
    format: 'carrierspec-deep',
    faults: [{ name: 'exp-unbounded-with-nbf', tries: [{ seed: '1', shown: { rule, kind: 'members' } }] }],
  });
});
