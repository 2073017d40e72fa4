import type { lookup, LookupAddress } from 'node:dns';
import { expect, test } from 'vitest';
import { createHostResolver, LinkLocalError } from './connections.ts';
import { toMissingResponse } from './send-result.ts';

/** Result of resolving a name that has these addresses. */
function resolved(addresses: readonly string[], all = true): unknown {
  const found = addresses.map((address): LookupAddress => ({ address, family: address.includes(':') ? 6 : 4 }));
  const by = ((_: string, __: unknown, done: (error: null, found: LookupAddress[]) => void) =>
    done(null, found)) as unknown;
  let given: unknown;
  createHostResolver(by as typeof lookup)('op.carrier.test', { all }, (error, one) => {
    given = error ?? one;
  });
  return given;
}

test.each([
  ['169.254.169.254'],
  ['169.254.0.1'],
  ['fe80::1'],
  ['fd00:ec2::254'],
  ['fd20:ce::254'],
  ['168.63.129.16'],
  ['192.0.0.192'],
  ['64:ff9b::a9fe:a9fe'],
  ['64:ff9b::169.254.169.254'],
  ['64:ff9b::100.100.100.200'],
  ['64:ff9b::168.63.129.16'],
  ['64:ff9b::192.0.0.192'],
  ['100.100.100.200'],
  ['::ffff:169.254.169.254'],
])('a name that leads to %s is not called, whatever else it leads to', (address) => {
  expect(resolved([address])).toBeInstanceOf(LinkLocalError);
  const error = resolved(['192.0.2.1', address], false);
  expect(error).toBeInstanceOf(LinkLocalError);
  expect(error instanceof Error && toMissingResponse(error)).toMatchObject({ reason: 'unresolved', unsent: true });
});

test('any other is', () => {
  expect(resolved(['192.0.2.1'], false)).toBe('192.0.2.1');
  expect(resolved(['127.0.0.1', '2001:db8::1', '10.0.0.1'])).toHaveLength(3);
  expect(toMissingResponse(new Error('x'))).toEqual({ reason: 'protocol', detail: 'x' });
});
