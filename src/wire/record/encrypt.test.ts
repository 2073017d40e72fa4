import { describe, expect, test } from 'vitest';
import { buildClient } from '../../testing/keys.ts';
import { createSeal } from './encrypt.ts';

const client = buildClient({ secret: 'the secret of a test' });
const token = 'eyJhbGciOiJFUzI1NiJ9.e30.c2ln 😀';

describe('what a record must not show', () => {
  test('opens with the keys of the target, and with no others', () => {
    const encrypted = createSeal([client]).close(token);
    expect(createSeal([client]).open(encrypted)).toBe(token);
    expect(createSeal([{ ...client, secret: 'another secret' }]).open(encrypted)).toBeUndefined();
    expect(createSeal([{ ...client, keys: [] }]).open(encrypted)).toBeUndefined();
  });

  test('is sealed anew each time, and nothing of it can be read', () => {
    const { close } = createSeal([client]);
    expect(close(token)).not.toBe(close(token));
    expect(Buffer.from(close(token), 'base64').toString('latin1')).not.toContain('eyJ');
  });

  test.each([0, 12, 28, 40])('does not open where byte %i was changed', (at) => {
    const { close, open } = createSeal([client]);
    const bytes = Buffer.from(close(token), 'base64');
    bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);
    expect(open(bytes.toString('base64'))).toBeUndefined();
  });

  test.each(['', 'AAAA', 'no base64 at all'])('does not open what was never sealed: %j', (text) => {
    expect(createSeal([client]).open(text)).toBeUndefined();
  });
});
