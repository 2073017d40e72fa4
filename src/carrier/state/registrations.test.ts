import { expect, test } from 'vitest';
import { makeKeyPairSync } from '../../lib/key-pair.ts';
import { importPublicJwk } from '../jose/jws.ts';
import type { Json, JsonObject } from '../json.ts';
import { OptionError, parseOptions } from '../options.ts';
import { openSetup, privateJwk, readRegistrations, textMember } from '../testing/setup.ts';
import { openAccounts } from './accounts.ts';
import { parseRegistrations, RegistrationError } from './registrations.ts';

const good = readRegistrations('http://127.0.0.1:9');

/** Copy of the registrations with the value at `path` changed. */
function changed(path: readonly (string | number)[], value: Json | undefined): unknown {
  const copy: unknown = structuredClone(good);
  let at: unknown = copy;
  for (const step of path.slice(0, -1)) at = typeof at === 'object' && at !== null ? Reflect.get(at, step) : undefined;
  const last = path.at(-1);
  if (typeof at !== 'object' || at === null || last === undefined) throw new Error('no such path');
  if (value === undefined) Reflect.deleteProperty(at, last);
  else Reflect.set(at, last, value);
  return copy;
}

test.each([
  [['mccmnc'], undefined, 'mccmnc must be a non-empty string'],
  [['mccmnc'], '1', 'mccmnc must be 5 or 6 digits'],
  [['clients'], {}, 'clients must be a list'],
  [['clients', 1, 'client_id'], 'ccid-conftestclient01', 'clients name ccid-conftestclient01 twice'],
  [['clients', 0, 'flags', 'events'], 'on', 'clients[0].flags.events must be true or false'],
  [['clients', 0, 'redirect_uris', 0], 'http://sp.test/cb', 'clients[0].redirect_uris cannot hold http://sp.test/cb'],
  [['clients', 0, 'redirect_uris', 0], 'https://*.sp.test', 'clients[0].redirect_uris cannot hold https://*.sp.test'],
  [
    ['clients', 0, 'notification_uris', 0],
    'http://sp.test/n',
    'clients[0].notification_uris cannot hold http://sp.test/n',
  ],
  [
    ['clients', 0, 'notification_uris', 0],
    'https://a@sp.test',
    'clients[0].notification_uris cannot hold https://a@sp.test',
  ],
  [['clients', 0, 'keys', 0, 'kid'], undefined, 'clients.main.keys[0] must have kid and alg'],
  [
    ['clients', 0, 'keys', 0, 'alg'],
    'ES256',
    'clients.main.keys[0] must be a public RSA key of 2048 bits or more (RS256), or EC P-256 (ES256)',
  ],
  [
    ['clients', 0, 'keys', 0, 'd'],
    'AQAB',
    'clients.main.keys[0] must be a public RSA key of 2048 bits or more (RS256), or EC P-256 (ES256)',
  ],
  [['clients', 2, 'keys', 1, 'kid'], 'conftestkey03AaaaBbbbCcccDdddEeee001', 'clients.two-keys.keys name a kid twice'],
  [['subscribers', 0, 'enrolled'], 1, 'subscribers[0].enrolled must be true or false'],
  [['subscribers', 0, 'subs', 'main'], '31041-x', 'subscribers[0].subs.main must begin with 001010-'],
  [['subscribers', 0, 'consents', 'main'], 'openid', 'subscribers[0].consents.main must be a list'],
] as const)('%j as %j: %s', (path, value, message) => {
  const open = () => openAccounts(parseRegistrations(changed(path, value)), { now: 0, simSwapLag: 0 });
  expect(open).toThrow(
    new RegistrationError(message.slice(0, message.indexOf(' ')), message.slice(message.indexOf(' ') + 1)),
  );
});

test('only public keys that are strong enough are imported', () => {
  const short = makeKeyPairSync({ modulusLength: 1024 }).publicKey.export({ format: 'jwk' });
  const other = makeKeyPairSync({ namedCurve: 'P-384' }).publicKey.export({ format: 'jwk' });
  const { d: _, ...point } = privateJwk('ec');
  expect(importPublicJwk(point)).toMatchObject({ alg: 'ES256', jwk: { kty: 'EC', crv: 'P-256' } });
  for (const bad of [
    short,
    other,
    privateJwk('main'),
    privateJwk('ec'),
    { kty: 'oct', k: 'AA' },
    { ...point, x: 'AA' },
    [],
    null,
  ]) {
    expect(importPublicJwk(bad)).toBeUndefined();
  }
});

const options: JsonObject = { registrations: good, clock: 'virtual' };

test('options from another thread are read strictly', () => {
  const given = { ...options, startAt: 5, variants: { grantedAs: 'digits' }, ports: { admin: 0 } };
  expect(parseOptions(given)).toEqual(given);
  const bad: [Json, string][] = [
    [7, 'must be an object'],
    [{ ...options, clock: 'atomic' }, 'clock must be real or virtual'],
    [{ ...options, startAt: 'now' }, 'startAt must be milliseconds'],
    [{ ...options, variants: { contextMux: 7 } }, 'there is no policy value contextMux'],
    [{ ...options, variants: { contextMax: '7' } }, 'contextMax must be a number'],
    [{ ...options, variants: { outside: 'both' } }, 'outside must be ignore or refuse'],
    [{ ...options, ports: { public: 'any' } }, 'ports.public must be a number'],
  ];
  for (const [value, message] of bad) expect(() => parseOptions(value)).toThrow(new OptionError(message));
});

test('variants are other choices the interface leaves open', async () => {
  const setup = await openSetup({
    variants: { grantedAs: 'digits', maxGrant: 120, subRequired: false, outside: 'refuse', formAccepted: true },
  });
  expect((await setup.authorize({ sub: undefined })).body['expires_in']).toBe('120');
  const conflict = await setup.post({ request: setup.sign(setup.claims()), state: 'OUT' });
  expect(conflict.body['error_description']).toBe('a value differs inside and outside the request object');
  const claims = setup.claims();
  expect((await setup.post({ request: setup.sign(claims), ...claims, sdk_version: '1.1' })).status).toBe(200);
  const form = new URLSearchParams({ request: setup.sign(setup.claims()) }).toString();
  const type = { 'content-type': 'application/x-www-form-urlencoded' };
  expect((await setup.send('POST', `${setup.carrier.origin}/bc-authorize`, form, type)).status).toBe(200);
  await setup.close();
});

test('callbacks are sent again where the policy says so', async () => {
  const setup = await openSetup({ variants: { callbackRetries: 2 } });
  setup.replies.push({ status: 503 }, { status: 503 }, { status: 200 });
  const { body } = await setup.authorize();
  await setup.admin('POST', `/requests/${textMember(body, 'auth_req_id')}/deny`);
  await setup.settle();
  const counts = [setup.callbacks.length];
  for (const step of [59, 1, 60, 600]) {
    await setup.move(step);
    counts.push(setup.callbacks.length);
  }
  expect(counts).toEqual([1, 1, 2, 3, 3]);
  await setup.close();
});
