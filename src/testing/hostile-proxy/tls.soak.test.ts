import process from 'node:process';
import { afterAll, expect, test } from 'vitest';
import { writeTarget } from '../program/target-file.ts';
import { makeCertificates } from './certificates.ts';
import { startHostileCarrier } from './hostile-carrier.ts';
import { measureRun } from './measured-run.ts';
import { harmless, tlsModes } from './tls-front.ts';

const certificates = makeCertificates();
const carrier = await startHostileCarrier({ certificates });
afterAll(() => carrier.close());
const target = writeTarget((given) => ({
  ...given,
  supports: { 'sim-swap-lag': false },
  tls: { ca: { env: 'AUTHORITY' } },
}));
const env = { ...carrier.env, AUTHORITY: certificates.authority };

const names = process.env['MODES']?.split(',') ?? Object.keys(tlsModes);
/** Connections handled correctly at first: enough for discovery, or for the first cases too. */
const begins = [0, 1, 12];

test.each(names.flatMap((mode) => begins.map((from) => [mode, from] as const)))(
  '%s from connection %i on',
  async (mode, from) => {
    carrier.front?.misbehave(mode, from);
    // A connection ends with its response, so the next request needs another.
    carrier.proxy.misbehave('closes-after');
    const run = await measureRun(['REQ-00*', 'REQ-02*', '--target', target], env, 300_000);
    process.stdout.write(`${mode} from ${from}: ${run.figures}: ${run.stderr.trim().split('\n').at(-1)}\n`);
    expect(harmless.has(mode) ? [0] : [1, 2, 3, 4]).toContain(run.code);
    if (run.code === 2) expect(run.stderr).toContain('not reached');
    expect(run.mebibytes).toBeLessThan(300);
    expect(`${run.stdout}${run.stderr}`).not.toMatch(/[^\P{Cc}\n]/u);
  },
  310_000,
);
