import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { catalogue, type Matrix } from '../../prove/catalogue.ts';
import { type Ended, runCli } from '../../testing/spawn-cli.ts';

const golden = 'fixtures/prove/matrix.json';
const minutes = 60_000;
const folder = mkdtempSync(join(tmpdir(), 'prove-'));
afterAll(() => rmSync(folder, { recursive: true }));

const readMatrix = (path: string): Matrix['rows'] =>
  existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Matrix).rows : {};

describe('the whole proof', () => {
  let ended: Ended | undefined;
  let rows: Matrix['rows'] = {};
  const expected = readMatrix(golden);
  beforeAll(async () => {
    ended = await runCli(['prove', '--out', folder], { timeLimit: 15 * minutes });
    rows = readMatrix(join(folder, 'matrix.json'));
    process.stdout.write(`${ended.stdout.split('\n').slice(-3).join('\n')}\n`);
  }, 16 * minutes);

  it('leaves nothing unproved', () => {
    expect(ended?.stdout).toContain('Proved: every fault turned exactly the rules it is declared to break');
    expect(ended?.code).toBe(0);
  });

  it('has the rows of the golden matrix, and no others', () =>
    expect(Object.keys(rows)).toEqual(Object.keys(expected)));

  it.each(catalogue.map(({ name, kind }) => ({ name, kind })))('$kind $name turns what it did', ({ name }) => {
    expect(rows[name]).toBeDefined();
    expect(rows[name]).toEqual(expected[name]);
  });
});
