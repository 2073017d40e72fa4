import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { faultSubjects } from '../../prove/catalogue.ts';
import { compareRows, parseProofMatrix, type MatrixRows } from '../../prove/matrix.ts';
import { type ProcessResult, spawnCli } from '../../../testing/program/spawn-cli.ts';

const golden = 'fixtures/prove/matrix.json';
/** PROVE_DRAWN also proves every fault on two drawn carriers: `fault@a`, `fault@b`. */
const isDrawn = process.env['PROVE_DRAWN'] !== undefined;
const minutes = 60_000;
const folder = mkdtempSync(join(tmpdir(), 'prove-'));
afterAll(() => rmSync(folder, { recursive: true }));

const readMatrix = (path: string): MatrixRows =>
  existsSync(path) ? parseProofMatrix(readFileSync(path, 'utf8')) : new Map();

describe('the whole proof', () => {
  let ended: ProcessResult | undefined;
  let rows: MatrixRows = new Map();
  const expected = new Map([...readMatrix(golden)].filter(([name]) => isDrawn || !name.includes('@')));
  beforeAll(async () => {
    const flags = ['--against', golden, ...(isDrawn ? ['--drawn'] : []), '--out', folder];
    ended = await spawnCli(['prove', ...flags], { timeLimit: 20 * minutes });
    rows = readMatrix(join(folder, 'matrix.json'));
    process.stdout.write(`${ended.stdout.split('\n').slice(-3).join('\n')}\n`);
  }, 21 * minutes);

  it('leaves nothing unproved', () => {
    expect(ended?.stdout).toContain('Proved: every fault turned exactly the rules it is declared to break');
    expect(ended?.stdout).toContain(`${expected.size} killed`);
    expect(ended?.code).toBe(0);
  });

  it('has a row for every fault and variant of the catalogue, and no others', () => {
    const named = new Set([...expected.keys()].filter((name) => !name.includes('@')));
    expect(named).toEqual(new Set(faultSubjects.map(({ name }) => name)));
  });

  it.each([...expected].map(([name, { kind }]) => ({ name, kind })))('$kind $name turns what it did', ({ name }) => {
    expect(rows.has(name)).toBe(true);
    const row = new Map([...rows].filter(([one]) => one === name));
    expect(compareRows(row, expected)).toEqual([]);
  });
});
