import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import type { Target } from '../../model/target.ts';
import { testedInterface } from '../../testing/parts/tested-interface.ts';
import { runYamlCases } from '../../testing/parts/run-cases.ts';
import { maxBodyBytes } from '../../wire/read/collect-body.ts';
import { createSender } from '../../wire/send/sender.ts';
import { createSkewOfOrigins } from '../../wire/send/skew.ts';
import { discover } from '../discover.ts';
import { checkOrigins } from '../preflight/endpoints.ts';
import { requireOwnOrigin } from './endpoints.ts';

const open: (() => unknown)[] = [];
afterEach(() => {
  for (const close of open.splice(0)) close();
});

/** Opens a server that counts its connections. */
async function listen(host: string, serve: RequestListener) {
  const server = createServer(serve);
  let connections = 0;
  server.on('connection', () => {
    connections += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  open.push(
    () => server.close(),
    () => server.closeAllConnections(),
  );
  const { port } = server.address() as AddressInfo;
  return { origin: `http://${host}:${port}`, connections: () => connections };
}

const yaml = `
  - { id: request, title: A request, rule: REQ-001, steps: [{ authorize: {}, expect: accepted }] }
  - { id: token, title: A token, rule: REQ-001, steps: [{ http: { to: token, form: { grant_type: x } }, expect: accepted }] }
  - { id: jwks, title: Keys, rule: REQ-001, steps: [{ http: { to: jwks }, expect: accepted }] }
  - { id: event-jwks, title: Keys, rule: REQ-001, steps: [{ http: { to: event_jwks }, expect: accepted }] }
  - { id: userinfo, title: User info, rule: REQ-001, steps: [{ http: { to: userinfo }, expect: accepted }] }
  - { id: usertrait, title: Tenure, rule: REQ-001, steps: [{ http: { to: usertrait }, expect: accepted }] }
`;

/** Sets up a carrier whose configuration names another host for the token endpoint, and worse for others. */
async function setUp(origins?: readonly string[], more: Readonly<Record<string, string>> = {}) {
  const other = await listen('127.0.0.2', (_, response) => response.end('{}'));
  let configuration: Readonly<Record<string, string>> = {};
  const platform = await listen('127.0.0.1', (_, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(configuration));
  });
  const change = (target: Target, origin: string): Target => {
    configuration = {
      issuer: platform.origin,
      server_initiated_authorization_endpoint: `${origin}/si`,
      token_endpoint: `${other.origin}/token`,
      jwks_uri: 'file:///etc/passwd',
      userinfo_endpoint: `${origin.replace('://', '://me:hush@')}/userinfo`,
      usertrait_endpoint: 'http://169.254.169.254/latest',
      ...more,
    };
    const { issuer: _, ...rest } = target;
    return {
      ...rest,
      discovery: platform.origin,
      endpoints: {},
      ...(origins === undefined ? {} : { origins: [other.origin] }),
    };
  };
  return { other, change };
}

test('nothing is sent where a configuration leads away from the carrier, and the cases say why', async () => {
  const { other, change } = await setUp();
  let target: Target | undefined;
  const { cases } = await runYamlCases(yaml, {
    change: (given, origin) => {
      target = change(given, origin);
      return target;
    },
    confirm: false,
  });
  expect(other.connections()).toBe(0);
  const verdicts = Object.entries(cases).map(([id, { verdict }]) => [id, verdict]);
  expect(verdicts).toEqual(Object.keys(cases).map((id) => [id, id === 'request' ? 'pass' : 'inconclusive']));
  expect(verdicts).toHaveLength(6);
  const reasons = ['token', 'jwks', 'event-jwks', 'userinfo', 'usertrait'].map((id) => cases[id]?.reason);
  expect(reasons).toEqual([
    `the discovery document names ${other.origin} for token_endpoint, which is not an origin of the target; add it to "origins" in carrier.yaml to have it tested`,
    'the discovery document names a URL of file: for jwks_uri, which is no scheme that is called',
    'the discovery document names a URL of file: for jwks_uri, which is no scheme that is called',
    expect.stringMatching(
      /^the discovery document names http:\/\/127\.0\.0\.1:\d+ for userinfo_endpoint, with a user or a password in the URL$/,
    ),
    expect.stringMatching(/names http:\/\/169\.254\.169\.254 for usertrait_endpoint, which is not an origin/),
  ]);
  await expectAdvice(target, other.origin);
});

/** Checks the `origins` line that preflight advises. */
async function expectAdvice(target: Target | undefined, other: string): Promise<void> {
  if (target === undefined) throw new TypeError('no target');
  const sender = createSender({ requestTimeout: 2, connections: 1 });
  open.push(() => sender.close());
  const found = await discover(target, {
    sender,
    skew: createSkewOfOrigins(),
    now: Date.now,
    interface: testedInterface,
  });
  const notes = checkOrigins(found, { ...target, origins: ['https://keys.test'] }, 'token');
  const line = `origins: ["https://keys.test", "${other}", "http://169.254.169.254"]`;
  const lines = new Map(notes.map(({ about, state, whose, change }) => [about, [state, whose, change]]));
  expect(lines.get('token')).toEqual([
    'problem',
    'configuration',
    `if the carrier is there as well, write in carrier.yaml: ${line}`,
  ]);
  expect(lines.get('usertrait')).toEqual(['warning', 'configuration', expect.stringContaining(line)]);
  expect(lines.get('jwks')).toEqual(['warning', 'carrier', expect.stringMatching(/^the carrier has to publish/)]);
  expect(() => requireOwnOrigin(`${other}/token`, { target })).toThrow(
    /^the request would go to http:\/\/127\.0\.0\.2/,
  );
}

test('an origin that the target file lists is called', async () => {
  const { other, change } = await setUp(['listed']);
  const { cases } = await runYamlCases(yaml, { change, confirm: false });
  expect(cases['token']?.verdict).toBe('pass');
  expect(other.connections()).toBeGreaterThan(0);
  expect(cases['usertrait']?.verdict).toBe('inconclusive');
});

test.each(['op.carrier.example', '', 'http://[x', 'http://127.0.0.1:99999'])(
  'a run goes on where the issuer of the configuration is no URL: %j',
  async (issuer) => {
    const { change } = await setUp(undefined, { issuer });
    const { cases } = await runYamlCases(yaml, { change, confirm: false });
    expect(cases['token']?.verdict).toBe('inconclusive');
  },
);

test('a configuration longer than what is read says so, and not that it is no JSON', async () => {
  const { change } = await setUp(undefined, { x_long: 'x'.repeat(maxBodyBytes) });
  await expect(runYamlCases(yaml, { change, confirm: false })).rejects.toThrow(
    /HTTP 200, \d+ bytes, and carrierspec reads 262144 at most$/,
  );
});
