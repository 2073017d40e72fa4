import { makeKeyPairSync } from '../../lib/key-pair.ts';
import { isJsonObject, type Json, type JsonObject, renderPlain, parseJson } from '../../lib/json.ts';
import {
  constants,
  createCipheriv,
  createECDH,
  createHash,
  createPublicKey,
  publicEncrypt,
  randomBytes,
} from 'node:crypto';
import { deflateRawSync } from 'node:zlib';

interface JweInput {
  /** `alg` chooses how the content key is encrypted; the other members go into the header as they are. */
  readonly header: JsonObject;
  readonly claims: JsonObject;
  /** A JWK or a key set; if no key in it fits the alg, a random key is used. */
  readonly to: Json;
}

/** The content key, plain and encrypted, with the header members that this adds. */
interface SealedKey {
  readonly contentKey: Buffer;
  readonly encrypted: Buffer;
  readonly header?: JsonObject;
}

type Seal = (jwk: JsonObject, header: JsonObject) => SealedKey;

const keyLength = 32;
const decodeMember = (value: Json | undefined): Buffer => Buffer.from(renderPlain(value ?? ''), 'base64url');
const encodeSegment = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url');

const sealByRsa =
  (padding: number, oaepHash?: string): Seal =>
  (jwk) => {
    const contentKey = randomBytes(keyLength);
    const key = createPublicKey({ key: { ...jwk }, format: 'jwk' });
    const encrypted = publicEncrypt({ key, padding, ...(oaepHash === undefined ? {} : { oaepHash }) }, contentKey);
    return { contentKey, encrypted };
  };

/** A symmetric key, cut or zero-filled to the length of the algorithm. */
const fitSecret = ({ k }: JsonObject): Buffer =>
  Buffer.concat([decodeMember(k), Buffer.alloc(keyLength)]).subarray(0, keyLength);

/** Random key for an alg that is not supported: no recipient can decrypt the content. */
const sealAtRandom: Seal = () => ({ contentKey: randomBytes(keyLength), encrypted: randomBytes(keyLength + 8) });

/** One round of the Concat KDF, without party info (RFC 7518 §4.6.2). */
function concatKdf(shared: Buffer, enc: string): Buffer {
  const number = (value: number): Buffer => Buffer.from(value.toString(16).padStart(8, '0'), 'hex');
  const info = [number(enc.length), Buffer.from(enc), number(0), number(0), number(keyLength * 8)];
  return createHash('sha256')
    .update(Buffer.concat([number(1), shared, ...info]))
    .digest();
}

const sealByAgreement: Seal = (jwk, { enc, epk }) => {
  if (epk !== undefined) return { contentKey: randomBytes(keyLength), encrypted: Buffer.alloc(0) };
  const own = createECDH('prime256v1');
  const point = own.generateKeys();
  const shared = own.computeSecret(Buffer.concat([Buffer.from([4]), decodeMember(jwk['x']), decodeMember(jwk['y'])]));
  const made = {
    kty: 'EC',
    crv: 'P-256',
    x: encodeSegment(point.subarray(1, 33)),
    y: encodeSegment(point.subarray(33)),
  };
  return { contentKey: concatKdf(shared, renderPlain(enc ?? '')), encrypted: Buffer.alloc(0), header: { epk: made } };
};

/** RFC 3394 §2.2.3.1. */
const wrapIv = Buffer.alloc(8, 0xa6);

const sealByWrapping: Seal = (jwk) => {
  const contentKey = randomBytes(keyLength);
  const cipher = createCipheriv('id-aes256-wrap', fitSecret(jwk), wrapIv);
  return { contentKey, encrypted: Buffer.concat([cipher.update(contentKey), cipher.final()]) };
};

type JweAlgorithm = readonly [kty: string, seal: Seal];

/** Algorithms of RFC 7518 §4.1, with the key type that each needs. */
const algorithms: Readonly<Record<string, JweAlgorithm>> = {
  RSA1_5: ['RSA', sealByRsa(constants.RSA_PKCS1_PADDING)],
  'RSA-OAEP': ['RSA', sealByRsa(constants.RSA_PKCS1_OAEP_PADDING, 'sha1')],
  'RSA-OAEP-256': ['RSA', sealByRsa(constants.RSA_PKCS1_OAEP_PADDING, 'sha256')],
  'ECDH-ES': ['EC', sealByAgreement],
  dir: ['oct', (jwk) => ({ contentKey: fitSecret(jwk), encrypted: Buffer.alloc(0) })],
  A256KW: ['oct', sealByWrapping],
};

const makeUnknownKey: Readonly<Record<string, () => JsonObject>> = {
  RSA: () => publicJwk(makeKeyPairSync({ modulusLength: 2048 }).publicKey.export({ format: 'jwk' })),
  EC: () => publicJwk(makeKeyPairSync({ namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' })),
  oct: () => ({ kty: 'oct', k: encodeSegment(randomBytes(keyLength)) }),
};

const publicJwk = (jwk: object): JsonObject =>
  Object.fromEntries(Object.entries(jwk).map(([name, value]) => [name, String(value)]));

/** Seals with the first key of the type that works: a published one may be invalid, or too short for the algorithm. */
function sealFor(to: Json, [kty, seal]: JweAlgorithm, header: JsonObject): SealedKey {
  const keys: unknown = isJsonObject(to) && 'keys' in to ? to['keys'] : [to];
  const fits = (key: unknown): key is JsonObject =>
    isJsonObject(key) && key['kty'] === kty && (kty !== 'EC' || key['crv'] === 'P-256');
  for (const key of Array.isArray(keys) ? keys.filter(fits) : []) {
    try {
      return seal(key, header);
    } catch {
      // The next one may be valid.
    }
  }
  return seal(makeUnknownKey[kty]?.() ?? {}, header);
}

/** A compact JWE in A256GCM (RFC 7516 §7.1), whatever its header says; the claims are compressed if the header has `zip`. */
export function makeJwe({ header, claims, to }: JweInput): string {
  const sealed = sealFor(to, algorithms[renderPlain(header['alg'] ?? '')] ?? ['oct', sealAtRandom], header);
  const first = encodeSegment(Buffer.from(JSON.stringify({ ...header, ...sealed.header })));
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', sealed.contentKey, iv).setAAD(Buffer.from(first, 'ascii'));
  const plain = Buffer.from(JSON.stringify(claims));
  const text = Buffer.concat([cipher.update('zip' in header ? deflateRawSync(plain) : plain), cipher.final()]);
  return [first, ...[sealed.encrypted, iv, text, cipher.getAuthTag()].map(encodeSegment)].join('.');
}

type JwePart = 'header' | 'key' | 'iv' | 'text' | 'tag';
const jweParts: readonly JwePart[] = ['header', 'key', 'iv', 'text', 'tag'];

/** Part of a JWE that is altered, how, and a description. */
type Alteration = readonly [part: JwePart, change: (bytes: Buffer) => Uint8Array, words: string];

/** Flips one bit, by default in the middle; an empty part becomes one zero byte. */
function flipBit(bytes: Buffer, at = bytes.length >> 1): Buffer {
  if (bytes.length === 0) return Buffer.from([0]);
  const changed = Buffer.from(bytes);
  changed[at] = (changed[at] ?? 0) ^ 1;
  return changed;
}

const parseJweHeader = (bytes: Buffer): JsonObject | undefined => {
  const value = parseJson(bytes.toString('utf8'));
  return isJsonObject(value) ? value : undefined;
};

/** Flips one bit so that the header still names the same algorithms, or else a bit of its last byte. */
function flipHeaderBit(bytes: Buffer): Buffer {
  const before = parseJweHeader(bytes);
  for (let at = bytes.length - 1; at >= 0; at -= 1) {
    const changed = flipBit(bytes, at);
    const after = parseJweHeader(changed);
    if (after !== undefined && ['alg', 'enc', 'zip', 'epk'].every((name) => sameText(before?.[name], after[name])))
      return changed;
  }
  return flipBit(bytes, bytes.length - 1);
}

const sameText = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

const insertMember =
  (member: string) =>
  (bytes: Buffer): Buffer =>
    Buffer.from(bytes.toString('utf8').replace(/\}\s*$/, () => `,${member}}`));

const alterations: Readonly<Record<string, Alteration>> = {
  'header-bit': ['header', flipHeaderBit, 'one bit of the header flipped'],
  'header-member': ['header', insertMember('"x":1'), 'a member x added to the header'],
  'header-zip': ['header', insertMember('"zip":"DEF"'), 'zip DEF added to the header'],
  'key-bit': ['key', (bytes) => flipBit(bytes), 'one bit of the encrypted key flipped'],
  'iv-bit': ['iv', (bytes) => flipBit(bytes), 'one bit of the initialization vector flipped'],
  'text-bit': ['text', (bytes) => flipBit(bytes), 'one bit of the ciphertext flipped'],
  'tag-bit': ['tag', (bytes) => flipBit(bytes), 'one bit of the tag flipped'],
  'tag-12-bytes': ['tag', (bytes) => bytes.subarray(0, 12), 'the tag cut to 12 bytes'],
  'tag-4-bytes': ['tag', (bytes) => bytes.subarray(0, 4), 'the tag cut to 4 bytes'],
  'tag-empty': ['tag', () => Buffer.alloc(0), 'the tag taken out'],
};

/** Names that `alter:` takes in a suite. */
export const alterationNames: readonly string[] = Object.keys(alterations);

export const describeAlteration = (name: string): string =>
  (Object.hasOwn(alterations, name) ? alterations[name]?.[2] : undefined) ?? name;

/** Alters one part of a compact JWE; undefined if it does not have five parts. Throws TypeError for an unknown name. */
export function alterJwe(jwe: string, name: string): string | undefined {
  const [part, change] = (Object.hasOwn(alterations, name) ? alterations[name] : undefined) ?? [];
  if (part === undefined || change === undefined) throw new TypeError(`unknown alteration ${name}`);
  const segments = jwe.split('.');
  if (segments.length !== jweParts.length) return undefined;
  return segments
    .map((segment, at) =>
      jweParts[at] === part ? Buffer.from(change(Buffer.from(segment, 'base64url'))).toString('base64url') : segment,
    )
    .join('.');
}
