import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { parseProofMatrix } from '../../prove/matrix.ts';
import { type ProcessResult, spawnCli } from '../../../testing/program/spawn-cli.ts';
import { makeFolder, writeFolder } from '../../../testing/program/target-file.ts';

const timeLimit = 600_000;
const golden = 'fixtures/prove/matrix.json';
const out = makeFolder();
const prove = (...args: readonly string[]) => spawnCli(['prove', ...args, '--out', out], { timeLimit });
/** The output without line breaks. */
const unwrapped = (text = ''): string => text.replaceAll(/\s+/g, ' ');

const rules =
  'area: mine\ntitle: Mine\nrules:\n  - { id: MY-001, clause: "1", level: required, description: It is accepted., judged: cases }\n';
const suite =
  'suite: Mine\ncases:\n  - id: my-case\n    title: It is accepted\n    rule: MY-001\n    detects: [signature-not-verified]\n    steps:\n      - authorize: {}\n        expect: accepted\n';

/** With an additional suite of the user's: the clean run is made once and compared with both faults. */
describe('carrierspec prove', () => {
  const suites = ['--suites', writeFolder({ 'mine/rules.yaml': rules, 'mine/mine.suite.yaml': suite })];
  let first: ProcessResult | undefined;
  beforeAll(async () => {
    first = await prove('jti-trimmed', 'signature-not-verified', ...suites);
  }, timeLimit);

  test('proves faults on a clean run of its own, and writes the matrix', () => {
    expect(first?.stdout, first?.stderr).toMatch(
      /^ {2}killed {8}jti-trimmed {2}\d+ of \d+ cases\n {16}REQ-015 warn\n/m,
    );
    expect(unwrapped(first?.stdout)).not.toContain('clean run is that of');
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
    expect(unwrapped(second.stdout)).toContain('The clean run is that of the last proof');
    const matrix: unknown = JSON.parse(readFileSync(join(out, 'matrix.json'), 'utf8'));
    expect(matrix).toMatchObject({
      format: 'carrierspec-matrix',
      rows: { 'jti-trimmed': { kind: 'fault', status: 'killed' } },
    });
  });

  /** In two starts: the second keeps the first's proofs, and each compares every row with a matrix. */
  const whole = (matrix: string) =>
    prove('signature-not-verified', '--whole', '--resume', '--against', matrix, ...suites);

  test('with --whole every case runs, the row is the golden one, and a suite of one’s own that says too much is told so', {
    timeout: timeLimit,
  }, async () => {
    const { code, stdout } = await whole(golden);
    expect(code).toBe(1);
    expect(unwrapped(stdout)).toContain('Every case ran for every fault.');
    expect(stdout).toMatch(/killed {8}signature-not-verified {2}(\d+) of \1 cases\n {16}HDR-008 fail/);
    expect(unwrapped(stdout)).toContain('says it detects signature-not-verified, but stays as it was: my-case');
    expect(unwrapped(stdout)).not.toContain(' in the matrix');
  });

  test('--resume keeps that proof for the next start, which lists what turns otherwise than another matrix says', {
    timeout: timeLimit,
  }, async () => {
    const row = parseProofMatrix(readFileSync(golden, 'utf8')).get('signature-not-verified');
    const rows = { 'signature-not-verified': { ...row, turned: {} } };
    const other = join(makeFolder(), 'other.json');
    writeFileSync(other, JSON.stringify({ format: 'carrierspec-matrix', version: 1, rows }));
    const { code, stdout, stderr } = await whole(other);
    expect(code).toBe(1);
    expect(stderr).toContain('1 of 1 proof kept\n');
    expect(unwrapped(stdout)).toContain('signature-not-verified: here, and not in the matrix: HDR-008 fail');
  });
});
