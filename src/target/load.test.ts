import { testedInterface } from '../testing/parts/tested-interface.ts';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { afterAll, describe, expect, test } from 'vitest';
import type { Driver, HttpDriver } from '../model/target.ts';
import { renderProblem } from '../suite/yaml/problems.ts';
import { ecKey, rsaKey } from '../testing/parts/keys.ts';
import { buildScope } from '../testing/parts/templates.ts';
import { loadTarget } from './load.ts';
import { createWorkbench } from './testing/load-with.ts';

const root = 'fixtures/broken-targets';
const folders = readdirSync(root).toSorted();

const env: Readonly<Record<string, string>> = {
  PORT: '8443',
  CLIENT_ID: 'ccid-from-the-environment',
  SECRET: 'hush-hush-hush',
  ADMIN: 'https://admin.test',
  EMPTY: '',
  PROXY: 'http://user:hush-hush-hush@proxy.test:3128',
  PEM_WITHOUT_KID: readFileSync(`${root}/00-valid/tls/client-key.pem`, 'utf8'),
  PEM_ENCRYPTED: '-----BEGIN ENCRYPTED PRIVATE KEY-----\nhush\n-----END ENCRYPTED PRIVATE KEY-----',
  PEM_PUBLIC: '-----BEGIN PUBLIC KEY-----\nhush\n-----END PUBLIC KEY-----',
};

const httpOf = (driver: Driver | undefined): HttpDriver | undefined => (driver?.kind === 'http' ? driver : undefined);
const load = (file: string) => loadTarget({ file, env, interface: testedInterface });

describe('broken target files', () => {
  test('there are at least 20 of them', () => expect(folders.length).toBeGreaterThanOrEqual(36));

  test.each(folders.filter((folder) => folder !== '00-valid'))('%s', (folder) => {
    const { target, problems } = load(`${root}/${folder}/carrier.yaml`);
    expect(target).toBeUndefined();
    const rendered = `${problems.map((problem) => renderProblem(problem)).join('\n\n')}\n`;
    const expected = `${root}/${folder}/expected.txt`;
    if (process.env['WRITE_EXPECTED'] !== undefined) writeFileSync(expected, rendered);
    expect(rendered.trim()).not.toBe('');
    expect(rendered).toBe(existsSync(expected) ? readFileSync(expected, 'utf8') : '');
  });

  test('a file that is not there', () => {
    expect(load('nowhere.yaml')).toEqual({
      problems: [
        {
          code: 'file-unreadable',
          message: 'there is no such file',
          position: { file: 'nowhere.yaml', line: 1, column: 1 },
        },
      ],
    });
  });
});

describe('a valid target file', () => {
  const pem = (name: string): string => {
    const text = readFileSync(`${root}/00-valid/tls/${name}.pem`, 'utf8');
    return text.includes('CERTIFICATE') ? text.trimEnd() : text;
  };

  test('loads completely, without problems', () => {
    const { target, problems } = load(`${root}/00-valid/carrier.yaml`);
    expect(problems).toEqual([]);
    expect(target).toMatchObject({
      name: 'A carrier',
      file: `${root}/00-valid/carrier.yaml`,
      mccmnc: '001010',
      issuer: 'https://op.carrier.test',
      endpoints: {
        server_initiated: 'https://op.carrier.test/bc-authorize',
        event_jwks: 'https://events.carrier.test/jwks',
      },
      clients: [
        {
          name: 'main',
          clientId: 'ccid-from-the-environment',
          keys: [rsaKey(), { ...ecKey(), kid: 'other' }],
          secret: 'hush-hush-hush',
          redirectUris: ['https://sp.test/cb'],
          notificationUris: ['/si/notify'],
          flags: { server_initiated: true, enum_enabled: false },
        },
      ],
      subscribers: [
        { name: 'first', tags: ['consented'], phone: '+12175550101', subs: { main: '001010-c8ea0b1f1004b261971f' } },
      ],
      supports: { 'local-redirect': false, events: true },
      receiver: {
        host: '127.0.0.1',
        port: 8443,
        url: 'https://sp.test',
        tls: { cert: pem('server'), key: pem('server-key') },
      },
      tls: { ca: pem('ca'), identity: { cert: pem('client'), key: pem('client-key') }, minVersion: 'TLSv1.3' },
      proxy: 'http://user:hush-hush-hush@proxy.test:3128',
      rateLimit: 1.5,
      casesPerSubscriber: 5,
      testCarrier: true,
      requestTimeout: 90,
      deliveryTimeout: 0.5,
      latency: { callback: 120, sim_swap: 10_800 },
      attributes: ['name', 'is_adult18'],
      carrierCodes: { own: ['001010', '001011'], foreign: ['001012'] },
      assertionAudience: 'https://op.carrier.test/token/',
      userinfoProof: true,
      proof: { kind: 'exec', timeout: 5 },
    });
    expect(target).not.toHaveProperty('discovery');
  });

  test('drivers: omitted keys have defaults', () => {
    const { drivers = {}, clock } = load(`${root}/00-valid/carrier.yaml`).target ?? {};
    const [approve, lookDriver] = [httpOf(drivers['approve']), httpOf(drivers['look'])];
    const shown = { approve, look: lookDriver, read: httpOf(clock?.read), advance: httpOf(clock?.advance) };
    expect(
      Object.entries(shown).map(([name, driver]) => [name, driver?.method, driver?.done, driver?.impossible]),
    ).toEqual([
      ['approve', 'POST', [200, 201, 202, 204], [404, 409]],
      ['look', 'GET', [200], []],
      ['read', 'GET', [200, 201, 202, 204], []],
      ['advance', 'PUT', [200, 201, 202, 204], []],
    ]);
    const scope = buildScope({ env, request: { body: { auth_req_id: 'ccid-1' } } });
    expect(approve?.url.evaluate(scope)).toBe('https://admin.test/requests/ccid-1/approve');
  });

  test('the fingerprint depends on the file, not on the environment', () => {
    const of = (given: Readonly<Record<string, string>>) =>
      loadTarget({ file: `${root}/00-valid/carrier.yaml`, env: { ...env, ...given }, interface: testedInterface })
        .target?.fingerprint;
    expect(of({})).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(of({ SECRET: 'another-secret' })).toBe(of({}));
    expect(load(`${root}/00-valid/carrier.yaml`).target?.fingerprint).toBe(of({}));
  });

  test('the shipped one of the reference carrier is valid', () => {
    const reference = {
      REFERENCE_ORIGIN: 'http://127.0.0.1:1',
      REFERENCE_ADMIN: 'http://127.0.0.1:2',
      REFERENCE_RECEIVER_PORT: '3',
      REFERENCE_SECRET: 'hush-hush-hush',
    };
    const { target, problems } = loadTarget({
      file: 'fixtures/reference/carrier.yaml',
      env: reference,
      interface: testedInterface,
    });
    expect(problems).toEqual([]);
    expect(target?.clients.map(({ name, keys }) => [name, keys.length])).toEqual([
      ['main', 1],
      ['second', 1],
      ['two-keys', 2],
      ['privileged', 1],
      ['plain', 1],
      ['secret-only', 0],
      ['disabled', 1],
    ]);
    expect(target?.requestTimeout).toBe(10);
    expect(target?.receiver).toEqual({ host: '127.0.0.1', port: 3, sources: ['127.0.0.1'] });
  });
});

describe('files made for one test', () => {
  const { write, loadWith, remove } = createWorkbench();
  afterAll(remove);

  test('a secret may stand in a file; blanks around it do not count', () => {
    write('secret.txt', '  hush-hush-hush-1234\n');
    const { target, problems } = loadWith({ secret: { file: 'secret.txt' } });
    expect(problems).toEqual([]);
    expect(target?.clients[0]?.secret).toBe('hush-hush-hush-1234');
  });

  test('a key may be a PEM, in a file or in a variable that has no line breaks', () => {
    const pem = readFileSync(`${root}/00-valid/tls/client-key.pem`, 'utf8');
    write('key.pem', pem);
    const keys = [{ file: 'key.pem', kid: 'a' }, { env: 'PEM', kid: 'b' }, { env: 'JWK' }];
    const { target, problems } = loadWith(
      { keys },
      {},
      { PEM: pem.replaceAll('\n', String.raw`\n`), JWK: JSON.stringify(ecKey().jwk) },
    );
    expect(problems).toEqual([]);
    const [first, second, third] = target?.clients[0]?.keys ?? [];
    expect(first).toMatchObject({ kid: 'a', alg: 'ES256', jwk: { kty: 'EC', crv: 'P-256' } });
    expect(second).toEqual({ ...first, kid: 'b' });
    expect(third).toEqual(ecKey());
  });

  test('without receiver, request timeout and delivery timeout there are defaults', () => {
    const { target } = loadWith({});
    expect(target).toMatchObject({ receiver: { host: '127.0.0.1', port: 0 }, requestTimeout: 10, deliveryTimeout: 30 });
    expect(target?.receiver).not.toHaveProperty('url');
    expect(target).not.toHaveProperty('clock');
  });

  test('without alg, the key’s kind says it', () => {
    const keys = [rsaKey(), ecKey()].map(({ jwk }, index) => {
      const { alg: _, ...rest }: Record<string, unknown> = jwk;
      write(`key-${index}.json`, JSON.stringify(rest));
      return { file: `key-${index}.json` };
    });
    const { target } = loadWith({ keys });
    expect(target?.clients[0]?.keys.map(({ alg }) => alg)).toEqual(['RS256', 'ES256']);
  });

  test('an event endpoint, and endpoints of any name the schema knows', () => {
    const endpoints = {
      server_initiated: 'https://op.carrier.test/si',
      usertrait: 'https://op.carrier.test/v1/usertrait',
      cancel: 'https://op.carrier.test/cancel',
    };
    const { target } = loadWith({ event_uri: '/events' }, { endpoints });
    expect(target?.clients[0]?.eventUri).toBe('/events');
    expect(target?.endpoints).toEqual(endpoints);
    expect(loadWith({}).target?.clients[0]).not.toHaveProperty('eventUri');
  });

  test.each(['taap', 'jwt', 'dpop'])('proofs in the format %s', (proof) =>
    expect(loadWith({}, { proof }).target?.proof).toBe(proof),
  );

  test('without proof there is none', () => expect(loadWith({}).target).not.toHaveProperty('proof'));

  test('a driver may send headers, with what the environment holds', () => {
    const http = { url: 'https://admin.test', headers: { Authorization: 'Bearer {{ env.TOKEN }}', 'x-n': 5 } };
    const environment = { TOKEN: 'hush-hush-hush' };
    const { target, problems } = loadWith(
      {},
      { drivers: { approve: { http }, deny: { http: { url: 'https://admin.test' } } } },
      environment,
    );
    expect(problems).toEqual([]);
    const sent = httpOf(target?.drivers['approve'])?.headers?.map(([name, value]) => [
      name,
      value.evaluate(buildScope({ env: environment })),
    ]);
    expect(sent).toEqual([
      ['Authorization', 'Bearer hush-hush-hush'],
      ['x-n', 5],
    ]);
    expect(target?.drivers['deny']).not.toHaveProperty('headers');
  });
});
