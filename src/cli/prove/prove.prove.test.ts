import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { parseMatrix } from '../../prove/matrix.ts';
import { type Ended, spawnCli } from '../../testing/spawn-cli.ts';
import { makeFolder, writeFolder } from '../../testing/target-file.ts';

const timeLimit = 600_000;
const out = makeFolder();
const prove = (...args: readonly string[]) => spawnCli(['prove', ...args, '--out', out], { timeLimit });

const rules =
  'area: mine\ntitle: Mine\nrules:\n  - { id: MY-001, clause: "1", level: required, description: It is accepted., judged: cases }\n';
const suite =
  'suite: Mine\ncases:\n  - id: my-case\n    title: It is accepted\n    rule: MY-001\n    detects: [jti-kept-2-minutes]\n    steps:\n      - authorize: {}\n        expect: accepted\n';

/** With a suite of one's own beside those that ship: the clean run is made once for all, and compared with both faults. */
describe('carrierspec prove', () => {
  const suites = ['--suites', writeFolder({ 'mine/rules.yaml': rules, 'mine/mine.suite.yaml': suite })];
  let first: Ended | undefined;
  beforeAll(async () => {
    first = await prove('jti-trimmed', 'jti-kept-2-minutes', ...suites);
  }, timeLimit);

  test('proves faults on a clean run of its own, and writes the matrix', () => {
    expect(first?.stdout, first?.stderr).toMatch(
      /^ {2}killed {8}jti-trimmed {2}\d+ of \d+ cases\n {16}REQ-015 warn\n/m,
    );
    expect(first?.stdout).not.toContain('clean run is that of');
    const matrix: unknown = JSON.parse(readFileSync(join(out, 'matrix.json'), 'utf8'));
    expect(matrix).toMatchObject({
      format: 'carrierspec-matrix',
      rows: { 'jti-trimmed': { kind: 'fault', status: 'killed' } },
    });
  });

  test('proves one fault, and remembers the clean run', { timeout: timeLimit }, async () => {
    const second = await prove('jti-trimmed', ...suites);
    expect(second, second.stderr).toMatchObject({ code: 0 });
    expect(second.stdout).toMatch(/^ {2}killed {8}jti-trimmed {2}\d+ of \d+ cases\n {16}REQ-015 warn\n/);
    expect(second.stdout).toContain('The clean run is that of the last proof');
    const matrix: unknown = JSON.parse(readFileSync(join(out, 'matrix.json'), 'utf8'));
    expect(matrix).toMatchObject({
      format: 'carrierspec-matrix',
      rows: { 'jti-trimmed': { kind: 'fault', status: 'killed' } },
    });
  });

  test('with --whole every case runs, the row is the same, and a suite of one’s own that says too much is told so', {
    timeout: timeLimit,
  }, async () => {
    const { code, stdout } = await prove('jti-kept-2-minutes', '--whole', ...suites);
    expect(code).toBe(1);
    expect(stdout).toContain('Every case ran for every fault.');
    expect(stdout).toMatch(/killed {8}jti-kept-2-minutes {2}(\d+) of \1 cases\n {16}REQ-015 warn\n/);
    expect(stdout).toContain('says it detects jti-kept-2-minutes, but stays as it was: my-case');
  });
});

/** In parts: what an earlier start has proved is kept, and every row is held against the golden matrix. */
describe('carrierspec prove --whole --resume --against', () => {
  const folder = makeFolder();
  const golden = 'fixtures/prove/matrix.json';
  const proveWhole = (against: string, ...names: readonly string[]) =>
    spawnCli(['prove', ...names, '--whole', '--resume', '--against', against, '--out', folder], { timeLimit });
  let first: Ended | undefined;
  beforeAll(async () => {
    first = await proveWhole(golden, 'acr-in-any-case');
  }, timeLimit);

  test('turns with every case what the golden matrix says', () => {
    expect(first?.stdout, first?.stderr).toMatch(/killed {8}acr-in-any-case {2}(\d+) of \1 cases\n/);
    expect(first?.code).toBe(0);
  });

  test('keeps the proof for the next start, and lists what turns otherwise than a matrix says', {
    timeout: timeLimit,
  }, async () => {
    const rows = parseMatrix(readFileSync(golden, 'utf8'));
    const row = rows.get('acr-in-any-case');
    const other = { format: 'carrierspec-matrix', version: 1, rows: { 'acr-in-any-case': { ...row, turned: {} } } };
    const file = join(makeFolder(), 'other.json');
    writeFileSync(file, JSON.stringify(other));
    const second = await proveWhole(file, 'acr-in-any-case');
    expect(second.code).toBe(1);
    expect(second.stderr).toContain('1 of 1 proof kept\n');
    expect(second.stdout).toContain('acr-in-any-case: here, and not in the matrix: REQ-058 fail');
  });
});
