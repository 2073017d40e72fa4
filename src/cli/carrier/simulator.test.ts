import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { importJWK, SignJWT } from 'jose';
import { afterAll, describe, expect, test } from 'vitest';
import { isJsonObject, type JsonObject, parseJson, renderPlain } from '../../lib/json.ts';
import { runCli } from '../../testing/program/run-cli.ts';
import { root, startCli } from '../../testing/program/spawn-cli.ts';
import { makeFolder } from '../../testing/program/target-file.ts';

const config = join(root, 'fixtures/broken-simulators/00-valid/simulator.yaml');

/** An SP under development: its callbacks, in order. */
const callbacks: JsonObject[] = [];
const waiting: (() => void)[] = [];
const sp = createServer((request, response) => {
  let text = '';
  request.setEncoding('utf8').on('data', (part: string) => (text += part));
  request.on('end', () => {
    const body = parseJson(text);
    if (isJsonObject(body)) callbacks.push(body);
    response.end();
    for (const look of waiting) look();
  });
});

await new Promise<void>((resolve) => sp.listen(0, '127.0.0.1', resolve));
const address = sp.address();
const receiver = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
const env = { RECEIVER: receiver, BANK_ID: 'ccid-bank00000001', BANK_SECRET: 'hush-hush-hush' };

async function startSimulator(file: string) {
  const running = startCli(['carrier', '--config', file, '--port', '0', '--admin-port', '0'], {
    env,
    timeLimit: 300_000,
  });
  const [, origin = ''] = await running.stderr(/^reference carrier +(\S+)$/m);
  const [, admin = ''] = await running.stderr(/^admin API +(\S+)$/m);
  await running.stderr(/Ctrl-C stops it/);
  return { running, origin, admin };
}

const { running: carrier, origin, admin } = await startSimulator(config);

afterAll(async () => {
  carrier.interrupt();
  await carrier.ended;
  sp.close();
});

async function key() {
  const jwk = parseJson(readFileSync(join(root, 'fixtures/reference/keys/two-keys-b.json'), 'utf8'));
  return importJWK(isJsonObject(jwk) ? jwk : {}, 'ES256');
}

async function signedRequest(claims: JsonObject): Promise<string> {
  const now = Math.floor(Date.now() / 1000);
  const id = 'ccid-shop00000001';
  const base = {
    iss: id,
    sub: id,
    client_id: id,
    aud: origin,
    iat: now,
    exp: now + 200,
    jti: `${Math.random()}`,
    expires_in: 300,
  };
  const rest = { redirect_uri: 'https://shop.example/callback', notification_uri: `${receiver}/notify` };
  const asked = {
    response_type: 'async_token',
    scope: 'openid name',
    client_notification_token: 'token-token-token-token',
  };
  const payload = { ...base, ...rest, ...asked, login_hint: '310410-alice-at-shop', state: 's', nonce: 'n', ...claims };
  return new SignJWT(payload).setProtectedHeader({ alg: 'ES256', kid: 'b', typ: 'JWT' }).sign(await key());
}

async function ask(claims: JsonObject): Promise<JsonObject> {
  const response = await fetch(`${origin}/bc-authorize`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ request: await signedRequest(claims) }),
  });
  const body: unknown = await response.json();
  return isJsonObject(body) ? { ...body, status: response.status } : {};
}

type Audience = string | string[];
type Urls = Readonly<Record<'issuer' | 'token', string>>;

/** Gets a code from the portal's API and exchanges it as openid-client does: a form with a client assertion (RFC 7523 §2.2). */
async function exchangeCode(at: { readonly origin: string; readonly admin: string }, aud: Audience): Promise<Response> {
  const id = 'ccid-shop00000001';
  const issued = await fetch(`${at.admin}/codes`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_id: id, subscriber: 'alice' }),
  });
  const given: unknown = await issued.json();
  const now = Math.floor(Date.now() / 1000);
  const claims = { iss: id, sub: id, aud, jti: `${Math.random()}`, iat: now, nbf: now, exp: now + 60 };
  const assertion = await new SignJWT({ ...claims }).setProtectedHeader({ alg: 'ES256', kid: 'b' }).sign(await key());
  return fetch(`${at.origin}/token`, {
    method: 'POST',
    headers: { accept: 'application/json' },
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      code: isJsonObject(given) ? renderPlain(given['code']) : '',
      redirect_uri: 'https://shop.example/callback',
      client_id: id,
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: assertion,
    }),
  });
}

function callbackOf(id: unknown): Promise<JsonObject> {
  return new Promise((resolve) => {
    const look = (): void => {
      const found = callbacks.find((one) => one['auth_req_id'] === id);
      if (found !== undefined) resolve(found);
    };
    waiting.push(look);
    look();
  });
}

describe('the simulator', () => {
  test('says what an SP needs to begin', async () => {
    await carrier.stderr(/^ {2}shop +ccid-shop00000001 {2}1 key, server_initiated, usertraits_enabled, events$/m);
    await carrier.stderr(/^ {4}sub for shop {2}310410-alice-at-shop$/m);
    await carrier.stderr(new RegExp(`^callbacks go below ${receiver}$`, 'm'));
  });

  test('a subscriber approves by the script, after a while, with the scopes that it ticks', async () => {
    const begun = Date.now();
    const accepted = await ask({ context: 'Order-123456' });
    expect(accepted['status']).toBe(200);
    const callback = await callbackOf(accepted['auth_req_id']);
    expect(Date.now() - begun).toBeGreaterThanOrEqual(100);
    expect(callback).toMatchObject({ scope: 'openid', state: 's', token_type: 'Bearer' });
    const id = renderPlain(accepted['auth_req_id']);
    await carrier.stderr(
      new RegExp(`Z {2}shop asks alice for openid name, "Order-123456": accepted, ${id}, 300 s$`, 'm'),
    );
    await carrier.stderr(/Z {4}alice approves after 0\.1 s \(approvals, entry 4\)$/m);
    await carrier.stderr(new RegExp(`Z {2}alice approves ${id}$`, 'm'));
    await carrier.stderr(new RegExp(`Z {2}tokens for ${id}: openid$`, 'm'));
    await carrier.stderr(new RegExp(`Z {2}callback POST ${receiver}/notify {2}200$`, 'm'));
  });

  test('the first entry that fits is taken: this context is denied', async () => {
    const accepted = await ask({ context: 'Refuse-this-order' });
    expect(await callbackOf(accepted['auth_req_id'])).toMatchObject({ error: 'request_denied' });
    await carrier.stderr(/Z {2}no tokens for ccid-\w+: request_denied, the subscriber denied the request$/m);
  });

  test('what the script leaves alone is answered by hand', async () => {
    const accepted = await ask({ context: 'By-hand-123456' });
    await carrier.stderr(/Z {4}alice leaves it alone after 0 s \(approvals, entry 3\)$/m);
    const id = renderPlain(accepted['auth_req_id']);
    const response = await fetch(`${admin}/requests/${id}/approve`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    });
    expect(response.status).toBe(200);
    expect(await callbackOf(accepted['auth_req_id'])).toMatchObject({ scope: 'openid name' });
  });

  test.each<[JsonObject, RegExp]>([
    [{ login_hint: '310410-nobody' }, /because login_hint is "310410-nobody"; no subscriber has it$/m],
    [{ exp: 1 }, /because exp is \d+ s ago on the carrier’s clock$/m],
    [
      { notification_uri: 'https://elsewhere.example/n' },
      /because notification_uri is "https:\/\/elsewhere\.example\/n"; registered: http:\S+\/notify, https:\/\/shop\.example\/notify$/m,
    ],
    [{ aud: 'https://op.example' }, /because aud is "https:\/\/op\.example"; the issuer is "http:\S+"$/m],
    [{ login_hint: '+12025550102' }, /because login_hint is "\+12025550102"; enum_enabled is off for shop$/m],
    [{ context: 'short' }, /because context is "short"$/m],
  ])('%j is refused, and the log says why', async (claims, reason) => {
    const refused = await ask(claims);
    expect(refused['status']).toBe(400);
    const error = typeof refused['error'] === 'string' ? refused['error'] : '';
    await carrier.stderr(new RegExp(`Z {2}shop is refused, 400 ${error}: .* \\([a-z0-9-]+\\)$`, 'm'));
    await carrier.stderr(reason);
  });

  test('discovery names the endpoint by the word of §4.1 first', async () => {
    const url = `${origin}/.well-known/openid_configuration?client_id=ccid-shop00000001&mccmnc=310410`;
    const document: unknown = await (await fetch(url)).json();
    const endpoint = `${origin}/bc-authorize`;
    const found = Object.entries(isJsonObject(document) ? document : {}).filter(([, value]) => value === endpoint);
    expect(found).toEqual([
      ['server_initiated_endpoint', endpoint],
      ['server_initiated_authorization_endpoint', endpoint],
    ]);
  });

  test.each<[name: string, aud: (urls: Urls) => Audience, status: number]>([
    ['the issuer (openid-client 6)', ({ issuer }) => issuer, 200],
    ['the token endpoint', ({ token }) => token, 200],
    ['both (openid-client 5)', ({ issuer, token }) => [issuer, token], 200],
    ['the issuer and another server', ({ issuer }) => [issuer, 'https://op.example'], 401],
    ['another server', () => 'https://op.example', 401],
  ])('the token endpoint and a client assertion for %s', async (_, aud, status) => {
    const response = await exchangeCode({ origin, admin }, aud({ issuer: origin, token: `${origin}/token` }));
    expect(response.status).toBe(status);
    const body: unknown = await response.json();
    expect(body).toMatchObject(status === 200 ? { token_type: 'Bearer' } : { error: 'invalid_client' });
    if (status === 200) return;
    await carrier.stderr(/Z {2}shop is refused, 401 invalid_client: .* \(assertion-aud-is-the-endpoint\)$/m);
    await carrier.stderr(/Z {4}because aud is .*; the assertion may be for http:\S+\/token or http:\S+$/m);
  });

  test('a simulator file takes assertions for the issuer alone', async () => {
    const folder = makeFolder();
    const text = readFileSync(config, 'utf8').replace('clock: real', 'token: { assertion_audience: issuer }');
    const keys = readFileSync(join(root, 'fixtures/broken-simulators/00-valid/shop.jwks.json'), 'utf8');
    writeFileSync(join(folder, 'shop.jwks.json'), keys);
    writeFileSync(join(folder, 'simulator.yaml'), text);
    const strict = await startSimulator(join(folder, 'simulator.yaml'));
    const came = [await exchangeCode(strict, `${strict.origin}/token`), await exchangeCode(strict, strict.origin)];
    strict.running.interrupt();
    await strict.running.ended;
    expect(came.map(({ status }) => status)).toEqual([401, 200]);
  });

  test('the file and the client in docs/simulator.md work together', async () => {
    const docs = readFileSync(join(root, 'docs/simulator.md'), 'utf8');
    const [, yaml = ''] = /```yaml\n(.*?)```/s.exec(docs) ?? [];
    const [, js = ''] = /```js\n(.*?)```/s.exec(docs) ?? [];
    const folder = makeFolder();
    expect(await runCli(['init', folder])).toMatchObject({ code: 0 });
    writeFileSync(join(folder, 'simulator.yaml'), yaml.replace('http://127.0.0.1:8602', receiver));
    const { running: documented, origin: issuer } = await startSimulator(join(folder, 'simulator.yaml'));
    const [, sub = ''] = await documented.stderr(/^ {4}sub for shop {2}(\S+)$/m);
    const client = js.replaceAll('http://127.0.0.1:8600', issuer).replaceAll('http://127.0.0.1:8602', receiver);
    writeFileSync(join(folder, 'client.mjs'), client.replace("'jose'", JSON.stringify(import.meta.resolve('jose'))));
    const { stdout } = await promisify(execFile)(process.execPath, ['client.mjs', sub], { cwd: folder });
    expect(stdout).toMatch(/^200 \{.*auth_req_id: 'ccid-\w+'/s);
    const [id] = /ccid-\w+/.exec(stdout) ?? [];
    expect(await callbackOf(id)).toMatchObject({ state: 'my-state', scope: 'openid' });
    documented.interrupt();
    await documented.ended;
  });

  test('the lines in docs/simulator.md are those of the log', async () => {
    await ask({ login_hint: '310410-nobody' });
    const [, shown = ''] = /\n\n```\n(.*?)```/s.exec(readFileSync(join(root, 'docs/simulator.md'), 'utf8')) ?? [];
    const lines = shown.trim().split('\n');
    expect(lines).toHaveLength(3);
    const literal = shown.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
    const pattern = literal.replaceAll(/^[\d:]+Z/gm, String.raw`\d\d:\d\d:\d\dZ`).replaceAll(/"[^"]+"/g, '"[^"]+"');
    await carrier.stderr(new RegExp(`^${pattern}`, 'm'));
  });

  test('mistakes of the file have their places, and nothing listens', async () => {
    const broken = join(root, 'fixtures/broken-simulators/01-names/simulator.yaml');
    const { code, stdout, stderr } = await runCli(['carrier', '--config', broken]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/simulator\.yaml:8:15: there is no client "shpo"; did you mean "shop"\?\n/);
    expect(stderr).toMatch(/carrierspec: the simulator file \S+ has 8 mistakes\n$/);
    const twice = await runCli(['carrier', '--config', config, '--receiver', 'http://127.0.0.1:1'], { env });
    expect(twice).toMatchObject({ code: 2, stderr: 'carrierspec: --receiver: with --config, the file says it\n' });
  });
});
