import { deflateRawSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { buildClient } from '../../testing/parts/keys.ts';
import { createRecordCipher } from './record-cipher.ts';

const client = buildClient({ secret: 'the secret of a test' });
const token = 'eyJhbGciOiJFUzI1NiJ9.e30.c2ln 😀';

describe('what a record must not show', () => {
  test('opens with the keys of the target, and with no other keys', () => {
    const encrypted = createRecordCipher([client]).encrypt(token);
    expect(createRecordCipher([client]).decrypt(encrypted)).toBe(token);
    expect(createRecordCipher([{ ...client, secret: 'another secret' }]).decrypt(encrypted)).toBeUndefined();
    expect(createRecordCipher([{ ...client, keys: [] }]).decrypt(encrypted)).toBeUndefined();
  });

  test('is encrypted anew each time, and nothing of it can be read', () => {
    const { encrypt } = createRecordCipher([client]);
    expect(encrypt(token)).not.toBe(encrypt(token));
    expect(Buffer.from(encrypt(token), 'base64').toString('latin1')).not.toContain('eyJ');
  });

  test('is a nonce of 96 bits, a tag of 128 and the compressed text, so that later versions open it', () => {
    const { encrypt } = createRecordCipher([client]);
    const size = Buffer.from(encrypt(token), 'base64').length;
    expect(size).toBe(12 + 16 + deflateRawSync(token, { level: 1 }).length);
  });

  test.each([0, 12, 28, 40])('does not open where byte %i was changed', (at) => {
    const { encrypt, decrypt } = createRecordCipher([client]);
    const bytes = Buffer.from(encrypt(token), 'base64');
    bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);
    expect(decrypt(bytes.toString('base64'))).toBeUndefined();
  });

  test.each(['', 'AAAA', 'no base64 at all'])('does not open what was never encrypted: %j', (text) =>
    expect(createRecordCipher([client]).decrypt(text)).toBeUndefined(),
  );
});
