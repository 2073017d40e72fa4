import { type KeyObject, sign } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { makeKeyPairSync } from '../../../../lib/key-pair.ts';
import { isJsonObject, type JsonObject, parseJson } from '../../../../lib/json.ts';
import { MissingValue } from '../../../../model/suite.ts';
import { buildResponse, observedStart } from '../../../../testing/parts/observations.ts';
import type { RunMessage } from '../../../../judge/check.ts';
import type { Judgeable, EventObservation } from '../../../../judge/observation.ts';
import { checkMessage, checkRun } from '../../../../testing/parts/named-checks.ts';
import { verifyWithKey } from '../../../../judge/compact-jws.ts';

const claims = {
  iss: 'https://op.carrier.test',
  iat: observedStart,
  jti: 'event-1',
  aud: 'ccid-conftestclient01',
  sub: '001010-8f3a1c5e9b7d4e20a6c1',
  events: ['device_change', 'security_event'],
};
const header = { typ: 'set+jwt', alg: 'RS256', kid: 'carrierkey01' };
const jws = 'eyJ.e30.c2ln';

/** Valid device change, with the parts under test replaced. */
const event = (parts: Partial<EventObservation> = {}): EventObservation => ({
  kind: 'event',
  message: 'a-case#d1',
  receivedAt: observedStart + 1,
  method: 'POST',
  target: '/events',
  headers: { 'content-type': 'application/json', 'cache-control': 'no-cache' },
  headerLines: [],
  text: '',
  client: 'main',
  body: { set: jws },
  jws,
  set: claims,
  setHeader: header,
  ...parts,
});
const withClaims = (changes: JsonObject): EventObservation => event({ set: { ...claims, ...changes } });
const withHeader = (setHeader: JsonObject): EventObservation => event({ setHeader });
const unreadable = (): EventObservation => {
  const { set: _set, setHeader: _header, ...rest } = event();
  return rest;
};
const awaited = (...deliveries: EventObservation[]): Judgeable => ({
  kind: 'events',
  step: 'events',
  sentAt: observedStart,
  until: observedStart + 600,
  deliveries,
  count: deliveries.length,
  summary: `${deliveries.length} events`,
});
const revoked = event({ set: { ...claims, events: ['consent_revoked'] } });

function found(name: string, observation: Judgeable): readonly string[] {
  return checkMessage(name, observation).map(
    ({ aspect = '', path = '' }) => `${path}${aspect === '' ? '' : `#${aspect}`}`,
  );
}

const rows: readonly (readonly [name: string, what: string, observation: Judgeable, found: readonly string[]])[] = [
  ['event-body-is-a-set', 'more', event({ body: { set: jws, sub: 'x' } }), ['body#other-members']],
  ['event-body-is-a-set', 'two segments', event({ body: { set: 'a.b' } }), ['body.set']],
  ['event-body-is-a-set', 'a list', event({ body: [jws] }), ['body']],
  ['event-cache-control', 'one of two', event({ headers: { 'cache-control': 'no-store, No-Cache' } }), []],
  ['event-cache-control', 'none', event({ headers: {} }), ['headers.cache-control']],
  ['set-type', 'media type', withHeader({ typ: 'application/SET+JWT' }), []],
  ['set-type', 'RFC 8417', withHeader({ typ: 'secevent+jwt' }), ['setHeader.typ#secevent']],
  ['set-type', 'type', withHeader({ type: 'set+jwt' }), ['setHeader.type#type']],
  ['set-type', 'none', withHeader({ kid: 'k' }), ['setHeader.typ#untyped']],
  ['set-type', 'JWT', withHeader({ typ: 'JWT', type: 'set+jwt' }), ['setHeader.typ']],
  ['set-type', 'another type', withHeader({ type: 'JWT' }), ['setHeader.type']],
  ['set-has-a-kid', 'empty', withHeader({ kid: '' }), ['setHeader.kid']],
  ['set-aud-is-text', 'a list of one', withClaims({ aud: ['ccid-1'] }), ['set.aud#list']],
  ['set-aud-is-text', 'a list of two, which is another mistake', withClaims({ aud: ['ccid-1', 'ccid-2'] }), []],
  ['set-aud-is-text', 'none', withClaims({ aud: [] }), []],
  ['set-iat-is-the-time', 'an hour ago', withClaims({ iat: observedStart - 3599 }), []],
  ['set-iat-is-the-time', 'older', withClaims({ iat: observedStart - 3600 }), ['set.iat']],
  ['set-iat-is-the-time', 'a minute ahead', withClaims({ iat: observedStart + 61 }), []],
  ['set-iat-is-the-time', 'further ahead', withClaims({ iat: observedStart + 62 }), ['set.iat']],
  ['set-iat-is-the-time', 'text', withClaims({ iat: String(observedStart) }), ['set.iat']],
  ['set-iat-is-the-time', 'fraction', withClaims({ iat: observedStart + 0.5 }), []],
  ['set-has-a-jti', 'number', withClaims({ jti: 7 }), ['set.jti']],
  ['set-sub-has-a-carrier-code', '5 digits', withClaims({ sub: '31038-x' }), []],
  ['set-sub-has-a-carrier-code', 'phone', withClaims({ sub: '+12175550101' }), ['set.sub']],
  ['set-sub-has-a-carrier-code', 'nothing after the dash', withClaims({ sub: '001010-' }), ['set.sub']],
  ['set-events-name-the-change', 'sim_swap', withClaims({ events: ['sim_swap'] }), []],
  ['set-events-name-the-change', 'text', withClaims({ events: 'device_change' }), ['set.events']],
  ['set-events-name-the-change', 'empty', withClaims({ events: [] }), ['set.events']],
  ['set-events-name-the-change', 'no text', withClaims({ events: ['device_change', 1] }), ['set.events']],
  ['set-events-name-the-change', 'in capitals', withClaims({ events: ['DEVICE_CHANGE'] }), ['set.events']],
  [
    'set-events-name-the-change',
    'security_event',
    withClaims({ events: ['security_event'] }),
    ['set.events#security-event-alone'],
  ],
  [
    'set-events-name-the-change',
    'RFC 8417',
    withClaims({ events: { 'https://schemas.test/event-type/device-change': {} } }),
    ['set.events#object'],
  ],
  ['no-device-change', 'among others', awaited(revoked, event()), ['set.events#device-change']],
  ['event-is-consent-revoked', 'it is', awaited(revoked), []],
  ['event-is-consent-revoked', 'unnamed', awaited(withClaims({ events: [] })), []],
  ['event-is-consent-revoked', 'device_change', awaited(event()), ['set.events']],
  ['consent-revoked-form', 'as a device change', awaited(revoked), []],
  ['consent-revoked-form', 'a device change', awaited(event({ method: 'PUT' })), []],
  [
    'consent-revoked-form',
    'other',
    awaited({ ...revoked, method: 'PUT', headers: {}, setHeader: {} }),
    ['method', 'headers.content-type', 'headers.cache-control', 'setHeader.typ', 'setHeader.kid'],
  ],
  ['set-is-readable', 'it is', awaited(event()), []],
  ['three-retries', '4 attempts', awaited(event(), event(), event(), event()), []],
  ['three-retries', '2 attempts', awaited(event(), event()), ['deliveries#all-three']],
  ['three-retries', '1 attempt', awaited(event()), ['deliveries']],
  ['three-retries', '5 attempts', awaited(event(), event(), event(), event(), event()), ['deliveries']],
];

test.each(rows)('%s: %s', (name, _what, observation, expected) => expect(found(name, observation)).toEqual(expected));

test.each([
  ['set-type', unreadable()],
  ['set-iat-is-the-time', unreadable()],
  ['event-is-posted', revoked],
  ['event-is-posted', withClaims({ events: ['changed'] })],
  ['set-events-name-the-change', withClaims({ events: ['changed'] })],
  ['set-is-readable', awaited(unreadable())],
  ['set-aud-is-text', awaited(unreadable())],
  ['three-retries', awaited()],
])('has nothing to judge: %s', (name, observation) => expect(() => found(name, observation)).toThrow(MissingValue));

function overRun(name: string, messages: readonly RunMessage[]) {
  const { mismatches, judged } = checkRun(name, messages);
  return { judged, found: mismatches.map(({ message, path = '' }) => `${message} ${path}`) };
}

const seenIn = 'a-case';

describe('event-jtis-differ', () => {
  const later = (seconds: number, jti = 'event-1'): RunMessage => ({
    seenIn,
    event: { ...withClaims({ jti }), message: 'a-case#d2', receivedAt: observedStart + seconds },
  });
  test.each([
    ['a retry', later(180), []],
    ['another jti', later(3900, 'event-2'), []],
    ['a retry half an hour later', later(1801), []],
    ['an event that is later', later(1802), ['a-case#d2 set.jti']],
    ['the next event', later(3900), ['a-case#d2 set.jti']],
    ['another SP at once', { seenIn, event: event({ message: 'a-case#d2', client: 'second' }) }, ['a-case#d2 set.jti']],
  ])('%s', (_what, second, expected) => {
    const first = { seenIn, event: event() };
    expect(overRun('event-jtis-differ', [first, second])).toEqual({ judged: 2, found: expected });
  });
});

const base64url = (value: JsonObject): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const rsa = makeKeyPairSync({ modulusLength: 2048 });
const ec = makeKeyPairSync({ namedCurve: 'P-256' });
function jwkOf(key: KeyObject, kid: string): JsonObject {
  const jwk = parseJson(JSON.stringify(key.export({ format: 'jwk' })));
  return isJsonObject(jwk) ? { ...jwk, kid } : {};
}

function signedWith(key: KeyObject, setHeader: JsonObject): EventObservation {
  const input = `${base64url(setHeader)}.${base64url(claims)}`;
  const signature = sign('sha256', Buffer.from(input), key).toString('base64url');
  return event({ setHeader, jws: `${input}.${signature}` });
}

describe('signed by a published key', () => {
  const keysReadAt = (receivedAt: number): RunMessage => ({
    seenIn,
    response: buildResponse({
      endpoint: 'event_jwks',
      body: { keys: [jwkOf(rsa.publicKey, 'carrierkey01')] },
      receivedAt,
    }),
  });
  const keys = keysReadAt(observedStart + 60);
  test.each([
    ['its own', signedWith(rsa.privateKey, header), [], []],
    ['without kid', signedWith(rsa.privateKey, { alg: 'RS256' }), [], []],
    [
      'unknown kid',
      signedWith(rsa.privateKey, { ...header, kid: 'x' }),
      ['a-case#d1 setHeader.kid'],
      ['a-case#d1 jws'],
    ],
    ['another key', signedWith(ec.privateKey, { ...header, alg: 'ES256' }), [], ['a-case#d1 jws']],
    ['none', signedWith(rsa.privateKey, { ...header, alg: 'none' }), [], ['a-case#d1 jws']],
  ])('%s', (_what, observation, kid, signature) => {
    const messages = [{ seenIn, event: observation }, keys];
    expect(overRun('event-kid-is-published', messages)).toEqual({ judged: 1, found: kid });
    expect(overRun('event-signature-verifies', messages)).toEqual({ judged: 1, found: signature });
  });

  test.each([
    ['half an hour', 1801, ['a-case#d1 jws']],
    ['longer', 1802, []],
  ])('of another key, %s before the keys are first read', (_what, seconds, expected) => {
    const forged = { seenIn, event: signedWith(ec.privateKey, { ...header, alg: 'ES256' }) };
    const { found: mismatches } = overRun('event-signature-verifies', [forged, keysReadAt(observedStart + seconds)]);
    expect(mismatches).toEqual(expected);
  });

  test('is not judged without keys, but for one that has no signature', () => {
    const judged = (alg: string) =>
      overRun('event-signature-verifies', [{ seenIn, event: signedWith(rsa.privateKey, { ...header, alg }) }]);
    expect(judged('RS256')).toEqual({ judged: 0, found: [] });
    expect(judged('none')).toEqual({ judged: 1, found: ['a-case#d1 jws'] });
  });

  test('ES256 is the raw signature of RFC 7518', () => {
    const input = `${base64url({ alg: 'ES256' })}.${base64url(claims)}`;
    const raw = sign('sha256', Buffer.from(input), { key: ec.privateKey, dsaEncoding: 'ieee-p1363' });
    const key = jwkOf(ec.publicKey, 'k');
    expect(verifyWithKey(`${input}.${raw.toString('base64url')}`, key, 'ES256')).toBe(true);
    const der = sign('sha256', Buffer.from(input), ec.privateKey);
    expect(verifyWithKey(`${input}.${der.toString('base64url')}`, key, 'ES256')).toBe(false);
    expect(verifyWithKey(`${input}.${raw.toString('base64url')}`, { kty: 'EC' }, 'ES256')).toBe(false);
  });
});
