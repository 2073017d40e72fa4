import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { renderProblem } from '../suite/render-problem.ts';
import { ecKey, rsaKey } from '../testing/keys.ts';
import { scopeOf } from '../testing/templates.ts';
import { loadTarget } from './load.ts';

const root = 'fixtures/broken-targets';
const schema = 'suites/schema/target.json';
const folders = readdirSync(root).toSorted();

const env: Readonly<Record<string, string>> = {
  PORT: '8443',
  CLIENT_ID: 'ccid-from-the-environment',
  SECRET: 'hush-hush-hush',
  ADMIN: 'https://admin.test',
  EMPTY: '',
};

const load = (file: string) => loadTarget({ file, schema, env });

describe('broken target files', () => {
  test('there are at least 20 of them', () => expect(folders.length).toBeGreaterThanOrEqual(21));

  test.each(folders.filter((folder) => folder !== '00-sound'))('%s', (folder) => {
    const { target, problems } = load(`${root}/${folder}/carrier.yaml`);
    expect(target).toBeUndefined();
    const rendered = `${problems.map(renderProblem).join('\n\n')}\n`;
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

describe('a sound target file', () => {
  test('has no problems, and all that it says is there', () => {
    const { target, problems } = load(`${root}/00-sound/carrier.yaml`);
    expect(problems).toEqual([]);
    expect(target).toMatchObject({
      name: 'A carrier',
      file: `${root}/00-sound/carrier.yaml`,
      mccmnc: '001010',
      issuer: 'https://op.carrier.test',
      endpoints: { server_initiated: 'https://op.carrier.test/bc-authorize' },
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
        { name: 'first', traits: ['consented'], phone: '+12175550101', subs: { main: '001010-c8ea0b1f1004b261971f' } },
      ],
      supports: { 'local-redirect': false, events: true },
      receiver: { host: '127.0.0.1', port: 8443, url: 'https://sp.test' },
      deadline: 90,
      patience: 0.5,
    });
    expect(target).not.toHaveProperty('discovery');
  });

  test('drivers: what is not said has its default', () => {
    const { drivers = {}, clock } = load(`${root}/00-sound/carrier.yaml`).target ?? {};
    const shown = { approve: drivers['approve'], look: drivers['look'], read: clock?.read, advance: clock?.advance };
    expect(
      Object.entries(shown).map(([name, driver]) => [name, driver?.method, driver?.done, driver?.impossible]),
    ).toEqual([
      ['approve', 'POST', [200, 201, 202, 204], [404, 409]],
      ['look', 'GET', [200], []],
      ['read', 'GET', [200, 201, 202, 204], []],
      ['advance', 'PUT', [200, 201, 202, 204], []],
    ]);
    const scope = scopeOf({ env, request: { body: { auth_req_id: 'ccid-1' } } });
    expect(drivers['approve']?.url.evaluate(scope)).toBe('https://admin.test/requests/ccid-1/approve');
  });

  test('the fingerprint tells what the file says, not what the environment does', () => {
    const of = (given: Readonly<Record<string, string>>) =>
      loadTarget({ file: `${root}/00-sound/carrier.yaml`, schema, env: { ...env, ...given } }).target?.fingerprint;
    expect(of({})).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(of({ SECRET: 'another-secret' })).toBe(of({}));
    expect(load(`${root}/00-sound/carrier.yaml`).target?.fingerprint).toBe(of({}));
  });

  test('the shipped one of the reference carrier is sound', () => {
    const reference = {
      REFERENCE_ORIGIN: 'http://127.0.0.1:1',
      REFERENCE_ADMIN: 'http://127.0.0.1:2',
      REFERENCE_RECEIVER_PORT: '3',
      REFERENCE_SECRET: 'hush-hush-hush',
    };
    const { target, problems } = loadTarget({ file: 'fixtures/reference/carrier.yaml', schema, env: reference });
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
    expect(target?.deadline).toBe(10);
    expect(target?.receiver).toEqual({ host: '127.0.0.1', port: 3 });
  });
});

describe('files made for one test', () => {
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'carrierspec-target-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const secret = 'hush-hush-hush-1234';
  const { d: privatePart = '' }: Record<string, unknown> = ecKey().jwk;

  /** Loads a target with this client and these other members; JSON is YAML. */
  function loadWith(
    client: Record<string, unknown>,
    rest: Record<string, unknown> = {},
    given: Record<string, string> = env,
  ) {
    const main = { client_id: 'ccid-1', redirect_uris: [], notification_uris: [], ...client };
    const document = {
      carrier: 'A carrier',
      mccmnc: '001010',
      endpoints: { server_initiated: 'https://op.carrier.test/si' },
      clients: { main },
      subscribers: { first: { traits: ['consented'], subs: { main: '001010-a' } } },
      ...rest,
    };
    const file = join(folder, 'carrier.yaml');
    writeFileSync(file, JSON.stringify(document, undefined, 2));
    return loadTarget({ file, schema, env: given });
  }

  const codes = ({ problems }: ReturnType<typeof loadTarget>) => problems.map(({ code }) => code);

  test('a secret may stand in a file; blanks around it do not count', () => {
    writeFileSync(join(folder, 'secret.txt'), `  ${secret}\n`);
    const { target, problems } = loadWith({ secret: { file: 'secret.txt' } });
    expect(problems).toEqual([]);
    expect(target?.clients[0]?.secret).toBe(secret);
  });

  test('without receiver, deadline and patience there are defaults', () => {
    const { target } = loadWith({});
    expect(target).toMatchObject({ receiver: { host: '127.0.0.1', port: 0 }, deadline: 10, patience: 30 });
    expect(target?.receiver).not.toHaveProperty('url');
    expect(target).not.toHaveProperty('clock');
  });

  test('without alg, the key’s kind says it', () => {
    const keys = [rsaKey(), ecKey()].map(({ jwk }, index) => {
      const { alg: _, ...rest }: Record<string, unknown> = jwk;
      writeFileSync(join(folder, `key-${index}.json`), JSON.stringify(rest));
      return { file: `key-${index}.json` };
    });
    const { target } = loadWith({ keys });
    expect(target?.clients[0]?.keys.map(({ alg }) => alg)).toEqual(['RS256', 'ES256']);
  });

  describe('never a secret in a problem', () => {
    const texts = (loaded: ReturnType<typeof loadTarget>): string =>
      loaded.problems.map(renderProblem).join('\n') + JSON.stringify(loaded.problems);

    test('a client secret written inline', () => {
      const loaded = loadWith({ secret });
      expect(codes(loaded)).toEqual(['secret-inline']);
      expect(texts(loaded)).not.toContain(secret);
    });

    test('a client secret beside a mistake on the same line', () => {
      const file = join(folder, 'line.yaml');
      const client = `{ client_id: x, secret: { value: ${secret} }, redirect_uris: [], notification_uris: [] }`;
      writeFileSync(file, `carrier: A\nmccmnc: "001010"\nclients: { main: ${client} }\nsubscribers: {}\n`);
      expect(texts(loadTarget({ file, schema, env }))).not.toContain(secret);
    });

    test('a private key written inline', () => {
      const loaded = loadWith({ keys: [ecKey().jwk] });
      expect(loaded.problems).not.toEqual([]);
      expect(texts(loaded)).not.toContain(privatePart);
    });

    test('a key file that is unusable', () => {
      writeFileSync(join(folder, 'bad.json'), JSON.stringify({ ...ecKey().jwk, x: 'AAAA' }));
      const loaded = loadWith({ keys: [{ file: 'bad.json' }] });
      expect(codes(loaded)).toEqual(['key-unusable']);
      expect(texts(loaded)).not.toContain(privatePart);
    });

    test('a value of the environment that is put where it does not belong', () => {
      const loaded = loadWith({}, { issuer: { env: 'SECRET' }, receiver: { port: { env: 'SECRET' } } });
      expect(codes(loaded)).toEqual(['bad-value', 'bad-value']);
      expect(texts(loaded)).not.toContain(env['SECRET']);
    });
  });

  describe('what would only break during the run is refused before it', () => {
    const keyFile = (jwk: object, rest: object = {}) => {
      writeFileSync(join(folder, 'a-key.json'), JSON.stringify(jwk));
      return loadWith({ keys: [{ file: 'a-key.json', ...rest }] });
    };

    test('an algorithm that does not fit the key', () => {
      expect(codes(keyFile(rsaKey().jwk, { alg: 'ES256' }))).toEqual(['key-unusable']);
      expect(codes(keyFile(ecKey().jwk, { alg: 'RS256' }))).toEqual(['key-unusable']);
    });

    test('an RSA key that is too short to sign with', () => {
      const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 1024 });
      expect(codes(keyFile({ ...privateKey.export({ format: 'jwk' }), kid: 'short' }))).toEqual(['key-unusable']);
    });

    test('a curve that ES256 is not for', () => {
      const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-384' });
      expect(codes(keyFile({ ...privateKey.export({ format: 'jwk' }), kid: 'p384' }))).toEqual(['key-unusable']);
    });

    test('a secret without a source, or with an empty file', () => {
      expect(codes(loadWith({ secret: {} }))).not.toEqual([]);
      writeFileSync(join(folder, 'empty.txt'), '\n');
      expect(codes(loadWith({ secret: { file: 'empty.txt' } }))).not.toEqual([]);
    });

    test('a driver that reads what the environment does not have', () => {
      const drivers = { approve: { http: { url: '{{ env.ADMIN_ORIGIN }}/approve' } } };
      expect(codes(loadWith({}, { drivers }))).toEqual(['env-missing']);
      expect(codes(loadWith({}, { drivers }, { ADMIN_ORIGIN: 'https://admin.test' }))).toEqual([]);
    });
  });
});
