import { join } from 'node:path';
import process from 'node:process';
import { afterAll, expect, test } from 'vitest';
import { root } from '../program/spawn-cli.ts';
import { startHostileCarrier } from './hostile-carrier.ts';
import { measureRun } from './measured-run.ts';
import { modes } from './proxy.ts';

/** MODES=gzip-bomb,long-text alters responses in these ways, MODES=all in every way; WHAT= selects cases; KEEP=1 passes --keep-going. */
const chosen = (process.env['MODES'] ?? 'gzip-bomb,brotli-bomb,one-byte-chunks,long-text,never-answers').split(',');
const list = ['none', ...(chosen[0] === 'all' ? modes : chosen)];
const selected = (process.env['WHAT'] ?? '').split(',').filter((name) => name !== '');
const keeping = process.env['KEEP'] === undefined ? [] : ['--keep-going'];
const what = [...selected, ...keeping, '--target', join(root, 'fixtures/reference/carrier.yaml')];
const timeLimit = 900_000;
const carrier = await startHostileCarrier();
afterAll(() => carrier.close());

let clean = Number.POSITIVE_INFINITY;

test.each(list)(
  '%s',
  async (mode) => {
    carrier.proxy.misbehave(mode === 'none' ? undefined : mode);
    const before = carrier.proxy.altered();
    const run = await measureRun(what, carrier.env, timeLimit);
    process.stdout.write(`${mode}: ${run.figures}, ${carrier.proxy.altered() - before} answers altered\n`);
    if (mode === 'none') clean = run.seconds;
    expect([0, 1, 2, 3, 4]).toContain(run.code);
    expect(run.megabytes).toBeLessThan(30);
    expect(run.mebibytes).toBeLessThan(300);
    expect(run.seconds).toBeLessThan(clean * 3);
  },
  timeLimit + 10_000,
);
