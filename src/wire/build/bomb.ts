import { constants, crc32, deflateRawSync, gzipSync } from 'node:zlib';

const megabyte = 1024 * 1024;
const spaces = Buffer.alloc(megabyte, ' ');

/** Compressed so far, at the end of a byte: more may follow. */
const open = (bytes: Uint8Array): Buffer => deflateRawSync(bytes, { finishFlush: constants.Z_FULL_FLUSH });

/** The last block (RFC 1951 §3.2.3), with nothing in it. */
const end = Buffer.from([0x03, 0x00]);

let packed: Buffer | undefined;

/** Bytes with so many megabytes of white space behind them, compressed (RFC 1951); what repeats is compressed once. */
export function deflatedBomb(bytes: Uint8Array, megabytes: number): Buffer {
  packed ??= open(spaces);
  const block = packed;
  return Buffer.concat([open(bytes), ...Array.from({ length: megabytes }, () => block), end]);
}

const littleEndian = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value >>> 0);
  return bytes;
};

/** A header of gzip is the same whatever follows (RFC 1952 §2.3). */
const header = gzipSync(Buffer.alloc(0)).subarray(0, 10);

/** The same as gzip. */
export function gzippedBomb(bytes: Uint8Array, megabytes: number): Buffer {
  let check = crc32(bytes);
  for (let at = 0; at < megabytes; at += 1) check = crc32(spaces, check);
  const length = bytes.length + megabytes * megabyte;
  return Buffer.concat([header, deflatedBomb(bytes, megabytes), littleEndian(check), littleEndian(length)]);
}
