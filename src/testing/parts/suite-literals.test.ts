import { describe, expect, test } from 'vitest';
import { findLiterals, literalsInSuites, fixtureLiterals, renderLiteral } from './suite-literals.ts';

const registrations = {
  mccmnc: '001010',
  discovery_ui: 'https://discovery.test/ui',
  other_carriers: [{ mccmnc: '001020', issuer: 'https://other.carrier.test' }],
  clients: [
    {
      client_id: 'ccid-one',
      keys: [{ kty: 'RSA', kid: 'key01', n: '7ks0L3YwhlJj' }],
      redirect_uris: ['https://sp.test/cb', 'sptest://cb'],
      notification_uris: [`\${RECEIVER}/si/notify`],
      event_uri: `\${RECEIVER}/events`,
    },
  ],
  subscribers: [{ phone: '+12175550101', profile: { name: { value: 'Test First' }, country: 'US' } }],
};
const target = { subscribers: { first: { subs: { main: '001010-c8ea0b1f' } } } };
const literals = fixtureLiterals(registrations, target);
const found = (text: string) => findLiterals(text, literals).map(({ text: word, kind }) => `${kind}: ${word}`);

describe('literals of the fixture', () => {
  test.each([
    ['client_id: ccid-one', 'a client id: ccid-one'],
    ['kid: key01', 'a kid: key01'],
    ['n: 7ks0L3YwhlJj', 'a key: 7ks0L3YwhlJj'],
    ['a: "https://sp.test/cb"', 'a redirect URI: https://sp.test/cb'],
    ['a: "http://sp.test:443/cb"', 'a host of a redirect URI: sp.test'],
    ['a: "https://SP.test./"', 'a host of a redirect URI: sp.test'],
    ['a: "SPTEST:other"', 'a host of a redirect URI: sptest'],
    ['at: "/si/notify"', 'a notification URI: /si/notify'],
    ['at: /events', 'an event endpoint: /events'],
    ['login_hint: 001010-c8ea0b1f', 'a subscriber id: 001010-c8ea0b1f'],
    ['login_hint: "001010-0000"', 'the carrier code: 001010'],
    ['mccmnc: "001020"', 'a carrier code of others: 001020'],
    ['to: https://discovery.test/x', 'a URL of the carrier: discovery.test'],
    ['phone: "+12175550101"', 'a phone number: +12175550101'],
    ['name: Test First', 'a value of a profile: Test First'],
  ])('%s', (line, expected) => expect(found(line)).toEqual([expected]));

  test.each([
    'country: US',
    'title: It accepts several events',
    'a: "{{ client.redirect_uri }}"',
    'a: https://crisp.test/',
  ])('nothing in: %s', (line) => expect(found(line)).toEqual([]));

  test('says where, and what to write instead', () =>
    expect(
      findLiterals('a: 1\n  kid: key01\n', literals).map((one) => renderLiteral('suites/a.suite.yaml', one)),
    ).toEqual(['suites/a.suite.yaml:2:8: key01 is a kid of the reference carrier; write {{ client.key.kid }}']));

  test('no suite names one', () => expect(literalsInSuites()).toEqual([]));
});
