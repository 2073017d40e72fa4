import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isJsonObject, type Json, type JsonObject } from '../lib/json.ts';
import { findFreePort } from '../setup/reference.ts';
import { runCli } from '../testing/program/run-cli.ts';
import { spawnCli, startCli } from '../testing/program/spawn-cli.ts';
import {
  withoutNames,
  makeFolder,
  type SpawnedCarrier,
  startCarrier,
  startInRealTime,
  stopCarrier,
  writeFolder,
  writeTarget,
} from '../testing/program/target-file.ts';

/** Footer of the result in a folder. */
function footerOf(out: string): JsonObject {
  const result: unknown = JSON.parse(readFileSync(join(out, 'result.json'), 'utf8'));
  const footer = isJsonObject(result) ? result['footer'] : undefined;
  if (!isJsonObject(footer)) throw new Error('the result has no footer');
  return footer;
}

describe('on the embedded reference carrier', () => {
  test('0: a carrier that conforms', async () => {
    const out = makeFolder();
    const { code, stdout } = await spawnCli(['run', 'REQ-001', '--out', out]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Conformant in the 1 of \d+ required rules/m);
    expect(footerOf(out)).toMatchObject({ outcome: 'conformant', interrupted: false, reasons: [] });
  });

  test('1: a required rule is broken', async () => {
    const out = makeFolder();
    const { code, stdout } = await spawnCli(['run', 'HDR-008', '--fault', 'signature-not-verified', '--out', out]);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^Not conformant: /m);
    expect(stdout).toMatch(/^HDR-008 {2}required {2}§/m);
    expect(footerOf(out)).toMatchObject({ outcome: 'not conformant' });
  });

  test('0: a recommended rule that is not followed is a warning', async () => {
    const { code, stdout } = await spawnCli(['run', 'REQ-015', '--fault', 'jti-never-kept', '--out', makeFolder()]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Warnings {2}1 rule not followed, no outcome changed$/m);
  });
});

describe('on a carrier of its own process, by a target file', () => {
  let carrier: SpawnedCarrier;
  beforeAll(async () => {
    carrier = await startCarrier(['--clock', 'virtual']);
  });
  afterAll(() => stopCarrier(carrier));

  async function runOn(target: string, ...what: readonly string[]) {
    const out = makeFolder();
    return { ...(await runCli(['run', ...what, '--target', target, '--out', out], { env: carrier.env })), out };
  }

  test('0: it conforms as the embedded one does', async () => {
    const { code, stderr } = await runOn(
      writeTarget((target) => target),
      'REQ-001',
    );
    expect({ code, stderr }).toMatchObject({ code: 0 });
  });

  test('4: a driver that the target lacks leaves rules unjudged', async () => {
    const target = writeTarget((given) => ({ ...given, drivers: {} }));
    const { code, stdout, out } = await runOn(target, 'FLOW-002');
    expect(code).toBe(4);
    expect(stdout).toMatch(/needs a driver for approve/);
    expect(footerOf(out)).toMatchObject({ outcome: 'incomplete' });
  });

  test('4: so does a second client that is not there', async () => {
    const target = writeTarget((given) => {
      const clients = isJsonObject(given['clients']) ? withoutNames(given['clients'], 'second') : {};
      const people = isJsonObject(given['subscribers']) ? given['subscribers'] : {};
      const subscribers: Record<string, Json> = {};
      for (const [name, one] of Object.entries(people)) {
        const subs = isJsonObject(one) && isJsonObject(one['subs']) ? withoutNames(one['subs'], 'second') : {};
        subscribers[name] = isJsonObject(one) ? { ...one, subs } : one;
      }
      return { ...given, clients, subscribers };
    });
    const { code, stdout } = await runOn(target, 'FLOW-007');
    expect(code).toBe(4);
    expect(stdout).toMatch(/needs a client second/);
  });

  test('5: what a case changed cannot be taken back', async () => {
    const target = writeTarget((given) => {
      const drivers = isJsonObject(given['drivers']) ? given['drivers'] : {};
      const lost = { http: { url: `{{ env.REFERENCE_ADMIN }}/nothing-here`, json: {} } };
      return { ...given, drivers: { ...drivers, 'give-consent': lost } };
    });
    const { code, stdout } = await runOn(target, 'consent-removed-while-pending');
    expect(stdout).toMatch(/what the case changed could not be undone/);
    expect(code).toBe(5);
  });
});

describe('3: out of reach', () => {
  test('a discovery that refuses connections is named', async () => {
    const origin = `http://127.0.0.1:${await findFreePort()}`;
    const target = writeTarget((given) => ({ ...withoutNames(given, 'clock'), discovery: origin }));
    const env = { REFERENCE_RECEIVER_PORT: '0', REFERENCE_SECRET: 's', REFERENCE_ADMIN: origin };
    const { code, stdout, stderr } = await spawnCli(['run', 'REQ-001', '--target', target, '--out', makeFolder()], {
      env,
    });
    expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
    expect(stderr).toContain(`carrierspec: the carrier did not answer at ${origin}/.well-known/openid_configuration?`);
    expect(stderr).toMatch(/: refused \(/);
    expect(stderr).not.toMatch(/^\s+at /m);
  });
});

const waits = `
suite: A case that ends at once, and one that waits
cases:
  - id: ends-at-once
    title: Discovery answers
    rule: REQ-014
    steps:
      - http: { to: discovery, method: GET }
        expect: accepted
  - id: waits-ten-minutes
    title: Ten minutes later a request object is still accepted
    rule: REQ-014
    steps:
      - as: first
        authorize: {}
      - at: first + 10m
        authorize: {}
        expect: accepted
`;

describe('130: interrupted', () => {
  test('SIGHUP in real time keeps what is finished, and says so, as Ctrl-C and SIGTERM do', async () => {
    const carrier = await startInRealTime();
    const out = makeFolder();
    const suites = writeFolder({ 'waits.suite.yaml': waits });
    const what = ['ends-at-once', 'waits-ten-minutes'];
    const run = startCli(['run', ...what, '--suites', suites, '--target', carrier.target, '--out', out], {
      env: carrier.env,
    });
    await run.stderr(/^50%: 1\/2 cases, 0 failures$/m);
    await carrier.process.stderr(/POST \/bc-authorize {2}200$/m);
    run.hangUp();
    const { code, stdout, stderr } = await run.ended;
    await stopCarrier(carrier);
    expect(code).toBe(130);
    expect(stderr).toMatch(/^ending with what is finished; once more to stop at once$/m);
    expect(stdout).toMatch(/interrupted/i);
    const footer = footerOf(out);
    expect(footer).toMatchObject({ outcome: 'incomplete', interrupted: true });
    expect(footer['reasons']).toContain('interrupted');
    expect(existsSync(join(out, 'junit.xml'))).toBe(true);
  });
});

describe('2: what the process stands in takes no more', () => {
  test.skipIf(!existsSync('/dev/full'))('stdout that cannot be written', async () => {
    const out = makeFolder();
    const { code, stderr } = await spawnCli(['run', 'jti-absent', '--out', out], { stdout: '/dev/full' });
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: `100%: 1/1 cases, 0 failures\ncarrierspec: stdout cannot be written: no space is left on the device; the run is in ${out}\n`,
    });
    expect(footerOf(out)).toMatchObject({ outcome: 'conformant' });
  });
});

describe('5: what the process stands in, or a fault of ours', () => {
  const preload = (text: string): readonly string[] => [
    '--import',
    join(writeFolder({ 'first.mjs': text }), 'first.mjs'),
  ];

  test.each([
    ['an error that nothing catches', "setTimeout(() => { throw new Error('lost'); }, 400)", 'Error: lost'],
    [
      'a promise that nothing waits for',
      "setTimeout(() => void Promise.reject(new Error('left')), 400)",
      'Error: left',
    ],
    [
      'an error in a thread',
      "import { isMainThread } from 'node:worker_threads'; if (!isMainThread) setTimeout(() => { throw new Error('in a thread'); }, 300)",
      'Error: in a thread',
    ],
  ])('%s', async (_, text, said) => {
    const ended = await spawnCli(['run', '--out', makeFolder()], { node: preload(text) });
    expect(ended).toMatchObject({ code: 5, stdout: '' });
    expect(ended.stderr).toMatch(new RegExp(`^carrierspec: this is a fault of carrierspec itself: ${said}\n$`, 'm'));
  });

  test('an end before its end', async () => {
    // Code that waits for the next turn of the event loop never continues.
    const never = 'globalThis.setImmediate = () => undefined; Promise.all = () => new Promise(() => undefined);';
    const { code, stderr } = await spawnCli(['run', 'jti-absent', '--out', makeFolder()], { node: preload(never) });
    expect({ code, stderr }).toEqual({
      code: 5,
      stderr: 'carrierspec: this is a fault of carrierspec itself: it stopped before its end\n',
    });
  });
});
