import { describe, expect, test } from 'vitest';
import { join } from 'node:path';
import { runInto } from '../../testing/program/run-into.ts';
import { envWithoutCarrier, writeFolder, writeTarget } from '../../testing/program/target-file.ts';

const rest = 'reason: signatures come with the next release, owner: platform team';
const entry = (subject: string, expires = '2999-12-31'): string => `  - { ${subject}, ${rest}, expires: ${expires} }\n`;

const deletes = 'delete the entry that begins there';

async function runWith(entries: string, args: readonly string[] = []) {
  const file = join(writeFolder({ 'expected.yaml': `expected:\n${entries}` }), 'expected.yaml');
  const ran = await runInto(['HDR-008', '--expected', file, ...args], { env: envWithoutCarrier });
  return { ran, file };
}

const fault = ['--fault', 'signature-not-verified'];

describe('run --expected', () => {
  test('0: what fails is expected to, and it is still not called conformant', async () => {
    const entries = entry('rule: HDR-008') + entry('rule: HDR-001');
    const brief = await runWith(entries, fault);
    expect(brief.ran.stdout).toMatch(
      /\n\nBroken as expected: rule HDR-008\n[\s\S]*\nNot conformant, as expected: exit code 0\n/,
    );
    const { ran, file } = await runWith(entries, [...fault, '--verbose']);
    expect(ran.code).toBe(0);
    expect(ran.stdout).toMatch(/^Expected failures {2}2 entries, 0 to delete$/m);
    expect(ran.stdout).toContain(`  rule HDR-008 failed, as expected: signatures come with the next release`);
    expect(ran.stdout).toMatch(/^ {2}Every broken rule is expected to be broken: 1 rule\.$/m);
    expect(ran.stdout).toMatch(/^Not conformant, as expected: /m);
    expect(ran.stdout).toContain(`\n1 broken rule, all expected (${file}): exit code 0\n\nreports: `);
    const position = { file, line: 2, column: 5 };
    expect(ran.result.footer).toMatchObject({
      outcome: 'not conformant',
      expected: [
        { what: 'rule', name: 'HDR-008', became: 'failed', explains: ['HDR-008'], position },
        { name: 'HDR-001', became: 'not judged', explains: [] },
      ],
    });
  });

  test('1: another rule fails', async () => {
    const { ran } = await runWith(entry('rule: HDR-001'), [...fault, '--verbose']);
    expect(ran.stdout).toMatch(/^ {2}No entry expects HDR-008 to be broken\.$/m);
    expect(ran.code).toBe(1);
  });

  test.each([
    ['no longer fails', entry('rule: HDR-008'), 'rule HDR-008 no longer fails'],
    ['has expired', entry('rule: HDR-008', '2026-01-31'), 'rule HDR-008 expired: it held until 2026-01-31'],
    ['matches nothing', entry('case: no-such-case'), 'case no-such-case matches nothing: there is no such name'],
  ])('1: an entry %s, with the place to delete', async (_, entries, message) => {
    const { ran, file } = await runWith(entries);
    expect(ran.code).toBe(1);
    expect(ran.plain).toContain(`${file}:2:5: ${message}; ${deletes} `);
    expect(ran.stdout).toMatch(/^Conformant in the 1 of \d+ required rules/m);
    // Entries that are stale without a run are reported before it, in the same words.
    const early = message.includes('no longer fails') ? '' : `${file}:2:5: ${message}; ${deletes}\n`;
    expect(ran.stderr.slice(0, early.length)).toBe(early);
    expect(ran.stderr.split(deletes)).toHaveLength(early === '' ? 1 : 2);
  });

  test('an entry for a rule of an area that is left out is no mistake', async () => {
    const { ran } = await runWith(entry('rule: EVT-001'), ['--without', 'events', '--quiet']);
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    // There are no findings, and --quiet prints only that.
    expect(ran.stdout).toMatch(
      /^Conformant in the 1 of \d+ required rules that were run: exit code 0\n {2}None is broken[^\n]*\n {2}scope {6}[^\n]*\n(?: {2}next [^\n]*\n)?\nreports: .*\nopen in a browser: .*\n$/,
    );
  });

  test('each entry that is of no use is told before anything is sent, a run may take a day', async () => {
    const entries = [entry('rule: HDR-008'), entry('rule: HDR-001', '2026-01-31'), entry('case: no-such-case')];
    const { ran, file } = await runWith(entries.join(''), ['--target', writeTarget((given) => given)]);
    expect(ran.code).toBe(3);
    expect(ran.stderr.split('\n').slice(0, 2)).toEqual([
      `${file}:3:5: rule HDR-001 expired: it held until 2026-01-31; ${deletes}`,
      `${file}:4:5: case no-such-case matches nothing: there is no such name; ${deletes}`,
    ]);
    expect(ran.stderr.split(deletes)).toHaveLength(3);
  });

  test('2: a mistake in the file, and nothing is sent', async () => {
    const { ran, file } = await runWith('  - { rule: HDR-008 }\n');
    expect(ran).toMatchObject({ code: 2, stdout: '' });
    expect(ran.stderr).toContain(`${file}:2:5: missing key "reason" in an expected failure\n`);
    expect(ran.stderr).toMatch(/^carrierspec: the file of expected failures .* has 3 mistakes$/m);
  });
});
