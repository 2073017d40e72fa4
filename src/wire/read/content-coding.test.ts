import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { maxBodyBytes } from './collect-body.ts';
import { undoCodings } from './read-body.ts';

const plain = Buffer.from('{"error":"invalid_request"}');

describe('what is undone', () => {
  test.each<[string, Buffer]>([
    ['', plain],
    [' , ,', plain],
    ['identity', plain],
    ['gzip', gzipSync(plain)],
    ['GZip', gzipSync(plain)],
    ['x-gzip', gzipSync(plain)],
    ['deflate', deflateSync(plain)],
    ['deflate', deflateRawSync(plain)],
    ['br', brotliCompressSync(plain)],
    ['identity, gzip', gzipSync(plain)],
    ['deflate, gzip', gzipSync(deflateSync(plain))],
    ['br, deflate, gzip', gzipSync(deflateSync(brotliCompressSync(plain)))],
  ])('%j', (header, bytes) => {
    const decoded = undoCodings(header, bytes);
    expect('bytes' in decoded && decoded.bytes.toString()).toBe(plain.toString());
  });

  test.each(['gzip', 'deflate', 'br', 'zstd', 'gzip, gzip, gzip, gzip'])('an empty body in %s is empty', (header) =>
    expect(undoCodings(header, Buffer.alloc(0))).toEqual({ bytes: Buffer.alloc(0) }),
  );
});

describe('what is wrong', () => {
  const known = 'one of gzip, x-gzip, deflate, br, identity';
  const notIn = (name: string) => ({ wrong: { expected: `a body in ${name}`, actual: 'one that is not' } });

  test.each<[string, string, Buffer, unknown]>([
    ['plain text', 'gzip', plain, notIn('gzip')],
    ['plain text', 'deflate', plain, notIn('deflate')],
    ['plain text', 'br', plain, notIn('br')],
    // The first bytes are a complete deflate block; the rest is left over.
    ['text in lines', 'deflate', Buffer.from('{\n "error": "invalid_request"\n}'), notIn('deflate')],
    ['more behind it', 'br', Buffer.concat([brotliCompressSync(plain), plain]), notIn('br')],
    ['cut off', 'gzip', gzipSync(plain).subarray(0, -9), notIn('gzip')],
    ['a wrong checksum', 'gzip', Buffer.concat([gzipSync(plain).subarray(0, -8), Buffer.alloc(8)]), notIn('gzip')],
    ['only the header', 'gzip', gzipSync(plain).subarray(0, 10), notIn('gzip')],
    ['one byte', 'gzip', Buffer.from([0x1f]), notIn('gzip')],
    ['the other coding', 'gzip', deflateSync(plain), notIn('gzip')],
    ['the inner one is not', 'deflate, gzip', gzipSync(plain), notIn('deflate')],
    ['the order is wrong', 'gzip, deflate', gzipSync(deflateSync(plain)), notIn('deflate')],
    ['unknown', 'zip', plain, { wrong: { expected: known, actual: 'zip' } }],
    ['of the registry', 'zstd', plain, { wrong: { expected: known, actual: 'zstd' }, other: 'zstd' }],
    ['a name of Object', 'constructor', plain, { wrong: { expected: known, actual: 'constructor' } }],
    ['a name of Object', '__proto__', plain, { wrong: { expected: known, actual: '__proto__' } }],
    ['too many', 'gzip, gzip, gzip, gzip', plain, { wrong: { expected: 'at most 3 codings', actual: 'more' } }],
    ['far too many', 'gzip,'.repeat(10_000), plain, { wrong: { expected: 'at most 3 codings', actual: 'more' } }],
  ])('%s: %.30s', (_, header, bytes, expected) => expect(undoCodings(header, bytes)).toEqual(expected));
});

describe('what inflates', () => {
  const zeros = (length: number): Buffer => Buffer.alloc(length);

  test.each<[string, (bytes: Buffer) => Buffer]>([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['deflate', deflateRawSync],
    ['br', brotliCompressSync],
  ])('is bounded while it is: %s', (name, code) => {
    const whole = undoCodings(name, code(zeros(maxBodyBytes)));
    expect('bytes' in whole && whole.bytes.length).toBe(maxBodyBytes);
    const tooLong = { expected: `at most ${maxBodyBytes} bytes when ${name} is undone`, actual: 'more' };
    expect(undoCodings(name, code(zeros(maxBodyBytes + 1)))).toEqual({ tooLong });
    expect(undoCodings(name, code(zeros(5_000_000)))).toEqual({ tooLong });
  });

  test('also in several layers', () => {
    const bomb = gzipSync(gzipSync(zeros(5_000_000)));
    expect(undoCodings('gzip, gzip', bomb)).toEqual({
      tooLong: { expected: `at most ${maxBodyBytes} bytes when gzip is undone`, actual: 'more' },
    });
  });
});
