import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startHostileCarrier } from '../../testing/hostile-proxy/hostile-carrier.ts';
import { runCli } from '../../testing/program/run-cli.ts';
import { withoutNames, makeFolder, writeTarget } from '../../testing/program/target-file.ts';

const minutes = 60_000;

/** A case that ends at once: after an accepted request, a run in real time waits for minutes. */
const quick = 'configuration-members';

async function startBehind(mode: string, options: { readonly ahead?: number; readonly clock: 'virtual' | 'real' }) {
  const carrier = await startHostileCarrier({ ...options, spared: /^$/ });
  carrier.proxy.misbehave(mode);
  const target = writeTarget((given) => withoutNames(given, 'clock'));
  const call = (...args: readonly string[]) =>
    runCli([...args, '--target', target], { env: carrier.env, timeLimit: 30_000 });
  return { call, close: carrier.close };
}

test.each(['date-3-minutes-ahead', 'date-3-minutes-behind'])(
  '%s of a carrier whose own clock is right is not believed',
  async (mode) => {
    const { call, close } = await startBehind(mode, { clock: 'real' });
    const { stdout } = await call('check', '--preflight');
    await close();
    expect(stdout).toMatch(/off its own clock.*it is not believed/s);
    expect(stdout).toMatch(/ok +client main: a plain request is accepted/);
  },
  60_000,
);

test('a run says so, in its result too', async () => {
  const { call, close } = await startBehind('date-3-minutes-ahead', { clock: 'real' });
  const out = makeFolder();
  const { code, stdout, stderr } = await call('run', quick, '--out', out);
  await close();
  expect({ code, stderr }).toMatchObject({ code: 0 });
  expect(stdout).toContain('off its own clock');
  const { footer } = JSON.parse(readFileSync(join(out, 'result.json'), 'utf8')) as { footer: object };
  expect(JSON.stringify(footer)).toMatch(/"doubt":"[^"]*off its own clock/);
  expect(footer).not.toHaveProperty('skew');
}, 60_000);

test.each([
  ['date-3-minutes-ahead', 3 * minutes],
  ['date-3-minutes-behind', -3 * minutes],
])(
  '%s of a carrier whose clock is off as much is what requests go by',
  async (mode, ahead) => {
    const { call, close } = await startBehind(mode, { clock: 'virtual', ahead });
    const { stdout } = await call('check', '--preflight');
    await close();
    expect(stdout).toMatch(/the carrier’s clock is 1\d\d\.\d s (?:behind|ahead of) ours/);
    expect(stdout).toMatch(/ok +client main: a plain request is accepted/);
  },
  60_000,
);
