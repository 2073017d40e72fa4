import { createServer, type RequestListener } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { isJsonObject, type JsonObject, readMember, parseJson } from '../../lib/json.ts';
import { startCli } from '../../testing/program/spawn-cli.ts';
import { fetchLikeCurl } from '../../testing/program/shell.ts';
import { runCli } from '../../testing/program/run-cli.ts';
import {
  envWithoutCarrier,
  withoutNames,
  messageFlag,
  startInRealTime,
  writeFolder,
  writeTarget,
} from '../../testing/program/target-file.ts';
import { sendEndpoints } from './endpoints.ts';
import { renderCurl } from './send.ts';

const askedNames = Object.keys(sendEndpoints);

async function asJson(
  ...args: readonly string[]
): Promise<{ readonly code: number | null; readonly report: JsonObject }> {
  const { code, stdout, stderr } = await runCli(['send', ...args, '--json']);
  const report = parseJson(stdout);
  if (!isJsonObject(report)) throw new Error(`no document: ${stdout}${stderr}`);
  return { code, report };
}

const carrier = await startInRealTime();

/** Asks the shared carrier: starting one costs more than the call. */
const ask = (args: readonly string[], options: { readonly cwd?: string } = {}) =>
  runCli(['send', ...args, '--target', carrier.target], { env: carrier.env, ...options });

const at = (value: unknown, ...names: readonly string[]): unknown =>
  names.reduce<unknown>((found, name) => readMember(isJsonObject(found) ? found : undefined, name), value);

test.each(['jwks', 'event_jwks'])('send %s reads the keys, which break nothing', async (endpoint) => {
  const { code, stdout, stderr } = await ask([endpoint]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(/^response +HTTP 200 at [\d:.]+Z, after [\d.]+ m?s$/m);
  expect(stdout).toMatch(/^ {4}content-type: application\/json/m);
  expect(stdout).toMatch(/^\d+ invariants judged, none broken$/m);
});

test('--json prints one document with what was sent and what came', async () => {
  const usertrait = await asJson('usertrait');
  expect(usertrait).toMatchObject({ code: 0, report: { verdict: 'pass', request: { response: { status: 200 } } } });
  const { code, report } = await asJson('events');
  expect([code, report['verdict']]).toEqual([0, 'pass']);
  expect(report['events']).toContainEqual(expect.objectContaining({ kind: 'delivery', method: 'POST' }));
});

test.each([
  ['discovery', 'discovery-without-issuer', 'DSC-004', 1],
  ['usertrait', 'tenure-as-boolean', 'UT-014#boolean', 0],
  ['token', 'assertion-not-supported', 'TOK-001', 1],
  ['events', 'set-iss-of-the-platform', 'EVT-026', 1],
])('what is broken: %s with the fault %s says %s', async (endpoint, fault, rule, code) => {
  const ended = await runCli(['send', endpoint, '--fault', fault]);
  expect(ended.stdout).toContain(` ${rule} `);
  expect(ended.code).toBe(code);
});

test('an event that does not come is not held against a carrier, which may have sent one like it before', async () => {
  const { code, stdout } = await runCli(['send', 'events', '--fault', 'event-not-on-move']);
  expect(code).toBe(4);
  expect(stdout).toMatch(/^no event came$/m);
});

test('what counts for no outcome of a run is no failure at the desk', async () => {
  const { code, stdout } = await runCli(['send', 'token', '--fault', 'token-answer-cacheable']);
  expect(stdout).toContain('required, not counted for the outcome: ');
  expect(code).toBe(0);
});

test.each([
  [['usertrait', ...messageFlag({ proof: '' })], 'x-authorization:', 401],
  [['usertrait', ...messageFlag({ proof: 'no-proof' })], 'never', 401],
  [['usertrait', '--key', 'other'], 'never', 401],
  [['usertrait', '--drop', 'sub'], 'sub:', 400],
  [['usertrait', ...messageFlag({ parameters: { usertrait: 'device_tenure' } })], '"sim_tenure"', 400],
  [['token', '--drop', 'client_assertion'], 'signed JWT', 401],
  [['token', ...messageFlag({ code: 'of-nobody' })], 'never', 400],
  [['token', ...messageFlag({ refresh_token: 'of-nobody' })], 'authorization_code', 400],
  [['userinfo', ...messageFlag({ token: 'of-nobody' })], 'before', 401],
  [['discovery', ...messageFlag({ mccmnc: '99999' })], 'DSC-004', undefined],
])('differences: %j are sent, and a refusal is no failure', async (args, absent, status) => {
  const { code, stdout } = await ask(args);
  expect(code).toBe(0);
  expect(stdout).not.toContain(absent);
  if (status !== undefined) expect(stdout).toMatch(new RegExp(`^response +HTTP ${status} `, 'm'));
});

describe('what a flag gives that is secret', () => {
  const secret = 'SEKRET-abcdef0123456789';
  test.each([
    [['userinfo', ...messageFlag({ token: secret })]],
    [['userinfo', ...messageFlag({ token: '@token.txt' })]],
    [['token', ...messageFlag({ code: secret })]],
    [['token', ...messageFlag({ refresh_token: secret, parameters: { client_secret: `${secret}2` } })]],
    [['usertrait', ...messageFlag({ proof: secret })]],
    [['cancel', ...messageFlag({ http_headers: { authorization: `Bearer ${secret}` } })]],
  ])('%j is in no output', async (args) => {
    const cwd = writeFolder({ 'token.txt': `${secret}\n` });
    for (const more of [[], ['--json'], ['--dry-run']]) {
      const { stdout, stderr } = await ask([...args, ...more], { cwd });
      expect(stdout).not.toBe('');
      expect(stdout + stderr).not.toContain(secret);
    }
  });
});

describe('--dry-run', () => {
  test.each([
    [['usertrait'], 'POST', '/v1/usertrait', ''],
    [['userinfo'], 'GET', '/userinfo', 'ACCESS_TOKEN stands for'],
    [['token'], 'POST', '/token', 'AUTHORIZATION_CODE stands for'],
    [['cancel'], 'POST', '/cancel', 'AUTH_REQ_ID stands for'],
    [['cancel', ...messageFlag({ auth_req_id: 'ccid-0123456789' })], 'POST', '/cancel', ''],
    [['discovery'], 'GET', '/.well-known/openid_configuration', 'this one was fetched'],
    [['--claim', 'acr_values=a9'], 'POST', '/bc-authorize', ''],
    [['--from', 'iat-far-too-old/24h-old'], 'POST', '/bc-authorize', ''],
  ])('%j prints the request and sends nothing', async (args, method, path, open) => {
    const { code, stdout, stderr } = await ask([...args, '--dry-run']);
    expect(code).toBe(0);
    expect(stdout).toMatch(
      new RegExp(`^not sent +${method} http://127\\.0\\.0\\.1:\\d+${path.replaceAll('.', '\\.')}`, 'm'),
    );
    expect(stdout).not.toMatch(/^response|eyJ[\w-]{20,}/m);
    if (open === '') expect(stderr).toBe('');
    else expect(stderr).toContain(open);
  });

  test('of a step that builds on an earlier one is refused', async () => {
    const { code, stdout, stderr } = await ask(['--from', 'jti-a-third-time', '--step', 'step2', '--dry-run']);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('--dry-run: step step2 of jti-a-third-time builds on step ');
  });

  test('with --json', async () => {
    const { report } = await asJson('usertrait', '--dry-run');
    expect(report).toMatchObject({ sent: false, request: { method: 'POST', step: 'query' } });
    expect(at(report, 'request', 'response')).toBeUndefined();
  });
});

describe('a carrier in real time', () => {
  test.each([
    [['usertrait', '--curl'], 'sim_tenure'],
    [['userinfo', '--curl'], 'sub'],
    [['token', '--curl'], 'access_token'],
    [['cancel', '--curl'], 'auth_req_id'],
    [['discovery', '--curl'], 'issuer'],
  ])('%j prints a command that does the same', async (args, member) => {
    const { code, stdout } = await ask(args);
    expect(code).toBe(0);
    const { status, body } = await fetchLikeCurl(stdout);
    expect(status).toBe(200);
    expect(body).toHaveProperty(member);
  });

  test('a token of --curl opens user info, from stdin as well', async () => {
    const { stdout } = await ask(['userinfo', '--curl']);
    const [, token = ''] = /authorization: Bearer ([^']+)/.exec(stdout) ?? [];
    const given = await ask(['userinfo', ...messageFlag({ token })]);
    expect(given.stdout).toMatch(/^response +HTTP 200 /m);
    expect(given.stdout).not.toContain(token);
    const piped = await runCli(['send', 'userinfo', ...messageFlag({ token: '-' }), '--target', carrier.target], {
      env: carrier.env,
      stdin: `${token}\n`,
    });
    expect(piped.stdout).toMatch(/^response +HTTP 200 /m);
  });

  test('a token that was just issued and that opens nothing leaves it incomplete', async () => {
    const target = writeTarget((given) => ({
      ...withoutNames(given, 'clock'),
      endpoints: { userinfo: `${carrier.env['REFERENCE_ORIGIN']}/nowhere` },
    }));
    const { code, stdout } = await runCli(['send', 'userinfo', '--target', target], { env: carrier.env });
    expect(code).toBe(4);
    expect(stdout).toMatch(/^response +HTTP 404 /m);
    expect(stdout).toMatch(/^inconclusive /m);
  });

  test('an event that nobody raises leaves it incomplete when the time is over', async () => {
    const { code, stdout, stderr } = await ask(['events', '--wait', '2s']);
    expect(code).toBe(4);
    expect(stderr).toMatch(
      /^waiting for the event about subscriber first, for client main, at \/events of the receiver, for 2s$/m,
    );
    expect(stdout).toContain('no event came');
  });

  test('an event that the driver raises comes, and the change is undone', async () => {
    const { code, stdout } = await ask(['events', '--trigger', 'swap-sim']);
    expect(code).toBe(0);
    expect(stdout).toContain('signature verified with a key of jwks_uri');
    expect(stdout).toMatch(/^left +events of subscriber first were raised: until /m);
  });

  test('what awaits nothing leaves the receiver to a listener beside it, which gets the callback', async () => {
    const listening = startCli(['listen', '--target', carrier.target], { env: carrier.env });
    await listening.stderr(/^listening on /m);
    expect((await ask(['usertrait'])).code).toBe(0);
    expect((await ask(['--approve'])).code).toBe(0);
    await setTimeout(1000);
    listening.interrupt();
    expect((await listening.ended).stdout).toMatch(/^\S+ {2}POST \/si\/notify {2}answered 200$/m);
  });

  test('names the same notification_uri whether something listens there or not, also by the name of a host', async () => {
    const target = writeTarget((given) => ({
      ...withoutNames(given, 'clock'),
      receiver: { ...(isJsonObject(given['receiver']) ? given['receiver'] : {}), host: 'localhost' },
    }));
    const uriOf = async (...args: readonly string[]): Promise<unknown> => {
      const { stdout } = await runCli(['send', ...args, '--dry-run', '--json', '--target', target], {
        env: carrier.env,
      });
      return at(parseJson(stdout), 'request', 'object', 'claims', 'notification_uri');
    };
    const uri = await uriOf('--wait', '1s');
    expect(uri).toMatch(/\/si\/notify$/);
    expect(await uriOf()).toBe(uri);
  });

  test('what is sent stays pending, and is said to', async () => {
    const { stdout } = await ask(['--json']);
    const id = /auth_req_id[^c]*(ccid-[A-Za-z0-9]{10,})/.exec(stdout)?.[1] ?? '';
    expect(at(parseJson(stdout), 'left', '0') ?? stdout).toMatch(/is pending until/);
    expect((await ask(['cancel', ...messageFlag({ auth_req_id: id })])).stdout).toMatch(/^response +HTTP 200 /m);
    expect((await ask(['cancel', ...messageFlag({ auth_req_id: id })])).stdout).toMatch(/^response +HTTP 400 /m);
  });
});

test('a carrier that nobody is', async () => {
  const target = writeTarget((given) => withoutNames(given, 'clock'));
  for (const endpoint of askedNames) {
    const { code, stderr } = await runCli(['send', endpoint, '--target', target], { env: envWithoutCarrier });
    expect([endpoint, code]).toEqual([endpoint, 3]);
    expect(stderr).toContain('the carrier did not answer');
  }
});

/** Runs `work` with a carrier that gives one response. */
async function withCarrier(answer: RequestListener, work: (target: string) => Promise<void>): Promise<void> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const origin = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
  const target = writeTarget((given) => ({
    ...withoutNames(given, 'clock', 'discovery'),
    issuer: origin,
    endpoints: Object.fromEntries(
      ['server_initiated', 'token', 'userinfo', 'jwks', 'usertrait'].map((name) => [name, `${origin}/${name}`]),
    ),
  }));
  await work(target).finally(() => server.close());
}

test.each(['', '<html>', 'null', '{"access_token":""}'])(
  'a carrier that responds 200 with rubbish: %j is no success',
  async (body) => {
    await withCarrier(
      (_, response) => response.writeHead(200, { 'content-type': 'application/json' }).end(body),
      async (target) => {
        for (const args of [
          ['token', ...messageFlag({ code: 'x' })],
          ['userinfo', ...messageFlag({ token: 'of-somebody' })],
          ['usertrait'],
        ]) {
          const { code, stdout } = await runCli(['send', ...args, '--target', target], { env: envWithoutCarrier });
          expect([args[0], code], stdout).not.toEqual([args[0], 0]);
        }
      },
    );
  },
);

describe('--curl', () => {
  test.each([
    ['http://127.0.0.1:8\\@evil.test/x', /^ {2}'?http:\/\/127\.0\.0\.1:8\/@evil\.test\/x'?$/m],
    ['http://127.0.0.1:8/a?b=[1-3]&c={x,y}', /--globoff/],
    ['http://127.0.0.1:8/\u001b[2J\u202e', /^ {2}'?http:\/\/127\.0\.0\.1:8\/%1B\[2J%E2%80%AE'?$/m],
  ])('%j goes where this program would send', (url, pattern) =>
    expect(renderCurl({ method: 'POST', url, headers: [], body: '{}' })).toMatch(pattern),
  );

  test.each([
    [[['authorization', 'Bearer abc\u001b[2J']], 'x'],
    [[['authorization', 'Bearer a\r\nx: 1']], 'x'],
    [[['x', 'y']], '\u202ex'],
    [[['x', 'y']], '\u0000'],
  ] as const)('%j is refused', (headers, body) => {
    expect(() => renderCurl({ method: 'POST', url: 'http://127.0.0.1:8/', headers, body })).toThrow(/^--curl: /);
  });
});

test.each([
  [['usertrait', ...messageFlag({ parameters: ['sub'] })], '/message.yaml:2:17: '],
  [['usertrait', ...messageFlag({ http_header: {} })], 'did you mean "http_headers"?'],
  [['usertrait', ...messageFlag({ form: true, proof: 7 })], '/message.yaml:3:12: '],
  [['usertrait', '--key', 'mine'], '--key: "mine" is none of other, '],
  [['usertrait', '--key', 'other', ...messageFlag({ proof: 'x' })], 'proof of --message and --key'],
  [['usertrait', '--client', 'secondd'], 'did you mean second?'],
  [['userinfo', ...messageFlag({ token: 'with blank' })], 'token of --message: this is no token'],
  [['userinfo', ...messageFlag({ token: '@/nowhere' })], '/nowhere: there is no such file'],
  [['token', '--drop', 'clientassertion'], '--drop: there is no clientassertion to leave out; there are grant_type, '],
  [
    ['token', ...messageFlag({ code: 'a', refresh_token: 'b' })],
    '--message has both code and refresh_token: write only one of them',
  ],
  [['events', '--trigger', 'approve'], '--trigger: "approve" is none of remove-consent, move-sim, '],
  [['events', ...messageFlag({ event: 'sim_swapp' })], '/message.yaml:2:12: '],
  [
    ['events', '--trigger', 'move-sim', ...messageFlag({ event: 'device_change' })],
    '--message has an event: with --trigger',
  ],
  [['events', '--wait', 'soon'], '--wait: "soon" is no duration'],
  [['events', '--trigger', 'move-sim', '--wait', '5m'], '--wait does not go with --trigger'],
  [['discovery', '--curl', '--dry-run'], '--curl and --dry-run'],
  [['cancel', ...messageFlag({ parameters: { x: '{{ nwo }}' } })], 'nwo'],
  [['tenure'], 'endpoint: "tenure" is none of server_initiated, token, userinfo, '],
  [
    ['usertrait', ...messageFlag({ token: 'x' })],
    '/message.yaml:2:3: token does not go with send usertrait; it goes with send userinfo\n',
  ],
  [['token', '--claim', 'a=1'], '--claim does not go with send token; it goes with send server_initiated\n'],
  [['events', '--curl'], '--curl does not go with send events; it goes with send server_initiated, send discovery, '],
])('%j is a mistake of usage', async (args, message) => {
  const { code, stdout, stderr } = await ask(args);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain(message);
});
