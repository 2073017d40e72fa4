import { createPrivateKey } from 'node:crypto';
import { createServer } from 'node:http';
import { deflateRawSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { keyFaults } from './faults/keys.ts';
import { parsingFaults } from './faults/parsing.ts';
import { proofFaults } from './faults/proofs.ts';
import { signatureFaults } from './faults/signatures.ts';
import type { Json } from './json.ts';
import {
  compact,
  hmac,
  type Made,
  mainKey,
  mainPublicKey,
  rsa,
  segmentOf,
  strangeKey,
  unsigned,
} from './testing/compact.ts';
import { parties, traitProof } from './testing/calls.ts';
import { openRig, type Rig } from './testing/rig.ts';
import { selfSigned } from './testing/self-signed.ts';

type Probe = (rig: Rig) => Promise<unknown>;
type Row = readonly [fault: string, probe: Probe, conforming: unknown, faulty: unknown];
type Making = Made | ((rig: Rig) => Made);

const posting =
  (request: (rig: Rig) => Json): Probe =>
  async (rig) =>
    (await rig.post({ request: request(rig) })).status;
const sending = (made: Making): Probe => posting((rig) => compact(rig, typeof made === 'function' ? made(rig) : made));
const taken = (fault: string, made: Making): Row => [fault, sending(made), 400, 200];
const broken = (fault: string, made: Making): Row => [fault, sending(made), 400, 500];
const rewritten = (fault: string, change: (jws: string) => Json, faulty = 200): Row => [
  fault,
  posting((rig) => change(compact(rig, {}))),
  400,
  faulty,
];

const pem = mainPublicKey().export({ type: 'spki', format: 'pem' }).toString();
const der = mainPublicKey().export({ type: 'spki', format: 'der' });
const { n = '', e = '' } = mainPublicKey().export({ format: 'jwk' });
const withHmac = (secret: string | Buffer, alg = 'HS256', digest = 'sha256'): Made => ({
  header: { alg },
  signature: hmac(digest, secret),
});
const strangeJwk = (): Json => {
  const { n: modulus = '', e: exponent = '' } = strangeKey.export({ format: 'jwk' });
  return { kty: 'RSA', n: modulus, e: exponent };
};
const certificate = selfSigned.cert.replaceAll(/-----.*-----|\s/g, '');
const claimsWith =
  (change: (text: string) => string): ((rig: Rig) => Made) =>
  (rig) => ({ claims: change(JSON.stringify(rig.claims())) });

/** What a URL in the header leads to: requests that come to it. */
const fetched =
  (header: (url: string) => Made['header']): Probe =>
  async (rig) => {
    let hits = 0;
    const server = createServer((_, answer) => {
      hits++;
      answer.end(JSON.stringify({ keys: [strangeJwk()] }));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const url = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}/keys`;
    const request = compact(rig, { header: { ...header(url) }, signature: rsa(strangeKey) });
    const { status } = await rig.post({ request });
    await new Promise((resolve) => server.close(resolve));
    return [status, hits];
  };

/** The statuses after a key was removed, so many seconds later, and when it is there again. */
const removed =
  (seconds: number): Probe =>
  async (rig) => {
    const id = 'ccid-conftestclient03';
    const ask = async (): Promise<number> =>
      (await rig.authorize({ client_id: id, login_hint: rig.sub('first', 'two-keys') }, { key: 'ec' })).status;
    await ask();
    await rig.admin('DELETE', `/clients/${id}/keys/b`);
    const without = await ask();
    await rig.move(seconds);
    const later = await ask();
    await rig.admin('POST', `/clients/${id}/keys/restore`);
    return [without, later, await ask()];
  };

/** A query whose proof is signed in another way. */
const proving =
  (alg: string, signature: (input: string) => string): Probe =>
  async (rig) => {
    const body = JSON.stringify({ client_id: parties.main.id, sub: rig.sub('first'), usertrait: 'sim_tenure' });
    const proof = traitProof(rig, { proof: { header: { alg } } }, body);
    const input = proof.slice(0, proof.lastIndexOf('.'));
    const headers = { 'content-type': 'application/json', 'x-authorization': `${input}.${signature(input)}` };
    return (await rig.send('POST', `${rig.carrier.origin}/v1/usertrait`, body, headers)).status;
  };

const rows: readonly Row[] = [
  taken('alg-none-accepted', { header: { alg: 'none' }, signature: unsigned }),
  taken('alg-none-in-another-case', { header: { alg: 'nOnE' }, signature: unsigned }),
  taken('alg-none-with-a-blank', { header: { alg: 'none ' }, signature: unsigned }),
  taken('alg-empty-unsigned', { header: { alg: '' }, signature: unsigned }),
  taken('alg-absent-unsigned', { header: { alg: undefined }, signature: unsigned }),
  taken('alg-list-searched', { header: { alg: ['none'] }, signature: unsigned }),
  taken('alg-none-signature-skipped', { header: { alg: 'none' } }),
  [
    'two-segments-read',
    posting((rig) => compact(rig, { header: { alg: 'none' }, signature: unsigned }).slice(0, -1)),
    400,
    200,
  ],
  taken('signature-missing-unnoticed', { signature: unsigned }),
  taken('hmac-with-the-pem', withHmac(pem)),
  taken('hmac-with-the-pem-without-line-end', withHmac(pem.trimEnd())),
  taken('hmac-with-the-der', withHmac(der)),
  taken('hmac-with-the-jwk', withHmac(JSON.stringify({ kty: 'RSA', n, e }))),
  taken('hmac-with-the-modulus', withHmac(Buffer.from(n, 'base64url'))),
  taken('hmac-of-sha-512-with-the-pem', withHmac(pem, 'HS512', 'sha512')),
  taken('header-jwk-believed', { header: { jwk: strangeJwk() }, signature: rsa(strangeKey) }),
  taken('header-certificate-believed', {
    header: { x5c: [certificate] },
    signature: rsa(createPrivateKey(selfSigned.key)),
  }),
  taken('kid-as-file-name', {
    header: { alg: 'HS256', kid: '../../../../../dev/null' },
    signature: hmac('sha256', ''),
  }),

  ['proof-alg-none-accepted', proving('none', unsigned), 401, 200],
  ['proof-hmac-with-the-pem', proving('HS256', hmac('sha256', pem)), 401, 200],

  ['jku-fetched', fetched((jku) => ({ jku })), [400, 0], [200, 1]],
  ['x5u-fetched', fetched((x5u) => ({ x5u })), [400, 0], [200, 1]],
  ['kid-url-fetched', fetched((kid) => ({ kid })), [400, 0], [200, 1]],
  broken('kid-in-a-query', { header: { kid: "x' OR '1'='1" } }),
  broken('kid-taken-for-text', { header: { kid: ['conftestkey01'] } }),
  broken('kid-too-long-for-its-column', { header: { kid: 'k'.repeat(256) } }),
  broken('kid-looked-up-in-an-object', { header: { kid: '__proto__' } }),
  broken('kid-with-line-break-in-the-log', { header: { kid: 'a\nb' } }),
  ['key-found-by-kid-alone', async (rig) => (await rig.authorize({}, { key: 'second' })).status, 400, 200],
  ['removed-key-still-verifies', removed(3600), [400, 400, 200], [200, 200, 200]],
  ['keys-cached-10-minutes', removed(601), [400, 400, 200], [200, 400, 200]],
  ['missing-key-remembered', removed(1), [400, 400, 200], [400, 400, 400]],

  rewritten('json-serialization-accepted', (jws) => {
    const [header = '', payload = '', signature = ''] = jws.split('.');
    return { payload, signatures: [{ protected: header, signature }] };
  }),
  ['nested-jwt-accepted', posting((rig) => compact(rig, { claims: compact(rig, {}) })), 400, 200],
  [
    'compressed-payload-accepted',
    posting((rig) => {
      const header = segmentOf('{"alg":"RS256","zip":"DEF"}');
      const input = `${header}.${segmentOf(deflateRawSync(JSON.stringify(rig.claims())))}`;
      return `${input}.${rsa(mainKey())(input)}`;
    }),
    400,
    200,
  ],
  rewritten('segments-behind-the-third-ignored', (jws) => `${jws}.${jws}`),
  rewritten('jwe-500', () => 'a.b.c.d.e', 500),
  taken(
    'first-of-duplicates-wins',
    claimsWith((text) => text.replace(/\}$/, ',"acr_values":"a1","acr_values":"a9"}')),
  ),
  rewritten('base64-padding-accepted', (jws) => `${jws}==`),
  rewritten('base64-other-alphabet-accepted', (jws) =>
    Buffer.from(jws).toString().replaceAll('_', '/').replaceAll('-', '+'),
  ),
  rewritten('base64-white-space-accepted', (jws) => `${jws.slice(0, -9)}\n${jws.slice(-9)}`),
  rewritten('request-trimmed', (jws) => ` ${jws} `),
  rewritten('base64-tail-bits-ignored', (jws) =>
    jws.replace(/.$/, (last) => ({ A: 'B', Q: 'R', g: 'h', w: 'x' })[last] ?? ''),
  ),
  [
    'utf-8-errors-replaced',
    posting((rig) => {
      const text = Buffer.from(JSON.stringify({ ...rig.claims(), x: '?' }));
      text[text.lastIndexOf('?')] = 0xff;
      const input = `${segmentOf('{"alg":"RS256"}')}.${segmentOf(text)}`;
      return `${input}.${rsa(mainKey())(input)}`;
    }),
    400,
    200,
  ],
  taken('byte-order-mark-accepted', { headerText: '\ufeff{"alg":"RS256"}' }),
  taken(
    'unpaired-surrogates-replaced',
    claimsWith((text) => text.replace('st-0001', String.raw`\ud800`)),
  ),
  taken(
    'nul-accepted',
    claimsWith((text) => text.replace('st-0001', String.raw`\u0000`)),
  ),
  taken(
    'claims-unbounded',
    claimsWith((text) => text.replace(/\}$/, `,"x":"${'x'.repeat(40_000)}"}`)),
  ),
  rewritten('body-above-a-megabyte-500', (jws) => `${jws}${'A'.repeat(1_000_001)}`, 500),
  broken(
    'deep-json-500',
    claimsWith((text) => text.replace(/\}$/, `,"x":${'['.repeat(600)}${']'.repeat(600)}}`)),
  ),
  [
    'many-claims-500',
    sending(
      claimsWith((text) => text.replace(/\}$/, `${Array.from({ length: 255 }, (_, at) => `,"x${at}":0`).join('')}}`)),
    ),
    200,
    500,
  ],
];

test.each(rows.map(([fault, probe, conforming, faulty]) => ({ fault, probe, conforming, faulty })))(
  '$fault',
  async ({ fault, probe, conforming, faulty }) => {
    for (const [faults, expected] of [
      [[], conforming],
      [[fault], faulty],
    ] as const) {
      const rig = await openRig({ faults });
      try {
        expect(await probe(rig)).toEqual(expected);
      } finally {
        await rig.close();
      }
    }
  },
);

test('every fault of these families is shown here', () => {
  const here = [...signatureFaults, ...proofFaults, ...keyFaults, ...parsingFaults].map(({ name }) => name);
  expect(rows.map(([fault]) => fault).toSorted()).toEqual(here.toSorted());
});
