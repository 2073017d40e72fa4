import { createHash, randomBytes } from 'node:crypto';
import type { Signer } from './tamper-signed.ts';

interface Made {
  readonly signature: Buffer;
  /** The signing input (RFC 7515 §5.1). */
  readonly input: Buffer;
  readonly signer: Signer;
}

/** Another signature of the same input; undefined where the key is of another kind. */
type Change = (made: Made) => Buffer | undefined;

/** The order of P-256 (SEC 2, section 2.4.2). */
const order = BigInt('0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551');
const half = 32;

const numberOf = (bytes: Uint8Array): bigint => BigInt(`0x${Buffer.from(bytes).toString('hex') || '0'}`);
const bytesOf = (value: bigint, length: number): Buffer =>
  Buffer.from(value.toString(16).padStart(length * 2, '0'), 'hex');

const onEcdsa =
  (change: (r: bigint, s: bigint) => Buffer): Change =>
  ({ signature }) =>
    signature.length === 2 * half
      ? change(numberOf(signature.subarray(0, half)), numberOf(signature.subarray(half)))
      : undefined;

const pair = (r: bigint, s: bigint): Buffer => Buffer.concat([bytesOf(r, half), bytesOf(s, half)]);

/** INTEGER (X.690 §8.3) of a number above 0. */
function derInteger(value: bigint): Buffer {
  const text = value.toString(16);
  const bytes = Buffer.from(text.padStart(text.length + (text.length % 2), '0'), 'hex');
  const body = (bytes[0] ?? 0) > 127 ? Buffer.concat([Buffer.from([0]), bytes]) : bytes;
  return Buffer.concat([Buffer.from([2, body.length]), body]);
}

/** Ecdsa-Sig-Value (RFC 3279 §2.2.3). */
function derPair(r: bigint, s: bigint): Buffer {
  const body = Buffer.concat([derInteger(r), derInteger(s)]);
  return Buffer.concat([Buffer.from([0x30, body.length]), body]);
}

/** DigestInfo without the hash (RFC 8017 §9.2). */
const digestInfos = {
  sha256: Buffer.from('3031300d060960864801650304020105000420', 'hex'),
  sha1: Buffer.from('3021300906052b0e03021a05000414', 'hex'),
};

const hashOf = (name: 'sha1' | 'sha256', input: Buffer): Buffer => createHash(name).update(input).digest();

interface Block {
  readonly fill?: 'ff' | 'garbage';
  readonly content: Buffer;
  /** Bytes behind the content, in place of bytes before it. */
  readonly behind?: true;
}

/** EMSA-PKCS1-v1_5 (RFC 8017 §9.2), well or badly made: what the private key is applied to. */
function block(length: number, { fill = 'ff', content, behind }: Block): Buffer {
  const before = behind === true ? 8 : length - 3 - content.length;
  const garbage = Buffer.alloc(Math.max(0, length - 3 - content.length - before), 0xa5);
  const filling = fill === 'ff' ? Buffer.alloc(before, 0xff) : Buffer.from(randomBytes(before).map((byte) => byte | 1));
  return Buffer.concat([Buffer.from([0, 1]), filling, Buffer.from([0]), content, garbage]);
}

const onRsa =
  (make: (input: Buffer) => Block): Change =>
  ({ signature, input, signer }) =>
    signer.rsa?.(block(signature.length, make(input)));

const sha256Info = (input: Buffer): Buffer => Buffer.concat([digestInfos.sha256, hashOf('sha256', input)]);

const plusModulus: Change = ({ signature, signer }) => {
  const modulus = signer.publicJwk?.['n'];
  if (signer.rsa === undefined || typeof modulus !== 'string') return undefined;
  const sum = numberOf(signature) + numberOf(Buffer.from(modulus, 'base64url'));
  return bytesOf(sum, signature.length + (sum.toString(16).length > signature.length * 2 ? 1 : 0));
};

/** Signatures that only a careless verifier takes, made with the key that signed: they are wrong in their form alone. */
export const changesOfSignature: Readonly<Record<string, Change>> = {
  'signature-r-s-order': onEcdsa(() => pair(order, order)),
  'signature-r-order': onEcdsa((_, s) => pair(order, s)),
  'signature-s-order': onEcdsa((r) => pair(r, order)),
  'signature-in-der': onEcdsa(derPair),
  'signature-high-s': onEcdsa((r, s) => pair(r, s > order / 2n ? s : order - s)),
  'signature-leading-zero': ({ signature, signer }) =>
    signer.rsa === undefined ? undefined : Buffer.concat([Buffer.from([0]), signature]),
  'signature-plus-modulus': plusModulus,
  'signature-garbage-behind-hash': onRsa((input) => ({ content: sha256Info(input), behind: true })),
  'signature-garbage-padding': onRsa((input) => ({ fill: 'garbage', content: sha256Info(input) })),
  'signature-sha1': onRsa((input) => ({ content: Buffer.concat([digestInfos.sha1, hashOf('sha1', input)]) })),
  'signature-bare-hash': onRsa((input) => ({ content: hashOf('sha256', input) })),
};

/** The JWS with another signature; of a key of another kind the signature is cut. */
export function changeSignature(jws: string, change: Change, signer: Signer): string {
  const end = jws.lastIndexOf('.');
  const input = Buffer.from(jws.slice(0, end), 'ascii');
  const signature = Buffer.from(jws.slice(end + 1), 'base64url');
  const changed = change({ signature, input, signer }) ?? signature.subarray(0, -12);
  return `${jws.slice(0, end)}.${changed.toString('base64url')}`;
}
