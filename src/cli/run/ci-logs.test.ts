import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { findCommands, logCommands, placeEverywhere } from '../../testing/program/ci-logs.ts';
import { startHostileCarrier } from '../../testing/hostile-proxy/hostile-carrier.ts';
import { runCli } from '../../testing/program/run-cli.ts';
import { root, startCli } from '../../testing/program/spawn-cli.ts';
import { makeFolder } from '../../testing/program/target-file.ts';

const carrier = await startHostileCarrier({ spared: /^\/\.well-known\/openid-configuration|^\/jwks/ });
afterAll(() => carrier.close());

const target = join(root, 'fixtures/reference/carrier.yaml');
const inCi = { CI: 'true', GITHUB_ACTIONS: 'true', TF_BUILD: 'True', TEAMCITY_VERSION: '2025.11' };
const everything = Object.values(logCommands).map(placeEverywhere).join(' ');

/** Lines that a CI log would execute, except requested annotations. */
const foreignIn = (text: string): readonly string[] =>
  findCommands(text).filter((line) => !/^GitHub: ::(?:error|warning|notice) (?:file|title)=[^:]*::/.test(line));

describe('a carrier whose answers are commands of a CI', () => {
  test.each([
    ['narrow', ['run', 'iat-absent', 'plain-request'], { COLUMNS: '40' }],
    ['verbose, with colours', ['run', 'iat-absent', 'plain-request', '--verbose'], { FORCE_COLOR: '1' }],
    ['annotations', ['run', 'iat-absent', '--report', 'annotations=-'], {}],
    ['Markdown', ['run', 'iat-absent', '--report', 'markdown=-'], {}],
    ['JUnit', ['run', 'iat-absent', '--report', 'junit=-'], {}],
    ['HTML', ['run', 'iat-absent', '--report', 'html=-'], {}],
    ['JSON', ['run', 'iat-absent', '--report', 'json=-'], {}],
    ['preflight', ['check', '--preflight'], {}],
    ['preflight as JSON', ['check', '--preflight', '--json'], {}],
    ['a request', ['send'], { COLUMNS: '60' }],
    ['a request as JSON', ['send', '--json'], {}],
    ['SIM tenure', ['send', 'usertrait'], {}],
  ])('gives a log nothing to act on: %s', async (_, args, env) => {
    carrier.proxy.misbehave('log-commands');
    const before = carrier.proxy.altered();
    const out = args[0] === 'run' ? ['--out', join(makeFolder(), 'out'), '--keep-going'] : [];
    const ended = await runCli([...args, ...out, '--target', target], { env: { ...inCi, ...carrier.env, ...env } });
    // An odd refusal of a client can look like a mistake in the target file to preflight: exit code 2.
    expect([1, 2, 3, 4], ended.stderr).toContain(ended.code);
    expect(carrier.proxy.altered()).toBeGreaterThan(before);
    expect(ended.stdout + ended.stderr).toContain('add-mask');
    expect(foreignIn(ended.stdout)).toEqual([]);
    expect(foreignIn(ended.stderr)).toEqual([]);
  });
});

test('what decode is given is none either, nor what a message of a mistake repeats', async () => {
  const file = join(makeFolder(), 'message.json');
  writeFileSync(file, JSON.stringify({ error: everything, error_description: everything, [everything]: 1 }));
  const all = [
    await runCli(['decode', file], { env: inCi }),
    await runCli(['decode', file, '--json'], { env: inCi }),
    await runCli(['run', everything, '##vso[task.complete]'], { env: inCi }),
    await runCli([everything], { env: inCi }),
  ];
  for (const { stdout, stderr } of all) {
    expect(stdout + stderr).toContain('add-mask');
    expect(findCommands(`${stdout}\n${stderr}`)).toEqual([]);
  }
});

test('a stranger who calls the receiver of listen prints none', async () => {
  for (const flags of [[], ['--json']]) {
    const running = startCli(['listen', '--port', '0', ...flags]);
    const [, origin = ''] = await running.stderr(/^listening on (\S+),/m);
    const sent = { error: everything, state: everything };
    const headers = { 'content-type': 'application/json', 'x-note': '##vso[task.complete]' };
    await fetch(`${origin}/si/notify?##vso[x]=::a::`, { method: 'POST', headers, body: JSON.stringify(sent) });
    await fetch(`${origin}/x`, { method: 'POST', headers, body: everything });
    running.interrupt();
    const { stdout, stderr } = await running.ended;
    expect(stdout).toContain('add-mask');
    expect(findCommands(`${stdout}\n${stderr}`)).toEqual([]);
  }
});
