import { copyFileSync, existsSync, lstatSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { makeKeyPairSync } from '../../lib/key-pair.ts';
import { runCli } from '../../testing/program/run-cli.ts';
import { root, spawnCli } from '../../testing/program/spawn-cli.ts';
import { makeFolder } from '../../testing/program/target-file.ts';

const folder = makeFolder();
const at = (name: string): string => join(folder, name);
const privateKey = at('private.jwk.json');
const publicKey = at('public.jwk.json');

/** Declares the target of a result a test carrier. */
function declareTest(file: string): void {
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, text.replace(/"fingerprint":"[^"]*"(?!,"testCarrier")/, '$&,"testCarrier":true'));
}

async function runTo(name: string, ...args: readonly string[]): Promise<string> {
  const { code, stderr } = await runCli(['run', ...args, '--out', at(name)], { cwd: folder });
  if (code !== 0 && code !== 1) throw new Error(`the run ended with ${code}: ${stderr}`);
  return at(`${name}/result.json`);
}

beforeAll(async () => {
  const pair = makeKeyPairSync({ namedCurve: 'P-256' });
  writeFileSync(privateKey, JSON.stringify({ ...pair.privateKey.export({ format: 'jwk' }), kid: 'lab' }));
  writeFileSync(publicKey, JSON.stringify({ ...pair.publicKey.export({ format: 'jwk' }), kid: 'lab' }));
  await Promise.all([
    runTo('good', 'denial-is-request-denied'),
    runTo('bad', 'denial-is-request-denied', '--fault', 'access-denied-as-user-denied'),
  ]);
  for (const name of ['good', 'bad']) declareTest(at(`${name}/result.json`));
});

const certify = (name: string, ...args: readonly string[]) =>
  runCli(['certify', at(`${name}/result.json`), '--key', privateKey, ...args], { cwd: folder });
const verify = (...args: readonly string[]) => runCli(['verify', ...args, '--key', publicKey], { cwd: folder });

describe('a certificate of each outcome', () => {
  test.each([
    ['good', 'conformant in the 3 of \\d+ required rules that were run'],
    ['bad', 'not conformant'],
  ])('%s: %s', async (name, words) => {
    const made = await certify(name);
    const certificate = at(`${name}/certificate.jws`);
    expect(made).toMatchObject({ code: 0, stderr: `signed with the key lab (ES256): ${certificate}\n` });
    const limits = 'test carrier; virtual clock: it says nothing about real time; profile interface';
    const [sentence = '', ...below] = made.stdout.split('\n\n');
    expect(sentence.replaceAll('\n', ' ')).toMatch(
      new RegExp(`^Certified: the test carrier ".+" \\(http\\S+\\) was found ${words}`),
    );
    expect(below[0]).toContain(`  - ${limits}\n`);
    expect(below.at(-1)).toMatch(/^Digests\n(?: {2}- .+\n)+$/);
    expect(below.slice(0, -1).join('')).not.toContain('sha256:');
    const exclusive = await verify(certificate);
    expect(exclusive).toMatchObject({ code: 0, stderr: '' });
    expect(exclusive.stdout).toMatch(/^Valid: the test carrier /);
    expect(exclusive.stdout).toMatch(/^It was signed with the key lab \(ES256\) on \d{4}-.+\.$/m);
    expect(exclusive.stdout).toContain('No result was given, so no file was compared with the certificate.');
    expect(exclusive.stdout).toContain(below.join('\n\n'));
    const beside = await verify(certificate, at(`${name}/result.json`));
    expect(beside.code).toBe(0);
    expect(beside.stdout).toContain('is, byte for byte, the result that was certified.');
  });

  test.each([
    ['a request that its rule allows was refused', ['TRN-004', '--fault', 'sdk-version-gates']],
    ['tokens came that are of another rule', ['REQ-039', '--fault', 'tokens-and-error-both']],
    ['an event came under another sub', ['unconfirmed-event', '--fault', 'set-sub-is-the-number']],
    ['a rule is broken that does not count', ['SEC-09', 'TRN-014', '--fault', 'json-serialization-accepted']],
  ])('a true result is signed where %s', async (_, args) => {
    const file = await runTo(`true-${args[0]}`, ...args);
    expect(await certify(`true-${args[0]}`), file).toMatchObject({ code: 0 });
  });

  test('two certificates do not stand for each other', async () => {
    const { code, stdout } = await verify(at('good/certificate.jws'), at('bad/result.json'));
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /^NOT VALID: .*bad\/result\.json\n {2}the file is not the result that was certified: run\.id is [0-9a-f]{16} in the file and [0-9a-f]{16} in the certificate \[result-run\]\n$/,
    );
  });

  test('without --out it is not written through a link beside the result; with --out a link is followed', async () => {
    const other = makeFolder();
    const victim = at('victim');
    copyFileSync(at('good/result.json'), join(other, 'result.json'));
    writeFileSync(victim, 'of the user');
    symlinkSync(victim, join(other, 'certificate.jws'));
    const made = ['certify', join(other, 'result.json'), '--key', privateKey];
    const stderr = `carrierspec: --out: ${join(other, 'certificate.jws')} cannot be written: it is a link, and must be a regular file: remove it\n`;
    expect(await runCli(made)).toEqual({ code: 2, stdout: '', stderr });
    expect(readFileSync(victim, 'utf8')).toBe('of the user');
    expect((await runCli([...made, '--out', join(other, 'certificate.jws')])).code).toBe(0);
    expect((await verify(victim)).code).toBe(0);
    expect(lstatSync(join(other, 'certificate.jws')).isSymbolicLink()).toBe(true);
  });

  test('it is verified where there is nothing else, and no network', async () => {
    const elsewhere = makeFolder();
    copyFileSync(at('good/certificate.jws'), join(elsewhere, 'c.jws'));
    copyFileSync(publicKey, join(elsewhere, 'k.json'));
    const offline = `data:text/javascript,${encodeURIComponent(
      "import net from 'node:net'; import dns from 'node:dns'; const no = () => { throw new Error('network'); }; net.Socket.prototype.connect = no; dns.lookup = no;",
    )}`;
    const { code } = await spawnCli(['verify', 'c.jws', '--key', 'k.json'], {
      cwd: elsewhere,
      node: ['--import', offline],
    });
    expect(code).toBe(0);
  });
});

describe('certify refuses', () => {
  const edit = (name: string, change: (text: string) => string): string => {
    mkdirSync(at(name), { recursive: true });
    const text = readFileSync(at('good/result.json'), 'utf8');
    const changed = change(text);
    expect(changed).not.toBe(text);
    writeFileSync(at(`${name}/result.json`), changed);
    return name;
  };

  test.each([
    [
      'a virtual clock of no test carrier',
      () => edit('virtual', (text) => text.replace(',"testCarrier":true', '')),
      'the clock of the run was virtual',
    ],
    [
      'a verdict that does not follow from its case',
      () =>
        edit('turned', (text) => {
          const [head = '', cases = ''] = text.split('"cases":');
          return `${head}"cases":${cases.replace('"verdict":"pass"', '"verdict":"warn"')}`;
        }),
      'the case denial-is-request-denied is warn, and pass follows from its findings',
    ],
  ])('%s, and writes nothing', async (_, make, message) => {
    const name = make();
    const { code, stdout, stderr } = await certify(name);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(`carrierspec: ${at(name)}/result.json is not certified: `);
    expect(stderr).toContain(message);
    expect(existsSync(at(`${name}/certificate.jws`))).toBe(false);
  });

  test('suites that were added are certified once they are named', async () => {
    const added = at('added');
    mkdirSync(join(added, 'mine'), { recursive: true });
    const rule =
      'area: mine\ntitle: Mine\nrules:\n  - { id: MINE-001, clause: "1", level: required, judged: cases, description: A denial is a denial. }\n';
    writeFileSync(join(added, 'mine/rules.yaml'), rule);
    const suite =
      'suite: Mine\ncases:\n  - id: mine\n    title: A sound request is accepted\n    rule: MINE-001\n    steps:\n      - as: request\n        authorize: {}\n        expect: accepted\n';
    writeFileSync(join(added, 'mine/mine.suite.yaml'), suite);
    const file = await runTo('mine', 'mine', '--suites', added);
    declareTest(file);
    expect((await certify('mine')).stderr).toContain('name each further folder with --suites');
    expect((await certify('mine', '--suites', join(root, 'fixtures/reference'))).stderr).toMatch(
      /not certified: the run used other rules|mistake|no suites/,
    );
    const { code, stdout } = await certify('mine', '--suites', added);
    expect(code).toBe(0);
    expect(stdout.replace(/\s+/g, ' ')).toContain(`suites were added that do not ship with carrierspec: ${added}`);
  });

  test.each([
    ['a public key', () => ['--key', publicKey], `--key: ${publicKey} is no private JWK: it has no private member d`],
    ['no key', () => ['--key', at('nowhere')], `--key: ${at('nowhere')} cannot be read: there is no such file`],
    [
      'to write over the result',
      () => ['--out', at('good/result.json')],
      `--out: ${at('good/result.json')} is written or read by something else`,
    ],
    ['to write over the key', () => ['--out', privateKey], `--out: ${privateKey} is written or read by something else`],
  ])('%s', async (_, args, message) => {
    const before = readFileSync(at('good/result.json'), 'utf8');
    expect(await certify('good', ...args())).toEqual({ code: 2, stdout: '', stderr: `carrierspec: ${message}\n` });
    expect(readFileSync(at('good/result.json'), 'utf8')).toBe(before);
  });
});

describe('verify', () => {
  test.each([
    [
      'a changed byte',
      (text: string) => `${text.slice(0, 500)}${text[500] === 'A' ? 'B' : 'A'}${text.slice(501)}`,
      'signature',
    ],
    ['an escape sequence', (text: string) => `\u001b${text}`, 'alphabet'],
  ])('finds %s', async (_, change, code) => {
    writeFileSync(at('changed.jws'), change(readFileSync(at('good/certificate.jws'), 'utf8')));
    const found = await verify(at('changed.jws'));
    expect(found).toMatchObject({ code: 1, stderr: '' });
    expect(found.stdout).toMatch(new RegExp(`^NOT VALID: .*changed\\.jws\n  .*\\[${code}\\]\n$`));
    expect(found.stdout).not.toContain('\u001b');
  });

  test.each([
    ['a certificate that is not there', () => [at('nowhere.jws')], 'nowhere.jws cannot be read: there is no such file'],
    [
      'a result that is not there',
      () => [at('good/certificate.jws'), at('nowhere.json')],
      'nowhere.json cannot be read: there is no such file',
    ],
  ])('%s is a mistake of usage', async (_, args, message) => {
    const { code, stdout, stderr } = await verify(...args());
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(message);
  });

  test('a private key is not taken for a public one', async () => {
    const { code, stderr } = await runCli(['verify', at('good/certificate.jws'), '--key', privateKey]);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: `carrierspec: --key: ${privateKey} is a private key: verify with its public part, and keep it to yourself\n`,
    });
  });
});

describe('the examples of --help do what they say', () => {
  const examplesOf = async (command: string): Promise<readonly (readonly string[])[]> => {
    const { stdout } = await runCli([command, '--help']);
    const examples = /\nExamples:\n([\s\S]*?)\n\n/.exec(stdout)?.[1] ?? '';
    return examples.split('\n').map((line) => line.trim().split(' ').slice(1));
  };

  test.each(['certify', 'verify'])('%s', async (command) => {
    mkdirSync(at('carrierspec-report/latest'), { recursive: true });
    copyFileSync(at('good/result.json'), at('carrierspec-report/latest/result.json'));
    await certify('carrierspec-report/latest', '--out', at('certificate.jws'));
    const examples = await examplesOf(command);
    expect(examples.length).toBeGreaterThan(1);
    for (const args of examples) {
      const { code, stderr } = await runCli(args, { cwd: folder });
      expect({ args, code, stderr }).toEqual({ args, code: 0, stderr: command === 'verify' ? '' : stderr });
    }
  });
});
