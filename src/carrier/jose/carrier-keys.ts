import { createPrivateKey, createPublicKey, generateKeyPair, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { getEnvironmentData } from 'node:worker_threads';
import { definedMembers } from '../json.ts';
import type { CarrierKeyKind, Policy } from '../policy.ts';
import type { CarrierSigningKey } from './jws.ts';

const makeRsaPair = promisify(generateKeyPair);

/** Returns the `number`th key; events have a series of their own, and carriers of one process share all keys. */
export async function carrierSigningKey(
  number: number,
  { carrierKey, carrierKid }: Pick<Policy, 'carrierKey' | 'carrierKid'>,
  use: 'all' | 'events' = 'all',
): Promise<CarrierSigningKey> {
  const { publicKey, privateKey } = await findPair(carrierKey, `${use} ${number}`);
  const { kty = '', n, e, crv, x, y } = publicKey.export({ format: 'jwk' });
  const members = definedMembers({ n, e, crv, x, y });
  const alg = algByKind[carrierKey];
  const kid = numberedKid(number, carrierKid);
  return { kid, alg, privateKey, publicKey, publicJwk: { kty, kid, alg, use: 'sig', ...members } };
}

/** Kid of the `number`th key: later keys append their number. */
function numberedKid(number: number, kid: string): string {
  if (kid === '') return `carrierkey${String(number).padStart(2, '0')}`;
  return number === 1 ? kid : `${kid.slice(0, 34)}${number}`;
}

/** Key pair in PEM, as SPKI and PKCS #8. */
interface PemPair {
  readonly publicKey: string;
  readonly privateKey: string;
}

export const makeRsa = (modulusLength: number): Promise<PemPair> =>
  makeRsaPair('rsa', {
    modulusLength,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });

export const makeEc = (namedCurve: 'P-256' | 'P-384'): PemPair =>
  generateKeyPairSync('ec', {
    namedCurve,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });

const pairMakers: Readonly<Record<CarrierKeyKind, () => PemPair | Promise<PemPair>>> = {
  'rsa-2048': () => makeRsa(2048),
  'rsa-3072': () => makeRsa(3072),
  ps256: () => makeRsa(2048),
  es256: () => makeEc('P-256'),
  es384: () => makeEc('P-384'),
};

/** RFC 7518 §3.1. */
export const algByKind: Readonly<Record<CarrierKeyKind, string>> = {
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

async function makePair(kind: CarrierKeyKind, name: string): Promise<Pair> {
  const shared = getEnvironmentData(name) as PemPair | undefined;
  const pair = shared ?? (await pairMakers[kind]());
  return { publicKey: createPublicKey(pair.publicKey), privateKey: createPrivateKey(pair.privateKey) };
}

const madePairs = new Map<string, Promise<Pair>>();

/** Caches pairs per thread, because making one takes up to a second; a process can share them with its threads. */
function findPair(kind: CarrierKeyKind, which: string): Promise<Pair> {
  const key = `${kind} ${which}`;
  const found = madePairs.get(key) ?? makePair(kind, key);
  madePairs.set(key, found);
  return found;
}
