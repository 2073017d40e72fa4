import {
  createPrivateKey,
  createPublicKey,
  generateKeyPair,
  generateKeyPairSync,
  type KeyObject,
  sign,
  type SignKeyObjectInput,
  verify,
} from 'node:crypto';
import { promisify } from 'node:util';
import { defined, isJsonObject, type JsonObject, stringMember } from '../json.ts';
import type { KeyKind, Policy } from '../policy.ts';

const publicMembers: Readonly<Record<string, { alg: string; names: readonly string[] }>> = {
  RSA: { alg: 'RS256', names: ['kty', 'n', 'e'] },
  EC: { alg: 'ES256', names: ['kty', 'crv', 'x', 'y'] },
};
const privateMembers = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'];

/** A public JWK of a kind the carrier works with (RSA of 2048 bits or more, EC P-256), or undefined. */
export function importPublicJwk(jwk: unknown): { alg: string; jwk: JsonObject; key: KeyObject } | undefined {
  if (!isJsonObject(jwk) || privateMembers.some((name) => name in jwk)) return undefined;
  const kind = publicMembers[stringMember(jwk, 'kty') ?? ''];
  if (kind === undefined) return undefined;
  const needed = Object.fromEntries(kind.names.map((name) => [name, stringMember(jwk, name) ?? '']));
  const key = importKey(needed);
  if (key === undefined) return undefined;
  const fit = kind.alg === 'RS256' ? isFitRsa(key) : key.asymmetricKeyDetails?.namedCurve === 'prime256v1';
  return fit ? { alg: kind.alg, jwk: needed, key } : undefined;
}

/** RFC 7518 §3.3, and RFC 8017 §3.1: the public exponent is odd, and 3 at least. */
function isFitRsa({ asymmetricKeyDetails: { modulusLength = 0, publicExponent = 0n } = {} }: KeyObject): boolean {
  return modulusLength >= 2048 && publicExponent > 2n && publicExponent % 2n === 1n;
}

function importKey(jwk: Record<string, string>): KeyObject | undefined {
  try {
    return createPublicKey({ key: jwk, format: 'jwk' });
  } catch {
    return undefined;
  }
}

/** A compact JWS, split and decoded, not yet verified (RFC 7515 §3.1). */
export interface CompactJws {
  readonly header: Uint8Array;
  readonly payload: Uint8Array;
  readonly payloadText: string;
  readonly signed: Uint8Array;
  readonly signature: Uint8Array;
}

/** Splits a compact JWS; undefined where it is not exactly three segments of strict base64url (RFC 7515 §2). */
export function parseCompactJws(text: string): CompactJws | undefined {
  const segments = text.split('.');
  const [head, body, tail] = segments;
  if (segments.length !== 3 || head === undefined || body === undefined || tail === undefined) return undefined;
  const header = decodeBase64url(head);
  const payload = decodeBase64url(body);
  const signature = decodeBase64url(tail);
  if (header === undefined || payload === undefined || signature === undefined) return undefined;
  return { header, payload, payloadText: body, signed: Buffer.from(`${head}.${body}`, 'ascii'), signature };
}

/** Encoding again shows padding, `+/`, white space and non-zero tail bits, which Buffer reads over. */
function decodeBase64url(text: string): Uint8Array | undefined {
  const bytes = Buffer.from(text, 'base64url');
  return bytes.toString('base64url') === text ? bytes : undefined;
}

const verifiers: Readonly<Record<string, (jws: CompactJws, key: KeyObject) => boolean>> = {
  RS256: (jws, key) => verify('RSA-SHA256', jws.signed, key, jws.signature),
  ES256: (jws, key) => verify('sha256', jws.signed, { key, dsaEncoding: 'ieee-p1363' }, jws.signature),
};

/** Signing algorithms a request object may use (§5.8 leaves them open). */
export const signingAlgorithms: readonly string[] = Object.keys(verifiers);

export function verifyJws(jws: CompactJws, key: KeyObject, alg: string): boolean {
  return verifiers[alg]?.(jws, key) ?? false;
}

/** A key of the carrier's own. */
export interface SigningKey {
  readonly kid: string;
  readonly alg: string;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
  readonly publicJwk: JsonObject;
}

const makeRsaPair = promisify(generateKeyPair);

/** What a carrier's keys are like. */
export type KeyPolicy = Pick<Policy, 'carrierKey' | 'carrierKid'>;

/** The `number`th key of a carrier; one for events is another. Carriers of one process have the same. */
export async function carrierSigningKey(
  number: number,
  { carrierKey, carrierKid }: KeyPolicy,
  use: 'all' | 'events' = 'all',
): Promise<SigningKey> {
  const { publicKey, privateKey } = await pairOf(carrierKey, `${use} ${number}`);
  const { kty = '', n, e, crv, x, y } = publicKey.export({ format: 'jwk' });
  const members = defined({ n, e, crv, x, y });
  const alg = kty === 'EC' ? 'ES256' : 'RS256';
  const kid = kidOf(number, carrierKid);
  return { kid, alg, privateKey, publicKey, publicJwk: { kty, kid, alg, use: 'sig', ...members } };
}

/** Keys after the first have a number at the end of the same kid. */
function kidOf(number: number, kid: string): string {
  if (kid === '') return `carrierkey${String(number).padStart(2, '0')}`;
  return number === 1 ? kid : `${kid.slice(0, 34)}${number}`;
}

interface Pem {
  readonly publicKey: string;
  readonly privateKey: string;
}

const makeRsa = (modulusLength: number): Promise<Pem> =>
  makeRsaPair('rsa', {
    modulusLength,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });

const makeEc = (): Pem =>
  generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });

const pairs: Readonly<Record<KeyKind, () => Pem | Promise<Pem>>> = {
  'rsa-2048': () => makeRsa(2048),
  'rsa-3072': () => makeRsa(3072),
  es256: makeEc,
};

interface Pair {
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
}

async function makePair(kind: KeyKind): Promise<Pair> {
  const pair = await pairs[kind]();
  return { publicKey: createPublicKey(pair.publicKey), privateKey: createPrivateKey(pair.privateKey) };
}

const made = new Map<string, Promise<Pair>>();

/** To make a pair takes up to a second: it is made once per process. */
function pairOf(kind: KeyKind, which: string): Promise<Pair> {
  const key = `${kind} ${which}`;
  const found = made.get(key) ?? makePair(kind);
  made.set(key, found);
  return found;
}

/** A JWT signed by the carrier. */
export function signJwt(key: SigningKey, typ: string, claims: JsonObject): string {
  const header = { ...(typ === '' ? {} : { typ }), alg: key.alg, kid: key.kid };
  const input = `${segment(header)}.${segment(claims)}`;
  return `${input}.${sign('sha256', Buffer.from(input, 'ascii'), signatureOf(key)).toString('base64url')}`;
}

/** RFC 7518 §3.4: an ECDSA signature is the two numbers, without ASN.1. */
function signatureOf({ alg, privateKey }: SigningKey): SignKeyObjectInput {
  return { key: privateKey, ...(alg === 'ES256' ? { dsaEncoding: 'ieee-p1363' } : {}) };
}

function segment(value: JsonObject): string {
  return Buffer.from(JSON.stringify(value), 'utf8').toString('base64url');
}
