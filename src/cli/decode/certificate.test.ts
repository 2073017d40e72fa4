import { generateKeyPairSync } from 'node:crypto';
import { expect, test } from 'vitest';
import { signManifest } from '../../certificate/compact.ts';
import { parseSigningKey } from '../../certificate/keys.ts';
import { makeManifest } from '../../certificate/make-manifest.ts';
import { parseJson } from '../../lib/json.ts';
import { buildCase, buildFooter, buildHeader, buildResult, buildRule } from '../../testing/result.ts';
import { runCli } from '../../testing/run-cli.ts';
import { makeFolder, writeFolder } from '../../testing/target-file.ts';

async function makeCertificate(): Promise<string> {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const key = await parseSigningKey(
    parseJson(JSON.stringify({ ...privateKey.export({ format: 'jwk' }), kid: 'lab' })) ?? null,
  );
  if ('wrong' in key) throw new Error(key.wrong);
  const counted = { conforming: 1, judged: 1, applicable: 1 };
  const footer = buildFooter({ counts: { pass: 1 }, score: { ...buildFooter().score, all: counted } });
  const rules = [buildRule()];
  const result = buildResult({ header: buildHeader(), rules, cases: [buildCase()], footer });
  const measured = { digest: `sha256:${'0'.repeat(64)}`, bytes: 1, additions: [] };
  const known = { knownRules: rules.map(({ id }) => id), now: Date.UTC(2026, 5, 1) };
  return signManifest(makeManifest({ result: { ...result, footer }, ...measured, ...known }, 'conformant'), key);
}

test('a certificate is named, with who and what it certifies, and what checks it', async () => {
  const folder = writeFolder({ 'certificate.jws': `${await makeCertificate()}\n` });
  const { code, stdout } = await runCli(['decode', 'certificate.jws'], { cwd: folder });
  expect(code).toBe(0);
  expect(stdout).toMatch(/^certificate of carrierspec/);
  expect(stdout).toMatch(/^ {2}interface +server-initiated, edition 1\.0$/m);
  expect(stdout).toMatch(/^ {2}verdict +conformant/m);
  expect(stdout).toMatch(/^ {2}certified +2026-06-01T/m);
  expect(stdout).toContain('carrierspec verify FILE --key PUBLIC checks its form and its signature');
  const data = await runCli(['decode', 'certificate.jws', '--json'], { cwd: folder });
  expect(parseJson(data.stdout)).toMatchObject({
    type: 'certificate',
    verified: false,
    kid: 'lab',
    outcome: 'conformant',
  });
});

test('one that is not of the form is not valid', async () => {
  const [, payload = ''] = (await makeCertificate()).split('.');
  const header = Buffer.from('{"alg":"none","typ":"carrierspec-certificate+jwt"}').toString('base64url');
  const { code, stdout } = await runCli(['decode', `${header}.${payload}.`], { cwd: makeFolder() });
  expect(code).toBe(1);
  expect(stdout).toMatch(/not valid +alg is none: it is not signed \[alg-none\]/);
});
