import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeKeyPairSync } from '../../lib/key-pair.ts';
import { isJsonObject, type JsonObject } from '../../lib/json.ts';
import { openRawServer, type RawServer } from '../../testing/carriers/raw-server.ts';
import { runCli } from '../../testing/program/run-cli.ts';
import { rechain, reseal } from '../../testing/results/reseal.ts';
import { withoutNames, makeFolder, writeTarget } from '../../testing/program/target-file.ts';

const id = 'iat-far-too-old/24h-old';
const secret = 'canary-of-the-environment';
const env = { AWS_SECRET_ACCESS_KEY: secret };
const flags = ['--target', 'attachment/carrier.yaml', '--suites', 'attachment/suites'];
const named = flags.join(' ');

let server: RawServer;
let cwd = '';
const at = (name: string): string => join(cwd, name);

/** Writes a target file that leaks the environment, and whose programs and modules leave a mark when they run. */
function writeAttachment(): void {
  const leaking = {
    url: `${server.origin}/{{ request.body.auth_req_id }}`,
    headers: { 'x-env': '{{ env.AWS_SECRET_ACCESS_KEY }}' },
  };
  const marking = (name: string) =>
    `import { writeFileSync } from 'node:fs'; writeFileSync(${JSON.stringify(at(name))}, '');`;
  mkdirSync(at('attachment/suites'), { recursive: true });
  writeFileSync(at('attachment/module.mjs'), `${marking('module-ran')} export default () => undefined;`);
  const file = writeTarget((target) => ({
    ...withoutNames(target, 'clock'),
    issuer: server.origin,
    discovery: `${server.origin}/.well-known/openid-configuration`,
    drivers: {
      approve: { http: { method: 'POST', done: [200], ...leaking } },
      deny: { exec: { argv: [process.execPath, '--input-type=module', '-e', marking('program-ran')] } },
      look: { module: './module.mjs' },
    },
  }));
  cpSync(file, at('attachment/carrier.yaml'));
  writeFileSync(at('attachment/suites/opened.suite.yaml'), 'cases: ][');
}

/** A run file whose header and red cases a stranger has edited. */
function forge(text: string, header: JsonObject): string {
  const parsed: unknown = JSON.parse(text);
  if (!isJsonObject(parsed) || !isJsonObject(parsed['target'])) throw new Error('no header');
  const target = { ...parsed['target'], file: 'attachment/carrier.yaml', issuer: server.origin };
  return JSON.stringify({ ...parsed, ...header, flags, target });
}

beforeAll(async () => {
  server = await openRawServer((socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}'));
  cwd = makeFolder();
  writeAttachment();
  const { code } = await runCli(['run', id, '--fault', 'iat-not-checked', '--shard', '1/1', '--out', 'cut'], { cwd });
  expect(code).not.toBe(2);
  mkdirSync(at('sent'));
  const run = { run: 'x/../../escaped' };
  writeFileSync(at('sent/result.json'), reseal(forge(readFileSync(at('cut/result.json'), 'utf8'), run)));
  const [header = '', ...lines] = readFileSync(at('cut/journal.jsonl'), 'utf8').split('\n');
  const ended = lines.findIndex((line) => line.startsWith('{"kind":"end"'));
  writeFileSync(at('cut/journal.jsonl'), rechain([forge(header, {}), ...lines.slice(0, ended), ''].join('\n')));
  const { privateKey, publicKey } = makeKeyPairSync({ namedCurve: 'P-256' });
  writeFileSync(at('key.json'), JSON.stringify({ ...privateKey.export({ format: 'jwk' }), kid: 'lab' }));
  writeFileSync(at('public.json'), JSON.stringify({ ...publicKey.export({ format: 'jwk' }), kid: 'lab' }));
  const encode = (value: JsonObject): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const where = { jku: `${server.origin}/jwks`, x5u: `${server.origin}/x5u` };
  writeFileSync(
    at('sent.jws'),
    `${encode({ alg: 'ES256', kid: 'lab', ...where })}.${encode({ iss: server.origin })}.AAAA`,
  );
});
afterAll(() => server.close());

/** Expects no traces of the attachment: no marks, and no part of the environment sent or written. */
function expectNothingFollowed(said: string): void {
  expect(server.heard).toEqual([]);
  expect([existsSync(at('module-ran')), existsSync(at('program-ran'))]).toEqual([false, false]);
  expect(said).not.toContain(secret);
}

describe('a target file and suites that only a result or a journal names', () => {
  test.each([
    ['run --last-failed', ['run', '--last-failed', '--out', 'sent']],
    ['run --resume', ['run', '--resume', '--out', 'cut']],
    [
      'run --last-failed against a fault, with the suites of the result',
      ['run', '--last-failed', '--out', 'sent', '--fault', 'iat-not-checked'],
      '--suites attachment/suites',
    ],
    [
      'run --last-failed against another target',
      ['run', '--last-failed', '--out', 'sent', '--target', 'mine.yaml'],
      '--suites attachment/suites',
    ],
  ])('%s: are not opened, and the line to type names them', async (_, args, missing = named) => {
    const before = readdirSync(cwd);
    const { code, stdout, stderr } = await runCli(args, { cwd, env });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(
      `carrierspec: the earlier run used ${missing}; files that a result or journal names are not opened. ` +
        `If you trust them, name them: carrierspec ${args.join(' ')} ${missing}\n`,
    );
    expect(readdirSync(cwd)).toEqual(before);
    expectNothingFollowed(stderr);
  });

  test.each([
    [
      'report',
      [
        'report',
        'sent/result.json',
        ...['json', 'junit', 'html', 'markdown', 'har', 'sarif', 'ctrf'].flatMap((one) => [
          '--report',
          `${one}=made.${one}`,
        ]),
      ],
      0,
    ],
    ['report of a journal', ['report', 'cut/journal.jsonl'], 0],
    ['compare', ['compare', 'sent/result.json', 'sent/result.json'], 0],
    ['history', ['history', 'sent', '--out', 'site'], 0],
    ['history as a list', ['history', 'sent'], 0],
    ['merge', ['merge', 'sent/result.json'], 0],
    ['certify', ['certify', 'sent/result.json', '--key', 'key.json'], 2],
    ['verify', ['verify', 'sent.jws', 'sent/result.json', '--key', 'public.json'], 1],
    ['decode', ['decode', 'sent.jws'], 0],
  ])('%s reads the result, and follows nothing in it', async (_, args, expected) => {
    const { code, stdout, stderr } = await runCli(args, { cwd, env });
    expect(code, stderr).toBe(expected);
    expectNothingFollowed(stdout + stderr);
    expect(existsSync(join(cwd, '..', 'escaped'))).toBe(false);
    expect(existsSync(at('escaped'))).toBe(false);
  });
});
