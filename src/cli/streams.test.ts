import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { XMLValidator } from 'fast-xml-parser';
import { describe, expect, test } from 'vitest';
import { isJsonObject } from '../lib/json.ts';
import { runCli } from '../testing/program/run-cli.ts';
import { runInto } from '../testing/program/run-into.ts';
import { root } from '../testing/program/spawn-cli.ts';
import { makeFolder } from '../testing/program/target-file.ts';

const colourStart = '\u{1b}[';

function schemaErrors(document: unknown): unknown {
  const schema: unknown = JSON.parse(readFileSync(join(root, 'reports/result.schema.json'), 'utf8'));
  if (!isJsonObject(schema)) throw new Error('the schema is no object');
  const validate = new Ajv2020({ strict: true, allErrors: true }).compile(schema);
  validate(document);
  return validate.errors;
}

describe('streams', () => {
  test('the report is on stdout, the progress on stderr, and the files are in --out', async () => {
    const out = join(makeFolder(), 'deep', 'a folder');
    const { code, stdout, stderr } = await runInto(['jti-absent'], { out });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^carrierspec \d+\.\d+\.\d+(?:-rc\.\d+)?: [^\n]+, jti-absent\n/);
    expect(stdout).not.toContain('100%');
    const [result, page] = ['result.json', 'report.html'].map((name) => join(out, name));
    const last = `open in a browser: ${pathToFileURL(page ?? '').href}\n`;
    expect(stdout.endsWith(`reports: ${result}, junit.xml, report.html\n${last}`)).toBe(true);
    const read = (name: string): string => readFileSync(join(out, name), 'utf8');
    expect(schemaErrors(JSON.parse(read('result.json')))).toBeNull();
    expect(schemaErrors({ cases: [] })).not.toBeNull();
    expect(XMLValidator.validate(read('junit.xml'))).toBe(true);
    expect(read('report.html')).toMatch(/^<!doctype html>\n/);
    const lines = read('journal.jsonl').trimEnd().split('\n');
    expect(lines.map((line): unknown => JSON.parse(line))).toHaveLength(4);
  });

  test('a report on stdout is one document, and the rest goes to stderr', async () => {
    const json = await runInto(['jti-absent', '--report', 'json=-']);
    const document: unknown = JSON.parse(json.stdout);
    expect(schemaErrors(document)).toBeNull();
    expect(document).toMatchObject({ cases: [{ id: 'jti-absent', verdict: 'pass' }] });
    expect(json.stderr).toMatch(
      /\nreports: .*result\.json, .*junit\.xml, .*report\.html\nopen in a browser: file:.*report\.html\n$/,
    );
    const junit = await runInto(['jti-absent', '--report', 'junit=-']);
    expect([XMLValidator.validate(junit.stdout), junit.stdout.includes('<testsuites')]).toEqual([true, true]);
  });

  test('two reports never go to one place', async () => {
    const out = makeFolder();
    const { code, stderr } = await runInto(['jti-absent', '--report', `ctrf=${join(out, 'report.html')}`], { out });
    expect(code).toBe(2);
    expect(stderr).toContain('is written or read by something else');
    expect(readdirSync(out)).toEqual([]);
  });

  test.runIf(existsSync('/proc'))('a folder that nobody can make is a mistake of usage', async () => {
    const stderr = 'carrierspec: --out: /proc/nix/deeper cannot be written: there is no such folder\n';
    expect(await runInto(['jti-absent'], { out: '/proc/nix/deeper' })).toMatchObject({ code: 2, stderr });
  });
});

test('colour: a report has it too', async () => {
  expect((await runInto(['jti-absent'], { env: { FORCE_COLOR: '1' } })).stdout).toContain(colourStart);
});

test.each([
  ['a pipe has none', {}, false],
  ['FORCE_COLOR gives some', { FORCE_COLOR: '1' }, true],
  ['FORCE_COLOR=0 gives none', { FORCE_COLOR: '0' }, false],
  ['FORCE_COLOR wins over NO_COLOR', { FORCE_COLOR: '1', NO_COLOR: '1' }, true],
  ['--no-color wins over FORCE_COLOR', { FORCE_COLOR: '1' }, false, ['--no-color']],
  ['--color wins over NO_COLOR', { NO_COLOR: '1' }, true, ['--color']],
  ['--color wins over TERM=dumb', { TERM: 'dumb' }, true, ['--color']],
])('colour: %s', async (_, env, coloured, flags: readonly string[] = []) => {
  const { stdout } = await runCli(['list', 'REQ-001', ...flags], { env });
  expect([stdout.includes(colourStart), stdout.includes('REQ-001')]).toEqual([coloured, true]);
});
