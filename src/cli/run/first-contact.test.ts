import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { serverInitiated } from '../../interfaces/server-initiated/interface.ts';
import { readResult } from '../../journal/read-result.ts';
import { isJsonObject, type Json, type JsonObject } from '../../lib/json.ts';
import { makeKeyPairSync } from '../../lib/key-pair.ts';
import type { Result } from '../../model/result.ts';
import { type FormatName, formats } from '../../report/formats.ts';
import { openRewritingProxy, type Rewriting } from '../../testing/carriers/rewriting-proxy.ts';
import { withUnpacked } from '../../testing/pages/html-page.ts';
import { runCli } from '../../testing/program/run-cli.ts';
import {
  makeFolder,
  type SpawnedCarrier,
  startCarrier,
  stopCarrier,
  writeTarget,
} from '../../testing/program/target-file.ts';

const folder = makeFolder();
const signingKey = join(folder, 'signing.json');

/** Gives a client a key that the carrier has never seen. */
function withUnknownKey(target: JsonObject, name = 'main'): JsonObject {
  const clients = isJsonObject(target['clients']) ? target['clients'] : {};
  const client = isJsonObject(clients[name]) ? clients[name] : {};
  return { ...target, clients: { ...clients, [name]: { ...client, keys: [{ file: join(folder, 'key.json') }] } } };
}

/** Gives every client a notification URI that the carrier does not know. */
function withUnknownUri(target: JsonObject): JsonObject {
  const clients = isJsonObject(target['clients']) ? Object.entries(target['clients']) : [];
  const changed = clients.map(([name, client]): [string, Json] => [
    name,
    isJsonObject(client) ? { ...client, notification_uris: ['/never/registered'] } : client,
  ]);
  return { ...target, clients: Object.fromEntries(changed) };
}

const isDiscovery = (path: string): boolean => path.startsWith('/.well-known/') || path.startsWith('/jwks');

/** Answers everything but discovery alike. */
const everywhere = (status: number, headers: Readonly<Record<string, string>>, body: string): Rewriting => ({
  instead: ({ target }) => (isDiscovery(target) ? undefined : { status, headers, body: Buffer.from(body) }),
});

interface FirstContact {
  readonly change?: (target: JsonObject) => JsonObject;
  readonly proxy?: Rewriting;
  /** Matches the response as told, and the first thing to look at. */
  readonly came: RegExp;
  readonly lookAt: RegExp;
}

const json = { 'content-type': 'application/json' };
const unregistered: FirstContact = {
  change: (target) => withUnknownKey(target),
  came: /denied 400 invalid_request_object/,
  lookAt: /look at 1\. are client_id and the public key of kid \S+ registered/,
};
const contacts: Readonly<Record<string, FirstContact>> = {
  'a notification_uri that is not registered': {
    change: withUnknownUri,
    came: /denied 400 invalid_request, "notification_uri is not registered/,
    lookAt: /look at 1\. is \S+\/never\/registered registered\?/,
  },
  // Discovery names the proxy as the issuer, which the carrier does not know.
  'a wrong aud': { proxy: {}, came: /denied 400 invalid_request_object/, lookAt: /look at 1\. is the issuer/ },
  '401 everywhere': {
    proxy: everywhere(401, json, '{"error":"invalid_client"}'),
    came: /denied 401 invalid_client/,
    lookAt: /look at 1\. are client_id and the public key/,
  },
  '500 everywhere': {
    proxy: everywhere(500, { 'content-type': 'text/html' }, '<h1>Internal Server Error</h1>'),
    came: /broken 500/,
    lookAt: /look at 1\. the carrier has to fix it: a valid request is answered with 200, .* then carrierspec/,
  },
  '302 everywhere': {
    proxy: everywhere(302, { location: 'https://elsewhere.test/' }, ''),
    came: /redirected 302/,
    lookAt: /look at 1\. the carrier has to fix it: .* no redirect \(TRN-014\) then carrierspec/,
  },
};

let carrier: SpawnedCarrier;
beforeAll(async () => {
  const { privateKey } = makeKeyPairSync({ modulusLength: 2048 });
  const key = { ...privateKey.export({ format: 'jwk' }), kid: 'a-key-of-another-sp', alg: 'RS256' };
  writeFileSync(join(folder, 'key.json'), JSON.stringify(key));
  const signer = makeKeyPairSync({ namedCurve: 'P-256' });
  writeFileSync(signingKey, JSON.stringify({ ...signer.privateKey.export({ format: 'jwk' }), kid: 'lab' }));
  carrier = await startCarrier(['--clock', 'virtual']);
});
afterAll(() => stopCarrier(carrier));

interface Contacted {
  readonly run: (args: readonly string[], out: string) => ReturnType<typeof runCli>;
  readonly close: () => void;
}

async function contact({ change = (target) => target, proxy }: FirstContact): Promise<Contacted> {
  const target = writeTarget(change);
  const own = carrier.env['REFERENCE_ORIGIN'] ?? '';
  let origin = own;
  const rename: Rewriting = {
    response: (answer) => ({ ...answer, body: Buffer.from(answer.body.toString('utf8').replaceAll(own, origin)) }),
  };
  const opened = proxy && (await openRewritingProxy(own, { ...rename, ...proxy }));
  origin = opened?.origin ?? own;
  const env = { ...carrier.env, REFERENCE_ORIGIN: origin };
  return {
    run: (args, out) => runCli(['run', ...args, '--target', target, '--out', out], { env, timeLimit: 120_000 }),
    close: () => opened?.close(),
  };
}

async function render(format: FormatName, result: Result): Promise<string> {
  const report = await formats[format]();
  return [...report(result, serverInitiated)].join('');
}

const inOneLine = (text: string): string => text.replaceAll(/\s+/g, ' ');
const reason = /the carrier refuses the plain request of client [a-z-]+, so no other verdict would mean anything/;

/** Expects that a result has the refused plain request, and nothing that is red. */
function expectNoVerdict(file: string): Result {
  const { result, notes } = readResult(file);
  expect(notes).toEqual([]);
  expect(result.footer?.outcome).toBe('incomplete');
  expect(result.footer?.reasons[0]).toMatch(reason);
  expect(result.footer?.root).toBeDefined();
  const judges = [...result.cases, ...result.invariants];
  expect(judges.filter(({ findings }) => findings.length > 0).map(({ id }) => id)).toEqual([]);
  const red = [...judges, ...result.rules].filter(({ verdict }) => ['fail', 'warn', 'error'].includes(verdict));
  expect(red.map(({ id }) => id)).toEqual([]);
  return result;
}

/** Runs against it; expects exit code 4 and one message on the terminal, and returns the file of the result. */
async function meet(one: FirstContact, args: readonly string[]): Promise<string> {
  const out = makeFolder();
  const { run, close } = await contact(one);
  const { code, stdout, stderr } = await run(args, out);
  close();
  expect(code, stderr).toBe(4);
  expect(stderr).not.toMatch(/^(?:fail|warn) /m);
  expect(inOneLine(stdout)).toMatch(one.came);
  expect(inOneLine(stdout)).toMatch(one.lookAt);
  expect(stdout).toMatch(/^Incomplete: exit code 4$/m);
  expect(stdout).not.toContain('broken rule');
  expect(stdout.match(/stopped: /g), stdout).toHaveLength(1);
  return join(out, 'result.json');
}

test.each(Object.entries(contacts))('the first run meets %s, and ends with 4', { timeout: 150_000 }, async (_, one) => {
  expectNoVerdict(await meet(one, ['callback']));
});

describe('a key that is not registered', () => {
  test('is one message in every format', { timeout: 150_000 }, async () => {
    const file = await meet(unregistered, []);
    const result = expectNoVerdict(file);
    const sarif = await render('sarif', result);
    expect(sarif).toMatch(reason);
    const whole = { ruleId: 'run-is-complete' };
    expect(JSON.parse(sarif)).toMatchObject({ runs: [{ results: [whole], invocations: [{ exitCode: 4 }] }] });
    const annotations = (await render('annotations', result)).split('\n').filter((line) => line.startsWith('::error'));
    expect(annotations).toEqual([expect.stringMatching(reason)]);
    const junit = await render('junit', result);
    expect(junit).toMatch(/<testsuites [^>]*failures="0" errors="1"/);
    expect(junit).toMatch(/<testcase [^>]*name="The run is complete"[^>]*>\s*<error/);
    expect(await render('ctrf', result)).toMatch(/"failed":1,/);
    const markdown = await render('markdown', result);
    expect(markdown).toMatch(reason);
    expect(markdown).not.toMatch(/^## (?:Failures|Warnings)/m);
    const html = withUnpacked(await render('html', result));
    expect(html).toMatch(reason);
    expect(html).not.toMatch(/<nav class="causes"/);

    const again = await runCli(['report', file]);
    expect(again.stderr).not.toContain('not as a run left it');
    expect(inOneLine(again.stdout)).toContain('Incomplete: exit code 4');
    const certified = await runCli(['certify', file, '--key', signingKey]);
    expect(certified.code).toBe(2);
    expect(inOneLine(certified.stderr)).toMatch(
      /the run is incomplete: stopped: the carrier refuses the plain request/,
    );
  });

  test.each([
    ['with --bail', ['callback', '--bail']],
    ['in a run of one case', ['success-is-200-without-location']],
  ])('%s', { timeout: 150_000 }, async (_, args) => {
    const out = makeFolder();
    const { run, close } = await contact(unregistered);
    const { code, stdout } = await run(args, out);
    close();
    expect(code).toBe(4);
    expect(inOneLine(stdout)).toMatch(unregistered.came);
    const { result } = readResult(join(out, 'result.json'));
    expect(result.footer?.outcome).toBe('incomplete');
    expect(result.footer?.reasons[0]).toMatch(reason);
    expect(result.rules.filter(({ verdict }) => verdict === 'fail')).toEqual([]);
  });

  test('in two parts, which a merge joins', { timeout: 150_000 }, async () => {
    const parts = [makeFolder(), makeFolder()];
    const { run, close } = await contact(unregistered);
    for (const [at, out] of parts.entries()) await run(['callback', '--shard', `${at + 1}/2`], out);
    close();
    const out = makeFolder();
    const files = parts.map((part) => join(part, 'result.json'));
    const { code, stdout, stderr } = await runCli(['merge', ...files, '--out', out]);
    expect(code, stderr).toBe(4);
    expect(inOneLine(stdout)).toMatch(unregistered.came);
    const { result } = readResult(join(out, 'result.json'));
    expect(result.footer?.reasons[0]).toMatch(reason);
    expect(result.rules.filter(({ verdict }) => verdict === 'fail')).toEqual([]);
  });

  test('in a run that is resumed', { timeout: 150_000 }, async () => {
    const out = makeFolder();
    const { run, close } = await contact(unregistered);
    await run(['callback'], out);
    const { code, stdout, stderr } = await run(['callback', '--resume'], out);
    close();
    expect(code, stderr).toBe(4);
    expect(inOneLine(stdout)).toMatch(unregistered.came);
    const { result } = readResult(join(out, 'result.json'));
    expect(result.footer?.reasons[0]).toMatch(reason);
    expect(readFileSync(join(out, 'junit.xml'), 'utf8')).toMatch(/failures="0" errors="1"/);
    expect(result.rules.filter(({ verdict }) => verdict === 'fail')).toEqual([]);
  });
});

test('a key of a second client that is not registered: hides no broken rule of a client whose plain request was accepted', {
  timeout: 150_000,
}, async () => {
  const broken = await startCarrier(['--clock', 'virtual', '--fault', 'notification-uri-not-checked']);
  const out = makeFolder();
  const target = writeTarget((given) => withUnknownKey(given, 'second'));
  const names = ['REQ-033', 'jti-of-another-client', 'jti-of-another-client-not-dropped'];
  const { code, stdout } = await runCli(['run', ...names, '--target', target, '--out', out], { env: broken.env });
  await stopCarrier(broken);
  const { result } = readResult(join(out, 'result.json'));
  expect(result.footer?.root).toMatchObject({ client: 'second', accepted: ['main'] });
  expect(result.rules.find(({ id }) => id === 'REQ-033')?.verdict, stdout).toBe('fail');
  expect(code).toBe(1);
  const certified = await runCli(['certify', join(out, 'result.json'), '--key', signingKey]);
  expect(certified.stderr).toContain('signed with the key lab');
});
