import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { serverInitiated } from '../../interfaces/server-initiated/interface.ts';
import { isJsonObject, type JsonObject, parseJson, plainText } from '../../lib/json.ts';
import { unguessableParts } from '../../lib/unguessable.ts';
import { loadTarget } from '../../target/load.ts';
import { runCli } from '../../testing/run-cli.ts';
import { root } from '../../testing/spawn-cli.ts';
import { makeFolder } from '../../testing/target-file.ts';
import { schemaHint } from './init.ts';

const roles = ['main', 'second', 'two-keys', 'privileged', 'plain', 'secret-only', 'disabled'];
const allRoles = roles.flatMap((role) => ['--client', role]);

const env: Readonly<Record<string, string>> = {
  CARRIER_DISCOVERY: 'https://discovery.carrier.test',
  SECRET_ONLY_SECRET: 'hush-hush-hush',
  ...Object.fromEntries(roles.map((role) => [`${role.replaceAll('-', '_').toUpperCase()}_CLIENT_ID`, `ccid-${role}`])),
};

const schema = join(root, 'suites/schema/target.json');

const readJwk = (path: string): JsonObject => {
  const jwk = parseJson(readFileSync(path, 'utf8'));
  if (!isJsonObject(jwk)) throw new Error(`${path} holds no object`);
  return jwk;
};

/** Puts in ids as a carrier gives them, where init wrote what belongs there; gives how many. */
function fillIn(file: string): number {
  const text = readFileSync(file, 'utf8');
  const left = /-the-sub-of-([a-z0-9-]+)/g;
  writeFileSync(file, text.replaceAll(left, '-$1'));
  return text.match(left)?.length ?? 0;
}

const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);

describe('init', () => {
  test('writes a target file that is sound once its variables are set, and says which', async () => {
    const folder = makeFolder();
    const { code, stdout, stderr } = await runCli(['init', '.', ...allRoles], { cwd: folder });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const [, named = ''] = /^ {2}2\. set (.*)$/m.exec(stdout) ?? [];
    expect(named.split(', ').toSorted()).toEqual(Object.keys(env).toSorted());
    const check = ['check', '--target', 'carrier.yaml'];
    const unfilled = await runCli(check, { cwd: folder, env });
    expect(unfilled.code).toBe(2);
    expect(unfilled.stderr).toContain('this is what "carrierspec init" wrote: put in the id that the carrier gives');
    expect(fillIn(join(folder, 'carrier.yaml'))).toBeGreaterThan(roles.length);
    expect((await runCli(check, { cwd: folder, env })).code).toBe(0);
    const without = await runCli(check, { cwd: folder });
    expect(without.code).toBe(2);
    for (const name of Object.keys(env)) expect(without.stderr).toContain(`the environment has no ${name}`);
    const [first = ''] = readFileSync(join(folder, 'carrier.yaml'), 'utf8').split('\n');
    const [, hint = ''] = /^# yaml-language-server: \$schema=(.*)$/.exec(first) ?? [];
    expect(readFileSync(join(folder, hint), 'utf8')).toBe(readFileSync(schema, 'utf8'));
    expect(stdout).toContain(`  ${hint}\n`);
  });

  test.each([
    ['/work/certify', '/work/certify/node_modules/carrierspec/t.json', 'node_modules/carrierspec/t.json'],
    ['/work/certify/one', '/work/certify/node_modules/carrierspec/t.json', '../node_modules/carrierspec/t.json'],
    ['/work/certify-2', '/work/certify/node_modules/carrierspec/t.json', 'target.schema.json'],
    ['/work', '/home/me/.npm/_npx/1/node_modules/carrierspec/t.json', 'target.schema.json'],
  ])('an editor finds the schema: from %s, of %s', (folder, path, hint) => {
    expect(schemaHint(folder, path)).toBe(hint);
  });

  test('every setting that is not in force is sound as well', async () => {
    const folder = makeFolder();
    await runCli(['init', folder, ...allRoles]);
    const file = join(folder, 'carrier.yaml');
    fillIn(file);
    const text = readFileSync(file, 'utf8');
    const all = text.replaceAll(/^#(?=\S| {2})/gm, '');
    expect(text.split('\n').filter((line) => !all.includes(line)).length).toBeGreaterThan(5);
    writeFileSync(file, all);
    const more = { ...env, CARRIER_PROXY: 'http://proxy.test', LAB_KEY: 'hush-hush' };
    const { problems } = loadTarget({ file, env: more, interface: serverInitiated });
    // What is not here is the files that the operator has.
    expect(problems.filter(({ code }) => code !== 'file-unreadable')).toEqual([]);
    expect(problems).toHaveLength(7);
  });

  test('keys are for their owner only, and what is printed and what goes with them is public', async () => {
    const folder = makeFolder();
    const { stdout } = await runCli(['init', folder, ...allRoles]);
    const keys = join(folder, 'keys');
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
      expect(plainText(jwk['kid'])).toMatch(/^[a-zA-Z0-9]{1,36}$/);
      for (const member of ['d', 'p', 'q', 'dp', 'dq', 'qi']) {
        const secret = jwk[member];
        if (typeof secret === 'string') expect(`${stdout}${shown.join('')}`).not.toContain(secret);
      }
      expect(stdout).toContain(plainText(jwk['n'] ?? jwk['x']));
    }
    expect(readJwk(join(keys, 'two-keys-2.json'))).toMatchObject({ kty: 'EC', crv: 'P-256', alg: 'ES256' });
    expect(readJwk(join(keys, 'main.json'))).toMatchObject({ kty: 'RSA', alg: 'RS256' });
  });

  test('says what to register, below the receiver that was named', async () => {
    const folder = makeFolder();
    const flags = ['--receiver', 'https://sp.test/base/', '--issuer', 'https://op.carrier.test', '--mccmnc', '310410'];
    const { stdout } = await runCli(['init', folder, ...flags]);
    const [, drawn = ''] = /https:\/\/sp\.test\/base\/main\/(\w+)\/notify\n/.exec(stdout) ?? [];
    // What comes there is the carrier's: nobody else knows this part of the URIs.
    expect(unguessableParts(`/${drawn}`)).toEqual([drawn]);
    for (const uri of ['notify', 'notify-alternate', 'events']) {
      expect(stdout).toContain(`https://sp.test/base/main/${drawn}/${uri}\n`);
    }
    fillIn(join(folder, 'carrier.yaml'));
    const { target, problems } = loadTarget({ file: join(folder, 'carrier.yaml'), env, interface: serverInitiated });
    expect(problems).toEqual([]);
    expect(target).toMatchObject({
      mccmnc: '310410',
      discovery: 'https://op.carrier.test',
      receiver: { host: '0.0.0.0', port: 8443, url: 'https://sp.test/base' },
      clients: [{ name: 'main', clientId: 'ccid-main' }],
    });
  });

  test('makes a key for each algorithm that the carrier lists, and kids of 36 characters and of one', async () => {
    const folder = makeFolder();
    const algs = ['PS256', 'ES384'].flatMap((alg) => ['--alg', alg]);
    const roleFlags = ['--client', 'main', '--client', 'two-keys', '--client', 'privileged'];
    const { stdout } = await runCli(['init', folder, ...algs, ...roleFlags, '--foreign', '310410']);
    const jwk = (name: string) => readJwk(join(folder, `keys/${name}.json`));
    expect(['main', 'two-keys', 'two-keys-2'].map((name) => jwk(name)['alg'])).toEqual(['PS256', 'PS256', 'ES384']);
    expect(['two-keys', 'two-keys-2'].map((name) => plainText(jwk(name)['kid']).length)).toEqual([36, 1]);
    const file = join(folder, 'carrier.yaml');
    fillIn(file);
    const { target, problems } = loadTarget({ file, env, interface: serverInitiated });
    expect(problems).toEqual([]);
    expect(target?.carrierCodes).toEqual({ own: ['001010'], foreign: ['310410'] });
    expect(stdout).toMatch(
      /^ {2}scopes +openid name email phone postal_code address birthdate offline_access events$/m,
    );
    expect(stdout).toContain('must not have consented to birthdate');
    expect(stdout).toMatch(/last_4_social/);
  });

  test('makes two keys by the one algorithm that the carrier lists', async () => {
    const folder = makeFolder();
    await runCli(['init', folder, '--alg', 'RS256', '--client', 'two-keys']);
    const algOf = (name: string) => readJwk(join(folder, `keys/${name}.json`))['alg'];
    expect([algOf('two-keys'), algOf('two-keys-2')]).toEqual(['RS256', 'RS256']);
  });

  test('overwrites nothing', async () => {
    const folder = makeFolder();
    await runCli(['init', folder]);
    const before = readFileSync(join(folder, 'keys/main.json'), 'utf8');
    const { code, stdout, stderr } = await runCli(['init', folder]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toBe(
      `carrierspec: ${join(folder, 'carrier.yaml')}, ${join(folder, 'target.schema.json')}, ${join(folder, 'keys/main.json')}, ${join(folder, 'keys/main.jwks.json')}: already there, and nothing is overwritten; name another folder, or go on with that file: carrierspec check --target ${join(folder, 'carrier.yaml')}\n`,
    );
    expect(readFileSync(join(folder, 'keys/main.json'), 'utf8')).toBe(before);
  });

  test.each([
    [['--client', 'mian'], '--client: there is no role "mian"; did you mean "main"?'],
    [['--receiver', 'sp.test'], '--receiver: "sp.test" is no http or https URL'],
    [['--issuer', 'https://user:hush@op.test'], '--issuer: a URL with a password does not belong here'],
    [['--alg', 'RS265'], '--alg: keys cannot sign by "RS265"; did you mean "RS256"?'],
    [['--foreign', '31'], '--foreign: "31" is no carrier code of 5 or 6 digits'],
    [['--mccmnc', '31041x'], '--mccmnc: "31041x" is no carrier code of 5 or 6 digits'],
  ])('%j: exit code 2, and nothing is written', async (flags, message) => {
    const folder = makeFolder();
    const stderr = `carrierspec: ${message}\n`;
    expect(await runCli(['init', folder, ...flags])).toEqual({ code: 2, stdout: '', stderr });
    expect(readdirSync(folder)).toEqual([]);
  });

  test.runIf(existsSync('/proc'))('exit code 2 where the folder cannot be made', async () => {
    const stderr = 'carrierspec: /proc/nix cannot be written to: there is no such folder\n';
    expect(await runCli(['init', '/proc/nix'])).toEqual({ code: 2, stdout: '', stderr });
  });
});
