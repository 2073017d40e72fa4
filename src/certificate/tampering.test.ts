import { createHmac } from 'node:crypto';
import { CompactSign } from 'jose';
import { describe, expect, test } from 'vitest';
import { makeKeyPairSync } from '../lib/key-pair.ts';
import { type Json, parseJson } from '../lib/json.ts';
import { buildCase, buildFooter, buildHeader, buildResult, buildRule } from '../testing/results/result.ts';
import { verifyCertificate } from './verify.ts';
import { certificateType, type Flaw, type FlawCode, flawCodes, isFlaw, signManifest } from './compact.ts';
import { type CertificateKey, parsePublicKeys, parseSigningKey } from './keys.ts';
import { makeManifest } from './make-manifest.ts';
import type { Manifest } from './manifest.ts';

const now = Date.UTC(2026, 5, 1);

const rules = [
  buildRule(),
  buildRule({ id: 'REQ-016' }),
  buildRule({ id: 'REQ-023', level: 'informational', verdict: 'informational', recorded: { hyphen: 'denied 400' } }),
];
const counted = { conforming: 3, judged: 3, applicable: 3 };
const footer = buildFooter({
  score: { ...buildFooter().score, all: counted },
  seal: { at: '2026-01-01T00:04:32.000Z', digest: `sha256:${'5e'.repeat(32)}`, caseDigests: '5e5e5e5e5e5e5e5e' },
});
const header = buildHeader({ run: 'run-of-march', selection: ['REQ-*'] });
const original = buildResult({ header, rules, cases: [buildCase(), buildCase({ id: 'jti-again' })], footer });

function manifestOf(parts: Partial<Manifest> = {}): Manifest {
  const measured = { digest: `sha256:${'0'.repeat(64)}`, bytes: 1000 };
  const rest = { additions: [], knownRules: rules.map(({ id }) => id), now };
  return { ...makeManifest({ result: { ...original, footer }, ...measured, ...rest }, 'conformant'), ...parts };
}

interface Pair {
  readonly signing: CertificateKey;
  readonly public: readonly CertificateKey[];
  readonly jwk: Json;
}

const kinds = {
  EC: () => makeKeyPairSync({ namedCurve: 'P-256' }),
  RSA: () => makeKeyPairSync({ modulusLength: 2048 }),
  OKP: () => makeKeyPairSync('ed25519'),
};

async function makePair(kind: keyof typeof kinds, kid = 'lab-2026'): Promise<Pair> {
  const { privateKey, publicKey } = kinds[kind]();
  const jwk = (key: typeof privateKey): Json =>
    parseJson(JSON.stringify({ ...key.export({ format: 'jwk' }), kid })) ?? null;
  const signing = await parseSigningKey(jwk(privateKey));
  const verifying = await parsePublicKeys(jwk(publicKey));
  if ('wrong' in signing || 'wrong' in verifying) throw new Error('the key of the test is none');
  return { signing, public: verifying, jwk: jwk(publicKey) };
}

const ec = await makePair('EC');
const [rsa, okp] = [await makePair('RSA'), await makePair('OKP')];
const certificate = await signManifest(manifestOf(), ec.signing);
const [head = '', payload = '', signature = ''] = certificate.split('.');
const encode = (text: string): string => Buffer.from(text).toString('base64url');
const payloadText = Buffer.from(payload, 'base64url').toString();

/** Any payload, signed by the owner of the key. */
function signText(text: string | Uint8Array, pair = ec): Promise<string> {
  const { key, alg, kid } = pair.signing;
  const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text;
  return new CompactSign(bytes).setProtectedHeader({ alg, typ: certificateType, kid }).sign(key).then(lower);
}

const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;

/** The other one of the two ES256 signatures that verify. */
function otherForm(jws: string): string {
  const at = jws.lastIndexOf('.') + 1;
  const bytes = Buffer.from(jws.slice(at), 'base64url');
  const s = BigInt(`0x${bytes.subarray(32).toString('hex')}`);
  const other = Buffer.from((order - s).toString(16).padStart(64, '0'), 'hex');
  return jws.slice(0, at) + Buffer.concat([bytes.subarray(0, 32), other]).toString('base64url');
}

function lower(jws: string): string {
  const bytes = Buffer.from(jws.slice(jws.lastIndexOf('.') + 1), 'base64url');
  const isHigh = bytes.length === 64 && BigInt(`0x${bytes.subarray(32).toString('hex')}`) > order / 2n;
  return isHigh ? otherForm(jws) : jws;
}

/** Header and payload under an algorithm of the attacker's choice, with the public key as the secret of HS256 (RFC 8725 §2.1). */
function signSymmetric(): string {
  const input = `${encode(JSON.stringify({ alg: 'HS256', typ: certificateType, kid: 'lab-2026' }))}.${payload}`;
  return `${input}.${createHmac('sha256', JSON.stringify(ec.jwk)).update(input).digest('base64url')}`;
}

const withHeader = (members: object): string => `${encode(JSON.stringify(members))}.${payload}.${signature}`;
const flip = (text: string, at: number): string => {
  const other = text[at] === 'A' ? 'B' : 'A';
  return text.slice(0, at) + other + text.slice(at + 1);
};

const judge = (text: string, keys = ec.public): Promise<{ readonly manifest: Manifest } | Flaw> =>
  verifyCertificate(text, keys, now);

type Tampering = readonly [name: string, code: FlawCode, message: string, make: () => string | Promise<string>];

const form: readonly Tampering[] = [
  ['nothing in the file', 'empty', 'the certificate is empty', () => ''],
  ['blanks only', 'empty', 'the certificate is empty', () => ' \n'],
  ['four megabytes more', 'too-large', 'larger than', () => certificate + 'A'.repeat(4 << 20)],
  ['a line feed', 'white-space', `white space after ${certificate.length} characters`, () => `${certificate}\n`],
  ['a blank inside', 'white-space', 'after 10 characters', () => certificate.replace(/^.{10}/, '$& ')],
  ['a byte order mark', 'white-space', 'white space after 0', () => `\ufeff${certificate}`],
  ['JSON serialisation', 'json-serialisation', 'this is JSON', () => JSON.stringify({ payload, signature })],
  ['no signature', 'parts', 'a compact JWS has 3 parts, and this has 2', () => `${head}.${payload}`],
  ['an empty signature', 'parts', 'the signature of the certificate is empty', () => `${head}.${payload}.`],
  ['the payload detached', 'parts', 'the payload of the certificate is empty', () => `${head}..${signature}`],
  ['two parts more, as of a JWE', 'parts', 'this has 5', () => `${certificate}.a.b`],
  ['padding', 'padding', 'the signature is padded with "="', () => `${certificate}==`],
  ['base64', 'alphabet', 'the payload has the character "+"', () => `${head}.+${payload.slice(1)}.${signature}`],
  [
    'unused bits of the signature',
    'trailing-bits',
    'the last character of the signature',
    () => certificate.slice(0, -1) + ({ A: 'B', Q: 'R', g: 'h', w: 'x' }[certificate.slice(-1)] ?? ''),
  ],
];

/** The certificate under a header with other members. */
const under = (members: object) => (): string =>
  withHeader({ alg: 'ES256', typ: certificateType, kid: 'lab-2026', ...members });
const underText = (header: string | Uint8Array) => (): string =>
  `${Buffer.from(header).toString('base64url')}.${payload}.${signature}`;
const rest = `"typ":"${certificateType}","kid":"lab-2026"}`;

const heads: readonly Tampering[] = [
  ['a header that is no JSON', 'header-form', 'the header is no JSON object', underText('{"alg"')],
  ['a header that is no UTF-8', 'header-form', 'the header is not UTF-8', underText(Buffer.from([0x7b, 0xff, 0x7d]))],
  ['alg twice', 'header-form', 'a member twice', underText(`{"alg":"none","alg":"ES256",${rest}`)],
  ['a blank in the header', 'header-form', 'blanks', underText(`{"alg": "ES256",${rest}`)],
  [
    'another order',
    'header-form',
    'not in the order',
    underText(`{"kid":"lab-2026","alg":"ES256","typ":"${certificateType}"}`),
  ],
  [
    'alg none',
    'alg-none',
    'it is not signed',
    () => `${encode(JSON.stringify({ alg: 'none', typ: certificateType, kid: 'lab-2026' }))}.${payload}.`,
  ],
  ['alg nOnE', 'alg-none', 'alg is nOnE', under({ alg: 'nOnE' })],
  ['HS256 with the public key', 'alg-symmetric', 'alg is HS256: a verifier could also have made it', signSymmetric],
  ['no alg', 'alg-unknown', 'the header names no alg', under({ alg: undefined })],
  ['another alg of the same key', 'alg-unknown', 'alg is ES384', under({ alg: 'ES384' })],
  [
    'an alg of other keys',
    'alg-of-key',
    'alg is RS256, and the key lab-2026 signs with ES256',
    under({ alg: 'RS256' }),
  ],
  ['the typ of another JWS', 'typ', 'typ is "JWT"', under({ typ: 'JWT' })],
  ['another kid', 'kid', 'it names the key lab-2027, and the one given is lab-2026', under({ kid: 'lab-2027' })],
  ['no kid', 'kid', 'the header names no kid', under({ kid: undefined })],
  ['a key in the header', 'header-member', 'the header has "jwk"', under({ jwk: ec.jwk })],
  ['a crit in the header', 'header-member', 'the header has "crit"', under({ crit: ['b64'] })],
];

const signed = 'the signature is not that of the key lab-2026';
const changedPayload = (from: string, to: string): string => {
  expect(payloadText).toContain(from);
  return `${head}.${encode(payloadText.replace(from, to))}.${signature}`;
};

const signedBy = (bytes: Uint8Array): string => `${head}.${payload}.${Buffer.from(bytes).toString('base64url')}`;
const ownBytes = Buffer.from(signature, 'base64url');

const signatures: readonly Tampering[] = [
  ['a byte of the signature', 'signature', signed, () => `${head}.${payload}.${flip(signature, 5)}`],
  ['a byte of the payload', 'signature', signed, () => `${head}.${flip(payload, 300)}.${signature}`],
  ['the outcome', 'signature', signed, () => changedPayload('"conformant"', '"not conformant"')],
  ['a verdict', 'signature', signed, () => changedPayload('"REQ-015":"pass"', '"REQ-015":"fail"')],
  ['the carrier', 'signature', signed, () => changedPayload('Staging carrier', 'Another carrier')],
  [
    'the signature of another certificate',
    'signature',
    signed,
    async () => `${head}.${payload}.${(await signText('{}')).split('.')[2] ?? ''}`,
  ],
  [
    'another key of this name',
    'signature',
    signed,
    async () => signManifest(manifestOf(), (await makePair('EC')).signing),
  ],
  ['a signature of nothing but zeros', 'signature', signed, () => signedBy(Buffer.alloc(64))],
  [
    'a signature that is too short',
    'signature-length',
    'the signature has 63 bytes, and ES256 with this key makes 64',
    () => signedBy(ownBytes.subarray(0, 63)),
  ],
  ['a byte more', 'signature-length', 'has 65 bytes', () => signedBy(Buffer.concat([ownBytes, Buffer.alloc(1)]))],
  ['the other signature that verifies', 'signature-form', 'second form', () => otherForm(certificate)],
];

const signManifestOf = (parts: Partial<Manifest>) => () => signManifest(manifestOf(parts), ec.signing);
const { counts, clock, score, carrier, run } = manifestOf();

/** Payloads signed by the owner of the key: the signature is valid, the payload is not. */
const payloads: readonly Tampering[] = [
  ['no JSON', 'payload-form', 'the signed payload is no JSON object', () => signText('[1]')],
  ['no UTF-8', 'payload-form', 'the signed payload is not UTF-8', () => signText(new Uint8Array([0x7b, 0xff, 0x7d]))],
  [
    'the outcome twice',
    'payload-form',
    'a member twice',
    () => signText(payloadText.replace('"outcome":', '"outcome":"not conformant","outcome":')),
  ],
  ['a blank', 'payload-form', 'blanks', () => signText(`${payloadText} `)],
  [
    'another document',
    'payload-shape',
    'no manifest of carrierspec',
    () => signText('{"iss":"https://op.carrier.test"}'),
  ],
  [
    'a newer format',
    'payload-version',
    'the certificate has version 4 of the format, and this carrierspec reads version 3 only: use the carrierspec that signed it',
    () => signText(payloadText.replace('"version":3', '"version":4')),
  ],
  [
    'a member more',
    'payload-shape',
    'the top has an unknown member "note"',
    () => signText(payloadText.replace('{', '{"note":"and more",')),
  ],
  [
    'a member less',
    'payload-shape',
    'the top has no member "clock"',
    () => signText(JSON.stringify({ ...manifestOf(), clock: undefined })),
  ],
  [
    'incomplete',
    'payload-shape',
    '/outcome is "incomplete", not one of "conformant", ',
    () => signText(payloadText.replace('"conformant"', '"incomplete"')),
  ],
  [
    'a failure called conformant',
    'payload-contradiction',
    'it counts 2 rules pass, and lists 1',
    signManifestOf({ verdicts: { 'REQ-015': 'pass', 'REQ-016': 'fail', 'REQ-023': 'informational' } }),
  ],
  [
    'a failure counted and called conformant',
    'payload-contradiction',
    'the outcome is conformant, and 1 of the rules that count have failed',
    signManifestOf({
      counts: { ...counts, pass: 1, fail: 1 },
      verdicts: { 'REQ-015': 'pass', 'REQ-016': 'fail', 'REQ-023': 'informational' },
    }),
  ],
  [
    'more judged than there are',
    'payload-contradiction',
    '4 rules were judged, and 3 are listed',
    signManifestOf({ score: { ...score, all: { ...counted, judged: 4 } } }),
  ],
  [
    'conformant with a part missing',
    'payload-contradiction',
    'something is missing of the run',
    signManifestOf({ run: { ...run, reasons: ['interrupted'] } }),
  ],
  [
    'the virtual clock, and no test carrier',
    'payload-contradiction',
    'the clock was virtual',
    signManifestOf({ clock: { ...clock, kind: 'virtual' } }),
  ],
  [
    'an addition without a name',
    'payload-contradiction',
    'an addition has no name',
    signManifestOf({ suites: { rules: 'a', suites: 'b', additions: [''] } }),
  ],
  [
    'signed before the run ended',
    'payload-contradiction',
    'it was signed on 2025-12-31T00:00:00.000Z, before the run ended on 2026-01-01T00:04:32.000Z',
    signManifestOf({ certifiedAt: '2025-12-31T00:00:00.000Z' }),
  ],
  [
    'signed before a run on the virtual clock was over',
    'payload-contradiction',
    'it was signed on 2001-01-01T00:00:00.000Z, before the run ended on 2026-01-01T00:04:32.000Z',
    signManifestOf({
      certifiedAt: '2001-01-01T00:00:00.000Z',
      clock: { ...clock, kind: 'virtual' },
      carrier: { ...carrier, testCarrier: true },
    }),
  ],
  [
    'an end before the beginning',
    'payload-contradiction',
    'the run ended on 2025-12-31T00:00:00.000Z, before it began on 2026-01-01T00:00:00.000Z',
    signManifestOf({ run: { ...run, endedAt: '2025-12-31T00:00:00.000Z' } }),
  ],
  ...(['startedAt', 'endedAt', 'sealedAt'] as const).map((name): Tampering => {
    const none = '2026-02-31T99:00:00.000Z';
    return [
      `${name} that is no date`,
      'payload-contradiction',
      `run.${name} is ${none}, which is no date`,
      signManifestOf({ run: { ...run, [name]: none } }),
    ];
  }),
  [
    'signed on no date',
    'payload-contradiction',
    'certifiedAt is 2026-13-01T00:00:00Z, which is no date',
    signManifestOf({ certifiedAt: '2026-13-01T00:00:00Z' }),
  ],
  ['a day to come', 'payload-future', 'which is to come', signManifestOf({ certifiedAt: '2027-01-01T00:00:00.000Z' })],
];

const tamperings = [...form, ...heads, ...signatures, ...payloads];

describe('a certificate', () => {
  test.each([ec, rsa, okp].map((pair) => [pair.signing.alg, pair] as const))(
    'signed with %s verifies',
    async (alg, pair) => {
      const jws = await signManifest(manifestOf(), pair.signing);
      expect(await judge(jws, pair.public)).toEqual({ manifest: manifestOf(), kid: 'lab-2026', alg });
    },
  );

  test('ES256 is always signed in the form that verifies', async () => {
    for (let round = 0; round < 16; round += 1) {
      expect(isFlaw(await judge(await signManifest(manifestOf(), ec.signing)))).toBe(false);
    }
  });

  test('a JWK Set serves too, and the key is chosen by kid', async () => {
    const other = await makePair('RSA', 'lab-2025');
    const set = await parsePublicKeys({ keys: [other.jwk, { kty: 'oct', k: 'AAAA' }, ec.jwk] });
    expect('wrong' in set ? set : isFlaw(await judge(certificate, set))).toBe(false);
  });
});

describe('each tampering is found, and has its message', () => {
  test.each(tamperings)('%s', async (_name, code, message, make) => {
    const text = await make();
    expect(text).not.toBe(certificate);
    const found = await judge(text);
    expect(found).toMatchObject({ code });
    expect('message' in found && found.message).toContain(message);
  });

  test('every kind of flaw is among them', () => {
    const met = new Set(tamperings.map(([, code]) => code));
    // Flaws of a result have their table in src/cli/certify/forgeries.test.ts.
    expect(flawCodes.filter((code) => !met.has(code) && !code.startsWith('result-'))).toEqual([]);
  });

  const tenMinutes = 600_000;
  const moment = (at: number): string => new Date(at).toISOString();
  const [began, over] = [Date.parse(run.startedAt), Date.parse(run.sealedAt)];
  test.each<[string, string, number, (more: number) => Partial<Manifest>]>([
    ['signer is ahead', 'payload-future', 1, (more) => ({ certifiedAt: moment(now + tenMinutes + more) })],
    ['signer is behind', 'payload-contradiction', -1, (more) => ({ certifiedAt: moment(over - tenMinutes + more) })],
    [
      'run goes back',
      'payload-contradiction',
      -1,
      (more) => ({ run: { ...run, endedAt: moment(began - tenMinutes + more) } }),
    ],
  ])('the clock of the %s by ten minutes at most', async (_, code, further, parts) => {
    const judged = async (more: number) => judge(await signManifest(manifestOf(parts(more)), ec.signing));
    expect(await judged(0)).toHaveProperty('manifest');
    expect(await judged(further)).toMatchObject({ code });
  });

  test('four megabytes may be a certificate', async () => {
    const judged = await Promise.all([0, 1].map((more) => judge('A'.repeat(4 * 1024 * 1024 + more))));
    expect(judged.map((flaw) => 'code' in flaw && flaw.code)).toEqual(['parts', 'too-large']);
  });

  test('any character of a certificate', async () => {
    const unfound: number[] = [];
    for (let at = 0; at < certificate.length; at += 1) {
      if (!isFlaw(await judge(flip(certificate, at)))) unfound.push(at);
    }
    expect(unfound).toEqual([]);
  });

  test('the second form of an Ed25519 signature (RFC 8032 §5.1.7)', async () => {
    const jws = await signManifest(manifestOf(), okp.signing);
    const at = jws.lastIndexOf('.') + 1;
    const bytes = Buffer.from(jws.slice(at), 'base64url');
    const group = 2n ** 252n + 27742317777372353535851937790883648493n;
    const s = BigInt(`0x${Buffer.from(bytes.subarray(32)).reverse().toString('hex')}`) + group;
    const other = Buffer.from(s.toString(16).padStart(64, '0'), 'hex').reverse();
    const text = jws.slice(0, at) + Buffer.concat([bytes.subarray(0, 32), other]).toString('base64url');
    expect(await judge(text, okp.public)).toMatchObject({ code: 'signature' });
  });
});
