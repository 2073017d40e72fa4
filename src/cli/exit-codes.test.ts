import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isJsonObject, type Json, type JsonObject } from '../lib/json.ts';
import { findFreePort } from '../setup/reference.ts';
import { runInto, spawnInto } from '../testing/program/run-into.ts';
import {
  envWithoutCarrier,
  startCarrier,
  withoutNames,
  writeFolder,
  writeTarget,
} from '../testing/program/target-file.ts';

// 130 is in run/interrupted.test.ts, 2 in usage.test.ts, and process.test.ts starts a run as a process.
test.each([
  [0, ['REQ-001'], 'conformant', /^Conformant in the 1 of \d+ required rules/m],
  [1, ['HDR-008', '--fault', 'signature-not-verified'], 'not conformant', /^HDR-008 {2}required {2}§/m],
  [
    0,
    ['REQ-01?', '--fault', 'jti-never-kept'],
    'conformant',
    /^Not followed {2}1 rule\n {2}REQ-015 [\s\S]*; 1 recommendation is not followed: exit code 0$/m,
  ],
  [
    1,
    ['REQ-015', '--fault', 'jti-never-kept'],
    'not conformant',
    /^Not conformant: exit code 1\n {2}1 required or recommended rule is broken\.\n[\s\S]*REQ-015 as\s+named$/m,
  ],
] as const)('on the embedded reference carrier: %i: %j', async (expected, args, outcome, report) => {
  const { code, stdout, result } = await runInto(args);
  expect(code).toBe(expected);
  expect(stdout).toMatch(report);
  expect(result.footer).toMatchObject({ outcome, interrupted: false });
});

const membersOf = (value: Json | undefined): JsonObject => (isJsonObject(value) ? value : {});

/** Target without its second client, and without the subs that subscribers have for it. */
function withoutSecondClient(given: JsonObject): JsonObject {
  const subscribers = Object.entries(membersOf(given['subscribers'])).map(([name, one]) => {
    const subs = withoutNames(membersOf(membersOf(one)['subs']), 'second');
    return [name, { ...membersOf(one), subs }];
  });
  const clients = withoutNames(membersOf(given['clients']), 'second');
  return { ...given, clients, subscribers: Object.fromEntries(subscribers) as JsonObject };
}

const lostDriver = { http: { url: `{{ env.REFERENCE_ADMIN }}/nothing-here`, json: {} } };

describe('by a target file', async () => {
  const { env } = await startCarrier();
  test.each<[string, number, string, (target: JsonObject) => JsonObject, string]>([
    ['a driver that is not there', 4, 'FLOW-002', (given) => ({ ...given, drivers: {} }), 'needs a driver for approve'],
    ['a second client that is not there', 4, 'FLOW-007', withoutSecondClient, 'needs a client second'],
    [
      'a change that cannot be taken back',
      5,
      'consent-removed-while-pending',
      (given) => ({ ...given, drivers: { ...membersOf(given['drivers']), 'give-consent': lostDriver } }),
      'what the case changed could not be undone',
    ],
  ])('%s: %i', async (_, expected, what, change, reason) => {
    const { code, plain, result } = await runInto([what, '--target', writeTarget(change)], { env });
    expect(code).toBe(expected);
    expect(plain).toContain(reason);
    expect(result.footer).toMatchObject({ outcome: 'incomplete' });
  });

  test('3: a discovery that refuses connections is named', async () => {
    const origin = `http://127.0.0.1:${await findFreePort()}`;
    const target = writeTarget((given) => ({ ...withoutNames(given, 'clock'), discovery: origin }));
    const { code, stdout, stderr } = await runInto(['REQ-001', '--target', target], { env: envWithoutCarrier });
    expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
    expect(stderr).toContain(`carrierspec: the carrier did not answer at ${origin}/.well-known/openid_configuration?`);
    expect(stderr).toMatch(/: refused \(/);
    expect(stderr).not.toMatch(/^\s+at /m);
  });
});

test.skipIf(!existsSync('/dev/full'))('2: stdout cannot be written', async () => {
  const { code, stderr, out, result } = await spawnInto(['jti-absent'], { stdout: '/dev/full' });
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: `carrierspec: stdout cannot be written: no space is left on the device; the run is in ${out}\n`,
  });
  expect(result.footer).toMatchObject({ outcome: 'conformant' });
});

test.each([
  ['an error that nothing catches', "setTimeout(() => { throw new Error('lost'); }, 400)", ': Error: lost'],
  [
    'a promise that nothing waits for',
    "setTimeout(() => void Promise.reject(new Error('left')), 400)",
    ': Error: left',
  ],
  [
    'an error in a thread',
    "import { isMainThread } from 'node:worker_threads'; if (!isMainThread) setTimeout(() => { throw new Error('in a thread'); }, 300)",
    ': Error: in a thread',
  ],
  [
    'an end before its end',
    // Code that waits for the next turn of the event loop never continues.
    'globalThis.setImmediate = () => undefined; Promise.all = () => new Promise(() => undefined);',
    ': it stopped before its end',
  ],
])('5: %s', async (_, text, said) => {
  const node = ['--import', join(writeFolder({ 'first.mjs': text }), 'first.mjs')];
  const { code, stdout, stderr } = await spawnInto([], { node });
  expect({ code, stdout }).toEqual({ code: 5, stdout: '' });
  expect(stderr).toMatch(new RegExp(`^carrierspec: this is a fault of carrierspec itself${said}\n$`, 'm'));
});
