import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder } from '../../../testing/program/target-file.ts';
import { spawnCli } from '../../../testing/program/spawn-cli.ts';
import { readEnv } from '../../../testing/program/golden-runs.ts';
import { serveDrawnCarrier } from '../../space/draw.ts';

/** Carriers with choices that together once turned a rule red, and the cases that did. */
const conforming: readonly (readonly [Readonly<Record<string, string>>, string])[] = [
  [{ 'other-events': 'beside-each', 'event-confirmation': 'any-2xx' }, 'answered-with-another-success/201'],
  [{ 'callback-latency': 'two-minutes', 'token-life': 'five-minutes' }, 'calls-after-a-time-out'],
  [{ 'callback-latency': 'two-minutes' }, 'jti-after-a-hundred-others'],
  [{ 'long-lives': 'granted' }, 'expires-in-of-odd-numbers'],
  [{ 'redirect-uris': 'custom-first' }, 'redirect-uri-almost-registered'],
];

test.each(conforming)('no rule is broken by a carrier with %j', async (choices, name) => {
  const { target, env, close } = await serveDrawnCarrier(choices, makeFolder());
  const ran = await spawnCli(['run', name, '--target', target, '--out', join(makeFolder(), 'run')], {
    env: readEnv(env),
  });
  await close();
  expect([0, ''], ran.stdout).toEqual([ran.code, ran.stdout.includes('Broken rules') ? 'broken' : '']);
});
