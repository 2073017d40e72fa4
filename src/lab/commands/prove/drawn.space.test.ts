import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ProcessResult, spawnCli } from '../../../testing/program/spawn-cli.ts';

const minutes = 60_000;
const count = 6;
const folder = mkdtempSync(join(tmpdir(), 'space-'));
afterAll(() => rmSync(folder, { recursive: true }));

interface Report {
  readonly format?: string;
  readonly seed?: string;
  readonly carriers: readonly { readonly number: number; readonly troubles: readonly unknown[] }[];
  readonly causes: readonly unknown[];
}

/** The seed changes daily; SPACE_SEED repeats another day's. */
const seed = process.env['SPACE_SEED'];

describe('conforming carriers, drawn by the date', () => {
  let ended: ProcessResult | undefined;
  let report: Report = { carriers: [], causes: [] };
  beforeAll(async () => {
    const seeded = seed === undefined ? [] : ['--seed', seed];
    ended = await spawnCli(['prove', '--space', '--count', String(count), ...seeded, '--out', folder], {
      timeLimit: 20 * minutes,
    });
    const path = join(folder, 'space.json');
    if (existsSync(path)) report = JSON.parse(readFileSync(path, 'utf8')) as Report;
    // Logs the drawing and the cause of each red.
    process.stdout.write(`${ended.stdout}${ended.stderr}`);
  }, 21 * minutes);

  it('has no cause of a red, and says so', () => {
    expect(report.causes).toEqual([]);
    expect(ended?.stdout).toContain(`Green: ${count} conforming carriers`);
    expect(ended?.code).toBe(0);
  });

  it('says what was drawn from which seed, and what that covers', () => {
    expect(ended?.stdout).toMatch(/^Seed \S+: \d+ freedoms with [\d,]+ choices; [\d,]+ of [\d,]+ pairs of choices/);
    expect(report.format).toBe('carrierspec-space');
    expect(ended?.stdout).toContain(`Seed ${report.seed}:`);
  });

  it.each(Array.from({ length: count }, (_, index) => index + 1))('carrier %i is green', (number) => {
    const carrier = report.carriers.find((one) => one.number === number);
    expect(carrier?.troubles).toEqual([]);
  });
});
