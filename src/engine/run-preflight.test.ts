import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer as createPlain, type Server } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import type { TlsTrust } from '../model/target.ts';
import { buildTarget } from '../testing/parts/target.ts';
import { createSender } from '../wire/send/sender.ts';
import { checkClock, checkKeys } from './preflight/probes.ts';

import { checkEndpoints, originNote } from './preflight/endpoints.ts';
import type { ProbeNote } from './context/note.ts';
import { checkPublic, createCanary, reachReceiver } from './preflight/receiver.ts';
import { buildClient, ecKey, rsaKey } from '../testing/parts/keys.ts';
import { createReceiver } from '../wire/receive/receiver.ts';

const pem = (name: string): string => readFileSync(`fixtures/broken-targets/00-valid/tls/${name}.pem`, 'utf8');
const identityOf = (name: string) => ({ cert: pem(name), key: pem(`${name}-key`) });
const ca = pem('ca');

const open: (() => unknown)[] = [];
afterEach(() => {
  for (const close of open.splice(0)) close();
});

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  open.push(() => server.close());
  const address: AddressInfo | string | null = server.address();
  return typeof address === 'object' ? (address?.port ?? 0) : 0;
}

const openTls = (options: Readonly<Record<string, unknown>> = {}): Promise<number> =>
  listen(createServer({ ...identityOf('server'), ...options }, (_, response) => response.end('{}')));

async function look(url: string, tls?: TlsTrust): Promise<ProbeNote | undefined> {
  const sender = createSender({ requestTimeout: 2, connections: 1 });
  open.push(() => sender.close());
  const target = buildTarget({ requestTimeout: 2, ...(tls === undefined ? {} : { tls }) });
  const urls = { server_initiated: `${url}/si`, token: `${url}/token` };
  const notes = await checkEndpoints(target, { issuer: '', urls }, { sender, now: Date.now });
  expect(notes).toHaveLength(1);
  return notes[0];
}

describe('endpoints', () => {
  test('the facts of TLS are described, once for each origin', async () => {
    const note = await look(`https://127.0.0.1:${await openTls()}`, { ca });
    expect(note).toMatchObject({ state: 'ok' });
    expect(note?.about).toMatch(/^https:\/\/127\.0\.0\.1:\d+ \(server_initiated, token\)$/);
    expect(note?.description).toMatch(
      /^TLSv1\.3, TLS_\w+, certificate of CN=server\.test by CN=Carrierspec test authority, \d{4,} days left$/,
    );
  });

  test('plain http is reached as well', async () => {
    const port = await listen(createPlain((_, response) => response.end('{}')));
    expect(await look(`http://127.0.0.1:${port}`)).toMatchObject({ state: 'ok', description: 'reached, without TLS' });
  });

  test.each<[string, () => Promise<ProbeNote | undefined>, string, RegExp, RegExp]>([
    [
      'an authority that nobody named',
      async () => look(`https://127.0.0.1:${await openTls()}`),
      'configuration',
      /UNABLE_TO_VERIFY_LEAF_SIGNATURE/,
      /tls: \{ ca \}/,
    ],
    [
      'a certificate of ours that is asked for',
      async () =>
        look(`https://127.0.0.1:${await openTls({ requestCert: true, rejectUnauthorized: true, ca })}`, { ca }),
      'configuration',
      /CERTIFICATE_REQUIRED/,
      /tls: \{ cert, key \}/,
    ],
    [
      'another name in the certificate',
      async () => {
        const server = createServer(identityOf('server'), (_, response) => response.end('{}'));
        server.listen(0, '127.0.0.2');
        await once(server, 'listening');
        open.push(() => server.close());
        const address: AddressInfo | string | null = server.address();
        return look(`https://127.0.0.2:${typeof address === 'object' ? address?.port : ''}`, { ca });
      },
      'carrier',
      /ALTNAME_INVALID/,
      /for another name/,
    ],
    [
      'plain http where https was said',
      async () => look(`https://127.0.0.1:${await listen(createPlain())}`),
      'configuration',
      /WRONG_VERSION|EPROTO/,
      /is it https/,
    ],
    [
      'nobody there',
      async () => {
        const server = createPlain();
        const port = await listen(server);
        server.close();
        return look(`https://127.0.0.1:${port}`);
      },
      'network',
      /ECONNREFUSED/,
      /firewall/,
    ],
    ['no such host', () => look('https://op.carrier.invalid'), 'configuration', /ENOTFOUND|EAI_AGAIN/, /spelt/],
  ])('%s', async (_, act, whose, description, change) => {
    const note = await act();
    expect(note).toMatchObject({ state: 'problem', whose });
    expect(note?.description).toMatch(description);
    expect(note?.change).toMatch(change);
  });

  test('a certificate that ends soon is worth a word', () => {
    const facts = { kind: 'tls', version: 'TLSv1.3', cipher: 'x', subject: 'a', issuer: 'b' } as const;
    const ends = (days: number) => originNote('here', { ...facts, validTo: days * 86_400_000 }, 0).state;
    expect([ends(31), ends(30), ends(29)]).toEqual(['ok', 'ok', 'warning']);
  });

  test('a URL of a hostile configuration that cannot be called', async () => {
    const sender = createSender({ requestTimeout: 1, connections: 1 });
    open.push(() => sender.close());
    const urls = { server_initiated: 'mailto:a@b.test', token: 'javascript:alert(1)' };
    const notes = await checkEndpoints(buildTarget(), { issuer: '', urls }, { sender, now: Date.now });
    expect(notes.map(({ about, state, whose }) => [about, state, whose])).toEqual([
      ['server_initiated', 'problem', 'carrier'],
      ['token', 'problem', 'carrier'],
    ]);
  });

  test('the endpoint of requests is not named', async () => {
    const sender = createSender({ requestTimeout: 1, connections: 1 });
    open.push(() => sender.close());
    const notes = await checkEndpoints(
      buildTarget(),
      { issuer: '', urls: {} },
      { required: 'server_initiated', sender, now: Date.now },
    );
    expect(notes).toMatchObject([{ state: 'problem', about: 'server_initiated', whose: 'configuration' }]);
  });
});

describe('the receiver', () => {
  test('with a certificate that is not trusted from here it is reached all the same, with a warning', async () => {
    const probe = createCanary();
    const tls = identityOf('server');
    const receiver = await createReceiver({ host: '127.0.0.1', port: 0, tls, now: Date.now, onDelivery: probe.take });
    open.push(() => receiver.close());
    const [note] = await reachReceiver(receiver.origin, probe, buildTarget());
    expect(note).toMatchObject({ state: 'warning', whose: 'configuration' });
    expect(note?.description).toMatch(
      /^a request to it arrived at the receiver, but its certificate is not trusted from here/,
    );
    const again = createCanary();
    const other = await createReceiver({ host: '127.0.0.1', port: 0, tls, now: Date.now, onDelivery: again.take });
    open.push(() => other.close());
    expect(await reachReceiver(other.origin, again, buildTarget({ tls: { ca } }))).toMatchObject([{ state: 'ok' }]);
  });

  test.each([
    ['http://127.0.0.1:8602', 'https://op.carrier.test/si', 1],
    ['http://localhost:8602', 'https://op.carrier.test/si', 1],
    ['http://127.0.0.1:8602', 'http://127.0.0.1:8600/si', 0],
    ['https://sp.test', 'https://op.carrier.test/si', 0],
    ['http://127.0.0.1:8602', undefined, 0],
  ])('%s for a carrier at %s: %i problems', (url, endpoint, count) => {
    expect(checkPublic(url, endpoint)).toHaveLength(count);
  });
});

describe('keys and clocks', () => {
  test('one key of two clients is a problem, an odd kid a warning', () => {
    const clients = [
      buildClient({ name: 'main', keys: [rsaKey()] }),
      buildClient({ name: 'second', keys: [rsaKey()] }),
      buildClient({ name: 'third', keys: [{ ...ecKey(), kid: 'not-so' }] }),
      buildClient({ name: 'fourth', keys: [] }),
    ];
    const notes = checkKeys(buildTarget({ clients }));
    expect(notes.map(({ state }) => state)).toEqual(['problem', 'problem', 'warning', 'warning']);
    expect(notes[0]?.description).toContain('main and second');
  });

  test.each([
    [{ offset: 400, uncertainty: 500 }, 'ok'],
    [{ offset: -5400, uncertainty: 500 }, 'ok'],
    [{ offset: -61_000, uncertainty: 500 }, 'warning'],
    [undefined, 'skipped'],
  ])('%j is %s', (skew, state) => {
    expect(checkClock({}, skew)).toMatchObject({ state });
  });

  test('a Date that is not believed is said', () => {
    const note = checkClock({}, undefined, 'a Date that is no date');
    expect(note).toMatchObject({ state: 'warning', whose: 'carrier' });
    expect(note.description).toMatch(/^the carrier sends a Date that is no date: .* by our clock$/);
  });

  test('which way it is off is said', () => {
    const note = checkClock({}, { offset: -61_000, uncertainty: 500 });
    expect(note.description).toBe('the carrier’s clock is 61.0 s behind ours (± 0.5 s)');
  });
});
