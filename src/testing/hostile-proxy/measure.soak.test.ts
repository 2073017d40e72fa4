import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { afterAll, expect, test } from 'vitest';
import { runCli, root } from '../spawn-cli.ts';
import { startHostileCarrier } from './hostile-carrier.ts';
import { modes } from './proxy.ts';

const chosen = (process.env['MODES'] ?? 'none,gzip-bomb,brotli-bomb,one-byte-chunks,long-text').split(',');
const list = chosen[0] === 'all' ? ['none', ...modes] : chosen;
const what = (process.env['WHAT'] ?? '').split(',').filter((name) => name !== '');
const out = mkdtempSync(join(tmpdir(), 'hostile-'));
const carrier = await startHostileCarrier();
afterAll(async () => {
  await carrier.close();
  rmSync(out, { recursive: true, force: true });
});

test.each(list)(
  '%s',
  async (mode) => {
    carrier.proxy.misbehave(mode === 'none' ? undefined : mode);
    const folder = join(out, mode);
    const begun = performance.now();
    const ended = await runCli(
      [
        'run',
        ...what,
        ...(process.env['KEEP'] === undefined ? [] : ['--keep-going']),
        '--target',
        join(root, 'fixtures/reference/carrier.yaml'),
        '--out',
        folder,
      ],
      {
        env: { ...carrier.env, PEAK_FILE: join(out, 'peak') },
        node: ['--import', `file://${root}/bench/peak.js`],
        timeLimit: 600_000,
      },
    );
    const seconds = ((performance.now() - begun) / 1000).toFixed(1);
    const peak = Math.round(Number(readFileSync(join(out, 'peak'), 'utf8')) / 1024);
    const size = (name: string): string => {
      try {
        return (statSync(join(folder, name)).size / 1e6).toFixed(1);
      } catch {
        return '-';
      }
    };
    console.log(
      `${mode}: exit ${ended.code}, ${seconds} s, ${peak} MiB, result ${size('result.json')} MB, html ${size('report.html')} MB, altered ${carrier.proxy.altered()}: ${ended.stdout.trim().split('\n').at(-1)} ${ended.stderr.trim().split('\n').at(-1)}`,
    );
    rmSync(folder, { recursive: true, force: true });
    expect([0, 1, 2, 3, 4]).toContain(ended.code);
  },
  700_000,
);
