import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isJsonObject } from '../../lib/json.ts';
import { runCli } from '../../testing/program/run-cli.ts';
import { makeFolder, writeFolder, writeTarget } from '../../testing/program/target-file.ts';

const rest = 'reason: signatures come with the next release, owner: platform team';
const entry = (subject: string, expires = '2999-12-31'): string => `  - { ${subject}, ${rest}, expires: ${expires} }\n`;

const deletes = 'delete the entry that begins there';

async function runWith(entries: string, args: readonly string[] = [], env: Readonly<Record<string, string>> = {}) {
  const folder = writeFolder({ 'expected.yaml': `expected:\n${entries}` });
  const file = join(folder, 'expected.yaml');
  const out = makeFolder();
  const ended = await runCli(['run', 'HDR-008', '--expected', file, '--out', out, ...args], { env });
  return { ...ended, plain: ended.stdout.replaceAll(/\s+/g, ' '), file, out };
}

const fault = ['--fault', 'signature-not-verified'];

describe('run --expected', () => {
  test('0: what fails is expected to, and it is still not called conformant', async () => {
    const { code, stdout, out, file } = await runWith(entry('rule: HDR-008') + entry('rule: HDR-001'), fault);
    expect(stdout).toMatch(/^Expected failures {2}2 entries, 0 to delete$/m);
    expect(stdout).toContain(`  rule HDR-008 failed, as expected: signatures come with the next release`);
    expect(stdout).toMatch(/^ {2}Every broken rule is expected to be broken: 1 rule\.$/m);
    expect(stdout).toMatch(/^Not conformant, as expected: /m);
    expect(stdout).toContain(`\n1 broken rule, all expected (${file}): exit code 0\n\nreports: `);
    const result: unknown = JSON.parse(readFileSync(join(out, 'result.json'), 'utf8'));
    expect(isJsonObject(result) && result['footer']).toMatchObject({
      outcome: 'not conformant',
      expected: [
        {
          what: 'rule',
          name: 'HDR-008',
          became: 'failed',
          explains: ['HDR-008'],
          position: { file, line: 2, column: 5 },
        },
        { name: 'HDR-001', became: 'not judged', explains: [] },
      ],
    });
    expect(code).toBe(0);
  });

  test('1: another rule fails', async () => {
    const { code, stdout } = await runWith(entry('rule: HDR-001'), fault);
    expect(stdout).toMatch(/^ {2}No entry expects HDR-008 to be broken\.$/m);
    expect(code).toBe(1);
  });

  test.each([
    ['no longer fails', entry('rule: HDR-008'), 'rule HDR-008 no longer fails'],
    ['has expired', entry('rule: HDR-008', '2026-01-31'), 'rule HDR-008 expired: it held until 2026-01-31'],
    ['matches nothing', entry('case: no-such-case'), 'case no-such-case matches nothing: there is no such name'],
  ])('1: an entry %s, with the place to delete', async (_, entries, message) => {
    const { code, stdout, stderr, plain, file } = await runWith(entries);
    expect(plain).toContain(` ${file}:2:5: ${message}; ${deletes} `);
    expect(stdout).toMatch(/^Conformant in the 1 of \d+ required rules/m);
    expect(stdout).toMatch(
      /^ {2}expected +1 entry to delete: until then no run ends as expected, whatever the outcome$/m,
    );
    expect(code).toBe(1);
    // Entries that are stale without a run are reported before it, in the same words.
    const early = message.includes('no longer fails') ? '' : `${file}:2:5: ${message}; ${deletes}\n`;
    expect(stderr.slice(0, early.length)).toBe(early);
    expect(stderr.split(deletes)).toHaveLength(early === '' ? 1 : 2);
  });

  test('an entry for a rule of an area that is left out is no mistake', async () => {
    const { code, stdout, stderr } = await runWith(entry('rule: EVT-001'), ['--without', 'events', '--quiet']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    // There are no findings, and --quiet prints only that.
    expect(stdout).toMatch(
      /^Conformant in the 1 of \d+ required rules that were run: [^:]*: [^:]*\.\n {2}scope {6}[^\n]*\n\nConformant in the 1 of \d+ required rules that were run: exit code 0\n\nreports: .*\nopen in a browser: .*\n$/,
    );
  });

  test('each entry that is of no use is told before anything is sent, a run may take a day', async () => {
    const target = ['--target', writeTarget((given) => ({ ...given, discovery: 'http://127.0.0.1:9' }))];
    const entries = [entry('rule: HDR-008'), entry('rule: HDR-001', '2026-01-31'), entry('case: no-such-case')];
    const env = { REFERENCE_ADMIN: 'http://127.0.0.1:9', REFERENCE_RECEIVER_PORT: '0', REFERENCE_SECRET: 'none' };
    const { code, stderr, file } = await runWith(entries.join(''), target, env);
    expect(code).toBe(3);
    expect(stderr.split('\n').slice(0, 2)).toEqual([
      `${file}:3:5: rule HDR-001 expired: it held until 2026-01-31; ${deletes}`,
      `${file}:4:5: case no-such-case matches nothing: there is no such name; ${deletes}`,
    ]);
    expect(stderr.split(deletes)).toHaveLength(3);
  });

  test('2: a mistake in the file, and nothing is sent', async () => {
    const { code, stdout, stderr, file } = await runWith('  - { rule: HDR-008 }\n');
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(`${file}:2:5: missing key "reason" in an expected failure\n`);
    expect(stderr).toMatch(/^carrierspec: the file of expected failures .* has 3 mistakes$/m);
  });
});
