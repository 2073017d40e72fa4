import { generateKeyPairSync } from 'node:crypto';
import { CompactSign } from 'jose';
import { describe, expect, test } from 'vitest';
import { parseJson } from '../lib/json.ts';
import { buildFooter, buildHeader, buildResult, buildRule } from '../testing/result.ts';
import { parsePublicKeys, parseSigningKey } from './keys.ts';
import { makeManifest } from './make-manifest.ts';
import { certificateType } from './compact.ts';
import { verifyCertificate } from './verify.ts';

const digest = `sha256:${'0'.repeat(64)}`;
const now = Date.UTC(2026, 2, 4);
const attestation = { by: 'test lab', on: '2026-02-01', description: 'Seen.', evidence: 'a.pdf', sha256: digest };
const header = buildHeader({
  clock: { kind: 'virtual', note: '' },
  target: { ...buildHeader().target, testCarrier: true },
});
const { required } = buildFooter().score;
const footer = buildFooter({
  counts: { pass: 1, informational: 1, attested: 1, 'not-run': 1 },
  score: { ...buildFooter().score, all: { conforming: 2, judged: 2, applicable: 2 }, required },
});
const rules = [
  buildRule(),
  buildRule({ id: 'REQ-023', level: 'informational', verdict: 'informational', recorded: { hyphen: 'denied 400' } }),
  buildRule({ id: 'REQ-030', verdict: 'attested', attestation }),
  buildRule({ id: 'REQ-031', verdict: 'not-run', reason: 'out of time' }),
];
const manifest = makeManifest(
  {
    result: { ...buildResult({ header, rules }), footer },
    digest,
    bytes: 10,
    toolDigest: digest,
    additions: [],
    knownRules: rules.map(({ id }) => id),
    now,
  },
  'conformant',
);

/** The manifest as version 1 was written: its words, and no interface. */
function asVersion1(): object {
  const { interface: _, ...rest } = manifest;
  const { unsolicited, ...result } = rest.result;
  const { informational, ...score } = rest.score;
  const { informational: recorded, ...counts } = rest.counts;
  return {
    ...rest,
    version: 1,
    clock: { kind: 'driven', note: '' },
    run: { ...rest.run, level: 'observed' },
    result: { ...result, strays: unsolicited },
    score: { ...score, observed: informational },
    counts: { ...counts, recorded },
    verdicts: { ...rest.verdicts, 'REQ-023': 'recorded' },
    attested: rest.attested.map(({ description, ...one }) => ({ ...one, says: description })),
  };
}

describe('a certificate of version 1', () => {
  test('is verified, and read in the words of version 2', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519');
    const signing = await parseSigningKey({ ...privateKey.export({ format: 'jwk' }), kid: 'lab' });
    const keys = await parsePublicKeys(
      parseJson(JSON.stringify({ ...publicKey.export({ format: 'jwk' }), kid: 'lab' })) ?? null,
    );
    if ('wrong' in signing || 'wrong' in keys) throw new Error('the key of the test is none');
    const jws = await new CompactSign(new TextEncoder().encode(JSON.stringify(asVersion1())))
      .setProtectedHeader({ alg: 'EdDSA', typ: certificateType, kid: 'lab' })
      .sign(signing.key);
    expect(await verifyCertificate(jws, keys, now)).toEqual({ manifest, kid: 'lab', alg: 'EdDSA' });
  });
});
