import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startHostileCarrier } from '../../testing/hostile-proxy/hostile-carrier.ts';
import { runCli } from '../../testing/spawn-cli.ts';
import { leaveOut, makeFolder, writeTarget } from '../../testing/target-file.ts';

const minutes = 60_000;

/** One that is over at once: after a request that is accepted a run in real time waits for minutes. */
const quick = 'configuration-members';

async function runBehind(mode: string, { ahead, clock }: { ahead?: number; clock: 'virtual' | 'real' }) {
  const carrier = await startHostileCarrier({ clock, spared: /^$/, ...(ahead === undefined ? {} : { ahead }) });
  carrier.proxy.misbehave(mode);
  const out = makeFolder();
  const target = writeTarget((given) => leaveOut(given, 'clock'));
  const { env } = carrier;
  const run = await runCli(['run', quick, '--target', target, '--out', out], { env, timeLimit: 30_000 });
  const preflight = await runCli(['preflight', '--target', target], { env, timeLimit: 30_000 });
  await carrier.close();
  const { footer } = JSON.parse(readFileSync(join(out, 'result.json'), 'utf8')) as { footer: object };
  return { run, preflight, footer };
}

test.each(['date-3-minutes-ahead', 'date-3-minutes-behind'])(
  '%s of a carrier whose own clock is right is not believed',
  async (mode) => {
    const { run, preflight, footer } = await runBehind(mode, { clock: 'real' });
    expect(run, run.stderr).toMatchObject({ code: 0 });
    expect(JSON.stringify(footer)).toMatch(/"doubt":"[^"]*off its own clock/);
    expect(footer).not.toHaveProperty('skew');
    expect(run.stdout).toContain('off its own clock');
    expect(preflight.stdout).toMatch(/off its own clock.*it is not believed/s);
  },
  60_000,
);

test.each([
  ['date-3-minutes-ahead', 3 * minutes],
  ['date-3-minutes-behind', -3 * minutes],
])(
  '%s of a carrier whose clock is off as much is what requests go by',
  async (mode, ahead) => {
    const { run, preflight, footer } = await runBehind(mode, { clock: 'virtual', ahead });
    expect(run, run.stderr).toMatchObject({ code: 0 });
    expect(JSON.stringify(footer)).toMatch(/"skew":\{"offset":-?1\d{5},/);
    expect(footer).not.toHaveProperty('doubt');
    expect(preflight.stdout).toMatch(/the carrier’s clock is 1\d\d\.\d s (?:behind|ahead of) ours/);
  },
  60_000,
);
