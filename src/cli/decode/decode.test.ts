import { spawn } from 'node:child_process';
import { sign } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import process from 'node:process';
import { describe, expect, test } from 'vitest';
import { makeKeyPairSync } from '../../lib/key-pair.ts';
import type { JsonObject } from '../../lib/json.ts';
import { runCli } from '../../testing/program/run-cli.ts';
import { type ProcessResult, root } from '../../testing/program/spawn-cli.ts';
import { makeFolder, writeFolder } from '../../testing/program/target-file.ts';

const { privateKey, publicKey } = makeKeyPairSync({ namedCurve: 'P-256' });
const keys = JSON.stringify({ keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'op1', alg: 'ES256' }] });

const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

function signed(claims: JsonObject, header: JsonObject): string {
  const input = `${part(header)}.${part(claims)}`;
  const signature = sign('sha256', Buffer.from(input), { key: privateKey, dsaEncoding: 'ieee-p1363' });
  return `${input}.${signature.toString('base64url')}`;
}

const set = signed(
  {
    iss: 'https://op.carrier.test',
    iat: 1_767_225_600,
    jti: 'e1',
    aud: 'ccid-1',
    sub: '001010-8f3a',
    events: ['device_change'],
  },
  { typ: 'set+jwt', alg: 'ES256', kid: 'op1' },
);
const response = '{"auth_req_id":"ccid-7Yk2mQ9ZpR4tV1xW8sB3nC6dF0g","expires_in":300}';

/** Runs decode with piped input. */
function pipeIn(text: string, args: readonly string[]): Promise<ProcessResult> {
  const child = spawn(process.execPath, [join(root, 'bin/carrierspec.js'), 'decode', ...args], {
    env: { PATH: process.env['PATH'] ?? '' },
  });
  const out = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (chunk: string) => {
      out[name] += chunk;
    });
  }
  child.stdin.on('error', () => undefined).end(text);
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, ...out })));
}

describe('where the message comes from', () => {
  test('an argument, a file by @ or by its path, and stdin are the same', async () => {
    const folder = writeFolder({ 'answer.json': response });
    const all = await Promise.all([
      runCli(['decode', response, '--json']),
      runCli(['decode', '@answer.json', '--json'], { cwd: folder }),
      runCli(['decode', join(folder, 'answer.json'), '--json']),
      pipeIn(response, ['--json']),
      pipeIn(response, ['-', '--json']),
    ]);
    for (const ended of all) expect(ended).toEqual(all[0]);
    expect(JSON.parse(all[0]?.stdout ?? '')).toEqual({
      type: 'response',
      body: { auth_req_id: 'ccid-7Yk2mQ9ZpR4tV1xW8sB3nC6dF0g', expires_in: 300 },
      broken: [],
      judged: ['CB-019', 'FLOW-011', 'RSP-003', 'RSP-005', 'SEC-23'],
      notJudged: [
        { without: 'its bytes', rules: ['TRN-019'] },
        { without: 'its HTTP header fields', rules: ['RSP-001', 'SEC-38'] },
        { without: 'the request that it answers', rules: ['RSP-002', 'RSP-006', 'SEC-23'] },
      ],
      inside: [],
    });
  });

  test.each([
    [['nonsense'], '"nonsense" is neither a message nor the name of a file'],
    [['@nowhere'], 'nowhere: there is no such file'],
    [['eyJhbGciOiJSUzI1NiJ9.e30'], 'this text of 24 characters is neither a message nor the name of a file'],
    [['eyJhbGciOiJSUzI1NiJ9 e30.c2ln'], 'this text of 29 characters is neither'],
    [['{"a":'], 'this cannot be decoded: it is neither JSON nor a compact JWS'],
    [[`${'['.repeat(500)}${']'.repeat(500)}`], 'values are nested more than 100 deep'],
    [[`{"a":${'['.repeat(100)}${']'.repeat(100)}}`], 'values are nested more than 100 deep'],
    [[`${part([[[]]])}.${Buffer.from('['.repeat(500)).toString('base64url')}.x`], 'nested more than 100 deep'],
    [[response, '--jwks', 'nowhere'], '--jwks: nowhere: there is no such file'],
  ])('%j is a mistake of usage', async (args, message) => {
    const { code, stdout, stderr } = await runCli(['decode', ...args]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(message);
  });

  test('what was copied from a mail or a log is decoded like the message itself', async () => {
    const untimed = ({ stdout }: ProcessResult): string => stdout.replaceAll(/\(2026[^)]*\)/g, '');
    const plain = untimed(await runCli(['decode', set]));
    for (const pasted of [`"set": "${set}",`, `\u001B[31m${set.replaceAll(/(.{76})/g, '$1\n')}\u001B[0m`]) {
      expect(untimed(await runCli(['decode', pasted]))).toBe(plain);
      expect(untimed(await pipeIn(pasted, []))).toBe(plain);
    }
  });

  test('a megabyte is enough', async () => {
    const { code, stderr } = await pipeIn('x'.repeat(2 * 1024 * 1024), []);
    expect(code).toBe(2);
    expect(stderr).toContain('stdin is longer than 1048576 bytes');
  });

  test('but for a HAR', { timeout: 30_000 }, async () => {
    const entry = { request: { method: 'GET', url: 'https://a.test/' }, response: { status: 204 } };
    const har = JSON.stringify({ log: { comment: 'x'.repeat(2 * 1024 * 1024), entries: [entry] } });
    const read = await pipeIn(har, []);
    expect(read.code).toBe(0);
    expect(read.stdout).toMatch(/^HAR: 1 exchange\n/);
    const large = await pipeIn(`{"log":{"comment":"${'x'.repeat(65 * 1024 * 1024)}"}}`, []);
    expect(large.code).toBe(2);
    expect(large.stderr).toContain('stdin is longer than 67108864 bytes');
  });
});

describe('what it says', () => {
  test('header, claims with times in words, and what is not judged', async () => {
    const { code, stdout } = await runCli(['decode', set]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^event token, SET \(§6\)\nheader\n {4}typ: "set\+jwt"\n/);
    expect(stdout).toMatch(/^ {4}iat: 1767225600 {2}\(2026-01-01T00:00:00Z, \d+ d .* before now\)$/m);
    expect(stdout).toMatch(/^the message alone breaks no rule$/m);
    expect(stdout).toMatch(/^judged: EVT-023\.\.025, EVT-028, EVT-031\.\.032$/m);
    expect(stdout).toMatch(/^not judged without the keys of the signer \(--jwks\): EVT-025$/m);
  });

  test('of what no rule is about it says that nothing was judged', async () => {
    for (const text of ['{"hello":"world"}', `${part({ alg: 'none' })}.${part({ hello: 'world' })}.`]) {
      const { code, stdout } = await runCli(['decode', text]);
      expect(code).toBe(0);
      expect(stdout).toMatch(/^no rule can judge this message alone$/m);
      expect(stdout).not.toContain('breaks no rule');
    }
  });

  test('the rules it breaks, and exit code 1 where one of them is required', async () => {
    const { code, stdout } = await runCli(['decode', '{"auth_req_id":"x","error":"invalid_grant"}']);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^ {2}CB-023 +required: body\.error should be /m);
    const short = await runCli(['decode', '{"auth_req_id":"ccid-7Yk2mQ9ZpR4t","expires_in":"300"}']);
    expect(short.stdout).toMatch(/^ {2}SEC-23/m);
  });

  test('tokens inside a body are decoded too', async () => {
    const { stdout } = await runCli(['decode', JSON.stringify({ set })]);
    expect(stdout).toMatch(/^body that carries a token$/m);
    expect(stdout).toMatch(/^in set: event token, SET/m);
  });

  test('what a carrier put in is shown, not obeyed', async () => {
    const { stdout } = await runCli(['decode', '{"error":"\\u001b[31mred\\u202e\\u0007","error_description":"a\\nb"}']);
    expect(stdout.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    expect(stdout).toContain('error_description: "a\\nb"');
  });
});

describe('signatures', () => {
  test('a key of a file verifies', async () => {
    const folder = writeFolder({ 'keys.json': keys });
    const { code, stdout } = await runCli(['decode', set, '--jwks', 'keys.json'], { cwd: folder });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^signature +verified with key "op1"$/m);
  });

  test('a key set at a URL; an altered token does not verify', async () => {
    const server = createServer((_, response) => response.end(keys)).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const address: AddressInfo | string | null = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const [header, , signature] = set.split('.');
    const forged = `${header}.${part({ events: ['device_change'], jti: 'e2', sub: '001010-1' })}.${signature}`;
    const { code, stdout } = await runCli(['decode', forged, '--jwks', `http://127.0.0.1:${port}/jwks`, '--json']);
    server.close();
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      broken: [{ rule: 'EVT-025', level: 'required', path: 'signature' }],
      signature: { verified: false, description: 'does not verify with the key "op1" (alg "ES256")' },
    });
  });

  test('a URL that nobody answers is unreachable', async () => {
    const { code, stderr } = await runCli(['decode', set, '--jwks', 'http://127.0.0.1:9/'], { cwd: makeFolder() });
    expect(code).toBe(3);
    expect(stderr).toContain('--jwks: http://127.0.0.1:9/: no response: refused');
  });
});
