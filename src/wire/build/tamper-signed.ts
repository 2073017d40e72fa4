import type { JsonObject } from '../../lib/json.ts';
import { createPublicKey, createHash, randomBytes } from 'node:crypto';
import { constants, crc32, deflateRawSync, gzipSync } from 'node:zlib';

const megabyte = 1024 * 1024;
const spaces = Buffer.alloc(megabyte, ' ');

/** Compresses up to a byte boundary, so that more can follow. */
const deflateOpen = (bytes: Uint8Array): Buffer => deflateRawSync(bytes, { finishFlush: constants.Z_FULL_FLUSH });

/** Empty last block (RFC 1951 §3.2.3). */
const emptyBlock = Buffer.from([0x03, 0x00]);

let packedMegabyte: Buffer | undefined;

/** Compresses bytes followed by megabytes of spaces (RFC 1951); one megabyte is compressed once and repeated. */
export function deflatedBomb(bytes: Uint8Array, megabytes: number): Buffer {
  packedMegabyte ??= deflateOpen(spaces);
  const block = packedMegabyte;
  return Buffer.concat([deflateOpen(bytes), ...Array.from({ length: megabytes }, () => block), emptyBlock]);
}

const littleEndian = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value >>> 0);
  return bytes;
};

/** The gzip header does not depend on what follows (RFC 1952 §2.3). */
const gzipHeader = gzipSync(Buffer.alloc(0)).subarray(0, 10);

/** The same bomb in gzip format. */
export function gzippedBomb(bytes: Uint8Array, megabytes: number): Buffer {
  let check = crc32(bytes);
  for (let at = 0; at < megabytes; at += 1) check = crc32(spaces, check);
  const length = bytes.length + megabytes * megabyte;
  return Buffer.concat([gzipHeader, deflatedBomb(bytes, megabytes), littleEndian(check), littleEndian(length)]);
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** Sets a bit that decoders ignore (RFC 4648 §3.5); if the segment has no unused bits, appends a character that has. */
export function setTailBit(segment: string): string {
  if (segment.length % 4 === 0) return `${segment}B`;
  return `${segment.slice(0, -1)}${alphabet[alphabet.indexOf(segment.slice(-1)) | 1] ?? ''}`;
}

/** Adds the padding that RFC 7515 §2 leaves out. */
export const padSegment = (segment: string): string => segment.padEnd(Math.ceil((segment.length + 1) / 4) * 4, '=');

/** Signing key, for changes that have to be signed again. */
export interface Signer {
  /** Base64url signature over a signing input (RFC 7515 §5.1). */
  readonly sign: (input: Uint8Array) => string;
  /** Applies the private key to a block of the modulus's length; absent unless the key is RSA. */
  readonly rsa?: (block: Uint8Array) => Buffer;
  readonly publicJwk?: JsonObject;
}

interface SignedParts {
  /** Original segments. */
  readonly header: string;
  readonly payload: string;
  readonly jws: string;
  readonly signer: Signer;
}

/** Returns the signing input: header and payload segments joined by a dot. */
type SignedChange = (signed: SignedParts) => string;

const segmentBytes = (segment: string): Buffer => Buffer.from(segment, 'base64url');
const encodeBase64url = (bytes: Uint8Array | string): string => Buffer.from(bytes).toString('base64url');

const changeHeader =
  (change: (text: string, signed: SignedParts) => string): SignedChange =>
  (signed) =>
    `${encodeBase64url(change(segmentBytes(signed.header).toString('utf8'), signed))}.${signed.payload}`;

const changePayloadBytes =
  (change: (bytes: Buffer) => Uint8Array): SignedChange =>
  ({ header, payload }) =>
    `${header}.${encodeBase64url(change(segmentBytes(payload)))}`;

/** JSON text of an object with members added at its end, or at its beginning. */
const appendMembers = (text: string, members: string): string => text.replace(/\}\s*$/, () => `,${members}}`);
const prependMembers = (text: string, members: string): string => text.replace(/^\s*\{/, () => `{${members},`);

const addClaims =
  (members: (signed: SignedParts) => string | Uint8Array): SignedChange =>
  (signed) =>
    changePayloadBytes((bytes) => {
      const end = bytes.lastIndexOf('}');
      return Buffer.concat([bytes.subarray(0, end), Buffer.from(','), Buffer.from(members(signed)), Buffer.from('}')]);
    })(signed);

const notUtf8 = Buffer.from([0xc3, 0x28, 0xff]);
const utf8Mark = Buffer.from([0xef, 0xbb, 0xbf]);
const depth = 10_000;

/** Payload padded so that its last character has unused bits. */
const unalignPayload = (bytes: Buffer): Buffer =>
  bytes.length % 3 === 0 ? Buffer.concat([bytes, Buffer.from(' ')]) : bytes;

/** Changes made before signing: the signature is valid, the content is not. */
export const signedChanges: Readonly<Record<string, SignedChange>> = {
  'header-alg-none-last': changeHeader((text) => appendMembers(text, '"alg":"none"')),
  'header-alg-none-first': changeHeader((text) => prependMembers(text, '"alg":"none"')),
  'header-kid-twice': changeHeader((text) => appendMembers(text, '"kid":"unregistered1"')),
  'header-embeds-jwk': changeHeader((text, { signer }) =>
    appendMembers(text, `"jwk":${JSON.stringify(requirePublicJwk(signer))}`),
  ),
  'header-embeds-x5c': changeHeader((text, { signer }) => {
    const certificate = selfSignedCertificate(requirePublicJwk(signer), (input) =>
      Buffer.from(signer.sign(input), 'base64url'),
    );
    return appendMembers(text, `"x5c":["${certificate.toString('base64')}"]`);
  }),
  'claims-bind-signer': addClaims(({ signer }) => `"referred_binding":${JSON.stringify(requirePublicJwk(signer))}`),
  'claims-name-signer': addClaims(({ signer }) => {
    const jwk = JSON.stringify(requirePublicJwk(signer));
    return `"jwk":${jwk},"sub_jwk":${jwk},"cnf":{"jwk":${jwk}},"jwks":{"keys":[${jwk}]}`;
  }),
  'header-bom': ({ header, payload }) =>
    `${encodeBase64url(Buffer.concat([utf8Mark, segmentBytes(header)]))}.${payload}`,
  'header-padded': ({ header, payload }) => `${padSegment(header)}.${payload}`,
  'header-blank': ({ header, payload }) => `${header.slice(0, 8)} ${header.slice(8)}.${payload}`,
  'header-line-break': ({ header, payload }) => `${header.slice(0, 8)}\n${header.slice(8)}.${payload}`,
  'header-base64': (signed) => {
    const [header = '', payload = ''] = changeHeader((text) => appendMembers(text, '"x":"????????"'))(signed).split(
      '.',
    );
    return `${header.replaceAll('-', '+').replaceAll('_', '/')}.${payload}`;
  },
  'header-not-utf8': ({ header, payload }) => {
    const bytes = segmentBytes(header);
    const member = Buffer.concat([Buffer.from(',"x":"'), notUtf8, Buffer.from('"}')]);
    return `${encodeBase64url(Buffer.concat([bytes.subarray(0, bytes.lastIndexOf('}')), member]))}.${payload}`;
  },
  'payload-bom': changePayloadBytes((bytes) => Buffer.concat([utf8Mark, bytes])),
  'payload-not-utf8': addClaims(() => Buffer.concat([Buffer.from('"x":"'), notUtf8, Buffer.from('"')])),
  'payload-blank': ({ header, payload }) => `${header}.${payload.slice(0, 40)} ${payload.slice(40)}`,
  'payload-padded': ({ header, payload }) => `${header}.${padSegment(payload)}`,
  'payload-line-break': ({ header, payload }) => `${header}.${payload.slice(0, 40)}\n${payload.slice(40)}`,
  'payload-tail-bits': ({ header, payload }) =>
    `${header}.${setTailBit(encodeBase64url(unalignPayload(segmentBytes(payload))))}`,
  // A run of question marks encodes to a slash at any offset, which the two alphabets write differently.
  'payload-base64': (signed) =>
    addClaims(() => '"x":"????????"')(signed)
      .replaceAll('-', '+')
      .replaceAll('_', '/'),
  nested: ({ header, jws }) => `${header}.${encodeBase64url(jws)}`,
  'zip-bomb': (signed) => {
    const bomb = deflatedBomb(segmentBytes(signed.payload), 32);
    return changeHeader((text) => appendMembers(text, '"zip":"DEF"'))({ ...signed, payload: encodeBase64url(bomb) });
  },
  'thousand-claims': addClaims(() => Array.from({ length: 1000 }, (_, at) => `"x${at}":${at}`).join(',')),
  'deep-claims': addClaims(() => `"x":${'['.repeat(depth)}${']'.repeat(depth)}`),
};

function requirePublicJwk({ publicJwk }: Signer): JsonObject {
  if (publicJwk === undefined) throw new TypeError('the key has no public part to embed');
  return publicJwk;
}

/** DER element (X.690 §8.1): tag, length, contents. */
function der(tag: number, ...contents: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(contents);
  if (body.length < 128) return Buffer.concat([Buffer.from([tag, body.length]), body]);
  const length = Buffer.from(body.length.toString(16).padStart(4, '0'), 'hex');
  return Buffer.concat([Buffer.from([tag, 0x80 | length.length]), length, body]);
}

const sequence = (...contents: readonly Uint8Array[]): Buffer => der(0x30, ...contents);
const fromHex = (text: string): Buffer => Buffer.from(text, 'hex');

/** sha256WithRSAEncryption with its NULL (RFC 8017 §A.2.4), and ecdsa-with-SHA256 (RFC 5758 §3.2). */
const algorithms: Readonly<Record<string, Buffer>> = {
  RSA: sequence(fromHex('06092a864886f70d01010b'), fromHex('0500')),
  EC: sequence(fromHex('06082a8648ce3d040302')),
};

/** CN=signer.test */
const subjectName = sequence(der(0x31, sequence(fromHex('0603550403'), der(0x0c, Buffer.from('signer.test')))));

const validity = sequence(der(0x18, Buffer.from('20200101000000Z')), der(0x18, Buffer.from('20991231235959Z')));

/** ECDSA-Sig-Value from r and s side by side (RFC 3279 §2.2.3). */
function ecdsaValue(signature: Buffer): Buffer {
  const half = signature.length / 2;
  const integer = (bytes: Buffer): Buffer => {
    const from = bytes.findIndex((byte) => byte !== 0);
    const short = bytes.subarray(Math.max(from, 0));
    return der(0x02, ...((short[0] ?? 0) > 127 ? [fromHex('00')] : []), short);
  };
  return sequence(integer(signature.subarray(0, half)), integer(signature.subarray(half)));
}

/** Self-signed X.509 certificate (RFC 5280 §4.1) of an RSA or P-256 key, in DER; `sign` is RS256 or ES256 over bytes. */
function selfSignedCertificate(publicJwk: JsonObject, sign: (input: Uint8Array) => Buffer): Buffer {
  const kind = publicJwk['kty'] === 'EC' ? 'EC' : 'RSA';
  const algorithm = algorithms[kind] ?? Buffer.alloc(0);
  const key = createPublicKey({ key: { ...publicJwk }, format: 'jwk' }).export({ type: 'spki', format: 'der' });
  const version3 = der(0xa0, fromHex('020102'));
  const serial = fromHex('020101');
  const certificate = sequence(version3, serial, algorithm, subjectName, validity, subjectName, key);
  const made = sign(certificate);
  return sequence(certificate, algorithm, der(0x03, fromHex('00'), kind === 'EC' ? ecdsaValue(made) : made));
}

interface MadeSignature {
  readonly signature: Buffer;
  /** The signing input (RFC 7515 §5.1). */
  readonly input: Buffer;
  readonly signer: Signer;
}

/** Makes another signature over the same input; undefined if the key has another type. */
type SignatureChange = (made: MadeSignature) => Buffer | undefined;

/** Order of P-256 (SEC 2, section 2.4.2). */
const p256GroupOrder = BigInt('0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551');
const p256Bytes = 32;

const bytesToNumber = (bytes: Uint8Array): bigint => BigInt(`0x${Buffer.from(bytes).toString('hex') || '0'}`);
const integerBytes = (value: bigint, length: number): Buffer =>
  Buffer.from(value.toString(16).padStart(length * 2, '0'), 'hex');

const changeEcdsa =
  (change: (r: bigint, s: bigint) => Buffer): SignatureChange =>
  ({ signature }) =>
    signature.length === 2 * p256Bytes
      ? change(bytesToNumber(signature.subarray(0, p256Bytes)), bytesToNumber(signature.subarray(p256Bytes)))
      : undefined;

const ecdsaPair = (r: bigint, s: bigint): Buffer =>
  Buffer.concat([integerBytes(r, p256Bytes), integerBytes(s, p256Bytes)]);

/** DER INTEGER (X.690 §8.3) of a positive number. */
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

const hashInput = (name: 'sha1' | 'sha256', input: Buffer): Buffer => createHash(name).update(input).digest();

interface RsaBlock {
  readonly fill?: 'ff' | 'garbage';
  readonly content: Buffer;
  /** Puts garbage after the content and shortens the padding before it. */
  readonly behind?: true;
}

/** EMSA-PKCS1-v1_5 block (RFC 8017 §9.2), well or badly formed: the input of the private key operation. */
function padRsaBlock(length: number, { fill = 'ff', content, behind }: RsaBlock): Buffer {
  const before = behind === true ? 8 : length - 3 - content.length;
  const garbage = Buffer.alloc(Math.max(0, length - 3 - content.length - before), 0xa5);
  const filling = fill === 'ff' ? Buffer.alloc(before, 0xff) : Buffer.from(randomBytes(before).map((byte) => byte | 1));
  return Buffer.concat([Buffer.from([0, 1]), filling, Buffer.from([0]), content, garbage]);
}

const changeRsa =
  (make: (input: Buffer) => RsaBlock): SignatureChange =>
  ({ signature, input, signer }) =>
    signer.rsa?.(padRsaBlock(signature.length, make(input)));

const sha256Info = (input: Buffer): Buffer => Buffer.concat([digestInfos.sha256, hashInput('sha256', input)]);

/** Tries at a signature whose sum with the modulus is no longer than the modulus; the chance of each is seldom below a tenth. */
const maxModulusTries = 200;

/** Adds blanks behind the claims, which change the signature and nothing else. */
const withBlanks = (payload: string, count: number): string =>
  encodeBase64url(Buffer.concat([segmentBytes(payload), Buffer.alloc(count, ' ')]));

/** Signs until the signature plus the modulus has the length of a signature (P29): a longer one is refused for its length. */
export function addModulus(jws: string, signer: Signer): string {
  const [header = '', payload = '', signature = ''] = jws.split('.');
  const modulus = signer.publicJwk?.['n'];
  if (signer.rsa === undefined || typeof modulus !== 'string') return `${header}.${payload}.${signature.slice(0, -16)}`;
  const added = bytesToNumber(segmentBytes(modulus));
  const { length } = segmentBytes(modulus);
  let last = '';
  for (let blanks = 0; blanks < maxModulusTries; blanks += 1) {
    const input = `${header}.${withBlanks(payload, blanks)}`;
    const sum = (bytesToNumber(segmentBytes(signer.sign(Buffer.from(input)))) + added).toString(16);
    const fits = sum.length <= length * 2;
    last = `${input}.${encodeBase64url(Buffer.from(sum.padStart((length + (fits ? 0 : 1)) * 2, '0'), 'hex'))}`;
    if (fits) break;
  }
  return last;
}

/** Signatures made with the right key but malformed, so that only a careless verifier accepts them. */
export const signatureChanges: Readonly<Record<string, SignatureChange>> = {
  'signature-r-s-order': changeEcdsa(() => ecdsaPair(p256GroupOrder, p256GroupOrder)),
  'signature-r-order': changeEcdsa((_, s) => ecdsaPair(p256GroupOrder, s)),
  'signature-s-order': changeEcdsa((r) => ecdsaPair(r, p256GroupOrder)),
  'signature-in-der': changeEcdsa(derPair),
  'signature-high-s': changeEcdsa((r, s) => ecdsaPair(r, s > p256GroupOrder / 2n ? s : p256GroupOrder - s)),
  'signature-leading-zero': ({ signature, signer }) =>
    signer.rsa === undefined ? undefined : Buffer.concat([Buffer.from([0]), signature]),
  'signature-garbage-behind-hash': changeRsa((input) => ({ content: sha256Info(input), behind: true })),
  'signature-garbage-padding': changeRsa((input) => ({ fill: 'garbage', content: sha256Info(input) })),
  'signature-sha1': changeRsa((input) => ({ content: Buffer.concat([digestInfos.sha1, hashInput('sha1', input)]) })),
  'signature-bare-hash': changeRsa((input) => ({ content: hashInput('sha256', input) })),
};

/** The JWS with its signature changed; if the change needs another type of key, the signature is cut. */
export function changeSignature(jws: string, change: SignatureChange, signer: Signer): string {
  const end = jws.lastIndexOf('.');
  const input = Buffer.from(jws.slice(0, end), 'ascii');
  const signature = Buffer.from(jws.slice(end + 1), 'base64url');
  const changed = change({ signature, input, signer }) ?? signature.subarray(0, -12);
  return `${jws.slice(0, end)}.${changed.toString('base64url')}`;
}
