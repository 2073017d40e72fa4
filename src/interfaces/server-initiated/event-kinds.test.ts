import { expect, test } from 'vitest';
import type { Json } from '../../lib/json.ts';
import { eventKinds } from './event-kinds.ts';

const rows: readonly (readonly [what: string, events: Json, kinds: readonly string[]])[] = [
  ['a device change', ['device_change', 'security_event'], ['device_change']],
  ['a swap by another name', ['sim_swap'], ['device_change']],
  ['a revoked consent', ['consent_revoked'], ['consent_revoked']],
  ['a revoked consent as RFC 8417 has it', { 'https://carrier.test/events/consent-revoked': {} }, ['consent_revoked']],
  ['another event of the carrier', ['profile_change', 'security_event'], []],
  ['a verification', { 'https://schemas.openid.net/secevent/ssf/event-type/verification': {} }, []],
  ['the name of the sample alone', ['security_event'], ['device_change', 'consent_revoked']],
  ['no name', null, ['device_change', 'consent_revoked']],
];

test.each(rows)('%s', (_what, events, kinds) => {
  const found = Object.keys(eventKinds).filter((name) => eventKinds[name]?.({ events }));
  expect(found).toEqual(kinds);
});
