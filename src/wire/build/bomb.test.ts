import { gunzipSync, inflateRawSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { deflatedBomb, gzippedBomb } from './tamper-signed.ts';

const body = Buffer.from('{"request":"…"}');
const expected = Buffer.concat([body, Buffer.alloc(3 * 1024 * 1024, ' ')]);

test.each([
  ['deflate', deflatedBomb, inflateRawSync],
  ['gzip', gzippedBomb, gunzipSync],
] as const)('what %s compresses piece by piece is one text', (_, pack, unpack) => {
  const packed = pack(body, 3);
  expect(packed.length).toBeLessThan(8 * 1024);
  expect(unpack(packed).equals(expected)).toBe(true);
  expect(unpack(pack(Buffer.alloc(0), 0))).toHaveLength(0);
});
