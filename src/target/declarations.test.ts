import { createHash, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Target } from '../model/target.ts';
import type { Case } from '../suite/suites.ts';
import { buildClient } from '../testing/parts/keys.ts';
import { buildTarget } from '../testing/parts/target.ts';
import { postTo } from '../testing/carriers/drivers.ts';
import { listDeclarations } from './declarations.ts';

/** Cases with every requirement that a case can have on a client. */
const casesOf = (client: Case['client']): Pick<Case, 'client' | 'requires'> => ({
  client,
  requires: ['action:approve', 'second-notification-uri', 'redirect-uri:https', 'redirect-uri:custom', 'scope:email'],
});
const everyCase = [casesOf('main'), casesOf('second')];

const shown = (target: Target, cases: readonly Pick<Case, 'client' | 'requires'>[] = everyCase) =>
  listDeclarations(target, { cases }).map(({ key, value, words }) => [key, value, words]);

test('a target file that declares nothing', () => {
  const { proof: _, ...target } = buildTarget();
  expect(listDeclarations(target, { cases: everyCase })).toEqual([]);
});

test('every declaration, with its key, its value and a sentence', () => {
  const target = buildTarget({
    supports: { cancel: false, location: true },
    latency: { callback: 120, sim_swap: 10_800 },
    attributes: ['name', 'email'],
    carrierCodes: { own: ['001010', '001011'], foreign: ['001012'] },
    assertionAudience: 'issuer',
    userinfoProof: true,
    endpoints: { event_jwks: 'https://events.test/jwks' },
    origins: ['https://keys.test', 'https://b.test'],
    casesPerSubscriber: 2,
    drivers: {
      approve: postTo('https://admin.test/'),
      'move-sim': { ...postTo('https://admin.test/'), takesEffect: 45 },
    },
  });
  expect(shown(target)).toEqual([
    ['origins', ['https://keys.test', 'https://b.test'], 'the carrier is at https://keys.test, https://b.test as well'],
    ['supports.cancel', false, 'the carrier has no cancel'],
    ['supports.location', true, 'the carrier has location'],
    ['latency.callback', 120, 'a callback comes within 120 s'],
    ['latency.sim_swap', 10_800, 'a SIM swap shows within 10800 s'],
    ['attributes', ['name', 'email'], 'the attributes of user info are name, email'],
    ['carrier_codes.own', ['001010', '001011'], 'the codes of the carrier are 001010, 001011'],
    ['carrier_codes.foreign', ['001012'], 'codes of other carriers are 001012'],
    ['proof', 'taap', 'proofs of possession are of the format taap'],
    ['token.assertion_audience', 'issuer', 'client assertions are meant for issuer'],
    ['userinfo.proof', true, 'user info wants a proof of possession'],
    ['events.jwks', 'https://events.test/jwks', 'the keys of events are at https://events.test/jwks'],
    ['cases_per_subscriber', 2, '2 cases of one subscriber at a time'],
    ['drivers.move-sim.takes_effect', 45, 'move-sim takes effect after 45 s'],
  ]);
});

describe('endpoints', () => {
  const endpoints = {
    token: 'https://me:hush@op.test/token',
    cancel: 'https://op.test/{auth_req_id}',
    event_jwks: 'https://me:hush@events.test/jwks',
  };

  test('each URL that overrides discovery, without a password; the event keys once', () => {
    expect(shown(buildTarget({ discovery: 'https://discovery.test', endpoints }), [])).toEqual([
      ['endpoints.token', 'https://***@op.test/token', expect.stringContaining('the endpoint token is https://***@op')],
      [
        'endpoints.cancel',
        'https://op.test/{auth_req_id}',
        'the endpoint cancel is https://op.test/{auth_req_id}, whatever discovery says',
      ],
      ['proof', 'taap', expect.anything()],
      ['events.jwks', 'https://***@events.test/jwks', 'the keys of events are at https://***@events.test/jwks'],
    ]);
  });

  test('none without discovery, because the file must name them', () =>
    expect(shown(buildTarget({ endpoints }), []).map(([key]) => key)).toEqual(['proof', 'events.jwks']));
});

describe('an unmet requirement on a registration', () => {
  const { proof: _, ...plain } = buildTarget();
  const withClients = (...clients: Target['clients']): Target => ({ ...plain, clients });

  test('is declared for each client, in the order of the documentation', () => {
    const main = buildClient({
      redirectUris: ['sptest://cb'],
      notificationUris: ['/si/notify'],
      scopes: ['openid', 'name'],
    });
    const second = buildClient({ name: 'second', redirectUris: ['https://sp.test/cb'] });
    const cases = [...everyCase, { client: 'main', requires: ['scope:phone', 'scope:name'] }];
    expect(shown(withClients(main, second), cases)).toEqual([
      ['clients.main.redirect_uris', ['sptest://cb'], 'client main has no redirect_uri with https'],
      ['clients.main.notification_uris', ['/si/notify'], 'client main has registered one URI for notifications'],
      ['clients.main.scopes', ['openid', 'name'], 'client main is not registered for the scopes email, phone'],
      [
        'clients.second.redirect_uris',
        ['https://sp.test/cb'],
        'client second has no redirect_uri with a custom scheme',
      ],
    ]);
  });

  test('is not declared if no case of the client requires it', () => {
    const main = buildClient({ redirectUris: [], notificationUris: [], scopes: [] });
    const cases = [casesOf('second'), { client: 'main', requires: ['action:approve'] }];
    expect(shown(withClients(main), cases)).toEqual([]);
  });

  test('is declared for the client that a case finds by its flags', () => {
    const main = buildClient({ notificationUris: ['/a'] });
    const plainOne = buildClient({ name: 'plain', notificationUris: ['/b'], flags: {} });
    const cases = [{ client: { server_initiated: false }, requires: ['second-notification-uri'] }];
    expect(shown(withClients(main, plainOne), cases).map(([key]) => key)).toEqual(['clients.plain.notification_uris']);
  });
});

describe('delivery_timeout', () => {
  const keysOf = (parts: Partial<Target>) =>
    shown(buildTarget(parts)).flatMap(([key]) => (key === 'proof' ? [] : [key]));

  test('is declared where callbacks are awaited for longer than the latency says', () => {
    expect(shown(buildTarget({ deliveryTimeout: 300, latency: { callback: 120 } })).slice(0, 2)).toEqual([
      ['delivery_timeout', 300, 'a callback is awaited for 300 s'],
      ['latency.callback', 120, 'a callback comes within 120 s'],
    ]);
    expect(keysOf({ deliveryTimeout: 31 })).toEqual(['delivery_timeout']);
    expect(keysOf({ deliveryTimeout: 20, latency: { callback: 10 } })).toEqual([
      'delivery_timeout',
      'latency.callback',
    ]);
  });

  test('is not declared up to the latency, nor at its default', () => {
    expect(keysOf({ deliveryTimeout: 120, latency: { callback: 120 } })).toEqual(['latency.callback']);
    expect(keysOf({ deliveryTimeout: 5 })).toEqual([]);
    expect(keysOf({ deliveryTimeout: 30, latency: { callback: 10 } })).toEqual(['latency.callback']);
  });
});

test('its own CA certificates, each by its SHA-256', () => {
  const pem = readFileSync('fixtures/broken-targets/00-valid/tls/ca.pem', 'utf8');
  const { raw } = new X509Certificate(pem);
  const print = `sha256:${createHash('sha256').update(raw).digest('hex')}`;
  const two = shown(buildTarget({ tls: { ca: `${pem}\n${pem}` } }));
  expect(two.slice(1)).toEqual([
    ['tls.ca', [print, print], expect.stringContaining(`are trusted: ${print}, ${print}`)],
  ]);
  expect(shown(buildTarget({ tls: { minVersion: 'TLSv1.3' } })).slice(1)).toEqual([]);
});
