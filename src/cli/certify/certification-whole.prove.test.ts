import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isJsonObject, type Json, type JsonObject, parseJson, renderPlain } from '../../lib/json.ts';
import { readSuites } from '../../setup/read-files.ts';
import { findFreePort, referenceEnv, referenceRegistrations } from '../../setup/reference.ts';
import { runAttended } from '../../testing/program/run-attended.ts';
import { pemLines, privateMembersBelow, readFilesBelow, findSecretsIn } from '../../testing/program/secrets.ts';
import { root } from '../../testing/program/spawn-cli.ts';
import { makeFolder, writeFolder, writeTarget } from '../../testing/program/target-file.ts';
import { openTunnel, type Tunnel } from '../../testing/carriers/tunnel.ts';

const password = 'proxy-hush-hush-1234';
const lab = 'lab-hush-hush-5678';
const tls = join(root, 'fixtures/broken-targets/00-valid/tls');
const identity = { cert: { file: join(tls, 'server.pem') }, key: { file: join(tls, 'server-key.pem') } };

/** The reference carrier with all its subscribers: a simulator file cannot describe a SIM whose tenure is undeterminable. */
const carrierProgram = `
import { readFileSync } from 'node:fs';
import { createCarrier } from ${JSON.stringify(join(root, 'dist/carrier/create-carrier.js'))};
const { origin, adminOrigin } = await createCarrier(JSON.parse(readFileSync(process.argv[2], 'utf8')));
console.log(JSON.stringify({ origin, adminOrigin }));
`;

/** Passes its arguments to the lab and logs the call. */
const labProgram = `
import { appendFileSync } from 'node:fs';
const [path, body] = process.argv.slice(2).map((word) => word.slice(word.indexOf('=') + 1));
if (process.env.LAB_KEY !== ${JSON.stringify(lab)}) process.exit(9);
appendFileSync('called', path + '\\n');
const headers = { 'content-type': 'application/json' };
const { ok } = await fetch(process.env.LAB + path, { method: 'POST', headers, body });
process.exit(ok ? 0 : 1);
`;

let proxy: Tunnel;
let target = '';
let env: Readonly<Record<string, string>> = {};
const stops: (() => unknown)[] = [];

/** Starts the carrier as a separate process that trusts the receiver's CA. */
async function startCarrier(registrations: unknown): Promise<{ origin: string; adminOrigin: string }> {
  const pems = { cert: readFileSync(identity.cert.file, 'utf8'), key: readFileSync(identity.key.file, 'utf8') };
  const options = JSON.stringify({ registrations, clock: 'virtual', tls: pems });
  const folder = writeFolder({ 'carrier.mjs': carrierProgram, 'options.json': options });
  const child = spawn(process.execPath, ['carrier.mjs', 'options.json'], {
    cwd: folder,
    env: { NODE_EXTRA_CA_CERTS: join(tls, 'ca.pem') },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  stops.push(() => child.kill());
  const said: unknown[] = await once(child.stdout.setEncoding('utf8'), 'data');
  const started = parseJson(String(said[0]));
  if (!isJsonObject(started)) throw new Error(`the carrier says ${String(said[0])}`);
  return { origin: renderPlain(started['origin']), adminOrigin: renderPlain(started['adminOrigin']) };
}

/** The shipped driver, with the lab's key. */
const withKey = (driver: Json): Json =>
  isJsonObject(driver) && isJsonObject(driver['http'])
    ? { http: { ...driver['http'], headers: { authorization: 'Bearer {{ env.LAB_KEY }}' } } }
    : driver;

const byProgram = (path: string): JsonObject => ({
  exec: {
    argv: [process.execPath, 'lab.mjs', `--path=${path}`, '--body={}'],
    env: { LAB: '{{ env.REFERENCE_ADMIN }}', LAB_KEY: '{{ env.LAB_KEY }}' },
  },
});

const byHand = (act: string): JsonObject => ({ ask: `Have {{ subscriber.name }} ${act}`, timeout: '20s' });

/** The shipped target file with mutual TLS, a proxy, and a driver of each kind. */
const overTls = (given: JsonObject): JsonObject => ({
  ...given,
  supports: { 'sim-swap-lag': false },
  tls: { ca: { file: join(tls, 'ca.pem') } },
  proxy: { env: 'CARRIER_PROXY' },
  receiver: { ...(isJsonObject(given['receiver']) ? given['receiver'] : {}), tls: identity },
  drivers: {
    ...Object.fromEntries(
      Object.entries(isJsonObject(given['drivers']) ? given['drivers'] : {}).map(([action, driver]) => [
        action,
        withKey(driver),
      ]),
    ),
    'swap-sim': byProgram('/subscribers/{{ subscriber.name }}/swap-sim'),
    'rotate-keys': byProgram('/keys/rotate'),
    'open-app': byHand('open-app'),
    'verify-email': byHand('verify-email'),
    'factory-reset': byHand('factory-reset'),
  },
});

/** Acts for the operator, through the admin API. */
async function doAsAsked(question: string): Promise<string> {
  const [, subscriber = '', act = ''] = /^Have (\S+) (\S+)$/.exec(question) ?? [];
  const { ok } = await fetch(`${env['REFERENCE_ADMIN']}/subscribers/${subscriber}/${act}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  });
  return ok ? 'done' : 'cannot';
}

beforeAll(async () => {
  const port = String(await findFreePort());
  const registrations = referenceRegistrations(`https://127.0.0.1:${port}`);
  const started = await startCarrier(registrations);
  proxy = await openTunnel(password);
  stops.push(() => proxy.close());
  target = writeTarget(overTls);
  writeFileSync(join(dirname(target), 'lab.mjs'), labProgram);
  env = {
    PATH: process.env['PATH'] ?? '',
    TERM: 'dumb',
    ...referenceEnv(started, registrations, port),
    CARRIER_PROXY: proxy.url,
    LAB_KEY: lab,
  };
});

afterAll(() => {
  for (const stop of stops) stop();
});

function secrets(): readonly string[] {
  const client = env['REFERENCE_SECRET'] ?? '';
  const basic = [`user:${password}`, client].map((text) => Buffer.from(text).toString('base64'));
  const keys = [...privateMembersBelow(join(root, 'fixtures/reference/keys')), ...pemLines(identity.key.file)];
  return [...keys, ...basic, password, lab, client];
}

const listOf = (value: Json | undefined): readonly JsonObject[] =>
  Array.isArray(value) ? value.filter(isJsonObject) : [];

test('every case of the suites: over TLS, by requests, programs and somebody who is asked, the carrier is conformant', async () => {
  const out = join(makeFolder(), 'report');
  const argv = ['run', '--target', target, '--out', out];
  const { code, shown, asked } = await runAttended({ argv, env }, doAsAsked);
  const result = parseJson(readFileSync(join(out, 'result.json'), 'utf8'));
  const { cases, footer, unsolicited } = isJsonObject(result) ? result : {};
  const silent = listOf(cases).filter(({ verdict }) => verdict !== 'pass' && verdict !== 'informational');
  // Cases that choose the TLS version or write raw requests cannot use a proxy: they say so, and all belong to the baseline.
  const throughProxy = silent.filter(({ reason }) => renderPlain(reason ?? '').includes('proxy'));
  expect(throughProxy.map(({ id }) => renderPlain(id ?? '').split('/')[0])).toEqual([
    ...Array.from({ length: 5 }, () => 'framing-ambiguous'),
    'length-beside-chunks',
    'body-that-inflates',
    'bodies-held-back',
    'bodies-held-back',
    'tls-of-today',
    'tls-of-before',
  ]);
  expect(
    new Set(throughProxy.map(({ area, verdict }) => `${renderPlain(area ?? '')} ${renderPlain(verdict ?? '')}`)),
  ).toEqual(new Set(['baseline inconclusive']));
  // A second receiver with a wrong certificate has its own test (src/setup/wrong-certificate.test.ts).
  const others = silent.filter((one) => !throughProxy.includes(one));
  expect(others.map(({ id, verdict, reason }) => [id, verdict, reason])).toEqual([
    ['sim-tenure-level-where-a-swap-lags', 'not-applicable', 'the carrier declares that it has no sim-swap-lag'],
    [
      'certificate-of-another-host',
      'not-run',
      'needs a receiver with a wrong certificate: name one under receiver.wrong_certificate',
    ],
  ]);
  expect(listOf(cases)).toHaveLength((await readSuites([])).cases.length);
  expect({ code, outcome: isJsonObject(footer) && footer['outcome'], unsolicited }).toEqual({
    code: 0,
    outcome: 'conformant',
    unsolicited: [],
  });

  // Each kind of driver was used, and nothing bypassed the proxy.
  expect(asked).toHaveLength(18);
  const acts = new Set(asked.map((question) => question.split(' ').at(-1)));
  expect(acts).toEqual(new Set(['factory-reset', 'open-app', 'verify-email']));
  const called = new Set(readFileSync(join(dirname(target), 'called'), 'utf8').match(/[a-z-]+$/gm));
  expect(called).toEqual(new Set(['rotate', 'swap-sim']));
  const hosts = ['REFERENCE_ORIGIN', 'REFERENCE_ADMIN'].map((name) => new URL(env[name] ?? '').host);
  expect(new Set(proxy.asked)).toEqual(new Set(hosts));
  expect(env['REFERENCE_ORIGIN']).toMatch(/^https:/);

  const hidden = secrets();
  expect(hidden.length).toBeGreaterThan(40);
  const texts = readFilesBelow(out);
  expect(texts.length).toBeGreaterThanOrEqual(3);
  for (const text of [...texts, shown]) expect(findSecretsIn(text, hidden)).toEqual([]);
}, 600_000);
