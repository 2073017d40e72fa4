import { createPrivateKey, createPublicKey, generateKeyPair, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { getEnvironmentData } from 'node:worker_threads';
import { defined } from '../json.ts';
import type { KeyKind, Policy } from '../policy.ts';
import type { SigningKey } from './jws.ts';

const makeRsaPair = promisify(generateKeyPair);

/** Returns the `number`th key; events have a series of their own, and carriers of one process share all keys. */
export async function carrierSigningKey(
  number: number,
  { carrierKey, carrierKid }: Pick<Policy, 'carrierKey' | 'carrierKid'>,
  use: 'all' | 'events' = 'all',
): Promise<SigningKey> {
  const { publicKey, privateKey } = await pairOf(carrierKey, `${use} ${number}`);
  const { kty = '', n, e, crv, x, y } = publicKey.export({ format: 'jwk' });
  const members = defined({ n, e, crv, x, y });
  const alg = algOf[carrierKey];
  const kid = kidOf(number, carrierKid);
  return { kid, alg, privateKey, publicKey, publicJwk: { kty, kid, alg, use: 'sig', ...members } };
}

/** Kid of the `number`th key: later keys append their number. */
function kidOf(number: number, kid: string): string {
  if (kid === '') return `carrierkey${String(number).padStart(2, '0')}`;
  return number === 1 ? kid : `${kid.slice(0, 34)}${number}`;
}

/** Key pair in PEM, as SPKI and PKCS #8. */
interface Pem {
  readonly publicKey: string;
  readonly privateKey: string;
}

export const makeRsa = (modulusLength: number): Promise<Pem> =>
  makeRsaPair('rsa', {
    modulusLength,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });

export const makeEc = (namedCurve: 'P-256' | 'P-384'): Pem =>
  generateKeyPairSync('ec', {
    namedCurve,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });

const pairs: Readonly<Record<KeyKind, () => Pem | Promise<Pem>>> = {
  'rsa-2048': () => makeRsa(2048),
  'rsa-3072': () => makeRsa(3072),
  ps256: () => makeRsa(2048),
  es256: () => makeEc('P-256'),
  es384: () => makeEc('P-384'),
};

/** RFC 7518 §3.1. */
export const algOf: Readonly<Record<KeyKind, string>> = {
  'rsa-2048': 'RS256',
  'rsa-3072': 'RS256',
  ps256: 'PS256',
  es256: 'ES256',
  es384: 'ES384',
};

interface Pair {
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
}

async function makePair(kind: KeyKind, name: string): Promise<Pair> {
  const shared = getEnvironmentData(name) as Pem | undefined;
  const pair = shared ?? (await pairs[kind]());
  return { publicKey: createPublicKey(pair.publicKey), privateKey: createPrivateKey(pair.privateKey) };
}

const made = new Map<string, Promise<Pair>>();

/** Caches pairs per thread, because making one takes up to a second; a process can share them with its threads. */
function pairOf(kind: KeyKind, which: string): Promise<Pair> {
  const key = `${kind} ${which}`;
  const found = made.get(key) ?? makePair(kind, key);
  made.set(key, found);
  return found;
}
