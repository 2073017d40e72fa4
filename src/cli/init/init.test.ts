import { cpSync, existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { serverInitiated } from '../../interfaces/server-initiated/interface.ts';
import { clientRoles as known } from '../../interfaces/server-initiated/registration.ts';
import { isJsonObject, type JsonObject, parseJson, renderPlain } from '../../lib/json.ts';
import { unguessableParts } from '../../lib/unguessable-part.ts';
import { loadTarget } from '../../target/load.ts';
import { editFile, filledIn, uncommentSettings } from '../../testing/program/init-file.ts';
import { runCli } from '../../testing/program/run-cli.ts';
import { type ProcessResult, root } from '../../testing/program/spawn-cli.ts';
import { makeFolder } from '../../testing/program/target-file.ts';
import { schemaHint } from './init.ts';

const roles = Object.keys(known);
const env: Readonly<Record<string, string>> = {
  SECRET_ONLY_SECRET: 'hush-hush-hush',
  TWO_KEYS_SECRET: 'hush-hush-hush-hush',
};

const schema = join(root, 'suites/schema/target.json');

const readJwk = (path: string): JsonObject => {
  const jwk = parseJson(readFileSync(path, 'utf8'));
  if (!isJsonObject(jwk)) throw new Error(`${path} holds no object`);
  return jwk;
};

const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);

describe('init', () => {
  /** Output of `init`, shared and never changed: making the keys takes a second. */
  const made = makeFolder();
  let said: ProcessResult;
  beforeAll(async () => {
    said = await runCli(['init', '.'], { cwd: made });
  });
  const copy = (): string => {
    const folder = makeFolder();
    cpSync(made, folder, { recursive: true });
    return folder;
  };

  test('writes a target file, and says which command comes next', () => {
    expect(said).toEqual({
      code: 0,
      stderr: '',
      stdout: `carrier.yaml: fill in each "<fill in: ...>", and register what it says of clients with the carrier
keys: a key for each client; the public part to register is in CLIENT.jwks.json

next: carrierspec check --target carrier.yaml
`,
    });
    const [first = ''] = readFileSync(join(made, 'carrier.yaml'), 'utf8').split('\n');
    const [, hint = ''] = /^# yaml-language-server: \$schema=(.*)$/.exec(first) ?? [];
    expect(readFileSync(join(made, hint), 'utf8')).toBe(readFileSync(schema, 'utf8'));
  });

  describe('what is left to fill in', () => {
    let folder = '';
    let file = '';
    beforeAll(() => {
      folder = copy();
      file = join(folder, 'carrier.yaml');
    });

    test.each([['check'], ['check', '--preflight'], ['run', '--quiet']])(
      'is refused by %s, each at its place',
      async (...command) => {
        const { code, stdout, stderr } = await runCli([...command, '--target', file], { cwd: makeFolder() });
        expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
        const lines = readFileSync(file, 'utf8').split('\n');
        const places = lines.flatMap((line, at) => {
          const column = line.startsWith('#') ? -1 : line.indexOf('"<fill in: ');
          return column < 0 ? [] : [`${file}:${at + 1}:${column + 1}: not filled in yet: `];
        });
        expect(places).toHaveLength(6);
        expect(stderr.split('\n').flatMap((line) => /^\S+:\d+:\d+: not filled in yet: /.exec(line)?.[0] ?? [])).toEqual(
          places,
        );
        expect(stderr).toMatch(/\ncarrierspec: the target file \S+ has 6 mistakes\n$/);
      },
    );

    test('is all that check has to say of the file', async () => {
      editFile(file, filledIn);
      expect(await runCli(['check', '--target', file], { cwd: folder })).toMatchObject({ code: 0, stderr: '' });
    });
  });

  test.each([
    ['/work/certify', '/work/certify/node_modules/carrierspec/t.json', 'node_modules/carrierspec/t.json'],
    ['/work/certify/one', '/work/certify/node_modules/carrierspec/t.json', '../node_modules/carrierspec/t.json'],
    ['/work/certify-2', '/work/certify/node_modules/carrierspec/t.json', 'target.schema.json'],
    ['/work', '/home/me/.npm/_npx/1/node_modules/carrierspec/t.json', 'target.schema.json'],
  ])('an editor finds the schema: from %s, of %s', (folder, path, hint) => expect(schemaHint(folder, path)).toBe(hint));

  test('every setting that is not in force is sound as well', () => {
    const file = join(copy(), 'carrier.yaml');
    const before = readFileSync(file, 'utf8').split('\n');
    editFile(file, (text) => filledIn(uncommentSettings(text)));
    const after = readFileSync(file, 'utf8');
    expect(before.filter((line) => line.startsWith('#  ') && after.includes(line))).toEqual([]);
    const more = { ...env, CARRIER_PROXY: 'http://proxy.test', LAB_KEY: 'hush-hush' };
    const { problems } = loadTarget({ file, env: more, interface: serverInitiated });
    // The operator supplies the certificate files.
    expect(problems.filter(({ code }) => code !== 'file-unreadable')).toEqual([]);
    expect(problems).toHaveLength(7);
  });

  test('keys are for their owner only, and what goes with them is public', () => {
    const keys = join(made, 'keys');
    expect(modeOf(keys)).toBe('700');
    const written = readdirSync(keys).filter((name) => name.endsWith('.json') && !name.endsWith('.jwks.json'));
    expect(written.toSorted()).toEqual([
      'disabled.json',
      'main.json',
      'plain.json',
      'privileged.json',
      'second.json',
      'two-keys-2.json',
      'two-keys.json',
    ]);
    const shown = readdirSync(keys)
      .filter((name) => name.endsWith('.jwks.json'))
      .map((name) => readFileSync(join(keys, name), 'utf8'));
    expect(shown).toHaveLength(6);
    for (const name of written) {
      expect(modeOf(join(keys, name))).toBe('600');
      const jwk = readJwk(join(keys, name));
      expect(renderPlain(jwk['kid'])).toMatch(/^[a-zA-Z0-9]{1,36}$/);
      for (const member of ['d', 'p', 'q', 'dp', 'dq', 'qi']) {
        const secret = jwk[member];
        if (typeof secret === 'string') expect(shown.join('')).not.toContain(secret);
      }
      expect(shown.join('')).toContain(renderPlain(jwk['n'] ?? jwk['x']));
    }
    expect(readJwk(join(keys, 'two-keys-2.json'))).toMatchObject({ kty: 'EC', crv: 'P-256', alg: 'ES256' });
    expect(readJwk(join(keys, 'main.json'))).toMatchObject({ kty: 'RSA', alg: 'RS256' });
  });

  test('draws an unguessable part of the URIs, and takes the issuer that was named', async () => {
    const folder = makeFolder();
    const file = join(folder, 'carrier.yaml');
    await runCli(['init', folder, '--issuer', 'https://op.carrier.test/']);
    const text = uncommentSettings(readFileSync(file, 'utf8'));
    const uris = [...text.matchAll(/^ {4}notification_uris: \["(.*)\/notify", "(.*)\/notify-alternate"\]$/gm)];
    expect(uris.map(([, first, second]) => first === second)).toEqual(roles.map(() => true));
    const drawn = uris.map(([, part = '']) => part);
    for (const part of drawn) expect(unguessableParts(part)).toHaveLength(1);
    expect(new Set(drawn).size).toBe(roles.length);
    expect(text).toContain('\ndiscovery: "https://op.carrier.test"\n');
  });

  test('makes a key for each algorithm that the carrier lists, and kids of 36 characters and of one', async () => {
    const folder = makeFolder();
    const algs = ['PS256', 'ES384'].flatMap((alg) => ['--alg', alg]);
    await runCli(['init', folder, ...algs]);
    const jwk = (name: string) => readJwk(join(folder, `keys/${name}.json`));
    expect(['main', 'two-keys', 'two-keys-2'].map((name) => jwk(name)['alg'])).toEqual(['PS256', 'PS256', 'ES384']);
    expect(['two-keys', 'two-keys-2'].map((name) => renderPlain(jwk(name)['kid']).length)).toEqual([36, 1]);
    const text = readFileSync(join(folder, 'carrier.yaml'), 'utf8');
    expect(text).toContain('#      - { file: keys/two-keys.json }\n#      - { file: keys/two-keys-2.json }\n');
    expect(text).toContain(
      '    # Its scopes: openid name email phone postal_code address birthdate offline_access events\n',
    );
    expect(text).toMatch(/^# {4}# Its scopes: .* last_4_social .*$/m);
  });

  test('makes two keys by the one algorithm that the carrier lists', async () => {
    const folder = makeFolder();
    await runCli(['init', folder, '--alg', 'ES256']);
    const algOf = (name: string) => readJwk(join(folder, `keys/${name}.json`))['alg'];
    expect([algOf('two-keys'), algOf('two-keys-2')]).toEqual(['ES256', 'ES256']);
  });

  test('overwrites nothing', async () => {
    const before = readFileSync(join(made, 'keys/main.json'), 'utf8');
    const { code, stdout, stderr } = await runCli(['init', made]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toBe(
      `carrierspec: ${join(made, 'carrier.yaml')} and 14 more files: already there, and nothing is overwritten; name another folder, or go on with that file: carrierspec check --target ${join(made, 'carrier.yaml')}\n`,
    );
    expect(readFileSync(join(made, 'keys/main.json'), 'utf8')).toBe(before);
  });

  test.each([
    [['--issuer', 'op.test'], '--issuer: "op.test" is no http or https URL'],
    [['--issuer', 'https://user:hush@op.test'], '--issuer: a URL with a password does not belong here'],
    [['--alg', 'RS265'], '--alg: keys cannot sign by "RS265"; did you mean "RS256"?'],
  ])('%j: exit code 2, and nothing is written', async (flags, message) => {
    const folder = makeFolder();
    const stderr = `carrierspec: ${message}\n`;
    expect(await runCli(['init', folder, ...flags])).toEqual({ code: 2, stdout: '', stderr });
    expect(readdirSync(folder)).toEqual([]);
  });

  test.runIf(existsSync('/proc'))('exit code 2 where the folder cannot be made', async () => {
    const stderr = 'carrierspec: /proc/nix/keys cannot be written: there is no such folder\n';
    expect(await runCli(['init', '/proc/nix'])).toEqual({ code: 2, stdout: '', stderr });
  });
});
