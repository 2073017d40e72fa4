import { createPrivateKey, createPublicKey, generateKeyPair, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';

/** RSA with its bits, EC with Node's name of the curve, Ed25519 or Ed448. */
export type KeyKind = { readonly modulusLength: number } | { readonly namedCurve: string } | 'ed25519' | 'ed448';

export interface KeyPair {
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
}

/**
 * Generates PEM and parses it, because keys made by Node share a lock with the job that made them: if garbage collection ends that job
 * during an export, Node 20 waits for ever.
 */
const publicKeyEncoding = { type: 'spki', format: 'pem' } as const;
const privateKeyEncoding = { type: 'pkcs8', format: 'pem' } as const;

const parsePair = ({
  publicKey,
  privateKey,
}: {
  readonly publicKey: string;
  readonly privateKey: string;
}): KeyPair => ({
  publicKey: createPublicKey(publicKey),
  privateKey: createPrivateKey(privateKey),
});

export async function makeKeyPair(kind: KeyKind): Promise<KeyPair> {
  const make = promisify(generateKeyPair);
  if (kind === 'ed25519') return parsePair(await make(kind, { publicKeyEncoding, privateKeyEncoding }));
  if (kind === 'ed448') return parsePair(await make(kind, { publicKeyEncoding, privateKeyEncoding }));
  if ('namedCurve' in kind) {
    return parsePair(await make('ec', { namedCurve: kind.namedCurve, publicKeyEncoding, privateKeyEncoding }));
  }
  return parsePair(await make('rsa', { modulusLength: kind.modulusLength, publicKeyEncoding, privateKeyEncoding }));
}

export function makeKeyPairSync(kind: KeyKind): KeyPair {
  const make = generateKeyPairSync;
  if (kind === 'ed25519') return parsePair(make(kind, { publicKeyEncoding, privateKeyEncoding }));
  if (kind === 'ed448') return parsePair(make(kind, { publicKeyEncoding, privateKeyEncoding }));
  if ('namedCurve' in kind) {
    return parsePair(make('ec', { namedCurve: kind.namedCurve, publicKeyEncoding, privateKeyEncoding }));
  }
  return parsePair(make('rsa', { modulusLength: kind.modulusLength, publicKeyEncoding, privateKeyEncoding }));
}
