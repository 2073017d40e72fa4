import { expect, test } from 'vitest';
import type { Json } from '../../lib/json.ts';
import { eventKinds, unknownEventNames } from './event-kinds.ts';

const rows: readonly (readonly [what: string, events: Json, kinds: readonly string[]])[] = [
  ['a device change', ['device_change', 'security_event'], ['device_change']],
  ['a swap by another name', ['sim_swap'], ['device_change']],
  ['a revoked consent', ['consent_revoked'], ['consent_revoked']],
  ['a revoked consent as RFC 8417 has it', { 'https://carrier.test/events/consent-revoked': {} }, ['consent_revoked']],
  ['another event of the carrier', ['profile_change', 'security_event'], []],
  ['a verification', { 'https://schemas.openid.net/secevent/ssf/event-type/verification': {} }, []],
  [
    'a device change by the name of RFC 8417 in a list',
    ['https://carrier.test/events/DeviceChange'],
    ['device_change'],
  ],
  ['a kind that the interface does not know', { 'https://carrier.test/events/phone-lost': {} }, []],
  ['one, beside the name of the sample', ['phone_lost', 'security_event'], []],
  ['the name of the sample alone', ['security_event'], ['device_change', 'consent_revoked']],
  ['no name', null, ['device_change', 'consent_revoked']],
];

test.each(rows)('%s', (_what, events, kinds) => {
  const found = Object.keys(eventKinds).filter((name) => eventKinds[name]?.({ events }));
  expect(found).toEqual(kinds);
});

test.each<[Json, readonly string[]]>([
  [
    ['phone_lost', 'security_event'],
    ['phone_lost', 'security_event'],
  ],
  [['phone_lost', 'device_change'], []],
  [['profile_change'], []],
  [['security_event'], []],
  [[], []],
])('the unknown names of %j', (events, names) => expect(unknownEventNames({ events })).toEqual(names));
