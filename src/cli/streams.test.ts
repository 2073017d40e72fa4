import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { XMLValidator } from 'fast-xml-parser';
import { describe, expect, test } from 'vitest';
import { isJsonObject } from '../lib/json.ts';
import { runCli } from '../testing/program/run-cli.ts';
import { root } from '../testing/program/spawn-cli.ts';
import { makeFolder } from '../testing/program/target-file.ts';

const small = ['run', 'jti-absent'];
const colourStart = '\u{1b}[';

function schemaErrors(document: unknown): unknown {
  const schema: unknown = JSON.parse(readFileSync(join(root, 'reports/result.schema.json'), 'utf8'));
  if (!isJsonObject(schema)) throw new Error('the schema is no object');
  const validate = new Ajv2020({ strict: true, allErrors: true }).compile(schema);
  validate(document);
  return validate.errors;
}

describe('streams', () => {
  test('the report is on stdout, the progress on stderr', async () => {
    const { code, stdout, stderr } = await runCli([...small, '--out', makeFolder()]);
    expect(code).toBe(0);
    expect(stderr).toBe('100%: 1/1 cases, 0 failures\n');
    expect(stdout).toMatch(/^carrierspec \d+\.\d+\.\d+(?:-rc\.\d+)? {2}run [0-9a-f]{16}\n/);
    expect(stdout).not.toContain('100%');
  });

  test('--report json=- gives one JSON document that fits the schema, and the rest goes to stderr', async () => {
    const { code, stdout, stderr } = await runCli([...small, '--report', 'json=-', '--out', makeFolder()]);
    expect(code).toBe(0);
    const document: unknown = JSON.parse(stdout);
    expect(schemaErrors(document)).toBeNull();
    expect(document).toMatchObject({ cases: [{ id: 'jti-absent', verdict: 'pass' }] });
    expect(stderr).toMatch(
      /\nreports: .*result\.json, .*junit\.xml, .*report\.html\nopen in a browser: file:.*report\.html\n$/,
    );
  });

  test('a schema that fits everything would not have passed', () => {
    expect(schemaErrors({ cases: [] })).not.toBeNull();
  });

  test('--report junit=- gives one XML document', async () => {
    const { stdout } = await runCli([...small, '--report', 'junit=-', '--out', makeFolder()]);
    expect(XMLValidator.validate(stdout)).toBe(true);
    expect(stdout).toContain('<testsuites');
  });

  test('--out holds the journal, the result and the JUnit report', async () => {
    const out = join(makeFolder(), 'deep', 'a folder');
    const { stdout } = await runCli([...small, '--out', out]);
    const read = (name: string): string => readFileSync(join(out, name), 'utf8');
    expect(schemaErrors(JSON.parse(read('result.json')))).toBeNull();
    expect(XMLValidator.validate(read('junit.xml'))).toBe(true);
    expect(
      read('journal.jsonl')
        .trimEnd()
        .split('\n')
        .map((line): unknown => JSON.parse(line)),
    ).toHaveLength(4);
    expect(stdout).toContain(
      `reports: ${join(out, 'result.json')}, ${join(out, 'junit.xml')}, ${join(out, 'report.html')}\n`,
    );
    const last = stdout.trimEnd().split('\n').at(-1);
    expect(last).toBe(`open in a browser: ${pathToFileURL(join(out, 'report.html')).href}`);
    expect(read('report.html')).toMatch(/^<!doctype html>\n/);
  });

  test('two reports never go to one place', async () => {
    const out = makeFolder();
    const flags = ['--out', out, '--report', `ctrf=${join(out, 'report.html')}`];
    const { code, stderr } = await runCli(['run', 'jti-absent', ...flags]);
    expect(code).toBe(2);
    expect(stderr).toContain('is written or read by something else');
    expect(readdirSync(out)).toEqual([]);
  });

  test.runIf(existsSync('/proc'))('a folder that nobody can make is a mistake of usage', async () => {
    const { code, stderr } = await runCli(['run', 'jti-absent', '--out', '/proc/nix/deeper']);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: 'carrierspec: --out: /proc/nix/deeper cannot be written: there is no such folder\n',
    });
  });
});

describe('colour', () => {
  test.each([
    ['a pipe has none', {}, false],
    ['FORCE_COLOR gives some', { FORCE_COLOR: '1' }, true],
    ['FORCE_COLOR=0 gives none', { FORCE_COLOR: '0' }, false],
    ['FORCE_COLOR wins over NO_COLOR', { FORCE_COLOR: '1', NO_COLOR: '1' }, true],
    ['NO_COLOR alone gives none', { NO_COLOR: '1' }, false],
    ['--no-color wins over FORCE_COLOR', { FORCE_COLOR: '1' }, false, ['--no-color']],
    ['--color wins over NO_COLOR', { NO_COLOR: '1' }, true, ['--color']],
    ['--color wins over TERM=dumb', { TERM: 'dumb' }, true, ['--color']],
  ])('%s', async (_, env, coloured, flags: readonly string[] = []) => {
    const { stdout } = await runCli(['list', 'REQ-001', ...flags], { env });
    expect(stdout.includes(colourStart)).toBe(coloured);
    expect(stdout).toContain('REQ-001');
  });

  test('a report has it too', async () => {
    const { stdout } = await runCli([...small, '--out', makeFolder()], { env: { FORCE_COLOR: '1' } });
    expect(stdout).toContain(colourStart);
  });
});
