import { createServer, type Server } from 'node:http';
import { afterAll, describe, expect, test } from 'vitest';
import { isJsonObject, type Json, type JsonObject, parseJson } from '../../lib/json.ts';
import { findFreePort } from '../../setup/reference.ts';
import { runCli } from '../../testing/program/run-cli.ts';
import type { ProcessResult } from '../../testing/program/spawn-cli.ts';
import { makeFolder, startCarrier, withoutNames, writeTarget } from '../../testing/program/target-file.ts';

const carrier = await startCarrier();
const others: Server[] = [];
afterAll(() => {
  for (const server of others) server.close();
});

/** A server that gives every request the same answer. */
async function openStranger(status = 404, body = ''): Promise<number> {
  const server = createServer((_, response) => response.writeHead(status).end(body));
  others.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return typeof address === 'object' ? (address?.port ?? 0) : 0;
}

const member = (object: Json | undefined, name: string): JsonObject => {
  const value = isJsonObject(object) ? object[name] : undefined;
  return isJsonObject(value) ? value : {};
};

/** Replaces members of the main client in the shipped target. */
const withMain =
  (parts: JsonObject) =>
  (target: JsonObject): JsonObject => {
    const clients = member(target, 'clients');
    return { ...target, clients: { main: { ...member(clients, 'main'), ...parts } }, subscribers: onlyMain(target) };
  };

const onlyMain = (target: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(member(target, 'subscribers')).map(([name, one]) => [
      name,
      { ...(isJsonObject(one) ? one : {}), subs: { main: member(one, 'subs')['main'] ?? '' } },
    ]),
  );

const withReceiver =
  (parts: JsonObject) =>
  (target: JsonObject): JsonObject => ({ ...target, receiver: { ...member(target, 'receiver'), ...parts } });

type Change = (target: JsonObject) => JsonObject;

const preflight = (change: Change, ...flags: readonly string[]): Promise<ProcessResult> =>
  runCli(['check', '--preflight', '--target', writeTarget(change), ...flags], {
    env: { ...carrier.env, COLUMNS: '120' },
  });

/** Problem and warning lines, each joined with its continuation lines. */
const trouble = (stdout: string): readonly string[] =>
  stdout
    .replaceAll(/\n {10}/g, ' ')
    .split('\n')
    .filter((line) => /^(problem|warning) /.test(line));

test.each<[string, Change, string]>([
  ['nothing where there is one', (target) => target, ''],
  [
    'one line where there is none',
    (target) => ({ ...target, receiver: withoutNames(member(target, 'receiver'), 'sources') }),
    "note: no lock of the receiver protects /events and 5 more URIs: strangers can guess where to send, and leave cases without a verdict. To tell the carrier's deliveries apart, register URIs with an unguessable part, or set receiver.sources or receiver.clients\n",
  ],
])('of the lock of the receiver, check says %s', async (_, change, note) => {
  const { code, stdout } = await runCli(['check', '--target', writeTarget(change)], { env: carrier.env });
  expect([code, stdout.replace(/^.*: no mistakes\n/, '')]).toEqual([0, note]);
});

const [stranger, empty, closed] = [await openStranger(), await openStranger(200, 'null'), await findFreePort()];

describe('preflight', () => {
  test('of a sound target file: all is well, each client is asked, and every request is taken back', async () => {
    const { code, stdout, stderr } = await preflight((target) => target);
    expect({ code, stderr, trouble: trouble(stdout) }).toEqual({ code: 0, stderr: '', trouble: [] });
    for (const name of ['main', 'second', 'two-keys', 'privileged']) {
      expect(stdout).toContain(`ok        client ${name}: a plain request is accepted, and denied again\n`);
    }
    expect(stdout).toContain('skipped   client plain: not asked: server_initiated is off\n');
    expect(stdout).toMatch(/\nready: carrierspec run can begin\n$/);
    const pending = await fetch(`${carrier.env['REFERENCE_ADMIN']}/phone?login_hint=%2B12175550101`);
    expect(await pending.json()).toEqual({ cards: [] });
  });

  test('of drivers that ask a person: says what a run will ask, and never that there is no driver', async () => {
    const { code, stdout } = await preflight((target) => ({
      ...target,
      drivers: { ...member(target, 'drivers'), approve: { ask: true }, deny: { ask: true } },
    }));
    const text = stdout.replaceAll(/\n {10}/g, ' ');
    expect(code).toBe(0);
    expect(text).toMatch(
      /ok +client main: a plain request is accepted; it stays pending for \d+ s, because a person is asked for deny \(ask: true\)/,
    );
    expect(text).toContain(
      'a person: not asked here. A run asks for approve: "Approve the request on the phone", deny: "Deny the request on the phone", at a terminal or on the page of --live; carrierspec plan lists each time\n',
    );
    expect(text).toMatch(/not tried: a person is asked for approve \(ask: true\), and no operator is here to be asked/);
    expect(text).not.toMatch(/no driver/);
  });

  test('what the file declares, and the carrier does not do, is a warning with the line to write', async () => {
    const { code, stdout } = await preflight((target) => ({
      ...target,
      attributes: ['name', 'email'],
      proof: 'dpop',
      token: { assertion_audience: 'https://elsewhere.test/' },
    }));
    expect(code).toBe(0);
    const found = trouble(stdout).join('\n');
    expect(found).toMatch(/attributes of user info, client privileged: user info has .*which the file does not list/);
    expect(found).toMatch(
      /proof of possession, client main: the SIM tenure endpoint refuses a request with the proof dpop/,
    );
    expect(found).toMatch(/try "token: \{ assertion_audience: issuer \}"/);
    expect(stdout).toContain('the 8 scopes of launch are registered');
    expect(stdout).toMatch(/ok +birthdate without a consent, client main: the phone asks for it/);
  });

  test.each<[what: string, change: Change, code: number, description: RegExp, skipped?: string]>([
    [
      'an unknown client',
      withMain({ client_id: 'ccid-nobody00000001' }),
      2,
      /discovery.*HTTP 200, .*provider_not_found.* yours to change: does it know the client_id of the first client and the mccmnc/,
    ],
    [
      'a key that is not registered',
      withMain({
        keys: [{ file: `${import.meta.dirname}/../../../fixtures/reference/keys/second-conftestkey02.json` }],
      }),
      2,
      /client main: a plain request is not accepted: denied 400 invalid_request_object: kid names .* yours to change: are client_id and the public key of kid conftestkey02 registered/,
    ],
    [
      'a notification URI that is not registered',
      withMain({ notification_uris: ['/elsewhere'] }),
      2,
      /client main: a plain request is not accepted: denied 400 invalid_request: notification_uri is .* yours to change: is http:\/\/127\.0\.0\.1:\d+\/elsewhere registered\?/,
    ],
    [
      'a subscriber id of nobody',
      (target) => ({
        ...withMain({})(target),
        subscribers: { first: { tags: ['consented'], subs: { main: '001010-nobody' } } },
      }),
      2,
      /client main: a plain request is not accepted: .* yours to change: is "subs: \{ main \}" of subscriber first the carrier/,
    ],
    [
      'nobody who has consented',
      (target) => ({ ...withMain({})(target), subscribers: { first: { tags: ['unconsented'], subs: {} } } }),
      2,
      /client main: there is no subscriber with the tag consented and a sub for it yours to change/,
    ],
    [
      'a driver that does not work',
      (target) => ({ ...target, drivers: { deny: { http: { url: '{{ env.REFERENCE_ADMIN }}/nowhere', json: {} } } } }),
      2,
      /client main: a plain request is accepted, but the driver for deny did not work: .* fix the driver for deny/,
    ],
    [
      'a host that is not there',
      (target) => ({ ...target, discovery: 'https://op.carrier.invalid' }),
      2,
      /the carrier did not answer at .*: unresolved .* is the host of "discovery" spelt right\?/,
    ],
    [
      'what the carrier publishes is denied',
      (target) => ({ ...target, supports: { ...member(target, 'supports'), usertrait: false } }),
      2,
      /supports: the file says that the carrier has no usertrait, and there is a SIM tenure endpoint .* take the line out/,
    ],
    [
      'an address of another machine',
      withReceiver({ host: '192.0.2.1' }),
      2,
      /192\.0\.2\.1 port \d+: it cannot listen there: EADDRNOTAVAIL yours to change: "host" is no address of this machine/,
    ],
    [
      'a public URL with a path too many',
      (target) => withReceiver({ url: `http://127.0.0.1:${carrier.env['REFERENCE_RECEIVER_PORT']}/base` })(target),
      2,
      /a request to \/canary\/\w+ arrived as \/base\/canary\/\w+ yours to change/,
    ],
    [
      'a public URL that leads to somebody else',
      withReceiver({ url: `http://127.0.0.1:${stranger}` }),
      2,
      /something else answers there: HTTP 404, and nothing arrived at the receiver/,
      'skipped   not asked: the problems above come first\n',
    ],
    ['a port that is taken', withReceiver({ port: stranger }), 2, /it cannot listen there: EADDRINUSE/],
    [
      'a carrier that is not there',
      (target) => ({ ...target, discovery: `http://127.0.0.1:${closed}` }),
      3,
      /refused .*on the way there: nothing listens there: is the carrier up, is the port right, and is there a firewall or a "proxy" between\?/,
      'skipped   not tried: discovery comes first\n',
    ],
    [
      'a request endpoint that answers 200 without an auth_req_id',
      (target) => ({ ...target, endpoints: { server_initiated: `http://127.0.0.1:${empty}/` } }),
      3,
      /a plain request is answered without an auth_req_id/,
    ],
  ])('%s', async (_, change, expected, description, skipped = '') => {
    const { code, stdout } = await preflight(change);
    expect(trouble(stdout).join('\n')).toMatch(description);
    expect(code).toBe(expected);
    expect(stdout).toContain(skipped);
    expect(stdout).toMatch(/\nnot ready: /);
  });

  test('a proxy that is not there is named, without its password', async () => {
    const port = await findFreePort();
    const file = writeTarget((target) => ({ ...target, proxy: { env: 'PROXY' } }));
    const env = { ...carrier.env, PROXY: `http://user:hush-hush@127.0.0.1:${port}`, COLUMNS: '120' };
    const { code, stdout, stderr } = await runCli(['check', '--preflight', '--target', file], { env });
    expect(trouble(stdout).join('\n')).toContain(`through the proxy 127.0.0.1:${port}: refused`);
    expect(code).toBe(3);
    expect(stdout + stderr).not.toContain('hush-hush');
  });

  test('an answer that is no OpenID configuration is shown, and does the terminal no harm', async () => {
    const discovery = `http://127.0.0.1:${await openStranger(200, '\u001b[31mno such client')}`;
    const { stdout } = await preflight((target) => ({ ...target, discovery }));
    expect(trouble(stdout).join('\n')).toMatch(/gave no OpenID configuration: HTTP 200, no JSON: \S*no such client/);
    expect(stdout).not.toContain('\u001b');
  });

  test('an endpoint that nobody publishes is a warning, and no end', async () => {
    const { code, stdout } = await preflight((target) => {
      const origin = carrier.env['REFERENCE_ORIGIN'] ?? '';
      const endpoints = { server_initiated: `${origin}/bc-authorize` };
      return { ...withoutNames(target, 'discovery'), issuer: origin, endpoints };
    });
    expect(trouble(stdout)).toHaveLength(2);
    expect(trouble(stdout)[0]).toMatch(/^warning .* the file does not say that the carrier has no usertrait/);
    expect(code).toBe(0);
  });

  test('as JSON', async () => {
    const change: Change = (target) => ({ ...target, supports: { tls: false, 'sim-swap-lag': false, cancel: false } });
    const { code, stdout } = await preflight(change, '--json');
    const said = parseJson(stdout);
    expect(code).toBe(2);
    expect(said).toMatchObject({ verdict: 'usage' });
    const checks = isJsonObject(said) && Array.isArray(said['checks']) ? said['checks'] : [];
    expect(checks.find((one) => isJsonObject(one) && one['state'] === 'problem')).toMatchObject({
      check: 'supports',
      whose: 'configuration',
      position: { column: 5 },
    });
  });
});

describe('at the head of a run', () => {
  const runWith = (change: Change, ...flags: readonly string[]): Promise<ProcessResult> =>
    runCli(['run', 'jti-absent', '--target', writeTarget(change), '--out', makeFolder(), ...flags], {
      env: carrier.env,
    });

  test('a receiver that cannot be reached ends it, and can be passed over', async () => {
    const change = withReceiver({ url: `http://127.0.0.1:${stranger}` });
    const { code, stderr } = await runWith(change);
    expect(stderr).toMatch(
      /^carrierspec: receiver, http:\S+: something else answers there: HTTP 404, and nothing arrived/m,
    );
    expect(code).toBe(2);
    expect((await runWith(change, '--keep-going')).stderr).not.toContain('something else answers there');
  });

  test('a contradiction ends it, at its place', async () => {
    const { code, stderr } = await runWith((target) => ({ ...target, supports: { usertrait: false } }));
    expect(stderr).toMatch(
      /carrier\.yaml:\d+:5: the file says that the carrier has no usertrait, and there is a SIM tenure endpoint \(usertrait_endpoint\)\n/,
    );
    expect(code).toBe(2);
  });
});
