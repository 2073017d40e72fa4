import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import {
  type DeliveryDoor,
  runUnderFlood,
  startFloodedCarrier,
  unattributedReason,
} from '../../testing/floods/flooded-carrier.ts';
import { startHostileCarrier } from '../../testing/hostile-proxy/hostile-carrier.ts';
import { measureRun } from '../../testing/hostile-proxy/measured-run.ts';
import { findCommands, logCommands, placeEverywhere } from '../../testing/program/ci-logs.ts';
import { runCli } from '../../testing/program/run-cli.ts';
import { root, startCli } from '../../testing/program/spawn-cli.ts';
import { makeFolder } from '../../testing/program/target-file.ts';

const target = join(root, 'fixtures/reference/carrier.yaml');

/** One mode of each kind of broken or odd answer; `npm run soak` tries them all. */
test.each([
  [undefined, 0],
  ['one-byte-pieces', 0],
  ['utf8-invalid', 1],
  ['gzip-not', 1],
  ['lone-surrogates', 1],
  ['gzip-bomb', 1],
  ['json-closed-deep', 1],
])('answers altered by %s', { timeout: 60_000 }, async (mode, expected) => {
  const carrier = await startHostileCarrier();
  carrier.proxy.misbehave(mode);
  const cases = ['iat-absent', 'iat-young', 'exp-near', 'name-with-level', 'tenure-never-consented'];
  const what = [...cases, '--keep-going', '--target', target];
  const { code, stderr, megabytes, mebibytes } = await measureRun(what, carrier.env, 50_000);
  await carrier.close();
  expect(code, stderr).toBe(expected);
  expect(megabytes).toBeLessThan(30);
  expect(mebibytes).toBeLessThan(300);
});

const inCi = { CI: 'true', GITHUB_ACTIONS: 'true', TF_BUILD: 'True', TEAMCITY_VERSION: '2025.11' };
const everything = Object.values(logCommands).map(placeEverywhere).join(' ');

// src/cli/shared/gated-streams.test.ts tries every format at every width.
describe('commands of a CI are none in the log', async () => {
  const carrier = await startHostileCarrier({ spared: /^\/\.well-known\/openid-configuration|^\/jwks/ });
  afterAll(() => carrier.close());

  /** Lines that a CI log would execute, except requested annotations. */
  const foreignIn = (text: string): readonly string[] =>
    findCommands(text).filter((line) => !/^GitHub: ::(?:error|warning|notice) (?:file|title)=[^:]*::/.test(line));

  test.each([
    ['narrow', ['run', 'iat-absent', 'plain-request'], { COLUMNS: '40' }],
    ['verbose, with colours', ['run', 'iat-absent', 'plain-request', '--verbose'], { FORCE_COLOR: '1' }],
    ['annotations', ['run', 'iat-absent', '--report', 'annotations=-'], {}],
    ['preflight', ['check', '--preflight'], {}],
    ['preflight as JSON', ['check', '--preflight', '--json'], {}],
    ['a request', ['send'], { COLUMNS: '60' }],
    ['a request as JSON', ['send', '--json'], {}],
    ['SIM tenure', ['send', 'usertrait'], {}],
  ])('of a carrier: %s', async (_, args, env) => {
    carrier.proxy.misbehave('log-commands');
    const before = carrier.proxy.altered();
    const out = args[0] === 'run' ? ['--out', join(makeFolder(), 'out'), '--keep-going'] : [];
    const ended = await runCli([...args, ...out, '--target', target], { env: { ...inCi, ...carrier.env, ...env } });
    // An odd refusal of a client can look like a mistake in the target file to preflight: exit code 2.
    expect([1, 2, 3, 4], ended.stderr).toContain(ended.code);
    expect(carrier.proxy.altered()).toBeGreaterThan(before);
    expect(ended.stdout + ended.stderr).toContain('add-mask');
    expect([...foreignIn(ended.stdout), ...foreignIn(ended.stderr)]).toEqual([]);
  });

  test('of a file, and of the command line', async () => {
    const file = join(makeFolder(), 'message.json');
    writeFileSync(file, JSON.stringify({ error: everything, error_description: everything, [everything]: 1 }));
    const calls = [
      ['decode', file],
      ['decode', file, '--json'],
      ['run', everything, '##vso[task.complete]'],
      [everything],
    ];
    for (const args of calls) {
      const { stdout, stderr } = await runCli(args, { env: inCi });
      expect(stdout + stderr).toContain('add-mask');
      expect(findCommands(`${stdout}\n${stderr}`)).toEqual([]);
    }
  });

  test.each([[[]], [['--json']]])('of a stranger at the receiver of listen %j', async (flags) => {
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
  });
});

/** Before the receiver had a lock, each was taken for an event or a callback. */
const floods = [
  { flood: 'set-of-another-key', path: '/events' },
  { flood: 'set-of-odd-claims', path: '/events' },
  { flood: 'set-of-a-known-sub', path: '/events' },
  { flood: 'json-list', path: '/events' },
  { flood: 'callback-with-tokens', path: '/si/notify' },
  { flood: 'state-guesses', path: '/si/notify' },
  { flood: 'idle', path: '/si/notify' },
];

const delivered = [
  'another-sim-card',
  'without-endpoint',
  'confirmed-at-the-second-attempt',
  'short-notification-token/*',
  'state-on-denial/1-character',
];

/** Allowed verdicts of a case, by the lock of the receiver. */
const verdicts: Readonly<Record<DeliveryDoor, readonly string[]>> = {
  locked: ['pass', 'informational'],
  unlocked: ['pass', 'informational', `inconclusive: ${unattributedReason}`],
};

test.each<DeliveryDoor>(['locked', 'unlocked'])(
  'strangers at a receiver that is %s change no verdict to one against the carrier',
  async (door) => {
    const carrier = await startFloodedCarrier(door);
    const run = await runUnderFlood(carrier, delivered, floods);
    await carrier.close();
    const seen = Array.from(run.cases.values(), ({ verdict, reason }) =>
      reason.includes(unattributedReason) ? `${verdict}: ${unattributedReason}` : `${verdict}${reason}`,
    );
    expect([...new Set(seen)].filter((one) => !verdicts[door].includes(one))).toEqual([]);
    expect(seen).toContain('pass');
    expect(run.code).toBe(seen.some((one) => one.startsWith('inconclusive')) ? 4 : 0);
    expect(run.strangers).toBeGreaterThan(50);
    expect(run.stderr.includes('no lock of the receiver protects /events and ')).toBe(door === 'unlocked');
    expect(run.mebibytes).toBeLessThan(300);
  },
);
