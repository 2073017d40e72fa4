import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readResult } from '../../journal/read-result.ts';
import { runCli } from '../../testing/program/run-cli.ts';
import { makeFolder, startCarrier, startInRealTime, writeTarget } from '../../testing/program/target-file.ts';

describe('measure', () => {
  test('says in words what the reference carrier does', async () => {
    const { code, stdout, stderr } = await runCli(
      ['measure', 'iat-age', 'jti-window', 'context*', 'a2', 'async-token'],
      { env: { COLUMNS: '120' } },
    );
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^Limits {2}5 limits$/m);
    expect(stdout).toMatch(/^ {2}iat-age +refuses iat older than 300 s ± 1 s {2}\(REQ-009\)$/m);
    expect(stdout).toMatch(/^ {2}jti-window +remembers a jti for 300 s ± 10 s/m);
    expect(stdout).toMatch(/^ {2}context-least +refuses context shorter than 8 characters/m);
    expect(stdout).toContain('characters are counted');
    expect(stdout).toMatch(/^ {2}a2 +acr_values a2: denied 400 invalid_request/m);
    expect(stdout).toMatch(/^ {2}async-token +.*denied 400 unsupported_response_type/m);
  });

  test('a name that is none, and a limit that cannot be measured', async () => {
    const wrong = await runCli(['measure', 'iat-aeg']);
    expect(wrong.code).toBe(2);
    expect(wrong.stderr).toContain('nothing to measure is called iat-aeg; did you mean iat-age?');
    const carrier = await startCarrier();
    const target = writeTarget((given) => ({ ...given, drivers: {} }));
    const lacking = await runCli(['measure', 'event-deduplication', '--target', target], { env: carrier.env });
    expect(lacking.code).toBe(4);
    expect(lacking.stdout).toContain('not measured: needs a driver for move-sim');
  });

  test('in real time an age has the uncertainty of clocks and network, and holds the configured one', async () => {
    const { env, target } = await startInRealTime();
    const { code, stdout, stderr } = await runCli(['measure', 'iat-age', '--target', target], { env });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const [, value, uncertainty] = /older than (\d+) s ± (\d+) s/.exec(stdout) ?? [];
    expect(Number(uncertainty)).toBeGreaterThanOrEqual(2);
    expect(Math.abs(Number(value) - 300)).toBeLessThanOrEqual(Number(uncertainty));
  });
});

test('measure --out: keeps the figures as a result, with a journal and a report', async () => {
  const out = makeFolder();
  const names = ['iat-age', 'event-deduplication', 'a2'];
  const { code, stdout } = await runCli(['measure', ...names, '--out', out, '--json']);
  expect(code).toBe(0);
  // One document, and nothing beside it.
  expect(JSON.parse(stdout)).toMatchObject({
    limits: [{ name: 'iat-age' }, { name: 'event-deduplication', value: 3600, uncertainty: 60, unit: 's' }],
    profile: [{ name: 'a2' }],
  });
  const whole = readResult(join(out, 'result.json')).result.footer;
  expect(whole?.limits?.find(({ name }) => name === 'iat-age')).toMatchObject({ state: 'limit', value: 300 });
  expect(readResult(join(out, 'journal.jsonl')).result.footer).toEqual(whole);
  // Measuring advances the clock by more than an hour, within the run.
  const { startedAt } = readResult(join(out, 'result.json')).result.header;
  expect(Math.abs(Date.parse(startedAt) - Date.now())).toBeLessThan(10 * 60_000);
  expect(Date.parse(whole?.endedAt ?? '') - Date.parse(startedAt)).toBeGreaterThan(3_600_000);
  expect(readFileSync(join(out, 'report.html'), 'utf8')).toContain('refuses iat older than 300 s ± 1 s');
  const file = join(out, 'result.json');
  const compared = await runCli(['compare', file, file]);
  expect(compared.code, compared.stderr).toBe(0);
  expect(compared.stdout).toMatch(/of what was measured,\s0 of 2 limits and 0 of 1 entries of the profile/);
});
