import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { importJWK, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isJsonObject, type JsonObject, parseJson, plainText } from '../../lib/json.ts';
import { runCli } from '../../testing/run-cli.ts';
import { type Running, root, startCli } from '../../testing/spawn-cli.ts';

const config = join(root, 'fixtures/broken-simulators/00-valid/simulator.yaml');

/** The SP that is being developed: what comes to it, in order. */
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

let carrier: Running;
let origin = '';
let admin = '';
let receiver = '';

beforeAll(async () => {
  await new Promise<void>((resolve) => sp.listen(0, '127.0.0.1', resolve));
  const address = sp.address();
  receiver = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  const env = { RECEIVER: receiver, BANK_ID: 'ccid-bank00000001', BANK_SECRET: 'hush-hush-hush' };
  carrier = startCli(['carrier', '--config', config], { env, timeLimit: 120_000 });
  [, origin = ''] = await carrier.stderr(/^reference carrier +(\S+)$/m);
  [, admin = ''] = await carrier.stderr(/^admin API +(\S+)$/m);
  await carrier.stderr(/Ctrl-C stops it/);
});

afterAll(async () => {
  carrier.interrupt();
  await carrier.ended;
  sp.close();
});

async function signedRequest(claims: JsonObject): Promise<string> {
  const jwk = parseJson(readFileSync(join(root, 'fixtures/reference/keys/two-keys-b.json'), 'utf8'));
  const key = await importJWK(isJsonObject(jwk) ? jwk : {}, 'ES256');
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
  return new SignJWT(payload).setProtectedHeader({ alg: 'ES256', kid: 'b', typ: 'JWT' }).sign(key);
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
    const id = plainText(accepted['auth_req_id']);
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
    const id = plainText(accepted['auth_req_id']);
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
    const twice = await runCli(['carrier', '--config', config, '--receiver', 'http://127.0.0.1:1'], {
      env: { RECEIVER: receiver, BANK_ID: 'a', BANK_SECRET: 'b' },
    });
    expect(twice).toMatchObject({ code: 2, stderr: 'carrierspec: --receiver: with --config, the file says it\n' });
  });
});
