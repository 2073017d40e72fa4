import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { expect, test } from 'vitest';
import { startHostileCarrier } from '../hostile-proxy/hostile-carrier.ts';
import { modes } from '../hostile-proxy/proxy.ts';
import { root, spawnCli } from '../program/spawn-cli.ts';
import { makeFolder } from '../program/target-file.ts';
import { floodedClient } from './flooded-carrier.ts';
import { floods, startFlood } from './floods.ts';

const minutes = Number(process.env['SOAK_MINUTES'] ?? 30);
const seed = Number(process.env['SOAK_SEED'] ?? Date.now() % 1_000_000);
/** Selected names; empty for everything. */
const what = (process.env['WHAT'] ?? '').split(',').filter((name) => name !== '');
const mostMebibytes = 300;
const longestRun = 600_000;
/** One run in so many is against a faultless carrier, and some runs have no strangers. */
const plainEvery = 5;

/** Numbers from 0 up to 1, determined by a seed (mulberry32). */
function drawer(from: number): () => number {
  let state = from;
  return () => {
    state = (state + 0x6d_2b_79_f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const draw = drawer(seed);

function oneOf(list: readonly string[]): string {
  const drawn = list[Math.floor(draw() * list.length)];
  if (drawn === undefined) throw new RangeError('an empty list');
  return drawn;
}

/** Processes whose command line names a folder that only this run uses. */
function processesOf(folder: string): readonly string[] {
  return readdirSync('/proc').filter((id) => {
    if (!/^\d+$/.test(id)) return false;
    try {
      return readFileSync(`/proc/${id}/cmdline`, 'utf8').includes(folder);
    } catch {
      return false;
    }
  });
}

interface Drawn {
  readonly mode: string | undefined;
  readonly beside: readonly (readonly [flood: string, path: string])[];
}

function drawRun(turn: number): Drawn {
  const strangers = Array.from({ length: Math.floor(draw() * 4) }, () => {
    return [oneOf(Object.keys(floods)), oneOf(['/si/notify', '/events', '/second/events'])] as const;
  });
  return { mode: turn % plainEvery === 0 ? undefined : oneOf(modes), beside: strangers };
}

async function runOnce({ mode, beside }: Drawn) {
  const carrier = await startHostileCarrier();
  carrier.proxy.misbehave(mode);
  const folder = makeFolder();
  const temporary = makeFolder();
  const peak = join(folder, 'peak');
  const where = {
    port: Number(carrier.env['REFERENCE_RECEIVER_PORT']),
    issuer: carrier.proxy.origin,
    from: '127.0.0.2',
  };
  const strangers = beside.map(([flood, path]) => startFlood(flood, { ...where, path, clientId: floodedClient }));
  const begun = performance.now();
  const args = ['--target', join(root, 'fixtures/reference/carrier.yaml'), '--keep-going', '--out', folder];
  const { code, stderr } = await spawnCli(['run', ...what, ...args], {
    env: { ...carrier.env, PEAK_FILE: peak, TMPDIR: temporary },
    node: ['--import', `file://${root}/bench/peak.js`],
    timeLimit: longestRun,
  });
  const seconds = (performance.now() - begun) / 1000;
  const sent = await Promise.all(strangers.map(({ stop }) => stop()));
  await carrier.close();
  const mebibytes = code === null ? 0 : Math.round(Number(readFileSync(peak, 'utf8')) / 1024);
  const left = { processes: processesOf(folder), files: readdirSync(temporary) };
  for (const one of [folder, temporary]) rmSync(one, { recursive: true, force: true });
  return { code, stderr, seconds, mebibytes, sent: sent.reduce((sum, one) => sum + one, 0), left };
}

test(
  `runs for ${minutes} minutes behind a carrier that misbehaves, with strangers at the receiver`,
  async () => {
    const until = Date.now() + minutes * 60_000;
    let [runs, most] = [0, 0];
    process.stdout.write(`soak: SOAK_SEED=${seed}\n`);
    while (Date.now() < until) {
      const drawn = drawRun(runs);
      const ended = await runOnce(drawn);
      runs += 1;
      most = Math.max(most, ended.mebibytes);
      const named = `${drawn.mode ?? 'as it is'} with ${drawn.beside.map((one) => one.join(' at ')).join(', ') || 'nobody'}`;
      const figures = `exit ${ended.code}, ${ended.seconds.toFixed(1)} s, ${ended.mebibytes} MiB, ${ended.sent} sent`;
      process.stdout.write(`soak: ${named}: ${figures}\n`);
      expect([0, 1, 2, 3, 4], `${named}\n${ended.stderr}`).toContain(ended.code);
      expect(ended.mebibytes, named).toBeLessThan(mostMebibytes);
      expect(ended.left, named).toEqual({ processes: [], files: [] });
    }
    process.stdout.write(`soak: ${runs} runs, at most ${most} MiB\n`);
    expect(runs).toBeGreaterThan(0);
  },
  minutes * 60_000 + longestRun + 60_000,
);
