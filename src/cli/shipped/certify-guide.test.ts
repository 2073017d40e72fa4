import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { describe, expect, test } from 'vitest';
import { runCli } from '../../testing/program/run-cli.ts';
import { root } from '../../testing/program/spawn-cli.ts';
import { runInto } from '../../testing/program/run-into.ts';
import { makeFolder, startCarrier, withoutNames, writeTarget } from '../../testing/program/target-file.ts';

const guide = readFileSync(join(root, 'docs/certification.md'), 'utf8');
const blocks = [...guide.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, text = '']) => text);
const commands = blocks.flatMap((text) => text.split('\n')).filter((line) => line.startsWith('carrierspec '));

describe('docs/certification.md', () => {
  test('walks through the commands in order', () => {
    const names = commands.map((line) => line.split(' ')[1]);
    expect([...new Set(names)]).toEqual(['init', 'check', 'plan', 'run', 'certify', 'verify', 'compare']);
  });
});

/** Follows the guide with a carrier process on a virtual clock, declared a test carrier in its target file. */
describe('the way of the guide', () => {
  const folder = makeFolder();
  test('ends with a certificate that verifies with the published key', async () => {
    const carrier = await startCarrier();
    const target = writeTarget((given) => ({ ...given, test_carrier: true }));
    const out = join(folder, '2026-11');
    const run = await runCli(['run', 'success-callback-members', '--target', target, '--out', out], {
      env: carrier.env,
    });
    expect(run).toMatchObject({ code: 0 });
    const makeKey = blocks.find((text) => text.startsWith('node -e ')) ?? '';
    const script = makeKey.slice(makeKey.indexOf("'") + 1, makeKey.lastIndexOf("'"));
    expect(spawnSync(process.execPath, ['-e', script], { cwd: folder }).status).toBe(0);
    for (const line of commands.filter((one) => /^carrierspec (certify|verify) /.test(one))) {
      const { code, stdout } = await runCli(line.split(' ').slice(1), { cwd: folder });
      expect({ line, code }).toEqual({ line, code: 0 });
      expect(stdout.replaceAll('\n', ' ')).toMatch(
        /^(?:Certified|Valid): the test carrier ".+" \(http.+\) was found conformant in the \d+ of \d+ required rules that were run\. /,
      );
      expect(stdout).toContain('  - test carrier; virtual clock: it says nothing about real time; profile interface\n');
    }
    // A carrier that declares nothing is not certified on a virtual clock.
    const other = writeTarget((given) => withoutNames(given, 'test_carrier'));
    const undeclared = await runInto(['success-callback-members', '--target', other], { env: carrier.env });
    const args = ['certify', join(undeclared.out, 'result.json'), '--key', join(folder, 'private.jwk.json')];
    const { code, stderr } = await runCli(args, { cwd: folder });
    expect(code).toBe(2);
    expect(stderr).toContain('declare the target a test carrier (test_carrier: true)');
  });
});
