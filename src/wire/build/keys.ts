import { memoizeByObject } from '../../lib/lists.ts';
import { createPrivateKey, createPublicKey, type KeyObject, randomBytes } from 'node:crypto';
import { type CryptoKey, importJWK, type JWK } from 'jose';
import { type JsonObject, renderPlain } from '../../lib/json.ts';
import { type KeyPair, makeKeyPair } from '../../lib/key-pair.ts';
import { CarrierspecError } from '../../model/problem.ts';
import { type SigningAlg, type SigningAlgorithm, signingAlgorithms } from '../../model/signing.ts';
import type { Client, ClientKey } from '../../model/target.ts';

/** A signing key: the same private key for jose (WebCrypto) and for signatures that jose would refuse to make. */
export interface SigningKey {
  readonly kid?: string;
  readonly alg: string;
  readonly jose: CryptoKey | Uint8Array;
  readonly raw: KeyObject | Uint8Array;
  /** Public JWK; absent for a secret. */
  readonly publicJwk?: JsonObject;
}

/** The public members of RSA and EC keys (RFC 7518 §6). */
const publicMembers = ['kty', 'n', 'e', 'crv', 'x', 'y'] as const;

export function publicPart(jwk: Readonly<Record<string, unknown>>): JsonObject {
  const found: Record<string, string> = {};
  for (const name of publicMembers) {
    const value = jwk[name];
    if (typeof value === 'string') found[name] = value;
  }
  return found;
}

const importSigningKey = async (key: ClientKey): Promise<SigningKey> => {
  const jwk: JWK = { ...key.jwk };
  return {
    kid: key.kid,
    alg: key.alg,
    jose: await importJWK(jwk, key.alg),
    raw: createPrivateKey({ key: { ...key.jwk }, format: 'jwk' }),
    publicJwk: publicPart(key.jwk),
  };
};

async function makeUnregistered(alg: 'RS256' | 'ES256'): Promise<SigningKey> {
  const { privateKey } = await generatePair(alg);
  const jwk = privateKey.export({ format: 'jwk' });
  return { alg, jose: await importJWK({ ...jwk }, alg), raw: privateKey, publicJwk: publicPart({ ...jwk }) };
}

const thumbprintMembers = (jwk: JsonObject): JsonObject =>
  Object.fromEntries(
    ['crv', 'e', 'kty', 'n', 'x', 'y'].flatMap((name) => (jwk[name] === undefined ? [] : [[name, jwk[name]]])),
  );

/** Forms of a public key that a careless verifier may take for the secret of an HMAC (RFC 8725 §2.1). */
const publicKeyForms: Readonly<Record<string, (key: KeyObject, jwk: JsonObject) => string | Buffer>> = {
  'public-pem': (key) => key.export({ type: 'spki', format: 'pem' }),
  'public-pem-trimmed': (key) => String(key.export({ type: 'spki', format: 'pem' })).trimEnd(),
  'public-der': (key) => key.export({ type: 'spki', format: 'der' }),
  'public-jwk': (_, jwk) => JSON.stringify(jwk),
  'public-jwk-sorted': (_, jwk) =>
    JSON.stringify(Object.fromEntries(Object.entries(jwk).toSorted(([one], [other]) => (one < other ? -1 : 1)))),
  // RFC 7638 §3: the members of the thumbprint alone.
  'public-thumbprint': (_, jwk) => JSON.stringify(thumbprintMembers(jwk)),
  // The modulus, or the x coordinate of an EC key.
  'public-n': (_, jwk) => Buffer.from(renderPlain(jwk['n'] ?? jwk['x']), 'base64url'),
  'public-n-text': (_, jwk) => renderPlain(jwk['n'] ?? jwk['x']),
};

/** HMAC secret made of a public key in one of these forms. Throws for an unknown form or type of key. */
export function publicKeySecret(name: string, key: JsonObject): SigningKey {
  const write =
    (Object.hasOwn(publicKeyForms, name) ? publicKeyForms[name] : undefined) ??
    throwMissingKey(`writing ${name} of a public key`);
  const jwk = publicPart(key);
  const bytes = new Uint8Array(Buffer.from(write(createPublicKey({ key: { ...jwk }, format: 'jwk' }), jwk)));
  return { alg: 'HS256', jose: bytes, raw: bytes };
}

/** Keys of a run: each is imported once; an unregistered one is made on first use. */
export interface KeyRing {
  /** `undefined` names the client's first key; docs/suite-language.md lists the other names under `key:`. */
  readonly find: (name: string | undefined, client: Client, second: Client | undefined) => Promise<SigningKey>;
}

function throwMissingKey(wanted: string): never {
  throw new CarrierspecError(`the target has no ${wanted}`, { code: 'key-unusable' });
}

const requireFirstKey = (client: Client): ClientKey =>
  client.keys[0] ?? throwMissingKey(`key of client ${client.name}`);

const byKidLength = ({ keys }: Client): readonly ClientKey[] => keys.toSorted((a, b) => a.kid.length - b.kid.length);

/** Keys chosen by the length of their kid: the header names them by it. */
export const keysByKid: ReadonlySet<string> = new Set(['shortest-kid', 'longest-kid']);

/** Keys that are in the target file. */
const registeredKeys: Readonly<Record<string, (client: Client, second: Client | undefined) => ClientKey>> = {
  first: requireFirstKey,
  second: (client) => client.keys[1] ?? throwMissingKey(`second key of client ${client.name}`),
  'shortest-kid': (client) => byKidLength(client)[0] ?? throwMissingKey(`key of client ${client.name}`),
  'longest-kid': (client) => byKidLength(client).at(-1) ?? throwMissingKey(`key of client ${client.name}`),
  'of-second-client': (_, second) => second?.keys[0] ?? throwMissingKey('key of client second'),
};

function clientSecretKey({ secret = '' }: Client): SigningKey {
  const bytes = new TextEncoder().encode(secret);
  return { alg: 'HS256', jose: bytes, raw: bytes };
}

export function createKeyRing(): KeyRing {
  const unregistered = new Map<string, Promise<SigningKey>>();
  const importOnce = memoizeByObject(importSigningKey);
  const find = (name: string, client: Client, second: Client | undefined): Promise<SigningKey> | SigningKey => {
    if (Object.hasOwn(publicKeyForms, name)) {
      const { kid, jwk } = requireFirstKey(client);
      return { kid, ...publicKeySecret(name, publicPart(jwk)) };
    }
    const choose = Object.hasOwn(registeredKeys, name) ? registeredKeys[name] : undefined;
    if (choose !== undefined) return importOnce(choose(client, second));
    if (name === 'secret') return clientSecretKey(client);
    if (name === 'unregistered') {
      // Same alg as the client's own key: a carrier that compares alg would refuse another one for that alone.
      const alg = client.keys[0]?.alg === 'ES256' ? 'ES256' : 'RS256';
      const made = unregistered.get(alg) ?? makeUnregistered(alg);
      unregistered.set(alg, made);
      return made;
    }
    throw new CarrierspecError(`unknown key ${name}`, { code: 'unknown-name' });
  };
  return { find: async (name = 'first', client, second) => find(name, client, second) };
}

/** Names that `key:` takes in a suite. */
export const keyNames: ReadonlySet<string> = new Set([
  'second',
  'unregistered',
  'of-second-client',
  'secret',
  ...keysByKid,
  ...Object.keys(publicKeyForms),
]);

/** A new key pair of an SP as two JWKs (RFC 7517 §4). */
export interface NewKey {
  readonly privateJwk: JsonObject;
  readonly publicJwk: JsonObject;
}

function generatePair(alg: SigningAlg): Promise<KeyPair> {
  const { curve }: SigningAlgorithm = signingAlgorithms[alg];
  return makeKeyPair(curve === undefined ? { modulusLength: 2048 } : { namedCurve: curve.node });
}

/** Longest kid that every carrier accepts. */
const maxKidLength = 36;

/** A kid of this length: letters and digits of the name, then random hex digits. */
function makeKid(name: string, length: number): string {
  const plain = name.replaceAll(/[^A-Za-z0-9]/g, '').slice(0, Math.max(0, length - 12));
  return `${plain}${randomBytes(maxKidLength)
    .toString('hex')
    .slice(0, length - plain.length)}`;
}

/** Makes an RSA key of 2048 bits, or an EC key on the curve of the algorithm. */
export async function makeKey(alg: SigningAlg, name: string, kidLength?: number): Promise<NewKey> {
  const { privateKey } = await generatePair(alg);
  const members = Object.entries(privateKey.export({ format: 'jwk' }));
  const jwk = Object.fromEntries(members.flatMap(([key, value]) => (typeof value === 'string' ? [[key, value]] : [])));
  const facts = { kid: makeKid(name, kidLength ?? Math.min(maxKidLength, name.length + 12)), alg, use: 'sig' };
  return { privateJwk: { ...jwk, ...facts }, publicJwk: { ...publicPart(jwk), ...facts } };
}
