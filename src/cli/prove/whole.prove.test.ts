import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { catalogue, type Matrix } from '../../prove/catalogue.ts';
import { type Ended, spawnCli } from '../../testing/spawn-cli.ts';

const golden = 'fixtures/prove/matrix.json';
/** PROVE_DRAWN proves every fault on two drawn carriers as well: `fault@a`, `fault@b`. */
const isDrawn = process.env['PROVE_DRAWN'] !== undefined;
const minutes = 60_000;
const folder = mkdtempSync(join(tmpdir(), 'prove-'));
afterAll(() => rmSync(folder, { recursive: true }));

const readMatrix = (path: string): Matrix['rows'] =>
  existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Matrix).rows : {};

const provedHere = (rows: Matrix['rows']): Matrix['rows'] =>
  Object.fromEntries(Object.entries(rows).filter(([name]) => isDrawn || !name.includes('@')));

describe('the whole proof', () => {
  let ended: Ended | undefined;
  let rows: Matrix['rows'] = {};
  const expected = provedHere(readMatrix(golden));
  beforeAll(async () => {
    ended = await spawnCli(['prove', ...(isDrawn ? ['--drawn'] : []), '--out', folder], { timeLimit: 20 * minutes });
    rows = readMatrix(join(folder, 'matrix.json'));
    process.stdout.write(`${ended.stdout.split('\n').slice(-3).join('\n')}\n`);
  }, 21 * minutes);

  it('leaves nothing unproved', () => {
    expect(ended?.stdout).toContain('Proved: every fault turned exactly the rules it is declared to break');
    expect(ended?.code).toBe(0);
  });

  it('has the rows of the golden matrix, and no others', () =>
    expect(Object.keys(rows)).toEqual(Object.keys(expected)));

  it('has every fault and variant of the catalogue', () =>
    expect(Object.keys(expected).filter((name) => !name.includes('@'))).toEqual(
      expect.arrayContaining(catalogue.map(({ name }) => name)),
    ));

  it.each(Object.entries(expected).map(([name, { kind }]) => ({ name, kind })))(
    '$kind $name turns what it did',
    ({ name }) => {
      expect(rows[name]).toBeDefined();
      expect(rows[name]).toEqual(expected[name]);
    },
  );
});
