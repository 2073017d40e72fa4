import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { isJsonObject, type Json, type JsonObject, parseJson, omitUndefined } from '../../lib/json.ts';
import { findFreePort } from '../../setup/reference.ts';
import { runAttended } from '../../testing/program/run-attended.ts';
import { filledIn, uncommentSettings } from '../../testing/program/init-file.ts';
import { runCli } from '../../testing/program/run-cli.ts';
import { pemLines, privateMembersBelow, readFilesBelow, findSecretsIn } from '../../testing/program/secrets.ts';
import { type RunningProcess, root, startCli } from '../../testing/program/spawn-cli.ts';
import { makeFolder } from '../../testing/program/target-file.ts';
import { openTunnel, type Tunnel } from '../../testing/carriers/tunnel.ts';

const roles = ['main', 'second', 'secret-only'];
const password = 'proxy-hush-hush-1234';
const lab = 'lab-hush-hush-5678';
const clientSecret = 'client-hush-hush-9012';

let folder = '';
let proxy: Tunnel;
let carrier: RunningProcess;
let env: Readonly<Record<string, string>> = {};

const member = (object: Json | undefined, name: string): JsonObject => {
  const value = isJsonObject(object) ? object[name] : undefined;
  return isJsonObject(value) ? value : {};
};

const tls = (name: string): JsonObject => ({
  cert: { file: `tls/${name}.pem` },
  key: { file: `tls/${name}-key.pem` },
});

const clientIdOf = (role: string): string => `ccid-${role.replace('-', '')}000001`;

const subOf = (who: string, role: string): string => `001010-${who}-at-${role}`;

/** Simulator file of the carrier: the clients with keys and URIs from init, and two subscribers. */
const simulator = (receiver: string, registered: JsonObject): JsonObject => ({
  port: 0,
  admin_port: 0,
  receiver,
  tls: tls('server'),
  clock: 'virtual',
  clients: Object.fromEntries(
    roles.map((role) => [
      role,
      {
        client_id: clientIdOf(role),
        ...(role === 'secret-only'
          ? { secret: { env: 'SECRET_ONLY_SECRET' } }
          : { jwks: { file: `keys/${role}.jwks.json` } }),
        redirect_uris: [`https://sp.example/${role}/callback`],
        notification_uris: member(registered, role)['notification_uris'] ?? [],
        ...omitUndefined({ event_uri: member(registered, role)['event_uri'] }),
        flags: { usertraits_enabled: true, events: true },
      },
    ]),
  ),
  subscribers: Object.fromEntries(
    ['first', 'other'].map((who, at) => [
      who,
      {
        phone: `+1202555010${at + 1}`,
        subs: Object.fromEntries(roles.map((role) => [role, subOf(who, role)])),
        consents: Object.fromEntries(roles.map((role) => [role, ['openid', 'name', 'events']])),
      },
    ]),
  ),
});

const denyProgram = `
const [id] = process.argv.slice(2).map((word) => word.replace('--id=', ''));
if (process.env.LAB_KEY !== ${JSON.stringify(lab)}) process.exit(9);
const { status } = await fetch(process.env.LAB + '/requests/' + id + '/deny', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' });
process.exit(status === 200 ? 0 : status === 404 || status === 409 ? 3 : 1);
`;

/** Fills in the file from init: TLS, a proxy, keys in variables, and a driver of each kind. */
function fillIn(written: JsonObject, receiver: string): JsonObject {
  const admin = '{{ env.LAB }}';
  const http = (path: string, json: JsonObject) => ({
    http: {
      url: `${admin}${path}`,
      json,
      headers: { authorization: 'Bearer {{ env.LAB_KEY }}' },
      impossible: [404, 409],
    },
  });
  const client = (role: string): JsonObject => ({
    ...member(member(written, 'clients'), role),
    client_id: clientIdOf(role),
  });
  const listens = { host: '127.0.0.1', port: Number(new URL(receiver).port), url: receiver };
  return {
    ...omitUndefined({ carrier: written['carrier'], mccmnc: written['mccmnc'] }),
    discovery: { env: 'CARRIER_DISCOVERY' },
    test_carrier: true,
    tls: { ca: { file: 'tls/ca.pem' } },
    proxy: { env: 'CARRIER_PROXY' },
    rate_limit: '500/s',
    receiver: { ...listens, tls: tls('server') },
    clients: {
      ...Object.fromEntries(roles.map((role) => [role, client(role)])),
      second: { ...client('second'), keys: [{ env: 'SECOND_KEY' }] },
    },
    subscribers: Object.fromEntries(
      ['first', 'other'].map((who) => [
        who,
        {
          ...member(member(written, 'subscribers'), who),
          subs: Object.fromEntries(roles.map((role) => [role, subOf(who, role)])),
        },
      ]),
    ),
    drivers: {
      approve: http('/requests/{{ request.body.auth_req_id }}/approve', { scopes: '{{ with.scopes }}' }),
      deny: {
        exec: {
          argv: [process.execPath, 'deny.mjs', '--id={{ request.body.auth_req_id }}'],
          env: { LAB: admin, LAB_KEY: '{{ env.LAB_KEY }}' },
          impossible: [3],
        },
      },
      look: { ask: true, timeout: '20s' },
    },
    clock: { read: { http: { url: `${admin}/clock` } }, advance: http('/clock', { to: '{{ to }}' }) },
  };
}

beforeAll(async () => {
  folder = makeFolder();
  const receiver = `https://127.0.0.1:${await findFreePort()}`;
  expect(await runCli(['init', folder])).toMatchObject({ code: 0 });
  cpSync(join(root, 'fixtures/broken-targets/00-valid/tls'), join(folder, 'tls'), { recursive: true });
  const file = join(folder, 'carrier.yaml');
  const parsed: unknown = parse(filledIn(uncommentSettings(readFileSync(file, 'utf8'))));
  const written = isJsonObject(parsed) ? parsed : {};
  writeFileSync(join(folder, 'simulator.yaml'), JSON.stringify(simulator(receiver, member(written, 'clients'))));
  writeFileSync(join(folder, 'deny.mjs'), denyProgram);
  carrier = startCli(['carrier', '--config', join(folder, 'simulator.yaml')], {
    env: { SECRET_ONLY_SECRET: clientSecret, NODE_EXTRA_CA_CERTS: join(folder, 'tls/ca.pem') },
    timeLimit: 240_000,
  });
  const [, origin = ''] = await carrier.stderr(/^reference carrier +(\S+)$/m);
  const [, admin = ''] = await carrier.stderr(/^admin API +(\S+)$/m);
  await carrier.stderr(/Ctrl-C stops it/);
  expect(origin).toMatch(/^https:/);
  writeFileSync(file, JSON.stringify(fillIn(written, receiver), undefined, 2));
  proxy = await openTunnel(password);
  env = {
    PATH: process.env['PATH'] ?? '',
    TERM: 'dumb',
    CARRIER_DISCOVERY: origin,
    CARRIER_PROXY: proxy.url,
    LAB: admin,
    LAB_KEY: lab,
    SECOND_KEY: readFileSync(join(folder, 'keys/second.json'), 'utf8'),
    SECRET_ONLY_SECRET: clientSecret,
  };
});

afterAll(async () => {
  carrier.interrupt();
  await carrier.ended;
  proxy.close();
});

/** Everything that must stay secret: private key members, passwords, secrets, and their encodings. */
function secrets(): readonly string[] {
  const basic = [`user:${password}`, clientSecret].map((text) => Buffer.from(text).toString('base64'));
  const keys = [...privateMembersBelow(join(folder, 'keys')), ...pemLines(join(folder, 'tls/server-key.pem'))];
  return [...keys, ...basic, password, lab, clientSecret];
}

const cases = ['success-callback-members', 'denial-is-request-denied', 'colour-mode-of-the-system', 'jti-absent'];

test('what init wrote, filled in, passes preflight, and certifies a carrier that is a process of its own', async () => {
  const target = join(folder, 'carrier.yaml');
  expect((await runCli(['check', '--target', target], { env })).code).toBe(0);

  const ready = await runCli(['check', '--preflight', '--target', target], { env });
  expect({ code: ready.code, stderr: ready.stderr }).toEqual({ code: 0, stderr: '' });
  expect(ready.stdout).toMatch(/answered through the proxy: HTTP 404/);
  expect(ready.stdout).toMatch(/https:\S+: a request to it arrived at the receiver/);
  expect(ready.stdout).toContain('client main: a plain request is accepted, and denied again\n');

  const out = join(makeFolder(), 'report');
  const formats = ['junit', 'har', 'markdown', 'ctrf', 'annotations', 'sarif'];
  const reports = formats.flatMap((format) => ['--report', `${format}=${join(out, `report.${format}`)}`]);
  const run = ['run', ...cases, '--target', target, '--out', out, ...reports];
  const { code, shown, asked } = await runAttended({ argv: run, env }, () => 'y');
  expect(/^carrierspec: .*$/m.exec(shown)?.[0]).toBeUndefined();
  const result = parseJson(readFileSync(join(out, 'result.json'), 'utf8'));
  const judged = isJsonObject(result) && Array.isArray(result['cases']) ? result['cases'].filter(isJsonObject) : [];
  expect(judged.map(({ id, verdict, reason }) => [id, verdict, reason])).toEqual(
    judged.map(({ id }) => [id, 'pass', undefined]),
  );
  expect(judged).toHaveLength(cases.length);
  expect(code).toBe(0);
  expect(asked).toEqual(['Look at the phone: is it so that the colour mode is "system"?']);
  expect(result).toMatchObject({ target: { testCarrier: true } });
  // Nothing bypassed the proxy.
  expect(new Set(proxy.asked)).toEqual(
    new Set([env['CARRIER_DISCOVERY'], env['LAB']].map((url) => new URL(url ?? '').host)),
  );

  const files = readFilesBelow(out);
  expect(files.length).toBeGreaterThanOrEqual(formats.length + 2);
  const hidden = secrets();
  expect(hidden.length).toBeGreaterThan(15);
  for (const text of [...files, shown, ready.stdout, ready.stderr]) expect(findSecretsIn(text, hidden)).toEqual([]);
}, 120_000);

test('a password that is wrong is on the way there, and is not told', async () => {
  const wrong = { ...env, CARRIER_PROXY: (env['CARRIER_PROXY'] ?? '').replace(password, 'wrong-hush-hush') };
  const { code, stdout, stderr } = await runCli(['check', '--preflight', '--target', join(folder, 'carrier.yaml')], {
    env: wrong,
  });
  expect(stdout).toContain('407');
  expect(code).not.toBe(0);
  expect(`${stdout}${stderr}`).not.toContain('hush');
});
